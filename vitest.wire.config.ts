import { defineConfig } from 'vitest/config'

/** What must fail and what must survive, tried against the production build in a process of its own: `npm run build` comes first. */
export default defineConfig({
  test: {
    include: ['src/testing/security/**/*.test.ts', 'src/testing/resilience/**/*.test.ts'],
    exclude: ['src/**/*.long.test.ts'],
    environment: 'node',
    pool: 'forks',
    // A worker imports what its files share once.
    isolate: false,
    globalSetup: 'src/testing/global-setup.ts',
    setupFiles: ['src/testing/setup.ts'],
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
