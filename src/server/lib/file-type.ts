type FileType = 'pdf' | 'jpeg' | 'png' | 'webp' | 'heic'

/** How many bytes `fileTypeOf` needs. */
export const fileTypeBytes = 12

/**
 * The type of a file by its first bytes; undefined for others than these. Whoever unpacks or searches a file to name its
 * type can be kept busy by a file that is made for it.
 */
export function fileTypeOf(content: Uint8Array): FileType | undefined {
  const start = Buffer.from(content.subarray(0, fileTypeBytes)).toString('latin1')
  if (start.startsWith('%PDF-')) return 'pdf'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  return /ftyp(?:hei[cx]|hev[cx]|mif1|msf1)$/.test(start) ? 'heic' : undefined
}
