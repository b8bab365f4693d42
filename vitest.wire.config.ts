import { defineConfig } from 'vitest/config'

/** Security and resilience tests against the production build in a separate process. Run `npm run build` first. */
export default defineConfig({
  test: {
    include: ['src/testing/security/**/*.test.ts', 'src/testing/resilience/**/*.test.ts'],
    exclude: ['src/**/*.long.test.ts'],
    environment: 'node',
    pool: 'forks',
    // A worker imports shared modules only once.
    isolate: false,
    globalSetup: ['src/testing/global-setup.ts', 'src/testing/resilience/build-scripts.ts'],
    setupFiles: ['src/testing/setup.ts'],
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
