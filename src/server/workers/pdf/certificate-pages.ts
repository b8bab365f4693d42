import type { jsPDF } from 'jspdf'
import { formatMoment } from '../../../domain/common/dates.ts'
import { toPrintableLine } from '../../../domain/common/printable.ts'
import { leaseFontName, type Weight, wrapText } from '../../../domain/leases/lease-layout.ts'

export type LeaseSignature = {
  /** The typed name, or for a drawn signature the signer's name in the lease. */
  name: string
  mode: 'typed' | 'drawn'
  /** The drawn image; without it, the typed name is drawn in the lease's font. */
  pngBytes: Uint8Array | undefined
  /** Whether this person consented separately; otherwise one consent covers all signers. */
  hasOwnConsent: boolean
}

/** The facts in the certificate about how a lease was signed. Times are UTC ISO strings. */
type LeaseCertificate = {
  applicationNumber: string
  landlordName: string
  propertyName: string
  /** The property's time zone: times are shown in this zone and in UTC. */
  timeZone: string
  /** The email of the signed-in account. */
  accountEmail: string
  leaseGeneratedAt: string
  signedAt: string
  consentVersion: string
  consentSentence: string
  /** Whether the client sent the hash of the displayed text. */
  textConfirmed: boolean
  /** The hash of the current notice, and whether the client sent the same hash. */
  noticeSha256: string
  noticeConfirmed: boolean
  ipAddress: string
  userAgent: string
}

export type SignedLease = {
  text: string
  /** The name of a document other than the lease, such as `Addendum No. 1`. */
  title?: string
  signatures: readonly LeaseSignature[]
  certificate: LeaseCertificate
}
type SignedLeaseHashes = { text: string; images: readonly (string | undefined)[] }

export const modeWords = { typed: 'typed signature', drawn: 'drawn signature' }
const leftMm = 20
const rightMm = 190
const lineMm = 5.5
const grey = 105

/** Adds the pages with the signatures and the certificate, and numbers all pages. */
export function drawCertificatePages(pdf: jsPDF, signed: SignedLease, hashes: SignedLeaseHashes): void {
  const { certificate, signatures } = signed
  const signedAt = formatMoment(certificate.signedAt, certificate.timeZone)
  drawSignatures(
    pdf,
    `Signed electronically on ${signedAt}. Application ${certificate.applicationNumber}.`,
    signatures.map(signature => ({ ...signature, title: 'Tenant' })),
  )
  drawCertificate(pdf, certificateRows(signed, hashes), signed.title === undefined)
  drawFooters(
    pdf,
    `${signed.title ?? 'Lease agreement'} ${certificate.applicationNumber}, signed electronically`,
  )
}

export type DrawnSignature = Pick<LeaseSignature, 'mode' | 'name' | 'pngBytes'> & {
  /** Whose it is, such as 'Tenant'. */
  title: string
  /** What else stands at it. */
  note?: string | undefined
}

export function drawSignatures(pdf: jsPDF, intro: string, signatures: readonly DrawnSignature[]): void {
  addTitledPage(pdf, 'Signatures')
  let yMm = 34
  style(pdf, 10, 'normal')
  pdf.text(intro, leftMm, yMm)
  for (const { mode, name, note, pngBytes, title } of signatures) {
    style(pdf, 9, 'normal')
    const noteLines = note ? wrap(pdf, note, rightMm - leftMm) : []
    if (yMm + 64 + noteLines.length * lineMm > 274) {
      pdf.addPage()
      yMm = 10
    }
    if (pngBytes) drawImage(pdf, pngBytes, { xMm: leftMm, yMm: yMm + 10, widthMm: 110, heightMm: 36 })
    else {
      style(pdf, 28, 'normal')
      drawFitting(pdf, toPrintableLine(name), yMm + 46, 110)
    }
    yMm += 50
    drawRule(pdf, yMm, leftMm + 110)
    style(pdf, 10, 'bold')
    drawFitting(pdf, toPrintableLine(name), yMm + 6, rightMm - leftMm)
    style(pdf, 9, 'normal', grey)
    pdf.text(`${title}, ${modeWords[mode]}`, leftMm, yMm + 11.5)
    for (const [i, line] of noteLines.entries()) pdf.text(line, leftMm, yMm + 11.5 + (i + 1) * lineMm)
    yMm += 14 + noteLines.length * lineMm
  }
}

