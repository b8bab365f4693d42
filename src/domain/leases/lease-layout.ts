import { replaceUnprintable, toPrintableLine } from '../common/printable.ts'

/** The customer's layout: millimeters on A4, font sizes in points. */
const title = { text: 'Lease Agreement', xMm: 105, yMm: 20, sizePt: 20 }
const bodySizePt = 10
const minHeadingSizePt = 12
const leftMm = 20
const widthMm = 170
const bulletIndentMm = 3
const topMm = 20
const firstBodyMm = 34
const lineMm = 7
const breakAtMm = 270

export type Weight = 'normal' | 'bold'
export type PlacedLine = {
  text: string
  xMm: number
  /** Position of the baseline. */
  yMm: number
  sizePt: number
  align: 'left' | 'center'
  weight: Weight
}
/** Measures the width of a text in millimeters. */
export type Measure = (text: string, sizePt: number, weight: Weight) => number

/** The part of jsPDF in use, so that this file imports no PDF library. */
type PdfCanvas = {
  addFileToVFS(name: string, bytes: string): unknown
  addFont(file: string, name: string, style: Weight): unknown
  setProperties(properties: { title: string }): unknown
  setLanguage(language: 'en-US'): unknown
  setFont(name: string, style: Weight): unknown
  setFontSize(sizePt: number): unknown
  getTextWidth(text: string): number
  text(text: string, xMm: number, yMm: number, options: { align: 'left' | 'center' }): unknown
  addPage(): unknown
}

export const leaseTitle = title.text
const sampleMark = ' (sample)'
/** The title of a sample of a document. */
export const sampleTitle = (name: string): string => `${name}${sampleMark}`

export const leaseFontName = 'NotoSerif'

/** Shared by browser and server, so that both place text in the same way. */
export const leasePdfOptions = { unit: 'mm', format: 'a4', compress: true, putOnlyUsedFonts: true } as const

/** Sets up a document with the lease's fonts; each TTF file is a string with one character per byte. */
export function prepareLeasePdf(
  canvas: PdfCanvas,
  fontBytes: Record<Weight, string>,
  title: string = leaseTitle,
): void {
  for (const weight of ['normal', 'bold'] as const) {
    const file = `${leaseFontName}-${weight}.ttf`
    canvas.addFileToVFS(file, fontBytes[weight])
    canvas.addFont(file, leaseFontName, weight)
  }
  canvas.setProperties({ title })
  canvas.setLanguage('en-US')
}

type LeaseLayout = {
  heading?: string | undefined
  /** Electronic signatures are on a separate page, so blank lines for signatures by hand are left out. */
  isSignedElectronically?: boolean
}

/**
 * Places the title and the wrapped text on pages, with a page break at 270 mm. A blank line never starts a page, a
 * heading never ends one, and the signature section is not split and follows at least one clause.
 */
export function layoutLease(
  text: string,
  measure: Measure,
  { heading = leaseTitle, isSignedElectronically = false }: LeaseLayout = {},
): PlacedLine[][] {
  const [first = '', ...rest] = text.split(/\r\n|[\r\n]/)
  // An addendum's first line becomes its heading if it fits on one line at a readable size. Blank lines are lower, to save
  // pages.
  const name = heading.replace(sampleMark, '')
  const line = `${replaceUnprintable(first)}${heading.slice(name.length)}`
  const sizeOfLinePt = Math.min(title.sizePt, (title.sizePt * widthMm) / measure(line, title.sizePt, 'bold'))
  const isHeaded = name !== leaseTitle && first.startsWith(name) && sizeOfLinePt >= minHeadingSizePt
  const titleText = isHeaded ? line : heading
  const sizePt = isHeaded ? sizeOfLinePt : title.sizePt
  const blankMm = isHeaded ? lineMm / 2 : lineMm
  const body = isHeaded && rest[0] === '' ? rest.slice(1) : rest
  const lines = (isHeaded ? body : [first, ...rest])
    .map(line => replaceUnprintable(line.replaceAll('\t', '    ')))
    .map(line => (isSignedElectronically && isSignatureLine(line) ? electronicSignatureLine : line))
    .flatMap(line => wrapLine(line, measure))
  let page: PlacedLine[] = [{ ...title, text: titleText, sizePt, align: 'center', weight: 'bold' }]
  const pages = [page]
  let yMm = firstBodyMm
  for (const [i, line] of lines.entries()) {
    if (yMm + lineMm * (linesToKeep(lines, i) - 1) >= breakAtMm) {
      page = []
      pages.push(page)
      yMm = topMm
    }
    if (line.text) page.push({ ...line, yMm, sizePt: bodySizePt, align: 'left' })
    if (line.text || yMm > topMm) yMm += line.text ? lineMm : blankMm
  }
  return pages
}

