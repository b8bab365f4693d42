const startOfFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/**
 * Whether a JPEG is baseline with all colors in its first scan. Only such a JPEG is decoded line by line: for any
 * other, the decoder keeps the whole picture in memory.
 */
export function isBaselineJpeg(bytes: Uint8Array): boolean {
  let frame: { marker: number; components: number } | undefined
  let at = 2
  while (at + 4 < bytes.length) {
    // Other bytes may precede a marker, and it may start with several 0xff.
    if (bytes[at] !== 0xff || bytes[at + 1] === 0xff || bytes[at + 1] === 0) {
      at++
      continue
    }
    const marker = bytes[at + 1] ?? 0
    at += 2
    if (hasNoLength(marker)) continue
    if (startOfFrame(marker)) frame = { marker, components: bytes[at + 7] ?? 0 }
    if (marker === 0xda) return frame?.marker === 0xc0 && frame.components === bytes[at + 2]
    at += Math.max(2, ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
  }
  return false
}
