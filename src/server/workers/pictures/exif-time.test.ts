import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildExif, dated } from '../../../testing/build-exif.ts'
import { readExifTime } from './exif-time.ts'

test.each<[what: string, exif: Buffer, time: string | null]>([
  ['a time', dated('2027:06:01 15:11:00'), '2027-06-01T15:11:00'],
  ['a time with its offset', dated('2027:06:01 15:11:00', '-04:00'), '2027-06-01T15:11:00-04:00'],
  ['an offset that is none', dated('2027:06:01 15:11:00', 'EST\0\0\0'), '2027-06-01T15:11:00'],
  ['a time in the year 9999', dated('9999:12:31 23:59:59', '-12:00'), '9999-12-31T23:59:59-12:00'],
  ['a time that is not set', dated('0000:00:00 00:00:00'), null],
  ['blanks', dated('    :  :     :  :  '), null],
  ['a day that does not exist', dated('2027:02:30 15:11:00'), null],
  ['an hour that does not exist', dated('2027:02:20 25:11:00'), null],
  ['markup', dated('<script>alert(1)</sc'), null],
  ['no time', buildExif({ IFD2: {} }), null],
  [
    'little endian',
    buildExif({ isLittleEndian: true, IFD2: { 36867: '2027:06:01 15:11:00' } }),
    '2027-06-01T15:11:00',
  ],
  ['no prefix', dated('2027:06:01 15:11:00').subarray(6), '2027-06-01T15:11:00'],
  ['nothing', Buffer.alloc(0), null],
  ['something else', Buffer.from('Exif\0\0<html>'), null],
])('reads the time of a camera from EXIF with %s [EVID-03]', (_, exif, time) => {
  expect(readExifTime(exif)).toBe(time)
})

test('EXIF of one megabyte, with directories that point at themselves, ends at once [EVID-03]', () => {
  const megabyte = Buffer.alloc(1_048_576)
  megabyte.write('Exif\0\0MM\0*\0\0\0\x08', 'latin1')
  // Each directory is full of entries that point back to it.
  const entry = Buffer.from('876900040000000100000008', 'hex')
  megabyte.writeUInt16BE(0xffff, 14)
  for (let at = 16; at + 12 <= megabyte.length; at += 12) entry.copy(megabyte, at)
  const start = performance.now()
  expect(readExifTime(megabyte)).toBeNull()
  expect(performance.now() - start).toBeLessThan(500)
})

test('any bytes give a time or none, and a damaged time is not read beyond its end [EVID-03]', () => {
  const whole = dated('2027:06:01 15:11:00', '-04:00')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(whole.length), (bytes, cut) => {
      const mixed = Buffer.concat([whole.subarray(0, cut), bytes])
      for (const exif of [bytes, mixed, whole.subarray(0, cut)])
        expect(readExifTime(exif) ?? '2027-06-01T15:11:00').toMatch(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d)?$/,
        )
    }),
  )
})
