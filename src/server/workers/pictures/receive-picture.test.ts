import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { maxPictureBytes, pictureMessages } from '../../../domain/content/picture.ts'
import { quarters } from '../../../testing/build-picture.ts'
import { testFolder } from '../../../testing/test-folder.ts'
import { createFileStore } from '../../kernel/file-store.ts'
import { sha256 } from '../../lib/sha256.ts'
import { createPictureReceiver } from './receive-picture.ts'

async function openStore() {
  const folder = testFolder()
  const store = await createFileStore(folder)
  const receiveOf = createPictureReceiver(store)
  type Work<T> = Parameters<typeof receiveOf<T>>[2]
  /** Receives an upload of a person of its own. */
  const receive = <T>(source: AsyncIterable<Uint8Array>, work: Work<T>) =>
    receiveOf(randomUUID(), source, work)
  return { folder, store, receive, receiveOf }
}
/** Names of all files in the folder. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
async function* chunks(content: Uint8Array, size = 64 * 1024) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
const jpeg = () => quarters(800, 500).jpeg().toBuffer()
const meta = { originalName: 'beach.jpg', contentType: 'image/jpeg', createdAt: '2026-03-04T17:00:00.000Z' }

test('stores a picture unchanged and hashes it while receiving; no sweep deletes it before its row exists [PIC-02, PIC-08]', async () => {
  const { folder, receive, store } = await openStore()
  const content = await jpeg()
  const kept = await receive(chunks(content, 1000), async picture => {
    expect(picture).toMatchObject({ format: 'jpeg', sha256: sha256(content), sizeBytes: content.length })
    expect(readFileSync(picture.path).equals(content)).toBe(true)
    expect(await store.sweep(() => [])).toMatchObject({ orphaned: [] })
    return picture.commitAndRecord(meta, async file => {
      expect(await store.sweep(() => [])).toMatchObject({ orphaned: [] })
      return file
    })
  })
  expect(kept).toEqual({
    ...meta,
    id: expect.any(String),
    storageName: expect.stringMatching(/^[0-9a-f]{48}$/),
    sha256: sha256(content),
    sizeBytes: content.length,
  })
  expect(filesIn(folder)).toEqual([kept.storageName])
  expect((await store.read(kept)).equals(content)).toBe(true)
  expect(readFileSync(store.pathOf(kept)).equals(content)).toBe(true)
})

test('accepts 20 MB, rejects one byte more and leaves no file [PIC-02]', async () => {
  const { folder, receive } = await openStore()
  const content = Buffer.concat([await jpeg(), Buffer.alloc(maxPictureBytes + 500_000)])
  const most = content.subarray(0, maxPictureBytes)
  expect(await receive(chunks(most), async ({ sizeBytes }) => sizeBytes)).toBe(20_971_520)
  let taken = 0
  const counted = async function* () {
    for await (const chunk of chunks(content)) {
      taken += chunk.length
      yield chunk
    }
  }
  const refusal = { code: 'too_large', status: 413, message: 'A picture can be at most 20 MB.' }
  const keep = async () => 'kept'
  await expect(receive(chunks(content.subarray(0, maxPictureBytes + 1)), keep)).rejects.toMatchObject(refusal)
  await expect(receive(counted(), keep)).rejects.toMatchObject(refusal)
  // The rest is not even read.
  expect(taken).toBeLessThan(content.length)
  expect(filesIn(folder)).toEqual([])
})

test('leaves no file of an upload that is interrupted or not kept [PIC-02]', async () => {
  const { folder, receive } = await openStore()
  const content = await jpeg()
  const broken = async function* () {
    yield content
    throw new Error('the line broke')
  }
  await expect(receive(broken(), async () => 'kept')).rejects.toThrow('the line broke')
  expect(await receive(chunks(content), async () => 'looked at')).toBe('looked at')
  const refusing = receive(chunks(content), async () => {
    throw new Error('not this one')
  })
  await expect(refusing).rejects.toThrow('not this one')
  expect(filesIn(folder)).toEqual([])
})

/** The first box of such a file. */
const boxed = (brand: string, ...compatible: string[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 16 + 4 * compatible.length]),
    Buffer.from(`ftyp${brand}\0\0\0\0${compatible.join('')}`),
    Buffer.alloc(5000),
  ])
const { heic, typeWrong } = pictureMessages

test.each<[what: string, content: Uint8Array, sentence: string]>([
  ['a photograph of an iPhone', boxed('heic', 'mif1', 'heic'), heic],
  ['a HEIF', boxed('mif1', 'heic'), heic],
  ['a burst of an iPhone', boxed('hevc', 'hevc'), heic],
  ['an AVIF', boxed('avif', 'mif1'), typeWrong],
  ['a GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(5000)]), typeWrong],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"/>'), typeWrong],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), typeWrong],
  ['a PDF', Buffer.from('%PDF-1.7\n'), typeWrong],
  ['a byte', Buffer.from([0xff]), typeWrong],
])('rejects %s by its content [PIC-01]', async (_what, content, sentence) => {
  const { folder, receive } = await openStore()
  await expect(receive(chunks(content), async () => 'kept')).rejects.toMatchObject({
    status: 415,
    message: sentence,
  })
  expect(filesIn(folder)).toEqual([])
})

test('accepts JPEG, PNG and WebP by content, and rejects an empty file [PIC-01, PIC-05]', async () => {
  const { receive } = await openStore()
  const formatOf = (content: Uint8Array) => receive(chunks(content), async ({ format }) => format)
  const picture = quarters(800, 500)
  expect(await formatOf(await picture.clone().jpeg().toBuffer())).toBe('jpeg')
  expect(await formatOf(await picture.clone().png().toBuffer())).toBe('png')
  expect(await formatOf(await picture.clone().webp().toBuffer())).toBe('webp')
  await expect(formatOf(new Uint8Array())).rejects.toMatchObject({
    status: 400,
    message: 'Please choose a picture.',
  })
})

test('accepts two concurrent uploads of one person, so that another has a place [PIC-05]', async () => {
  const { receiveOf } = await openStore()
  const content = await jpeg()
  const held = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  const uploads = held.map(({ promise }) => receiveOf('one', chunks(content), () => promise))
  const another = (userId: string) => receiveOf(userId, chunks(content), async () => 'taken')
  await expect(another('one')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 })
  expect(await another('other')).toBe('taken')
  for (const { resolve } of held) resolve()
  await Promise.all(uploads)
  expect(await another('one')).toBe('taken')
})

test('accepts three concurrent uploads, rejects a fourth, and accepts another when one is done [PIC-05]', async () => {
  const { receive } = await openStore()
  const content = await jpeg()
  const held = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const uploads = held.map(({ promise }) => receive(chunks(content), () => promise))
  const another = () => receive(chunks(content), async () => 'taken')
  await expect(another()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 })
  held[0]?.resolve()
  await uploads[0]
  expect(await another()).toBe('taken')
  for (const { resolve } of held) resolve()
  await Promise.all(uploads)
})
