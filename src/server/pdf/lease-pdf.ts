import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { jsPDF } from 'jspdf'
import { drawLease, leasePdfOptions, prepareLeasePdf, type Weight } from '../../domain/lease-layout.ts'
import { sha256 } from '../lib/sha256.ts'
import { drawCertificatePages, type SignedLease } from './certificate-pages.ts'

/**
 * The lease as a PDF, laid out as the browser's download. `createdAt` is a UTC ISO moment, such as when the
 * text was generated. The same input gives the same bytes.
 */
export function renderLeasePdf({ text, createdAt }: { text: string; createdAt: string }): Uint8Array {
  const pdf = newPdf(createdAt, sha256(text))
  drawLease(pdf, text)
  return toBytes(pdf)
}

/**
 * The signed lease: its text, the signatures, and the signing certificate. The images must be PNGs
 * that were checked before. The same input gives the same bytes.
 */
export function renderSignedLeasePdf(signed: SignedLease): Uint8Array {
  const { text, signatures, certificate } = signed
  const hashes = {
    text: sha256(text),
    images: signatures.map(({ pngBytes }) => pngBytes && sha256(pngBytes)),
  }
  const pdf = newPdf(
    certificate.signedAt,
    sha256(JSON.stringify([hashes, signatures.map(s => s.name), certificate])),
  )
  drawLease(pdf, text)
  drawCertificatePages(pdf, signed, hashes)
  return toBytes(pdf)
}

/** A document whose date and id come from its content, as jsPDF's own are the clock and chance. */
export function newPdf(createdAt: string, contentHash: string): jsPDF {
  const pdf = new jsPDF(leasePdfOptions)
  prepareLeasePdf(pdf, fontBytes())
  pdf.setCreationDate(pdfDate(new Date(createdAt)))
  pdf.setFileId(contentHash.slice(0, 32))
  return pdf
}

/** In UTC, so that the server's zone leaves no trace; jsPDF takes such a text up to 2037 only, and a Date after that. */
function pdfDate(moment: Date): string | Date {
  const digits = moment.toISOString().replace(/\D/g, '').slice(0, 14)
  return moment.getUTCFullYear() < 2038 ? `D:${digits}+00'00'` : moment
}

export const toBytes = (pdf: jsPDF): Uint8Array => new Uint8Array(pdf.output('arraybuffer'))

// From the package at run time: bundling a font into the server would only make its start slower.
const require = createRequire(import.meta.url)
const readFont = (file: string) =>
  readFileSync(require.resolve(`@expo-google-fonts/noto-serif/${file}`), 'latin1')
let cachedFonts: Record<Weight, string> | undefined

function fontBytes(): Record<Weight, string> {
  cachedFonts ??= {
    normal: readFont('400Regular/NotoSerif_400Regular.ttf'),
    bold: readFont('600SemiBold/NotoSerif_600SemiBold.ttf'),
  }
  return cachedFonts
}
