import { defineConfig } from 'vitest/config'

// Tests in a real Chromium (see lab.ts): one after the other, because each has a simulation and a browser running.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A browser on a busy machine may miss something once. A real failure fails twice, and a retry is reported.
    retry: 1,
    // The machine may be busy.
    expect: { poll: { timeout: 20_000 } },
  },
})
