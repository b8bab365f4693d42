import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../lib/disk.ts'
import { failpoint } from '../lib/failpoint.ts'

/** Copies of pictures, `media` in the uploads folder. Unlike documents they can be made again. */
export type MediaFolder = {
  /**
   * Gives `work` an empty folder of its own. What it wrote there, durably, gets its place when it answers true, and
   * goes otherwise; no copy is ever half in its place.
   */
  fill: <T>(work: (folder: string) => Promise<{ isWhole: boolean; value: T }>) => Promise<T>
}

/** Removes what a process that was killed had not finished. */
export async function openMediaFolder(uploadsDir: string): Promise<MediaFolder> {
  const folder = join(uploadsDir, 'media')
  const incoming = join(folder, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { recursive: true, mode: 0o700 })

  async function publish(from: string): Promise<void> {
    failpoint('copies-written')
    for (const name of await readdir(from)) {
      await rename(join(from, name), join(folder, name))
      failpoint('copy-renamed')
    }
    await syncFolder(folder)
  }

  return {
    async fill(work) {
      const own = await mkdtemp(join(incoming, 'copies-'))
      try {
        const { isWhole, value } = await work(own)
        if (isWhole) await publish(own)
        return value
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    },
  }
}
