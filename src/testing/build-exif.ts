type Tags = Record<number, string>

/** EXIF data with texts in its directory of the camera's settings, and more bytes behind. */
export function buildExif({
  IFD2,
  isLittleEndian = false,
  padding = 0,
}: {
  IFD2: Tags
  isLittleEndian?: boolean
  padding?: number
}): Buffer {
  const uint16 = (value: number) => {
    const bytes = Buffer.alloc(2)
    if (isLittleEndian) bytes.writeUInt16LE(value)
    else bytes.writeUInt16BE(value)
    return bytes
  }
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    if (isLittleEndian) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const entry = (tag: number, type: number, count: number, value: number) =>
    Buffer.concat([uint16(tag), uint16(type), uint32(count), uint32(value)])
  // The first directory has one entry, which points to the second.
  const secondAt = 8 + 2 + 12 + 4
  const tags = Object.entries(IFD2).map(([tag, text]) => ({ tag: Number(tag), text: `${text}\0` }))
  let textAt = secondAt + 2 + tags.length * 12 + 4
  const entries = tags.map(({ tag, text }) => {
    const made = entry(tag, 2, text.length, textAt)
    textAt += text.length
    return made
  })
  return Buffer.concat([
    Buffer.from(`Exif\0\0${isLittleEndian ? 'II' : 'MM'}`, 'latin1'),
    ...[uint16(42), uint32(8), uint16(1), entry(0x8769, 4, 1, secondAt), uint32(0)],
    ...[uint16(tags.length), ...entries, uint32(0), ...tags.map(({ text }) => Buffer.from(text, 'latin1'))],
    Buffer.alloc(padding),
  ])
}

/** EXIF data with the time at which a photo was taken, and its offset. */
export const dated = (time: string, offset?: string): Buffer =>
  buildExif({ IFD2: { 36867: time, ...(offset !== undefined && { 36881: offset }) } as Tags })
