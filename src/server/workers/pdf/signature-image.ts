import { inflateSync } from 'node:zlib'
import { decode, encode } from 'fast-png'
import { AppError } from '../../../domain/common/errors.ts'
import {
  maxSignatureBytes,
  maxSignatureHeight,
  maxSignatureWidth,
  signatureUnreadable,
} from '../../../domain/leases/lease-signing.ts'

const pngSignature = '89504e470d0a1a0a'
/** Number of channels by PNG color type, for the types that a canvas produces. */
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 }
type Chunk = { type: string; start: number; end: number; body: Buffer }

/**
 * Re-encodes a signature image (PNG as data URL or base64), so that only its pixels reach the PDF; undefined for a
 * blank one. Checks the size before decoding, against decompression bombs.
 * @throws AppError bad_request
 */
export function readSignatureImage(text: string): Uint8Array | undefined {
  const base64 = text.replace(/^data:image\/png;base64,/, '')
  if (base64.length > Math.ceil(maxSignatureBytes / 3) * 4 || !/^[\w+/-]+={0,2}$/.test(base64))
    throw unreadable()
  try {
    const { width, height, channels, png } = withoutExtras(Buffer.from(base64, 'base64'))
    const { data } = decode(png)
    const rgba = toRgba(data, channels)
    return hasInk(rgba) ? encode({ width, height, data: rgba, channels: 4 }) : undefined
  } catch (error) {
    throw unreadable(error)
  }
}

/** Keeps only the header, pixel and end chunks, after checking the decompressed size. */
function withoutExtras(bytes: Buffer) {
  if (bytes.subarray(0, 8).toString('hex') !== pngSignature) throw new Error('not a PNG')
  const chunks = readChunks(bytes)
  const header = chunks[0]
  if (header?.type !== 'IHDR' || header.body.length !== 13) throw new Error('no header')
  const [width, height] = [header.body.readUInt32BE(0), header.body.readUInt32BE(4)]
  const [depth, colorType, , , interlace] = header.body.subarray(8)
  const channels = channelsOf[colorType ?? -1]
  if (width < 1 || height < 1 || width > maxSignatureWidth || height > maxSignatureHeight)
    throw new Error('too large')
  if (depth !== 8 || channels === undefined || interlace !== 0)
    throw new Error('unsupported PNG color type, bit depth or interlacing')
  const pixels = chunks.filter(chunk => chunk.type === 'IDAT')
  const rawBytes = height * (1 + width * channels)
  inflateSync(Buffer.concat(pixels.map(chunk => chunk.body)), { maxOutputLength: rawBytes })
  const end = chunks.filter(chunk => chunk.type === 'IEND')
  const png = Buffer.concat([
    bytes.subarray(0, 8),
    ...[header, ...pixels, ...end].map(({ start, end }) => bytes.subarray(start, end)),
  ])
  return { width, height, channels, png }
}

function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let start = 8; start < bytes.length && chunks.at(-1)?.type !== 'IEND'; ) {
    const length = bytes.readUInt32BE(start)
    const end = start + 12 + length
    if (end > bytes.length) throw new Error('cut off')
    const type = bytes.subarray(start + 4, start + 8).toString('latin1')
    chunks.push({ type, start, end, body: bytes.subarray(start + 8, end - 4) })
    start = end
  }
  return chunks
}

function toRgba(data: ArrayLike<number>, channels: number): Uint8Array {
  const count = data.length / channels
  const rgba = new Uint8Array(count * 4)
  for (let pixel = 0; pixel < count; pixel++) {
    const at = pixel * channels
    const isGrey = channels < 3
    rgba[pixel * 4] = data[at] ?? 0
    rgba[pixel * 4 + 1] = data[isGrey ? at : at + 1] ?? 0
    rgba[pixel * 4 + 2] = data[isGrey ? at : at + 2] ?? 0
    rgba[pixel * 4 + 3] = channels % 2 === 0 ? (data[at + channels - 1] ?? 0) : 255
  }
  return rgba
}

/** Whether anything would be visible on white paper. */
function hasInk(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    const darkness = 255 - Math.min(rgba[at] ?? 255, rgba[at + 1] ?? 255, rgba[at + 2] ?? 255)
    if ((darkness * (rgba[at + 3] ?? 0)) / 255 > 24) return true
  }
  return false
}

const unreadable = (cause?: unknown) => new AppError('bad_request', signatureUnreadable, { cause })
