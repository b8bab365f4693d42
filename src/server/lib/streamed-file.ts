import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'

export type StreamedFile = { sha256: string; sizeBytes: number }
export type SizeLimit = { maxBytes: number; tooLarge: () => Error }

/**
 * Streams `source` to a new file with mode 0600 and hashes it on the way; resolves when the file is on disk. Deletes
 * the file if the source is too large or fails.
 * @throws the error from `tooLarge`; errors of the source
 */
export async function writeStream(
  path: string,
  source: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: SizeLimit,
): Promise<StreamedFile> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > maxBytes) throw tooLarge()
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
