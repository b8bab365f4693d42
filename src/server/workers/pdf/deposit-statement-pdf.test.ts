import { expect, test } from 'vitest'
import { quarters } from '../../../testing/build-picture.ts'
import { pdfPages, pdfText } from '../../../testing/pdf-text.ts'
import {
  type DepositLetter,
  type DepositStatement,
  renderDepositLetterPdf,
  renderDepositStatementPdf,
} from './deposit-statement-pdf.ts'

type Item = DepositStatement['items'][number]
type Photo = Item['photos'][number]

const buildPhoto = (changes: Partial<Photo> = {}): Photo => ({
  id: 'photo-1',
  sha256: 'ab'.repeat(32),
  receivedAt: '2027-06-01T19:12:04.000Z',
  takenAt: '2027-06-01T15:11:00',
  clockDoubtful: false,
  ...changes,
})
const buildItem = (changes: Partial<Item> = {}): Item => ({
  id: 'item-1',
  category: 'damage',
  label: 'Broken lamp.',
  amountCents: 100_00,
  photos: [],
  ...changes,
})
const buildLetter = (changes: Partial<DepositLetter> = {}): DepositLetter => ({
  site: {
    companyName: 'Seaglass Shore LLC',
    propertyName: 'Seaglass Shore Condo',
    propertyAddress: '100 Beach Road, Pensacola, FL 32561',
    timeZone: 'America/New_York',
  },
  createdAt: '2027-06-10T12:00:00.000Z',
  number: 2,
  applicationNumber: 'APP-2027-0001',
  tenantNames: 'Maya Rivers and Sam Rivers',
  stay: { start: '2027-03-01', end: '2027-06-01' },
  vacatedOn: '2027-05-31',
  hasLeft: true,
  depositCents: 500_00,
  returnedCents: 0,
  keptCents: 0,
  items: [buildItem({ photos: [buildPhoto()] }), buildItem({ label: 'Cleaning', amountCents: 20_00 })],
  restCents: 380_00,
  isDisputed: false,
  noticeText: 'I claim {amount} of your deposit, due to {reasons}.\nObject within 15 days to {address}.',
  objectionAddress: 'Seaglass Shore LLC\n200 Office Street\nPensacola, FL 32561',
  landlordAddress: '200 Office Street\nPensacola, FL 32561',
  tenantAddress: '5 New Home Lane\nApartment 7\nAtlanta, GA 30301',
  ...changes,
})
const buildStatement = (changes: Partial<DepositStatement> = {}): DepositStatement => {
  const { landlordAddress: _, tenantAddress: __, ...document } = buildLetter()
  return { ...document, objectionUntil: '2027-07-01', restUntil: '2027-07-10', ...changes }
}
const linesOf = (pdf: Uint8Array) => pdfText(pdf).flat()
const textOf = (pdf: Uint8Array) => linesOf(pdf).join(' ')
/** Baselines in points from the bottom of each page. */
const heightsOf = (pdf: Uint8Array) =>
  pdfPages(pdf).map(page => [...page.matchAll(/^[\d.]+ (-?[\d.]+) Td$/gm)].map(([, y]) => Number(y)))

test('a statement tells parties, stay, day of leaving, deposit less each item, sum, rest, the rule’s words and the last day to object', () => {
  const pdf = renderDepositStatementPdf(buildStatement())
  expect(linesOf(pdf)).toEqual([
    'Statement of security deposit',
    ...['Landlord', 'Seaglass Shore LLC', 'Tenant', 'Maya Rivers and Sam Rivers'],
    ...['Statement', '2 of APP-2027-0001, Jun 10, 2027'],
    ...['Property', 'Seaglass Shore Condo, 100 Beach Road, Pensacola, FL 32561'],
    ...['Stay', 'March 1, 2027 to June 1, 2027', 'The tenant left on', 'May 31, 2027'],
    ...['$500.00', 'Security deposit', '−$100.00', '1. Broken lamp.'],
    ...['Photo 1', 'Received Jun 1, 2027, 3:12:04 PM'],
    'The camera says Jun 1, 2027, 3:11 PM. Not checked.',
    ...['−$20.00', '2. Cleaning', '$120.00', 'Claimed', '$380.00'],
    'The rest, which goes back to you by July 10, 2027',
    'I claim $120.00 of your deposit, due to “Broken lamp”, “Cleaning”.',
    'Object within 15 days to Seaglass Shore LLC, 200 Office Street, Pensacola, FL 32561.',
    'The last day to object is July 1, 2027.',
    expect.stringContaining('in the time zone America/New_York'),
    'each file, by which it can be told from any other:',
    ...['Item 1, photo 1', 'ab'.repeat(32)],
    ...['Statement 2 of the security deposit, APP-2027-0001', 'Page 1 of 1'],
  ])
  expect(renderDepositStatementPdf(buildStatement())).toEqual(pdf)
})

test('after parts of the deposit went back or were kept, both documents say so, and their sums add up [DEP-20]', () => {
  const sums = { returnedCents: 200_00, keptCents: 80_00, restCents: 100_00 }
  for (const pdf of [
    renderDepositStatementPdf(buildStatement(sums)),
    renderDepositLetterPdf(buildLetter(sums)),
  ]) {
    const lines = linesOf(pdf)
    const from = lines.indexOf('Security deposit') - 1
    expect(lines.slice(from, from + 6)).toEqual([
      ...['$500.00', 'Security deposit', '−$200.00', 'Already returned', '−$80.00', 'Already kept'],
    ])
    expect(lines[lines.indexOf('Claimed') + 1]).toBe('$100.00')
  }
})

