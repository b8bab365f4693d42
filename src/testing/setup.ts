import { format } from 'node:util'
import fc from 'fast-check'
import { afterAll, afterEach, expect } from 'vitest'
import { runCleanups } from './cleanups.ts'
import { seed } from './random.ts'

fc.configureGlobal({ seed })

// Runs before each test file. A worker reuses its modules for several files, so a hook registered by a shared module
// would apply to the first file only.
afterEach(runCleanups)

// React reports invalid markup on the console only, once for each kind of element.
const { error } = console
const invalidMarkup: string[] = []
console.error = (...args: unknown[]) => {
  const message = format(...args)
  if (/^In HTML, |unique "key" prop/.test(message)) invalidMarkup.push(message)
  error(...args)
}
afterEach(() => expect(invalidMarkup.splice(0)).toEqual([]))
afterAll(() => {
  console.error = error
})
