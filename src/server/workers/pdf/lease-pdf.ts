import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { jsPDF } from 'jspdf'
import {
  drawLease,
  leasePdfOptions,
  prepareLeasePdf,
  type Weight,
} from '../../../domain/leases/lease-layout.ts'
import { sha256 } from '../../lib/sha256.ts'
import { drawCertificatePages, type SignedLease } from './certificate-pages.ts'
import { drawSigningPages, type SignedByLinks } from './signing-pages.ts'

export type UnsignedLease = { text: string; createdAt: string; title?: string }

/**
 * The lease as a PDF, with the same layout as the browser's download; `createdAt` is a UTC ISO string. Deterministic.
 */
export function renderLeasePdf({ text, createdAt, title }: UnsignedLease): Uint8Array {
  const pdf = newPdf(createdAt, sha256(text), title)
  drawLease(pdf, text, { heading: title })
  return toBytes(pdf)
}

/** The signed lease with its signatures and certificate. The images must be checked PNGs. Deterministic. */
export function renderSignedLeasePdf(signed: SignedLease): Uint8Array {
  const { text, signatures, certificate, title } = signed
  const hashes = {
    text: sha256(text),
    images: signatures.map(({ pngBytes }) => pngBytes && sha256(pngBytes)),
  }
  const pdf = newPdf(
    certificate.signedAt,
    sha256(JSON.stringify([hashes, signatures.map(s => s.name), certificate])),
    title,
  )
  drawLease(pdf, text, { heading: title, isSignedElectronically: true })
  drawCertificatePages(pdf, signed, hashes)
  return toBytes(pdf)
}

/**
 * Draws a document that each person signed by their own link. The images must be checked PNGs. The same input always
 * gives the same bytes.
 */
export function renderSigningPdf(signed: SignedByLinks): Uint8Array {
  const { heading, signedAt, signers, text } = signed
  const images = signers.map(({ pngBytes }) => pngBytes && sha256(pngBytes))
  const facts = { ...signed, signers: signers.map(({ pngBytes: _, ...signer }) => signer) }
  const pdf = newPdf(signedAt, sha256(JSON.stringify([images, facts])), heading)
  drawLease(pdf, text, { heading, isSignedElectronically: true })
  drawSigningPages(pdf, signed, { text: sha256(text), images })
  return toBytes(pdf)
}

/** A PDF whose date and file id come from its content, so that the same input gives the same bytes. */
export function newPdf(
  createdAt: string,
  contentHash: string,
  title?: string,
  orientation?: 'landscape',
): jsPDF {
  const pdf = new jsPDF({ ...leasePdfOptions, ...(orientation && { orientation }) })
  prepareLeasePdf(pdf, fontBytes(), title)
  pdf.setCreationDate(pdfDate(new Date(createdAt)))
  pdf.setFileId(contentHash.slice(0, 32))
  return pdf
}

/** In UTC instead of the server's time zone. jsPDF accepts such a string only for years up to 2037. */
function pdfDate(moment: Date): string | Date {
  const digits = moment.toISOString().replace(/\D/g, '').slice(0, 14)
  return moment.getUTCFullYear() < 2038 ? `D:${digits}+00'00'` : moment
}

export const toBytes = (pdf: jsPDF): Uint8Array => new Uint8Array(pdf.output('arraybuffer'))

// Read at runtime: bundling the fonts would slow down startup.
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
