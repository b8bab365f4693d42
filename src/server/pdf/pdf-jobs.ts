import { renderLeasePdf, renderSignedLeasePdf } from '../leases/lease-pdf.ts'
import { readSignatureImage } from '../leases/signature-image.ts'
import { renderReceiptPdf } from '../payments/receipt-pdf.ts'

/** What is too long for the main thread: pure functions, data in and bytes out. */
export const pdfJobs = {
  leasePdf: renderLeasePdf,
  signedLeasePdf: renderSignedLeasePdf,
  receiptPdf: renderReceiptPdf,
  signatureImage: readSignatureImage,
}
export type PdfJobs = typeof pdfJobs