/** Draws a lease on a prepared document, starting on its first page. */
export function drawLease(canvas: PdfCanvas, text: string, layout: LeaseLayout = {}): void {
  const setStyle = (sizePt: number, weight: Weight) => {
    canvas.setFont(leaseFontName, weight)
    canvas.setFontSize(sizePt)
  }
  const measure: Measure = (part, sizePt, weight) => {
    setStyle(sizePt, weight)
    return canvas.getTextWidth(part)
  }
  const pages = layoutLease(text, measure, layout)
  for (const [i, page] of pages.entries()) {
    if (i > 0) canvas.addPage()
    for (const { text, xMm, yMm, sizePt, align, weight } of page) {
      setStyle(sizePt, weight)
      canvas.text(text, xMm, yMm, { align })
    }
  }
}

/** Returns `lease-agreement-{firstName}-{lastName}.pdf`, safe for file systems and headers. */
export function leaseFileName(firstName: string, lastName: string): string {
  const names = [firstName, lastName].map(name =>
    toPrintableLine(name)
      .replace(/[^\p{L}\p{N}'’.]+/gu, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 60),
  )
  return `${['lease-agreement', ...names.filter(Boolean)].join('-')}.pdf`
}

/** Breaks a text into lines that fit, at spaces or else inside a word; keeps the spaces within a line. */
export function wrapText(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.match(/\s*\S+/gu) ?? []) {
    if (fits(line + piece)) {
      line += piece
      continue
    }
    if (line.trim()) lines.push(line)
    line = piece.trimStart()
    while (line !== '' && !fits(line)) {
      const head = longestFitting(line, fits)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return line ? [...lines, line] : lines
}

type Line = Pick<PlacedLine, 'text' | 'xMm' | 'weight'>

/** A line that is a heading, such as `4. RENT`. */
export const leaseHeadingPattern = /^\d+\. [\p{Lu}\d][\p{Lu}\d ,.&'’–-]*$/u

/** A line for a signature by hand. */
const isSignatureLine = (text: string): boolean => /^Signature: _{8,}/.test(text)
export const electronicSignatureLine = 'Signature: electronic, on the page that follows'

/** Wraps a line; list items get a bullet and a hanging indent of the bullet's width. */
function wrapLine(text: string, measure: Measure): Line[] {
  const weight: Weight = leaseHeadingPattern.test(text) ? 'bold' : 'normal'
  const bullet = text.startsWith('- ') ? '• ' : ''
  const bulletMm = bullet ? leftMm + bulletIndentMm : leftMm
  const indentMm = bullet ? bulletIndentMm + measure(bullet, bodySizePt, weight) : 0
  const lines = wrapText(
    text.slice(bullet.length),
    line => indentMm + measure(line, bodySizePt, weight) <= widthMm,
  )
  if (lines.length === 0) return [{ text: '', xMm: leftMm, weight }]
  return lines.map((line, i) => ({
    text: i === 0 ? bullet + line : line,
    xMm: i === 0 ? bulletMm : leftMm + indentMm,
    weight,
  }))
}

/** How many lines from this one must stay on one page: a heading with the text after it, two lines of a paragraph. */
function linesToKeep(lines: readonly Line[], index: number): number {
  const signatures = signaturesAt(lines, index)
  if (signatures > 0) return signatures
  if (lines[index]?.weight !== 'bold') return linesOfParagraph(lines, index)
  const next = lines.findIndex((line, i) => i > index && line.text !== '' && line.weight !== 'bold')
  return next < 0 || next - index > 4 ? 1 : next - index + linesOfParagraph(lines, next)
}

/** So that a paragraph's first or last line does not stand alone on a page. */
function linesOfParagraph(lines: readonly Line[], index: number): number {
  const isText = (i: number) => Boolean(lines[i]?.text)
  if (!isText(index) || !isText(index + 1)) return 1
  if (!isText(index + 2)) return 2
  if (isText(index - 1)) return 1
  return isText(index + 3) ? 2 : 3
}

const maxLinesOfPage = Math.floor((breakAtMm - topMm) / lineMm)

/**
 * The number of lines of the signature section and the clause before it, if that clause begins at this line, so that
 * nobody signs a page without text of the agreement (LOOK-78). If both do not fit on one page, of the section alone; 0
 * at other lines, and if that does not fit either.
 */
function signaturesAt(lines: readonly Line[], index: number): number {
  const isSignature = ({ text }: Line) => isSignatureLine(text) || text === electronicSignatureLine
  const first = lines.findIndex(isSignature)
  if (first < 0 || index > first || lines[index]?.weight !== 'bold') return 0
  const headings = lines.slice(index, first).filter(({ weight }) => weight === 'bold').length
  const count = lines.findLastIndex(isSignature) - index + 1
  return headings <= 2 && count <= maxLinesOfPage ? count : 0
}

/** At least one character, so that wrapping always ends. */
function longestFitting(word: string, fits: (line: string) => boolean): string {
  const chars = [...word]
  let length = 1
  while (length < chars.length && fits(chars.slice(0, length + 1).join(''))) length++
  return chars.slice(0, length).join('')
}
