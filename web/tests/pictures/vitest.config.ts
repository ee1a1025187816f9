import { defineConfig } from 'vitest/config'

// `npm run pictures` takes the pictures of the live laboratory that README and docs show.
export default defineConfig({
  test: {
    include: ['tests/pictures/**/*.pictures.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
