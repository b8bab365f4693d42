import { afterEach } from 'vitest'
import { runCleanups } from './cleanups.ts'

// Runs before each test file. A worker keeps its modules from file to file: a hook that a shared module registers
// itself would be registered for the first file alone.
afterEach(runCleanups)
