import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CopyName, formatCopyName, parseCopyName } from '../../../domain/content/picture.ts'
import { ifMissing, syncFolder } from '../../lib/disk.ts'
import { failpoint } from '../../lib/failpoint.ts'

/** The folder of picture copies, `media` in the uploads folder. Unlike documents, copies can be made again. */
export type MediaFolder = {
  /**
   * Runs `work` with an empty temporary folder. If `work` returns `isComplete`, its files are synced and moved into
   * place; otherwise they are deleted. No copy is ever incomplete in its place.
   */
  writeAtomically: <T>(work: (folder: string) => Promise<{ isComplete: boolean; value: T }>) => Promise<T>
}

const folderIn = (uploadsDir: string) => join(uploadsDir, 'media')

/** The path of a copy. */
export const copyPath = (uploadsDir: string, copy: CopyName): string =>
  join(folderIn(uploadsDir), formatCopyName(copy))

/** The copies that are in place. */
export async function listCopies(uploadsDir: string): Promise<CopyName[]> {
  const names = await readdir(folderIn(uploadsDir)).catch(ifMissing([]))
  return names.flatMap(name => parseCopyName(name) ?? [])
}

/** Removes the copies that `isGone` selects; returns how many. */
export async function removeCopies(uploadsDir: string, isGone: (copy: CopyName) => boolean): Promise<number> {
  const gone = (await listCopies(uploadsDir)).filter(isGone)
  for (const copy of gone) await rm(copyPath(uploadsDir, copy), { force: true })
  return gone.length
}

/** Removes unfinished files of a process that was killed. */
export async function openMediaFolder(uploadsDir: string): Promise<MediaFolder> {
  const folder = folderIn(uploadsDir)
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
    async writeAtomically(work) {
      const own = await mkdtemp(join(incoming, 'copies-'))
      try {
        const { isComplete, value } = await work(own)
        if (isComplete) await publish(own)
        return value
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    },
  }
}
