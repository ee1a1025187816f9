import { defineConfig } from 'vitest/config'

// Tests in a real Chromium (see harness.ts): one after the other, because each has a simulation and a browser running.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The machine may be busy with something else.
    expect: { poll: { timeout: 20_000 } },
  },
})
