import { crc32, deflateSync } from 'node:zlib'

/** A small real PNG with a stroke across it, as a signature pad would draw it. */
export function signaturePng(width = 60, height = 20): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 4)
    for (let x = 0; x < width; x++) {
      const onStroke = Math.abs(y - Math.round((x * height) / width)) < 2
      row.writeUInt32BE(onStroke ? 0x000000ff : 0x00000000, 1 + x * 4)
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const signatureDataUrl = (): string => `data:image/png;base64,${signaturePng().toString('base64')}`

/** A PNG chunk with its length and checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
