import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      'vitest-environment-dom': new URL('./src/testing/dom-environment.ts', import.meta.url).pathname,
    },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'db/**/*.test.ts'],
    exclude: [
      'src/testing/e2e/**',
      'src/testing/security/**',
      'src/testing/resilience/**',
      'src/**/*.long.test.ts',
    ],
    environment: 'node',
    pool: 'forks',
    // A worker imports shared modules only once.
    isolate: false,
    // Tests allocate a lot and keep little: a larger young generation is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // At least three workers, because some tests wait for a process or a socket.
    maxWorkers: Math.max(3, availableParallelism()),
    globalSetup: ['src/testing/global-setup.ts', 'src/testing/memory-folder.ts'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 20_000,
    env: { TZ: 'America/New_York' },
  },
})
