import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testing/test-folder.ts'
import { createFileStore, FileDamagedError } from './file-store.ts'

let folder: string
beforeEach(() => {
  folder = testFolder()
})
const meta = {
  originalName: '../lease.pdf',
  contentType: 'application/pdf',
  createdAt: '2026-03-04T00:00:00.000Z',
}
const content = Buffer.from('the signed lease')

test('stores a file under a random name with mode 0600, and reads it back unchanged', async () => {
  const store = await createFileStore(folder)
  const stored = await store.save(content, meta)
  expect(stored).toMatchObject({
    originalName: '../lease.pdf',
    sizeBytes: content.length,
    storageName: expect.stringMatching(/^[0-9a-f]{48}$/),
  })
  expect(await store.read(stored)).toEqual(content)
  expect(statSync(join(folder, stored.storageName)).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'incoming'))).toEqual([])
})

test('reads a large file in pieces, so that many readers of one do not fill the memory', async () => {
  const store = await createFileStore(folder)
  const large = Buffer.alloc(1024 * 1024, 'lease')
  const pieces: Buffer[] = []
  for await (const piece of store.stream(await store.save(large, meta))) pieces.push(piece)
  expect(Buffer.concat(pieces).equals(large)).toBe(true)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024)
})

test('rejects a changed file and a missing file as damaged', async () => {
  const store = await createFileStore(folder)
  const stored = await store.save(content, meta)
  writeFileSync(join(folder, stored.storageName), 'the signed leasE')
  const both = [store.read, store.check]
  for (const read of both) await expect(read(stored)).rejects.toBeInstanceOf(FileDamagedError)
  await store.discard(stored)
  for (const read of both) await expect(read(stored)).rejects.toBeInstanceOf(FileDamagedError)
})

test('many readers of an orphaned file at once all get it intact', async () => {
  const store = await createFileStore(folder)
  const stored = await store.save(content, meta)
  for (let round = 0; round < 20; round++) {
    renameSync(join(folder, stored.storageName), join(folder, 'orphans', stored.storageName))
    const reads = Array.from({ length: 40 }, async (_, turn) => {
      await setTimeout(turn / 10)
      return store.read(stored)
    })
    for (const { status } of await Promise.allSettled(reads)) expect(status).toBe('fulfilled')
  }
})

test('does not report a file as damaged when reading fails for another reason', async () => {
  const store = await createFileStore(folder)
  const reading = store.read({ storageName: 'incoming', sha256: '' })
  await expect(reading).rejects.not.toBeInstanceOf(FileDamagedError)
  await expect(reading).rejects.toMatchObject({ code: 'EISDIR' })
})

test('the sweep moves files without a row to orphans/ and lists the rows without a file', async () => {
  const store = await createFileStore(folder)
  const [kept, lost] = [await store.save(content, meta), await store.save(content, meta)]
  writeFileSync(join(folder, 'incoming', 'half'), 'ha')
  const swept = await store.sweep(() => [kept, { storageName: 'gone', sha256: '' }])
  expect(swept).toEqual({ orphaned: [lost.storageName], takenBack: [], missing: ['gone'] })
  expect(readdirSync(join(folder, 'orphans')).toSorted()).toEqual([lost.storageName, 'half'].toSorted())
  expect(await store.read(kept)).toEqual(content)
})
