import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Lower-case hex SHA-256 of bytes, or of a text as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The SHA-256, in hex, and the size of a file, read as a stream. */
export async function hashFile(path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** A random secret for a link or a header; only its `sha256` is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')
