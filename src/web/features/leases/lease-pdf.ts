import regularFontUrl from '@expo-google-fonts/noto-serif/400Regular/NotoSerif_400Regular.ttf?url'
import boldFontUrl from '@expo-google-fonts/noto-serif/600SemiBold/NotoSerif_600SemiBold.ttf?url'
import { drawLease, leaseFileName, leasePdfOptions, prepareLeasePdf } from '../../../domain/lease-layout.ts'

/** What the download on the lease page needs; the text is what was loaded, if anything was. */
export type LeaseDownload = { text: string | undefined; firstName: string; lastName: string }

/**
 * Makes the PDF of the loaded lease in the browser and saves it. Without a text nothing is
 * made. jsPDF and the font are fetched on the first call. @returns whether a file was saved
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

/** A file as jsPDF takes it: a string of one character per byte. */
async function fetchBytes(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The font ${url} could not be loaded: ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  let text = ''
  // In parts, as a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return text
}