/** A row without values is the heading of those that follow. */
export function drawCertificate(pdf: jsPDF, rows: readonly CertificateRow[], isLease = true): void {
  addTitledPage(pdf, 'Signing certificate')
  let yMm = 34
  for (const [label, ...values] of rows) {
    style(pdf, 9, 'normal')
    const wrapped = values.map(value => wrap(pdf, toPrintableLine(value), rightMm - 68))
    const lines = wrapped.flat()
    const [answer = []] = wrapped
    const isHeading = values.length === 0
    // A heading is not the last on its page.
    if (yMm + (isHeading ? 4 : lines.length) * lineMm > 272) {
      pdf.addPage()
      yMm = 20
    }
    if (isHeading) {
      style(pdf, 10, 'bold')
      pdf.text(toPrintableLine(label), leftMm, yMm + 2)
      yMm += lineMm + 4
      continue
    }
    style(pdf, 9, 'normal', grey)
    pdf.text(label, leftMm, yMm)
    for (const [i, line] of lines.entries()) {
      // The grey lines after the answer give its source.
      style(pdf, 9, 'normal', i < answer.length ? 0 : grey)
      pdf.text(line, 68, yMm + i * lineMm)
    }
    yMm += lines.length * lineMm
    drawRule(pdf, yMm - 2.5, rightMm)
    yMm += 2.5
  }
  style(pdf, 8, 'normal', grey)
  const note =
    `Names, times, address and browser were recorded by the server when ${isLease ? 'the lease' : 'this'} was signed. “Confirmed by the client” ` +
    `means that the signature came with the SHA-256 of what had been shown. The SHA-256 of the ${isLease ? 'lease ' : ''}text is that of ` +
    'its UTF-8 bytes, that of the notice of its titles and texts and the sentence of consent, each followed by a line ' +
    'feed; a change of a single letter changes them. Where the text has blank lines for signatures by hand, this document ' +
    'says that they are electronic.'
  const noteLines = wrap(pdf, note, rightMm - leftMm)
  if (yMm + 3 + noteLines.length * 4.5 > 280) {
    pdf.addPage()
    yMm = 20
  }
  for (const [i, line] of noteLines.entries()) pdf.text(line, leftMm, yMm + 3 + i * 4.5)
}

export type CertificateRow = [label: string, ...values: string[]]

/** First what a person wants to know, then the technical record (LOOK-78). */
function certificateRows(
  { signatures, certificate, title }: SignedLease,
  hashes: SignedLeaseHashes,
): CertificateRow[] {
  const times = (moment: string) => bothTimes(moment, certificate.timeZone)
  const signer = (i: number) => (signatures.length > 1 ? `Signer ${i + 1}` : 'Signer')
  return [
    ...signatures.map(({ mode, name }, i): CertificateRow => [signer(i), `${name}, ${modeWords[mode]}`]),
    ['Landlord', certificate.landlordName],
    ['Document', `${title ?? 'Lease agreement'}, application ${certificate.applicationNumber}`],
    ['Property', certificate.propertyName],
    ['Signed', ...times(certificate.signedAt)],
    [title ? 'Text prepared' : 'Lease text prepared', ...times(certificate.leaseGeneratedAt)],
    [
      'Consent',
      ...(certificate.noticeConfirmed ? [] : ['The client did not confirm its words. Those in force were:']),
      `“${certificate.consentSentence}”`,
      `Version of the sentence: ${certificate.consentVersion}`,
    ],
    ['Notice shown', shown('notice', certificate.noticeConfirmed)],
    ['Text shown', shown('text', certificate.textConfirmed)],
    [
      'Signed in as',
      certificate.accountEmail,
      ...(signatures.length > 1 ? ['Both signatures were sent together from this account.'] : []),
    ],
    ['Network address', certificate.ipAddress],
    ['Browser', certificate.userAgent.slice(0, 500)],
    [title ? 'SHA-256 of the text' : 'SHA-256 of the lease text', hashes.text],
    [
      certificate.noticeConfirmed ? 'SHA-256 of the notice' : 'Notice in force, SHA-256',
      certificate.noticeSha256,
    ],
    ...signatures.map(
      (signature, i): CertificateRow => [
        `Signature${signatures.length > 1 ? ` of signer ${i + 1}` : ''}`,
        hashes.images[i] ? `SHA-256 of the image: ${hashes.images[i]}` : 'Set in type by the server',
        ...consentOf(signature, certificate),
      ],
    ),
  ]
}

