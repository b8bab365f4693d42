import {
  cameraSentence,
  evidenceTexts,
  formatReceived,
  isTakenLongBefore,
} from '../../../domain/bookings/evidence.ts'
import {
  type CalendarDate,
  type DateRange,
  formatLongDate,
  formatMomentDate,
} from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { toPrintableLine } from '../../../domain/common/printable.ts'
import { type Weight, wrapText } from '../../../domain/leases/lease-layout.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import type { StatementItem } from '../../../domain/money/deposit-case.ts'
import { sha256 } from '../../lib/sha256.ts'
import { drawFooters, style } from './certificate-pages.ts'
import { newPdf, toBytes } from './lease-pdf.ts'

type Photo = StatementItem['photos'][number] & {
  /** Whether the stored file is damaged or missing. */
  isDamaged?: boolean
  /** A small JPEG; without it, the photo's details are printed alone. */
  thumbnailBase64?: string | undefined
}
type DepositDocument = {
  site: { companyName: string; propertyName: string; propertyAddress: string; timeZone: string }
  /** UTC ISO string. */
  createdAt: string
  /** Counts the statements, or the letters, of the application. */
  number: number
  applicationNumber: string
  /** All tenants, such as `Maya Rivers and Sam Rivers`. */
  tenantNames: string
  stay: DateRange
  vacatedOn: CalendarDate
  /** Whether the tenant left on that day. Otherwise it is the day on which the booking was declined or cancelled. */
  hasLeft: boolean
  /** As it was paid; what went back or was kept before this document is a part of it. */
  depositCents: number
  returnedCents: number
  keptCents: number
  items: (Omit<StatementItem, 'photos'> & { photos: Photo[] })[]
  /** What is left of the deposit. */
  restCents: number
  /** Whether a payment of it is disputed: then nothing is promised to go back. */
  isDisputed: boolean
  /** The rule's words, with the placeholders {amount}, {reasons} and {address}. */
  noticeText: string
  /** Where an objection is sent to; may have several lines. */
  objectionAddress: string
}
/** Input of the statement (DEP-20). */
export type DepositStatement = DepositDocument & {
  /** The last day to object. */
  objectionUntil: CalendarDate
  /** The last day to give back the rest. */
  restUntil: CalendarDate
}
/** Input of the letter (EVID-27). The addresses have several lines, without the names. */
export type DepositLetter = DepositDocument & { landlordAddress: string; tenantAddress: string }

/** The statement of a deposit, in the lease's layout. Deterministic. */
export function renderDepositStatementPdf(statement: DepositStatement): Uint8Array {
  const { applicationNumber, createdAt, number, objectionUntil, site, tenantNames } = statement
  const sheet = createSheet(statement, `Statement ${number} of the security deposit, ${applicationNumber}`)
  sheet.title('Statement of security deposit')
  sheet.row('Landlord', site.companyName)
  sheet.row('Tenant', tenantNames)
  sheet.row('Statement', `${number} of ${applicationNumber}, ${dayOf(createdAt, statement)}`)
  stayRows(sheet, statement)
  itemTable(sheet, statement)
  sheet.skip(4)
  sheet.text(filledNotice(statement))
  sheet.skip(2)
  sheet.text(`The last day to object is ${formatLongDate(objectionUntil)}.`, { weight: 'bold' })
  photoHashes(sheet, statement)
  return sheet.bytes()
}

/** The same as a letter, which is printed before it has a tracking number. Deterministic. */
export function renderDepositLetterPdf(letter: DepositLetter): Uint8Array {
  const { applicationNumber, landlordAddress, number, objectionAddress, site, tenantAddress } = letter
  const sheet = createSheet(letter, `Letter ${number} about the security deposit, ${applicationNumber}`)
  sheet.text(site.companyName, { weight: 'bold' })
  sheet.text(landlordAddress)
  sheet.skip(6)
  sheet.text(dayOf(letter.createdAt, letter))
  sheet.skip(6)
  sheet.text(letter.tenantNames, { weight: 'bold' })
  sheet.text(tenantAddress)
  sheet.skip(8)
  sheet.text(`Your security deposit, ${applicationNumber}`, { sizePt: 12, weight: 'bold' })
  sheet.skip(2)
  sheet.text(filledNotice(letter))
  sheet.skip(4)
  stayRows(sheet, letter)
  itemTable(sheet, letter)
  sheet.skip(4)
  sheet.keep(12)
  sheet.text('Where to object', { weight: 'bold' })
  sheet.text(objectionAddress)
  photoHashes(sheet, letter)
  return sheet.bytes()
}

