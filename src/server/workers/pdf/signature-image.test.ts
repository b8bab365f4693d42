import { crc32, deflateSync } from 'node:zlib'
import { decode } from 'fast-png'
import { expect, test } from 'vitest'
import { signatureDataUrl, signaturePng } from '../../../testing/png.ts'
import { testRandom } from '../../../testing/random.ts'
import { readSignatureImage } from './signature-image.ts'

const unreadable = 'The signature could not be read. Please sign again.'
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const magic = Buffer.from('89504e470d0a1a0a', 'hex')

function chunk(type: string, body: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type), body])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

type Picture = {
  width: number
  height: number
  color?: number
  interlace?: number
  raw: Uint8Array
  extra?: Buffer
}
function png({ width, height, color = 6, interlace = 0, raw, extra = Buffer.alloc(0) }: Picture): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, color, 0, 0, interlace], 8)
  const pixels = chunk('IDAT', deflateSync(raw))
  return base64(Buffer.concat([magic, chunk('IHDR', header), extra, pixels, chunk('IEND', Buffer.alloc(0))]))
}
const black = (bytesPerPixel: number) =>
  Buffer.from([0, ...Array.from({ length: bytesPerPixel - 1 }, () => 0), 255])

/** Incompressible pixels. */
function noise(width: number, height: number) {
  const { below } = testRandom()
  const row = () => Uint8Array.from({ length: 1 + width * 4 }, (_, at) => (at === 0 ? 0 : below(256)))
  return Buffer.concat(Array.from({ length: height }, row))
}

test('keeps the pixels of a drawn signature, from a data URL and from plain base64', () => {
  const original = decode(signaturePng())
  for (const text of [signatureDataUrl(), base64(signaturePng())]) {
    const image = readSignatureImage(text)
    expect(image && decode(image)).toMatchObject({
      width: original.width,
      height: original.height,
      channels: 4,
    })
    expect(image && Buffer.from(decode(image).data).equals(Buffer.from(original.data))).toBe(true)
  }
})

test.each([
  ['grey', 0, Buffer.from([0, 0])],
  ['colour', 2, Buffer.from([0, 255, 0, 0])],
  ['grey with transparency', 4, black(2)],
  ['colour with transparency', 6, black(4)],
])('reads an image in %s', (_name, color, raw) => {
  expect(readSignatureImage(png({ width: 1, height: 1, color, raw }))).toBeInstanceOf(Uint8Array)
})

test.each([
  ['transparent', 6, [0, 0, 0, 0]],
  ['white', 6, [255, 255, 255, 255]],
  ['white without transparency', 2, [255, 255, 255]],
  ['hardly there', 6, [0, 0, 0, 20]],
])('treats an image that is %s as blank', (_name, color, pixel) => {
  expect(
    readSignatureImage(png({ width: 1, height: 1, color, raw: Buffer.from([0, ...pixel]) })),
  ).toBeUndefined()
})

test('keeps only the pixels of an image', () => {
  const extra = Buffer.concat([chunk('tEXt', Buffer.from('note\0<script>')), chunk('iCCP', Buffer.alloc(50))])
  const image = readSignatureImage(png({ width: 1, height: 1, raw: black(4), extra }))
  expect(Buffer.from(image ?? []).toString('latin1')).not.toMatch(/script|tEXt|iCCP/)
})

test.each([
  ['more pixels than a canvas has', png({ width: 60_000, height: 60_000, raw: Buffer.alloc(10) })],
  ['a side too long', png({ width: 2001, height: 1, raw: Buffer.alloc(1 + 2001 * 4) })],
  ['pixels that unfold to more than it says', png({ width: 1, height: 1, raw: Buffer.alloc(50_000_000) })],
  ['fewer pixels than it says', png({ width: 100, height: 100, raw: black(4) })],
  ['no pixels', png({ width: 0, height: 0, raw: Buffer.alloc(0) })],
  ['interlacing', png({ width: 1, height: 1, interlace: 1, raw: black(4) })],
  ['a palette', png({ width: 1, height: 1, color: 3, raw: Buffer.from([0, 0]) })],
  ['a JPEG’s content', base64(Buffer.from('ffd8ffe000104a46494600', 'hex'))],
  ['half of a file', base64(signaturePng().subarray(0, 60))],
  ['a chunk longer than the file', base64(Buffer.concat([magic, Buffer.from('ffffffff49484452', 'hex')]))],
  ['another kind of data URL', signatureDataUrl().replace('png', 'svg+xml')],
  ['no base64 at all', '<svg onload=alert(1)>'],
  ['more bytes than a drawing has', png({ width: 400, height: 400, raw: noise(400, 400) })],
])('rejects an image with %s', (_name, text) => {
  expect(() => readSignatureImage(text)).toThrow(unreadable)
})

test('stops decompressing at the size limit', () => {
  const bomb = png({ width: 1, height: 1, raw: Buffer.alloc(50_000_000) })
  expect(() => readSignatureImage(bomb)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }) }),
  )
})