function consentOf(signature: LeaseSignature, certificate: LeaseCertificate): string[] {
  if (!signature.hasOwnConsent) return ['No own consent was sent: one consent was sent for both signers.']
  if (!certificate.noticeConfirmed) return ['Consent sent, without the hash of the notice']
  return ['Consent given to the notice with the SHA-256', certificate.noticeSha256]
}

export const bothTimes = (moment: string, timeZone: string) => [formatMoment(moment, timeZone), utc(moment)]

export const shown = (what: 'text' | 'notice', isConfirmed: boolean): string =>
  isConfirmed
    ? 'Confirmed by the client'
    : `Not confirmed by the client. The client did not confirm which ${what} was shown.`

/** Numbers all pages, with a text beside the number. */
export function drawFooters(pdf: jsPDF, text: string, [fromMm, toMm, yMm] = [leftMm, rightMm, 286]): void {
  const count = pdf.getNumberOfPages()
  for (let page = 1; page <= count; page++) {
    pdf.setPage(page)
    style(pdf, 8, 'normal', grey)
    pdf.text(text, fromMm, yMm)
    pdf.text(`Page ${page} of ${count}`, toMm, yMm, { align: 'right' })
  }
}

function addTitledPage(pdf: jsPDF, title: string): void {
  pdf.addPage()
  style(pdf, 20, 'bold')
  pdf.text(title, 105, 20, { align: 'center' })
}

function drawRule(pdf: jsPDF, yMm: number, toMm: number): void {
  pdf.setDrawColor(200)
  pdf.setLineWidth(0.2)
  pdf.line(leftMm, yMm, toMm, yMm)
}

export function style(pdf: jsPDF, sizePt: number, weight: Weight, textGrey = 0): void {
  pdf.setFont(leaseFontName, weight)
  pdf.setFontSize(sizePt)
  pdf.setTextColor(textGrey)
}

/** A line of the current style, smaller where it would be wider. */
function drawFitting(pdf: jsPDF, line: string, yMm: number, widthMm: number): void {
  pdf.setFontSize(pdf.getFontSize() * Math.min(1, widthMm / pdf.getTextWidth(line)))
  pdf.text(line, leftMm, yMm)
}

type Box = { xMm: number; yMm: number; widthMm: number; heightMm: number }

/** As large as fits into the box, aligned to its lower left corner. */
function drawImage(pdf: jsPDF, pngBytes: Uint8Array, box: Box): void {
  const { width, height } = pdf.getImageProperties(pngBytes)
  const scale = Math.min(box.widthMm / width, box.heightMm / height)
  const heightMm = height * scale
  pdf.addImage(pngBytes, 'PNG', box.xMm, box.yMm + box.heightMm - heightMm, width * scale, heightMm)
}

const wrap = (pdf: jsPDF, text: string, widthMm: number): string[] =>
  wrapText(text, line => pdf.getTextWidth(line) <= widthMm)

/** `2026-06-01 14:03:22 UTC` */
const utc = (moment: string): string => `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`
