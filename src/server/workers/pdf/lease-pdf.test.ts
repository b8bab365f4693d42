import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { electronicSignatureLine } from '../../../domain/leases/lease-layout.ts'
import { type LeaseData, renderLeaseText } from '../../../domain/leases/lease-text.ts'
import { sampleLease } from '../../../domain/leases/lease-wording.ts'
import { buildContent } from '../../../testing/build-content.ts'
import { pdfPages, pdfText } from '../../../testing/pdf-text.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { LeaseSignature, SignedLease } from './certificate-pages.ts'
import { renderLeasePdf, renderSignedLeasePdf } from './lease-pdf.ts'

const names = ['José Núñez', 'Łukasz Żółć', 'Nguyễn Thị Hằng', 'Αγγελική Παπαδοπούλου', 'Юлія Ґалаґан']

const data: LeaseData = {
  ...sampleLease,
  tenantName: 'Юлія Ґалаґан',
  coTenantName: 'Zoë Müller',
  guests: names.map(name => ({ name, isAdult: true })),
  houseRules: buildContent().houseRules.rules,
  charges: [],
  paymentSchedule: '',
}
const text = renderLeaseText(data)
const createdAt = '2026-05-20T14:03:22.000Z'

const signed: SignedLease = {
  text,
  signatures: [
    { name: 'Юлія Ґалаґан', mode: 'typed', pngBytes: png(600, 200), hasOwnConsent: true },
    { name: 'Zoë Müller', mode: 'drawn', pngBytes: png(360, 180), hasOwnConsent: true },
  ],
  certificate: {
    applicationNumber: 'APP-2026-0007',
    landlordName: data.landlordName,
    propertyName: data.propertyName,
    timeZone: 'America/New_York',
    accountEmail: 'yulia@example.com',
    leaseGeneratedAt: createdAt,
    signedAt: '2026-05-21T01:15:09.123Z',
    consentVersion: '2026-01',
    consentSentence: 'I agree to sign this lease electronically.',
    textConfirmed: true,
    noticeSha256: 'ab'.repeat(32),
    noticeConfirmed: true,
    ipAddress: '2001:db8::7334',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/160.0\u0000王',
  },
}

const zone = process.env.TZ
afterEach(() => {
  process.env.TZ = zone
})

describe('the PDF of a lease', () => {
  test('contains the text in Latin, Greek and Cyrillic letters', () => {
    const lines = pdfText(renderLeasePdf({ text, createdAt })).flat()
    expect(lines[0]).toBe('Lease Agreement')
    for (const name of names) expect(lines).toContain(`• ${name}, adult`)
    const printed = `Lease Agreement${text.replaceAll(/^- /gm, '• ')}`
    expect(lines.join('').replace(/\s/g, '')).toBe(printed.replace(/\s/g, ''))
  })

  test('renders the same lease to the same bytes in every time zone, and another lease to different bytes', () => {
    const first = renderLeasePdf({ text, createdAt })
    process.env.TZ = 'Pacific/Auckland'
    expect(Buffer.compare(renderLeasePdf({ text, createdAt }), first)).toBe(0)
    expect(Buffer.compare(renderLeasePdf({ text: `${text}.`, createdAt }), first)).not.toBe(0)
    const later = { text, createdAt: '2041-05-20T14:03:22.000Z' }
    expect(renderLeasePdf(later).length).toBeGreaterThan(10_000)
  })

  test('continues a long lease over ten pages without losing a line', () => {
    const long = Array.from({ length: 36 * 9 + 20 }, (_, i) => `Point ${i + 1} of the lease`).join('\n')
    const pages = pdfText(renderLeasePdf({ text: long, createdAt }))
    expect(pages.map(page => page.length)).toEqual([35, ...Array.from({ length: 8 }, () => 36), 22])
    expect(pages.flat().slice(1).join('\n')).toBe(long)
  })

  test('a character missing in the font does not remove the rest of its line', () => {
    expect(pdfText(renderLeasePdf({ text: 'before 王 after', createdAt })).flat()[1]).toBe('before ? after')
  })
})

