import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const needsDocument = ({ moduleId }: TestSpecification) =>
  readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment dom')

/** Component tests first: a worker ends, with all imported modules, when the next file needs another environment. */
class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(needsDocument), ...sorted.filter(file => !needsDocument(file))]
  }
}

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
      'src/testing/install/**',
      'src/**/*.long.test.ts',
    ],
    environment: 'node',
    pool: 'forks',
    // A worker imports shared modules only once.
    isolate: false,
    sequence: { sequencer: ByEnvironment },
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
