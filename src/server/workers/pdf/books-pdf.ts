import { formatMoment } from '../../../domain/common/dates.ts'
import { toPrintableLine } from '../../../domain/common/printable.ts'
import { type Weight, wrapText } from '../../../domain/leases/lease-layout.ts'
import { sha256 } from '../../lib/sha256.ts'
import { drawFooters, style } from './certificate-pages.ts'
import { newPdf, toBytes } from './lease-pdf.ts'

export type BooksTable = {
  title: string
  heads: string[]
  /** The cells of each row, a name first; `isSum` for a row that adds up others. */
  rows: { cells: string[]; isSum?: boolean }[]
}
export type BooksDocument = {
  title: string
  /** Sentences below the title. */
  notes: string[]
  site: { companyName: string; propertyName: string; timeZone: string }
  /** UTC ISO string. */
  createdAt: string
  tables: BooksTable[]
}

const [leftMm, rightMm, topMm, bottomMm] = [12, 285, 16, 196]
const nameMm = 52
const [ink, grey] = [40, 110]
const widestMm = 30
const rowMm = 5

/** The books of a year on A4, each table with its months side by side. Deterministic. */
export function renderBooksPdf(books: BooksDocument): Uint8Array {
  const pdf = newPdf(books.createdAt, sha256(JSON.stringify(books)), books.title, 'landscape')
  const { companyName, propertyName, timeZone } = books.site
  style(pdf, 16, 'bold', ink)
  pdf.text(toPrintableLine(books.title), leftMm, topMm + 4)
  style(pdf, 9, 'normal', grey)
  let yMm = topMm + 10
  const made = `Made ${formatMoment(books.createdAt, timeZone)}. US dollars.`
  for (const line of [`${companyName}, ${propertyName}`, made, ...books.notes])
    for (const part of wrapText(toPrintableLine(line), text => pdf.getTextWidth(text) <= rightMm - leftMm)) {
      pdf.text(part, leftMm, yMm)
      yMm += 4.5
    }
  const heading = (table: BooksTable) => {
    style(pdf, 11, 'bold', ink)
    pdf.text(toPrintableLine(table.title), leftMm, yMm)
    yMm += rowMm + 1
    row(table.heads, 'bold', grey)
    pdf.setDrawColor(200)
    pdf.setLineWidth(0.2)
    pdf.line(leftMm, yMm - 3.5, rightMm, yMm - 3.5)
    yMm += 1
  }
  const row = ([name = '', ...cells]: string[], weight: Weight, shade = ink) => {
    style(pdf, 7, weight, shade)
    const [line = ''] = wrapText(toPrintableLine(name), text => pdf.getTextWidth(text) <= nameMm)
    pdf.text(line, leftMm, yMm)
    const cellMm = Math.min(widestMm, (rightMm - leftMm - nameMm) / cells.length)
    for (const [i, cell] of cells.entries())
      pdf.text(toPrintableLine(cell), leftMm + nameMm + cellMm * (i + 1), yMm, { align: 'right' })
    yMm += rowMm
  }
  for (const table of books.tables) {
    yMm += 6
    // A heading is never alone.
    if (yMm + 5 * rowMm > bottomMm) yMm = nextPage()
    heading(table)
    for (const { cells, isSum } of table.rows) {
      if (yMm > bottomMm) {
        yMm = nextPage()
        heading(table)
      }
      row(cells, isSum ? 'bold' : 'normal')
    }
  }
  function nextPage(): number {
    pdf.addPage()
    return topMm
  }
  drawFooters(pdf, toPrintableLine(books.title), [leftMm, rightMm, 204])
  return toBytes(pdf)
}
