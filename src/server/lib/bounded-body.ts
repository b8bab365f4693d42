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

/**
 * The whole body of a response, decompressed, at most `maxBytes` long.
 * @throws BodyError
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const limit = maxBytes + (coding === 'identity' ? 0 : compressionOverheadBytes)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      size += chunk.length
      if (size > limit) throw new BodyError('too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof BodyError ? error : new BodyError('truncated')
  }
  return unpack(coding, Buffer.concat(chunks), maxBytes)
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
