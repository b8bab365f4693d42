import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterThisTest } from './cleanups.ts'

/** A temporary folder of the current test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'condo-'))
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