const leftMm = 20
const rightMm = 190
const topMm = 20
const breakAtMm = 270
const valueMm = 62
const amountMm = 25
const photoMm = 26
/** The size of photos if there are only a few. */
const largeMm = { width: 60, height: 45 }
const thumbnailMm = { width: 30, height: 22.5 }
const fewPhotos = 2
const grey = 105

const dayOf = (at: string, { site }: DepositDocument): string => formatMomentDate(at, site.timeZone)

function stayRows(sheet: Sheet, { site, stay, hasLeft, vacatedOn }: DepositDocument): void {
  sheet.row('Property', `${site.propertyName}, ${site.propertyAddress}`)
  sheet.row('Stay', `${formatLongDate(stay.start)} to ${formatLongDate(stay.end)}`)
  sheet.row(hasLeft ? 'The tenant left on' : 'The booking ended on', formatLongDate(vacatedOn))
}

/** The rule's words. What is filled in is not searched for placeholders again. */
function filledNotice({ items, noticeText, objectionAddress }: DepositDocument): string {
  const values: Record<string, string> = {
    amount: formatCents(sumOf(items)),
    reasons: items.map(({ label }) => `“${toPrintableLine(label).replace(/[.;]+$/, '')}”`).join(', '),
    address: toLines(objectionAddress).join(', '),
  }
  return noticeText.replace(/\{(amount|reasons|address)\}/g, (_, name: string) => values[name] ?? '')
}

/** The deposit, less what is gone already and each item with its photos, and what is left. */
function itemTable(sheet: Sheet, document: DepositDocument & { restUntil?: CalendarDate }): void {
  const { depositCents, isDisputed, items, keptCents, restCents, restUntil, returnedCents, site } = document
  const by = restUntil ? ` by ${formatLongDate(restUntil)}` : ''
  const pictures = items.flatMap(({ photos }) => photos.filter(({ thumbnailBase64 }) => thumbnailBase64))
  const sizeMm = pictures.length > fewPhotos ? thumbnailMm : largeMm
  sheet.skip(4)
  sheet.rule()
  sheet.amount('Security deposit', depositCents)
  if (returnedCents > 0) sheet.amount('Already returned', -returnedCents)
  if (keptCents > 0) sheet.amount('Already kept', -keptCents)
  for (const [i, { amountCents, label, photos }] of items.entries()) {
    // An item stays with its first photo.
    sheet.rule(photos[0]?.thumbnailBase64 ? sizeMm.height + 13.5 : 8)
    sheet.amount(`${i + 1}. ${label}`, -amountCents)
    for (const [at, photo] of photos.entries())
      photoLines(sheet, `Photo ${at + 1}`, photo, { sizeMm, timeZone: site.timeZone })
  }
  sheet.rule()
  // The sums stay on one page.
  sheet.keep(18)
  sheet.amount('Claimed', sumOf(items), 'bold')
  const goesBack = restCents > 0 && !isDisputed
  sheet.amount(goesBack ? `The rest, which goes back to you${by}` : 'The rest', restCents, 'bold')
}

/** At the end, because only a dispute needs them. */
function photoHashes(sheet: Sheet, { items, site }: DepositDocument): void {
  const photos = items.flatMap(({ photos }, i) =>
    photos.map(({ sha256 }, at) => ({ name: `Item ${i + 1}, photo ${at + 1}`, sha256 })),
  )
  if (photos.length === 0) return
  sheet.skip(6)
  sheet.keep(18)
  const small = { sizePt: 8, shade: grey }
  const note = `“Received” is the time at which the server had the whole file of a photo, in the time zone ${site.timeZone}. The SHA-256 of each file, by which it can be told from any other:`
  sheet.text(note, small)
  for (const { name, sha256 } of photos) sheet.row(name, sha256, small)
}

type PhotoLook = { sizeMm: typeof largeMm; timeZone: string }

function photoLines(sheet: Sheet, name: string, photo: Photo, { sizeMm, timeZone }: PhotoLook): void {
  const weight: Weight = isTakenLongBefore(photo, timeZone) ? 'bold' : 'normal'
  const marks = [photo.clockDoubtful && evidenceTexts.clockDoubtful, photo.isDamaged && evidenceTexts.damaged]
  const camera = cameraSentence(photo.takenAt, timeZone)
  sheet.photo(photo.thumbnailBase64, sizeMm, [
    { text: name, shade: grey },
    { text: `Received ${formatReceived(photo.receivedAt, timeZone)}`, weight },
    ...(camera ? [{ text: camera, weight, shade: grey }] : []),
    ...marks.flatMap(text => (text ? [{ text }] : [])),
  ])
}

