import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterThisTest } from './cleanups.ts'

/** A temporary folder of the current test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'condo-'))
  // Not at once: a file that is being opened is still found.
  afterThisTest(() => rm(folder, { recursive: true, force: true }))
  return folder
}
