import { renderLeasePdf, renderSignedLeasePdf } from './lease-pdf.ts'
import { renderReceiptPdf } from './receipt-pdf.ts'
import { readSignatureImage } from './signature-image.ts'

/** What is too long for the main thread: pure functions, data in and bytes out. */
export const pdfJobs = {
  leasePdf: renderLeasePdf,
  signedLeasePdf: renderSignedLeasePdf,
  receiptPdf: renderReceiptPdf,
  signatureImage: readSignatureImage,
}
export type PdfJobs = typeof pdfJobs