const toLines = (text: string): string[] =>
  text
    .split(/\r\n|[\r\n]/)
    .map(toPrintableLine)
    .filter(line => line !== '')

type TextStyle = { sizePt?: number; weight?: Weight; shade?: number }
type Placed = TextStyle & { lineMm: number; xMm?: number; widthMm?: number }
type Sheet = ReturnType<typeof createSheet>

const lineOf = ({ sizePt }: TextStyle): number => (sizePt === 8 ? 4.2 : 6)

/** Writes from top to bottom, on further pages where there is no room, with a footer on each. */
function createSheet(document: DepositDocument, footer: string) {
  const pdf = newPdf(document.createdAt, sha256(JSON.stringify([footer, document])), footer)
  let yMm = topMm

  /** Starts a page if this much does not fit on the current one. */
  const keep = (heightMm: number) => {
    if (yMm + heightMm <= breakAtMm + 1) return
    pdf.addPage()
    yMm = topMm
  }
  const wrap = (text: string, widthMm: number) =>
    toLines(text).flatMap(line => wrapText(line, part => pdf.getTextWidth(part) <= widthMm))

  /** Wraps a text; what stands beside its first line is drawn by `beside`. */
  const put = (text: string, { lineMm, ...place }: Placed, beside?: () => void) => {
    const { shade = 0, sizePt = 10, weight = 'normal', widthMm = rightMm - leftMm, xMm = leftMm } = place
    style(pdf, sizePt, weight)
    for (const [i, line] of wrap(text, widthMm).entries()) {
      keep(lineMm)
      if (i === 0) beside?.()
      style(pdf, sizePt, weight, shade)
      pdf.text(line, xMm, yMm)
      yMm += lineMm
    }
  }
  return {
    keep,
    skip(heightMm: number) {
      yMm += heightMm
    },
    title(text: string) {
      style(pdf, 20, 'bold')
      pdf.text(text, (leftMm + rightMm) / 2, yMm, { align: 'center' })
      yMm += 14
    },
    text(text: string, look: TextStyle = {}) {
      put(text, { lineMm: lineOf(look), ...look })
    },
    row(label: string, value: string, look: TextStyle = {}) {
      put(value, { lineMm: lineOf(look), xMm: valueMm, widthMm: rightMm - valueMm, ...look }, () => {
        style(pdf, look.sizePt ?? 10, 'normal', grey)
        pdf.text(label, leftMm, yMm)
      })
    },
    amount(label: string, cents: number, weight: Weight = 'normal') {
      put(label, { lineMm: 6, weight, widthMm: rightMm - leftMm - amountMm }, () =>
        pdf.text(formatCents(cents), rightMm, yMm, { align: 'right' }),
      )
    },
    rule(heightMm = 8) {
      keep(heightMm)
      pdf.setDrawColor(200)
      pdf.setLineWidth(0.2)
      pdf.line(leftMm, yMm - 2, rightMm, yMm - 2)
      yMm += 4
    },
    /** A photo with its lines beside it, on one page. */
    photo(
      thumbnailBase64: string | undefined,
      sizeMm: typeof largeMm,
      lines: readonly (TextStyle & { text: string })[],
    ) {
      const heightMm = Math.max(lines.length * 4, thumbnailBase64 ? sizeMm.height : 0)
      keep(heightMm)
      const top = yMm - 3
      if (thumbnailBase64) {
        const bytes = Buffer.from(thumbnailBase64, 'base64')
        const { height, width } = pdf.getImageProperties(bytes)
        const scale = Math.min(sizeMm.width / width, sizeMm.height / height)
        pdf.addImage(bytes, 'JPEG', photoMm, top, width * scale, height * scale)
      }
      for (const [i, { shade, text, weight = 'normal' }] of lines.entries()) {
        style(pdf, 8, weight, shade)
        pdf.text(text, thumbnailBase64 ? photoMm + sizeMm.width + 6 : photoMm, top + 3 + i * 4)
      }
      yMm += heightMm + 3
    },
    bytes() {
      drawFooters(pdf, footer)
      return toBytes(pdf)
    },
  }
}
