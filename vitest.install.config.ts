import { defineConfig } from 'vitest/config'

/**
 * What a server needs besides Node: restic and sshd, real ones from the distribution. A test that lacks its program
 * fails and names it.
 */
export default defineConfig({
  test: {
    include: ['src/testing/install/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    globalSetup: ['src/testing/global-setup.ts', 'src/testing/memory-folder.ts'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 120_000,
    env: { TZ: 'America/New_York' },
  },
})
