import { expect, test } from 'vitest'
import { quarters } from '../../../testing/build-picture.ts'
import { isBaselineJpeg } from './jpeg-scan.ts'

const picture = () => quarters(800, 500)

test('distinguishes a baseline JPEG from a progressive one, whatever precedes the frame [PIC-03]', async () => {
  const baseline = await picture().jpeg().toBuffer()
  expect(isBaselineJpeg(baseline)).toBe(true)
  expect(isBaselineJpeg(await picture().jpeg({ progressive: true }).toBuffer())).toBe(false)
  expect(isBaselineJpeg(await picture().greyscale().jpeg().toBuffer())).toBe(true)
  expect(
    isBaselineJpeg(await picture().withIccProfile('p3').withMetadata({ orientation: 6 }).jpeg().toBuffer()),
  ).toBe(true)
  // A frame marker inside a comment, junk bytes, and more than one 0xff.
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0xff, 0xc2, 0xff, 0xda, 1, 2, 3, 0xff, 0xff])
  expect(isBaselineJpeg(Buffer.concat([baseline.subarray(0, 2), comment, baseline.subarray(2)]))).toBe(true)
})

test('a JPEG with its colors in separate scans is not baseline, because it is decoded as a whole [PIC-03]', async () => {
  const jpeg = await picture().jpeg().toBuffer()
  const at = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  expect(jpeg[at + 4]).toBe(3)
  jpeg[at + 4] = 1
  expect(isBaselineJpeg(jpeg)).toBe(false)
})

test('a truncated JPEG or one with wrong lengths is not baseline [PIC-03, PIC-04]', async () => {
  const jpeg = await picture().jpeg().toBuffer()
  const at = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  for (let length = 0; length < at; length += 7) expect(isBaselineJpeg(jpeg.subarray(0, length))).toBe(false)
  expect(isBaselineJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0xff]))).toBe(false)
  expect(isBaselineJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 8, 0, 0, 0, 0]))).toBe(false)
})
