import type { jsPDF } from 'jspdf'
import { formatMoment, formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { toPrintableLine } from '../../../domain/common/printable.ts'
import { leaseFontName, type Weight, wrapText } from '../../../domain/leases/lease-layout.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { refundedLabel } from '../../../domain/money/payment.ts'
import { sha256 } from '../../lib/sha256.ts'
import { newPdf, toBytes } from './lease-pdf.ts'

export type Receipt = {
  site: {
    companyName: string
    propertyName: string
    propertyAddress: string
    ownerEmail: string
    timeZone: string
  }
  tenantName: string
  email: string
  applicationNumber: string | null
  paymentTypeLabel: string
  method: 'card' | 'manual' | 'transfer'
  checkNumber: string
  amountCents: number
  feeCents: number
  /** Refunded since, or taken by disputes, of amount and fee together. */
  refundedCents: number
  isDisputed: boolean
  /** UTC ISO string. */
  paidAt: string
  transactionId: string
  /** The displayed brand, for example 'Visa'. */
  cardBrand: string | null
  cardLast4: string | null
  /** Whether the payment came from a bank account: `cardLast4` then belongs to the account. */
  isBank?: boolean
  /** The payments of a checkout of two; missing for a single payment. */
  lines?: { label: string; amountCents: number }[]
  /** All charges of the application; missing if there are only rent and deposit. */
  charges?: { label: string; amountCents: number }[]
}

const leftMm = 20
const rightMm = 190
const valueMm = 70
const lineMm = 6
const maxLabelMm = 125
const ink = 40
const grey = 110

/** The receipt of a payment, in the lease's typeface. Deterministic. */
export function renderReceiptPdf(receipt: Receipt): Uint8Array {
  const pdf = newPdf(receipt.paidAt, sha256(JSON.stringify(receipt)))
  pdf.setProperties({ title: 'Payment receipt' })
  let yMm = letterhead(pdf, receipt)
  yMm = headline(pdf, yMm, receipt)
  for (const [label, value] of facts(receipt)) yMm = fact(pdf, yMm, label, value)
  yMm = rule(pdf, yMm + 3)
  for (const [label, cents] of sums(receipt)) yMm = sum(pdf, yMm, label, cents, 'normal')
  yMm = rule(pdf, yMm)
  yMm = sum(pdf, yMm, totalLabel(receipt), totalCents(receipt), 'bold')
  if (receipt.refundedCents > 0) yMm = sum(pdf, yMm, refundedLabel(receipt), -receipt.refundedCents, 'normal')
  if (receipt.charges) yMm = chargeLines(pdf, yMm + lineMm, receipt.charges)
  style(pdf, 9, 'normal', grey)
  pdf.text(
    toPrintableLine(`Questions about this payment? Write to ${receipt.site.ownerEmail}.`),
    leftMm,
    yMm + 12,
  )
  return toBytes(pdf)
}

const totalLabel = ({ method }: Receipt) => (method === 'card' ? 'Total charged' : 'Total received')
const totalCents = ({ amountCents, feeCents }: Receipt) => amountCents + feeCents

/** The recipient of the money on the left, the title on the right. Returns the next y position. */
function letterhead(pdf: jsPDF, { site }: Receipt): number {
  style(pdf, 20, 'bold')
  pdf.text('Payment receipt', rightMm, 27, { align: 'right' })
  const widthMm = rightMm - leftMm - pdf.getTextWidth('Payment receipt') - 10
  let yMm = 25
  const lines = [
    { text: site.companyName, sizePt: 12, weight: 'bold', shade: ink },
    { text: site.propertyName, sizePt: 9, weight: 'normal', shade: grey },
    { text: site.propertyAddress, sizePt: 9, weight: 'normal', shade: grey },
  ] as const
  for (const { shade, sizePt, text, weight } of lines) {
    style(pdf, sizePt, weight, shade)
    for (const line of wrapText(toPrintableLine(text), part => pdf.getTextWidth(part) <= widthMm)) {
      pdf.text(line, leftMm, yMm)
      yMm += 5
    }
  }
  return yMm + 6
}

const headlineMm = 22

/** Amount, date and payment method in a highlighted band. Returns the next y position. */
function headline(pdf: jsPDF, yMm: number, receipt: Receipt): number {
  const columns: [label: string, value: string, xMm: number, sizePt: number][] = [
    [totalLabel(receipt), formatCents(totalCents(receipt)), leftMm + 6, 15],
    ['Date', formatMomentDate(receipt.paidAt, receipt.site.timeZone), leftMm + 64, 10],
    ['Paid by', paidBy(receipt), leftMm + 112, 10],
  ]
  pdf.setFillColor(246, 245, 240)
  pdf.roundedRect(leftMm, yMm, rightMm - leftMm, headlineMm, 2, 2, 'F')
  for (const [label, value, xMm, sizePt] of columns) {
    style(pdf, 9, 'normal', grey)
    pdf.text(label, xMm, yMm + 8)
    style(pdf, sizePt, 'bold')
    pdf.text(toPrintableLine(value), xMm, yMm + 15.5)
  }
  return yMm + headlineMm + 12
}

function facts(receipt: Receipt): [label: string, value: string][] {
  const rows: [string, string | null][] = [
    ['Received from', receipt.tenantName],
    ['Email', receipt.email],
    ['Booking', receipt.applicationNumber],
    ['For', receipt.paymentTypeLabel],
    ['Received', formatMoment(receipt.paidAt, receipt.site.timeZone)],
    ['Transaction', receipt.transactionId],
  ]
  return rows.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []))
}

