import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileStore, FileDamaged } from './file-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const meta = {
  originalName: '../lease.pdf',
  contentType: 'application/pdf',
  createdAt: '2026-03-04T00:00:00.000Z',
}
const content = Buffer.from('the signed lease')

test('a file is kept under a random name that only its owner can read, and comes back as it was', async () => {
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

test('a changed byte and a missing file are refused, never handed out', async () => {
  const store = await createFileStore(folder)
  const stored = await store.save(content, meta)
  writeFileSync(join(folder, stored.storageName), 'the signed leasE')
  await expect(store.read(stored)).rejects.toBeInstanceOf(FileDamaged)
  await store.discard(stored)
  await expect(store.read(stored)).rejects.toBeInstanceOf(FileDamaged)
})

test('a file that cannot be read for another reason is not called damaged', async () => {
  const store = await createFileStore(folder)
  const reading = store.read({ storageName: 'incoming', sha256: '' })
  await expect(reading).rejects.not.toBeInstanceOf(FileDamaged)
  await expect(reading).rejects.toMatchObject({ code: 'EISDIR' })
})

test('the sweep sets aside what no row knows and names the rows without a file', async () => {
  const store = await createFileStore(folder)
  const [kept, lost] = [await store.save(content, meta), await store.save(content, meta)]
  writeFileSync(join(folder, 'incoming', 'half'), 'ha')
  const swept = await store.sweep(() => [kept, { storageName: 'gone', sha256: '' }])
  expect(swept).toEqual({ setAside: [lost.storageName], takenBack: [], missing: ['gone'] })
  expect(readdirSync(join(folder, 'orphans')).toSorted()).toEqual([lost.storageName, 'half'].toSorted())
  expect(await store.read(kept)).toEqual(content)
})