describe('the signed lease', () => {
  const bytes = renderSignedLeasePdf(signed)
  const pages = pdfText(bytes)

  test('contains the lease, the signatures and the certificate [SIGN-15]', () => {
    const [signatures = [], certificate = []] = pages.slice(-2)
    expect(pages.slice(0, -2).flat().join('').replace(/\s/g, '')).toContain(
      text.slice(0, 900).replace(/\s/g, ''),
    )
    expect(signatures).toEqual(
      expect.arrayContaining([
        'Юлія Ґалаґан',
        'Tenant, typed signature',
        'Zoë Müller',
        'Tenant, drawn signature',
      ]),
    )
    expect(
      pdfPages(bytes)
        .at(-2)
        ?.match(/\/I\d+ Do/g),
    ).toHaveLength(2)
    expect(certificate).toEqual(
      expect.arrayContaining([
        'Signing certificate',
        'Lease agreement, application APP-2026-0007',
        'Юлія Ґалаґан, typed signature',
        'Zoë Müller, drawn signature',
        sha256(signed.signatures[0]?.pngBytes ?? ''),
        'yulia@example.com',
        '2026-05-21 01:15:09 UTC',
        expect.stringMatching(/^May 20, 2026, 9:15\sPM EDT$/),
        '2026-05-20 14:03:22 UTC',
        '“I agree to sign this lease electronically.”',
        'Version of the sentence: 2026-01',
        '2001:db8::7334',
        'Mozilla/5.0 (X11; Linux x86_64) Firefox/160.0 ?',
        sha256(text),
      ]),
    )
  })

  test('the certificate begins with the names, and ends with the technical record [LOOK-78]', () => {
    const certificate = pages.at(-1) ?? []
    const at = (line: string) => certificate.indexOf(line)
    expect(certificate.slice(0, 3)).toEqual([
      'Signing certificate',
      'Signer 1',
      'Юлія Ґалаґан, typed signature',
    ])
    expect(at('Zoë Müller, drawn signature')).toBeLessThan(at('Signed'))
    expect(at('Signed')).toBeLessThan(at('2001:db8::7334'))
    expect(at('2001:db8::7334')).toBeLessThan(at(sha256(text)))
  })

  test('has the same lease pages as the unsigned PDF, without blank signature lines and with a footer [LOOK-25]', () => {
    const unsigned = pdfText(renderLeasePdf({ text, createdAt }))
    const isBlank = (line: string) => line.startsWith('Signature: ____')
    expect(unsigned.flat().filter(isBlank)).toHaveLength(2)
    expect(pages.slice(0, -2).map(page => page.slice(0, -2))).toEqual(
      unsigned.map(page => page.map(line => (isBlank(line) ? electronicSignatureLine : line))),
    )
    expect(pages.at(-1)?.join(' ')).toContain(
      'Where the text has blank lines for signatures by hand, this document says that they are electronic.',
    )
    expect(pages[0]?.slice(-2)).toEqual([
      'Lease agreement APP-2026-0007, signed electronically',
      `Page 1 of ${unsigned.length + 2}`,
    ])
  })

  test('renders the same record to the same bytes, and another IP address to different bytes', () => {
    process.env.TZ = 'Asia/Kolkata'
    expect(Buffer.compare(renderSignedLeasePdf(signed), bytes)).toBe(0)
    const other = { ...signed, certificate: { ...signed.certificate, ipAddress: '2001:db8::1' } }
    expect(Buffer.compare(renderSignedLeasePdf(other), bytes)).not.toBe(0)
  })

  test('fits a single signer and an extremely long user agent', () => {
    const odd = renderSignedLeasePdf({
      ...signed,
      signatures: signed.signatures.slice(0, 1),
      certificate: {
        ...signed.certificate,
        userAgent: 'x'.repeat(5000),
        consentSentence: 'word '.repeat(60),
      },
    })
    const lines = pdfText(odd).flat()
    expect(lines).toContain('Signer')
    expect(lines).toContain(sha256(text))
  })

  test('sets a long name smaller, so that it ends on the page', () => {
    const [signature] = signed.signatures
    const long = { ...(signature as LeaseSignature), name: 'W'.repeat(120), pngBytes: undefined }
    const [page] = pdfPages(renderSignedLeasePdf({ ...signed, signatures: [long] })).slice(-2)
    const sizes = [...(page ?? '').matchAll(/\/F\d+ ([\d.]+) Tf(?:(?!Tf)[\s\S])*?<[\da-f]{480}> Tj/gi)].map(
      ([, size]) => Number(size),
    )
    // A W is about as wide as its size; the page has 170 mm and the line of a signature 110.
    expect(sizes).toHaveLength(2)
    expect(Math.max(...sizes) * 120 * 0.9).toBeLessThan((170 / 25.4) * 72)
  })
})

test("does not load jsPDF's HTML renderers", () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  expect(loaded.filter(file => file.includes('node_modules/jspdf/'))).not.toEqual([])
  expect(loaded.filter(file => /node_modules\/(html2canvas|canvg|dompurify)\//.test(file))).toEqual([])
})

test('hashes with standard SHA-256', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

/** A transparent RGBA image with a dark diagonal, as a canvas would produce it. */
function png(width: number, height: number): Uint8Array {
  const rows = Buffer.alloc((width * 4 + 1) * height)
  for (let y = 0; y < height; y++) rows.writeUInt32BE(0x000000ff, y * (width * 4 + 1) + 1 + 4 * y)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]))
}

function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