test('for a booking that was declined before the stay, the statement does not say that the tenant left [DEP-11]', () => {
  const lines = linesOf(renderDepositStatementPdf(buildStatement({ hasLeft: false })))
  expect(lines).toContain('The booking ended on')
  expect(lines).not.toContain('The tenant left on')
})

test('while a payment of the deposit is disputed, nothing is promised to go back [DEP-20]', () => {
  const lines = linesOf(renderDepositStatementPdf(buildStatement({ isDisputed: true })))
  expect(lines).toContain('The rest')
  expect(lines.join(' ')).not.toContain('goes back')
})

test('a letter has both addresses, its date, the rule’s words, the items, the rest and where to object', () => {
  const lines = linesOf(renderDepositLetterPdf(buildLetter()))
  expect(lines.slice(0, 10)).toEqual([
    ...['Seaglass Shore LLC', '200 Office Street', 'Pensacola, FL 32561', 'Jun 10, 2027'],
    ...['Maya Rivers and Sam Rivers', '5 New Home Lane', 'Apartment 7', 'Atlanta, GA 30301'],
    'Your security deposit, APP-2027-0001',
    'I claim $120.00 of your deposit, due to “Broken lamp”, “Cleaning”.',
  ])
  expect(lines).toEqual(
    expect.arrayContaining(['1. Broken lamp.', 'The rest, which goes back to you', '$380.00']),
  )
  expect(lines.slice(lines.indexOf('Where to object'))).toEqual([
    ...['Where to object', 'Seaglass Shore LLC', '200 Office Street', 'Pensacola, FL 32561'],
    expect.stringContaining('in the time zone America/New_York'),
    'each file, by which it can be told from any other:',
    ...['Item 1, photo 1', 'ab'.repeat(32)],
    ...['Letter 2 about the security deposit, APP-2027-0001', 'Page 1 of 1'],
  ])
})

test('what an item or address says is not filled in again, and cannot leave its line', () => {
  const items = [buildItem({ label: '{address} $& \u202e{amount}\nLamp' })]
  const text = textOf(renderDepositStatementPdf(buildStatement({ items })))
  expect(text).toContain('due to “{address} $& {amount} Lamp”.')
})

test.each([
  ['a clock in doubt', { clockDoubtful: true }, 'The server’s clock was in doubt.'],
  ['a damaged file', { isDamaged: true }, 'This file is damaged.'],
] as const)('a photo with %s says so [EVID-07]', (_, changes, sentence) => {
  const items = [buildItem({ photos: [buildPhoto(changes)] })]
  expect(textOf(renderDepositLetterPdf(buildLetter({ items })))).toContain(sentence)
})

/** The font of a text. */
const fontOf = (pdf: Uint8Array, text: string) => {
  const lines = pdfText(pdf)[0] ?? []
  const fonts = [...(pdfPages(pdf)[0] ?? '').matchAll(/\/(F\d+) [\d.]+ Tf[\s\S]*?Tj/g)].map(
    ([, font]) => font,
  )
  expect(fonts).toHaveLength(lines.length)
  return fonts[lines.indexOf(text)]
}
test.each([
  ['2027-05-31T15:12:03', true],
  ['2027-05-31T15:13:00', false],
])('a photo taken at %s and received on Jun 1, 3:12:04 PM: in bold %s [EVID-03]', (takenAt, isBold) => {
  const items = [buildItem({ photos: [buildPhoto({ takenAt })] })]
  const pdf = renderDepositStatementPdf(buildStatement({ items }))
  const bold = fontOf(pdf, 'Claimed')
  expect(fontOf(pdf, 'Received Jun 1, 2027, 3:12:04 PM') === bold).toBe(isBold)
  const camera = linesOf(pdf).find(line => line.startsWith('The camera says')) ?? ''
  expect(fontOf(pdf, camera) === bold).toBe(isBold)
})

test.each([
  ['short labels', 'Cleaning', 0],
  ['long labels', 'A label without an end '.repeat(8).trim(), 3],
  ['labels of one long word', 'W'.repeat(200), 10],
])('thirty items with %s stay within the pages, each hash once', async (_, label, count) => {
  const thumbnailBase64 = (await quarters(30, 40).jpeg().toBuffer()).toString('base64')
  const photos = Array.from({ length: count }, (_, i) =>
    buildPhoto({
      sha256: String(i).repeat(64),
      isDamaged: i % 2 === 0,
      clockDoubtful: i % 3 === 0,
      ...(i % 4 === 0 && { thumbnailBase64 }),
    }),
  )
  const items = Array.from({ length: 30 }, (_, i) => buildItem({ label, amountCents: i + 1, photos }))
  for (const pdf of [
    renderDepositStatementPdf(buildStatement({ items, restCents: 1 })),
    renderDepositLetterPdf(buildLetter({ items, restCents: 1 })),
  ]) {
    const lines = linesOf(pdf)
    expect(lines.filter(line => /^\d{64}$/.test(line))).toHaveLength(30 * count)
    expect(lines).toContain('$4.65')
    for (const heights of heightsOf(pdf)) {
      // The footer is alone below the text.
      expect(heights.filter(y => y < 70)).toHaveLength(2)
      expect(Math.max(...heights)).toBeLessThan(790)
    }
    const bottoms = pdfPages(pdf).flatMap(page => [...page.matchAll(/ (-?[\d.]+) cm\n?\s*\/I\d+ Do/g)])
    expect(bottoms).toHaveLength(30 * Math.ceil(count / 4))
    for (const [, bottom] of bottoms) expect(Number(bottom)).toBeGreaterThan(60)
  }
})
