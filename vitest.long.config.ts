import { defineConfig } from 'vitest/config'

/**
 * Long tests: thousands of generated bodies for each path, the full property tests of payment events, the ledger,
 * payment plans, gates of stays and kept nights, a thousand jumps of the clock, 200 kills of a deposit's return, and other
 * tests that take minutes. Run `npm run build` first.
 */
export default defineConfig({
  test: {
    include: [
      'src/testing/fuzz/**/*.test.ts',
      'src/server/money/**/*.property.test.ts',
      'src/server/applications/cancellation/*.property.test.ts',
      'src/domain/**/*.property.test.ts',
      'src/server/arrival/{gate-model,mails}.test.ts',
      'src/testing/resilience/deposit-crash.test.ts',
      'src/server/bookings/**/*.property.test.ts',
      'src/**/*.long.test.ts',
    ],
    environment: 'node',
    pool: 'forks',
    globalSetup: ['src/testing/global-setup.ts', 'src/testing/resilience/build-scripts.ts'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 30_000,
    env: { TZ: 'America/New_York', LONG: 'yes' },
  },
})
