import { renderLeasePdf, renderSignedLeasePdf } from './lease-pdf.ts'
import { renderReceiptPdf } from './receipt-pdf.ts'
import { readSignatureImage } from './signature-image.ts'

/** Pure functions that take too long for the main thread. */
export const pdfJobs = {
  leasePdf: renderLeasePdf,
  signedLeasePdf: renderSignedLeasePdf,
  receiptPdf: renderReceiptPdf,
  signatureImage: readSignatureImage,
}
export type PdfJobs = typeof pdfJobs
