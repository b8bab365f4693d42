import { createHash } from 'node:crypto'

/** Lower-case hex SHA-256 of a text as UTF-8 or of bytes: of the lease text it is stored, shown and certified. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
