import fc from 'fast-check'
import { afterEach } from 'vitest'
import { runCleanups } from './cleanups.ts'
import { seed } from './random.ts'

fc.configureGlobal({ seed })

// Runs before each test file. A worker reuses its modules for several files, so a hook registered by a shared module
// would apply to the first file only.
afterEach(runCleanups)
