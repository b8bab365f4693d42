import { isCalendarDate } from '../../../domain/common/dates.ts'

const exifPointer = 0x8769
const dateTimeOriginal = 0x9003
const offsetTimeOriginal = 0x9011
const asciiType = 2
const longType = 4
const entryBytes = 12

/**
 * The camera's time in EXIF data, such as `2027-06-01T15:11:00` or `2027-06-01T15:11:00-04:00`; null if there is none.
 * Reads two directories and follows no other pointer, so that loops in it cannot hang; never throws.
 */
export function readExifTime(exif: Uint8Array): string | null {
  const bytes = Buffer.from(exif.buffer, exif.byteOffset, exif.byteLength)
  const tiff = bytes.toString('latin1', 0, 6) === 'Exif\0\0' ? bytes.subarray(6) : bytes
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null
  const read = reader(tiff, order === 'II')
  if (read.uint16(2) !== 42) return null
  const pointer = read.find(read.uint32(4), exifPointer, longType)
  if (pointer === undefined) return null
  const directory = read.uint32(pointer + 8)
  const [, date = '', time = ''] =
    /^(\d{4}:\d\d:\d\d) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)/.exec(read.text(directory, dateTimeOriginal)) ??
    []
  const day = date.replaceAll(':', '-')
  if (!isCalendarDate(day)) return null
  const [offset = ''] = /^[+-](0\d|1[0-4]):[0-5]\d/.exec(read.text(directory, offsetTimeOriginal)) ?? []
  return `${day}T${time}${offset}`
}

/** Outside of the data everything is 0. */
function reader(tiff: Buffer, isLittleEndian: boolean) {
  const uint16 = (at: number): number => {
    if (at + 2 > tiff.length) return 0
    return isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  const uint32 = (at: number): number => {
    if (at + 4 > tiff.length) return 0
    return isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)
  }
  /** Where a tag's entry is in a directory. */
  const find = (directory: number, tag: number, type: number): number | undefined => {
    const end = Math.min(directory + 2 + uint16(directory) * entryBytes, tiff.length - entryBytes + 1)
    for (let at = directory + 2; at < end; at += entryBytes)
      if (uint16(at) === tag && uint16(at + 2) === type) return at
    return undefined
  }
  /** The text of a tag, of at most as many characters as a time has. */
  const text = (directory: number, tag: number): string => {
    const entry = find(directory, tag, asciiType)
    if (entry === undefined) return ''
    const length = Math.min(uint32(entry + 4), 20)
    const start = length <= 4 ? entry + 8 : uint32(entry + 8)
    return tiff.toString('latin1', start, start + length)
  }
  return { uint16, uint32, find, text }
}
