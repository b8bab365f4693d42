import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'

type Color = readonly [red: number, green: number, blue: number]
export const red: Color = [220, 30, 30]
export const green: Color = [30, 160, 60]
export const blue: Color = [30, 60, 200]
export const yellow: Color = [240, 220, 40]

/** A picture of solid color fields, given row by row. Quick to make at any size. */
export function colorFields(rows: readonly (readonly Color[])[], width: number, height: number): Sharp {
  const raw = { width: rows[0]?.length ?? 0, height: rows.length, channels: 3 as const }
  const pixels = sharp(Uint8Array.from(rows.flat(2)), { raw })
  return pixels.resize({ width, height, fit: 'fill', kernel: 'nearest' })
}

/** Red and green on top, blue and yellow below. */
export const quarters = (width: number, height: number): Sharp =>
  colorFields(
    [
      [red, green],
      [blue, yellow],
    ],
    width,
    height,
  )

/** Personal data that a phone writes into a picture. */
export const secrets = ['Maya Rivers', 'Secret Phone 7', 'Seaglass Lane 4']

/** Adds EXIF, XMP, a comment and a Display P3 profile to a JPEG, with place, photographer and orientation. */
export async function withMetadata(jpeg: Buffer, orientation: number): Promise<Buffer> {
  const small = await quarters(8, 8)
    .withIccProfile('p3')
    .withExif({
      IFD0: { Artist: secrets[0] ?? '', Model: secrets[1] ?? '' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '28/1 21/1 1234/100' },
    })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="a:a" a:place="${secrets[2]}"/></rdf:RDF></x:xmpmeta>`,
    )
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()
  const marker = (code: number) => Buffer.from([0xff, code])
  const comment = Buffer.concat([marker(0xfe), Buffer.from([0, 2 + 11]), Buffer.from(secrets[0] ?? '')])
  const metadata = small.subarray(2, small.indexOf(marker(0xdb)))
  return Buffer.concat([jpeg.subarray(0, 2), metadata, comment, jpeg.subarray(2)])
}

/** Writes the picture into the folder and returns its path. */
export async function savePicture(
  folder: string,
  name: string,
  content: Sharp | Uint8Array,
): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content instanceof Uint8Array ? content : await content.toBuffer())
  return path
}
