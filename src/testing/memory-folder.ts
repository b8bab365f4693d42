import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** False in a container with the default 64 MB of shared memory. */
export const memoryHasRoom = hasRoom(inMemory)

let folder = ''

/** One temporary folder for a test run, in memory if there is room: on disk each commit waits for the write. */
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
