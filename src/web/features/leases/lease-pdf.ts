import regularFontUrl from '@expo-google-fonts/noto-serif/400Regular/NotoSerif_400Regular.ttf?url'
import boldFontUrl from '@expo-google-fonts/noto-serif/600SemiBold/NotoSerif_600SemiBold.ttf?url'
import {
  drawLease,
  leaseFileName,
  leasePdfOptions,
  prepareLeasePdf,
} from '../../../domain/leases/lease-layout.ts'

type LeaseDownload = { text: string | undefined; firstName: string; lastName: string }

/**
 * Creates the PDF of the lease in the browser and saves it; returns false if there is no text. Loads jsPDF and the
 * fonts on the first call.
 */
export async function downloadLeasePdf({ text, firstName, lastName }: LeaseDownload): Promise<boolean> {
  if (!text?.trim()) return false
  const [{ jsPDF }, normal, bold] = await Promise.all([
    import('jspdf'),
    fetchBytes(regularFontUrl),
    fetchBytes(boldFontUrl),
  ])
  const pdf = new jsPDF(leasePdfOptions)
  prepareLeasePdf(pdf, { normal, bold })
  drawLease(pdf, text)
  pdf.save(leaseFileName(firstName, lastName))
  return true
}

/** Fetches a file in jsPDF's format: a string with one character per byte. */
async function fetchBytes(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The font ${url} could not be loaded: ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  let text = ''
  // In chunks, because the number of arguments in a call is limited.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return text
}
