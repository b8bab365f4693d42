// Entry point of the worker threads. A thread loads what its jobs need, when the first of them comes.
import { handleJobs } from '../lib/handle-jobs.ts'
import type { ParseInput } from './ical/parse-calendar.ts'
import type { BooksDocument } from './pdf/books-pdf.ts'
import type { SignedLease } from './pdf/certificate-pages.ts'
import type { DepositLetter, DepositStatement } from './pdf/deposit-statement-pdf.ts'
import type { UnsignedLease } from './pdf/lease-pdf.ts'
import type { Receipt } from './pdf/receipt-pdf.ts'
import type { SignedByLinks } from './pdf/signing-pages.ts'

/** Pure functions that take too long for the main thread, or parse untrusted input. */
const jobs = {
  leasePdf: async (lease: UnsignedLease) => (await import('./pdf/lease-pdf.ts')).renderLeasePdf(lease),
  signedLeasePdf: async (lease: SignedLease) =>
    (await import('./pdf/lease-pdf.ts')).renderSignedLeasePdf(lease),
  signingPdf: async (signed: SignedByLinks) => (await import('./pdf/lease-pdf.ts')).renderSigningPdf(signed),
  receiptPdf: async (receipt: Receipt) => (await import('./pdf/receipt-pdf.ts')).renderReceiptPdf(receipt),
  depositStatementPdf: async (statement: DepositStatement) =>
    (await import('./pdf/deposit-statement-pdf.ts')).renderDepositStatementPdf(statement),
  depositLetterPdf: async (letter: DepositLetter) =>
    (await import('./pdf/deposit-statement-pdf.ts')).renderDepositLetterPdf(letter),
  booksPdf: async (books: BooksDocument) => (await import('./pdf/books-pdf.ts')).renderBooksPdf(books),
  signatureImage: async (text: string) => (await import('./pdf/signature-image.ts')).readSignatureImage(text),
  parseCalendar: async (input: ParseInput) => (await import('./ical/parse-calendar.ts')).parseCalendar(input),
  parseMarkdown: async (text: string) => (await import('./parse-markdown.ts')).parseMarkdown(text),
}
export type Jobs = typeof jobs

handleJobs(jobs)
