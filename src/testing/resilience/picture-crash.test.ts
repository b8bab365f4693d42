import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files } from '../../../db/schema.ts'
import { sweepFiles } from '../../server/kernel/files/stored-file.ts'
import { reconcileCopies } from '../../server/site/pictures/reconcile-copies.ts'
import { listCopies } from '../../server/workers/pictures/media-folder.ts'
import { numberedJpeg, pictureSite } from '../picture-site.ts'
import { runUntilKilled } from './killed-process.ts'

/** Uploads and prepares a picture in a separate process; resolves with the signal that ended it. */
async function uploadInProcess(site: Awaited<ReturnType<typeof pictureSite>>, failpoint: string) {
  const path = join(site.folder, 'beach.jpg')
  writeFileSync(path, await numberedJpeg(1))
  return runUntilKilled(site, 'picture-process.ts', [path, site.admin.userId], { FAILPOINT: failpoint })
}

test.each<[point: string, after: { stored: boolean }]>([
  ['file-renamed', { stored: false }],
  ['copies-counted', { stored: true }],
  ['copy-renamed', { stored: true }],
  ['copies-made', { stored: true }],
])(
  'killed at %s: the picture is stored completely or not at all, and its copies are made after the next start [PIC-07, PIC-12]',
  async (point, { stored }) => {
    const site = await pictureSite()
    expect(await uploadInProcess(site, point)).toBe('SIGKILL')
    expect(site.copies().map(row => [row.state, row.attempts])).toEqual(stored ? [['processing', 1]] : [])
    expect(await sweepFiles(site.deps)).toEqual({ orphaned: stored ? 0 : 1, missing: 0 })
    await reconcileCopies(site.deps)
    const picture = await site.upload(await numberedJpeg(1))
    await site.prepareAll()
    expect(site.prepareCalls.map(call => call.withAvif)).toEqual([!stored])
    expect((await site.pictures.get({ id: picture.id })).picture.state).toBe('ready')
    expect(site.deps.db.select().from(files).all()).toHaveLength(1)
    const { uploadsDir } = site.deps.config
    const [cut] = site.copies()[0]?.cuts ?? []
    const made = (await listCopies(uploadsDir)).filter(({ format }) => format !== 'avif')
    expect(made.every(({ hash }) => hash === cut?.hash)).toBe(true)
    expect(made.length).toBeGreaterThanOrEqual(6)
  },
)
