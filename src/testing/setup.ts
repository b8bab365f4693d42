import fc from 'fast-check'
import { afterEach } from 'vitest'
import { runCleanups } from './cleanups.ts'
import { seed } from './random.ts'

fc.configureGlobal({ seed })

// Runs before each test file. A worker keeps its modules from file to file: a hook that a shared module registers
// itself would be registered for the first file alone.
afterEach(runCleanups)
