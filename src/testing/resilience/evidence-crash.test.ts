import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files } from '../../../db/schema.ts'
import { sweepFiles } from '../../server/kernel/files/stored-file.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { datedJpeg, evidenceSite } from '../build-evidence.ts'
import { runUntilKilled } from './killed-process.ts'

test.each<[point: string, after: { orphaned: number; stored: number }]>([
  ['file-written', { orphaned: 0, stored: 0 }],
  ['file-renamed', { orphaned: 1, stored: 0 }],
  ['before-evidence-commit', { orphaned: 1, stored: 0 }],
  ['in-evidence-write', { orphaned: 1, stored: 0 }],
  ['after-evidence-commit', { orphaned: 0, stored: 1 }],
])(
  'killed at %s: a photo has its file and its row, or a file is left for the sweep; the same request then is one row [EVID-06]',
  async (point, { orphaned, stored }) => {
    const site = await evidenceSite()
    const path = join(site.folder, 'lamp.jpg')
    const content = await datedJpeg(1)
    writeFileSync(path, content)
    const args = [path, site.admin.userId, site.itemId, 'request']
    expect(await runUntilKilled(site, 'evidence-process.ts', args, { FAILPOINT: point })).toBe('SIGKILL')
    expect([site.rows(), site.deps.db.select().from(files).all()].map(rows => rows.length)).toEqual([
      stored,
      stored,
    ])
    expect(await sweepFiles(site.deps)).toEqual({ orphaned, missing: 0 })
    const id = await site.add(content, { requestId: 'request' })
    expect(site.rows().map(row => [row.id, row.requestId])).toEqual([[id, 'request']])
    expect((await verifyStore(site.deps.config, () => {})).faults).toEqual([])
  },
)
