import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { scanPdf } from '../../testing/build-lease.ts'
import { signaturePng } from '../../testing/png.ts'
import { safeName } from '../kernel/files/safe-name.ts'
import { checkScan } from './scan.ts'

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.alloc(100),
])

/** A ZIP entry without a length, whose end a parser has to search for. */
const endlessEntry = () => {
  const entry = Buffer.alloc(100_000, 'PK\x07\x08')
  entry.write('PK\x03\x04\x14\0\x08\0', 'latin1')
  entry.fill(0, 8, 30)
  return entry
}

test.each([
  ['application/pdf', scanPdf(), 'scan.pdf'],
  ['application/pdf', Buffer.from('%PDF-1.7\nAIPrivateData'), 'drawn.pdf'],
  ['image/jpeg', jpeg, 'scan.jpg'],
  ['image/jpeg', jpeg, 'SCAN.JPEG'],
  ['image/png', signaturePng(), 'scan.png'],
])('accepts %s by its first bytes alone', (contentType, content, name) => {
  expect(checkScan(content, name)).toEqual({ content, contentType, originalName: name })
})

test.each([
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['HTML in front of a PDF', Buffer.concat([Buffer.from('<script>alert(1)</script>\n'), scanPdf()])],
  ['a byte order mark in front of a PDF', Buffer.concat([Buffer.from('efbbbf', 'hex'), scanPdf()])],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a shell script', Buffer.from('#!/bin/sh\nrm -rf /\n')],
  ['a program', Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(200)])],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ['a ZIP', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(100)])],
  ['a ZIP without an end', endlessEntry()],
  ['a GZIP with such a ZIP', gzipSync(endlessEntry())],
  ['tags of a song in front of a photo', Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'), jpeg])],
  ['plain text', Buffer.from('I agree.')],
])('rejects %s that is named lease.pdf', (_name, content) => {
  expect(() => checkScan(content, 'lease.pdf')).toThrow(
    expect.objectContaining({
      code: 'unsupported_type',
      message: 'Please upload a PDF, JPEG, or PNG file',
    }),
  )
})

test('rejects an empty file, and a file one byte over the limit', () => {
  expect(() => checkScan(Buffer.alloc(0), 'lease.pdf')).toThrow('Please select a file to upload')
  expect(() => checkScan(scanPdf(10_485_761), 'lease.pdf')).toThrow(
    expect.objectContaining({ code: 'too_large' }),
  )
  expect(checkScan(scanPdf(10_485_760), 'lease.pdf')).toMatchObject({ originalName: 'lease.pdf' })
})

test.each([
  ['Mietvertrag Müller.pdf', 'Mietvertrag Müller.pdf'],
  ['договір.PDF', 'договір.PDF'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\Users\\maya\\lease.pdf', 'lease.pdf'],
  ['lease.pdf\0.html', 'lease.pdf.pdf'],
  ['a\r\nSet-Cookie: b.pdf', 'aSet-Cookie- b.pdf'],
  ['invoice\u202Efdp.exe', 'invoicefdp.pdf'],
  ['"><img onerror=x>.pdf', '---img onerror=x-.pdf'],
  ['page.html', 'page.pdf'],
  ['.pdf', 'signed-lease.pdf'],
  ['', 'signed-lease.pdf'],
  ['...', 'signed-lease.pdf'],
])('stores the name %j as %j', (name, kept) => {
  expect(safeName(name, ['pdf'], 'signed-lease')).toBe(kept)
})

test('limits a name to 120 characters, including its extension', () => {
  expect(safeName(`${'x'.repeat(300)}.pdf`, ['pdf'], 'signed-lease')).toBe(`${'x'.repeat(116)}.pdf`)
  expect([...safeName('🏖'.repeat(300), ['jpg'], 'signed-lease')]).toHaveLength(120)
})

test('shortens a file name of a megabyte in linear time and keeps its extension [FIX-19]', () => {
  // In quadratic time, this would take minutes.
  for (const char of ['.', ' ', '\u0315\u0316'])
    expect(safeName(`a${char.repeat(500_000)}b.pdf`, ['jpg', 'pdf'], 'signed-lease')).toMatch(/^a.*\.pdf$/s)
})
