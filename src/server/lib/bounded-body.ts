import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { errorCode } from './disk.ts'

/** Too long, ended early, or not in the encoding that its header names. */
export type BodyErrorReason = 'too_large' | 'truncated' | 'unreadable'

export class BodyError extends Error {
  readonly reason: BodyErrorReason

  constructor(reason: BodyErrorReason) {
    super(`the body is ${reason}`)
    this.reason = reason
  }
}

/** How much longer than its content a compressed body may be, because of headers and checksums. */
const compressionOverheadBytes = 64 * 1024
/** Chunks below 64 bytes that a body may have; more would take too much memory and time. */
const maxTinyChunks = 2000

/**
 * The whole body of a response, decompressed, at most `maxBytes` long. Copies its chunks into one buffer that grows with
 * them, because a chunk of one byte takes a hundred as an object.
 * @throws BodyError
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const limit = maxBytes + (coding === 'identity' ? 0 : compressionOverheadBytes)
  let body = Buffer.alloc(0)
  let size = 0
  let count = 0
  try {
    for await (const chunk of response) {
      const needed = size + chunk.length
      if (needed > limit) throw new BodyError('too_large')
      if (++count > maxTinyChunks + needed / 64) throw new BodyError('unreadable')
      if (needed > body.length) {
        const larger = Buffer.alloc(Math.min(limit, Math.max(needed, 2 * body.length)))
        body.copy(larger)
        body = larger
      }
      chunk.copy(body, size)
      size = needed
    }
  } catch (error) {
    throw error instanceof BodyError ? error : new BodyError('truncated')
  }
  return unpack(coding, body.subarray(0, size), maxBytes)
}

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['raw deflate', promisify(inflateRaw)],
  ['br', promisify(brotliDecompress)],
])

async function unpack(coding: string, packed: Buffer, maxBytes: number): Promise<Buffer> {
  if (coding === 'identity') return packed
  // Some servers send deflate without its two-byte header.
  const isRaw = coding === 'deflate' && ((packed[0] ?? 8) & 15) !== 8
  const decode = decoders.get(isRaw ? 'raw deflate' : coding)
  if (!decode) throw new BodyError('unreadable')
  try {
    return await decode(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    const reason = errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : undefined
    throw new BodyError(reason ?? (errorCode(error) === 'Z_BUF_ERROR' ? 'truncated' : 'unreadable'))
  }
}