function paidBy({ cardBrand, cardLast4, checkNumber, isBank, method }: Receipt): string {
  if (method === 'transfer') return 'Transfer between bookings'
  if (method === 'manual') return checkNumber ? `Check ${checkNumber}` : 'Cash, check or transfer'
  return cardLast4 ? `${cardBrand ?? 'Card'} ending in ${cardLast4}` : isBank ? 'Bank account' : 'Card'
}

function sums({ amountCents, feeCents, lines = [{ label: 'Amount', amountCents }] }: Receipt) {
  const paid = feeCents > 0 ? [...lines, { label: 'Card fee', amountCents: feeCents }] : lines
  return paid.map(({ amountCents, label }): [label: string, cents: number] => [label, amountCents])
}

const lastLineMm = 270
// The lowest position of the total, so that the contact address below it fits on the same page.
const lastTotalMm = 255

/** All charges, line by line; a long list continues on further pages. */
function chargeLines(pdf: jsPDF, fromMm: number, charges: { label: string; amountCents: number }[]): number {
  let yMm = fromMm
  style(pdf, 10, 'normal', grey)
  pdf.text('What is owed for this booking', leftMm, yMm)
  yMm = rule(pdf, yMm + lineMm)
  for (const { amountCents, label } of charges) {
    yMm = sum(pdf, within(pdf, yMm, lastLineMm), label, amountCents, 'normal')
  }
  yMm = rule(pdf, within(pdf, yMm, lastTotalMm))
  return sum(pdf, yMm, 'Total due', sumOf(charges), 'bold')
}

/** The position to continue at: here, or at the top of a new page. */
function within(pdf: jsPDF, yMm: number, lastMm: number): number {
  if (yMm <= lastMm) return yMm
  pdf.addPage()
  return leftMm
}

function fact(pdf: jsPDF, yMm: number, label: string, value: string): number {
  style(pdf, 10, 'normal', grey)
  pdf.text(label, leftMm, yMm)
  style(pdf, 10, 'normal')
  const lines = wrapText(toPrintableLine(value), line => pdf.getTextWidth(line) <= rightMm - valueMm)
  pdf.text(lines, valueMm, yMm, { lineHeightFactor: 1.4 })
  return yMm + lineMm * Math.max(1, lines.length)
}

function sum(pdf: jsPDF, yMm: number, label: string, cents: number, weight: Weight): number {
  style(pdf, weight === 'bold' ? 12 : 10, weight)
  const lines = wrapText(toPrintableLine(label), line => pdf.getTextWidth(line) <= maxLabelMm)
  for (const [i, line] of lines.entries()) pdf.text(line, leftMm, yMm + i * lineMm)
  pdf.text(formatCents(cents), rightMm, yMm, { align: 'right' })
  return yMm + lineMm * lines.length
}

/** A line across the page. Returns the position of the text below it. */
function rule(pdf: jsPDF, yMm: number): number {
  pdf.setDrawColor(200)
  pdf.setLineWidth(0.2)
  pdf.line(leftMm, yMm - 2, rightMm, yMm - 2)
  return yMm + 5
}

function style(pdf: jsPDF, sizePt: number, weight: Weight, shade = ink): void {
  pdf.setFont(leaseFontName, weight)
  pdf.setFontSize(sizePt)
  pdf.setTextColor(shade)
}
