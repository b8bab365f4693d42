import { defineConfig } from 'vitest/config'

/** What must fail, tried over the wire against the production build: `npm run build` comes first. */
export default defineConfig({
  test: {
    include: ['src/testing/security/**/*.test.ts'],
    exclude: ['src/**/*.long.test.ts'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
