import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** False in a container that has the usual 64 MB of it. */
export const memoryHasRoom = hasRoom(inMemory)

let folder = ''

/** One folder for what the tests of a run write, in memory where there is room: a disk makes each commit wait. */
export function setup(): void {
  folder = mkdtempSync(join(memoryHasRoom ? inMemory : tmpdir(), 'condo-tests-'))
  process.env.TMPDIR = folder
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 1024 ** 3
  } catch {
    return false
  }
}
