import { z } from 'zod'
import { leaseTexts } from './lease.ts'
import { printableText } from './printable.ts'

/** Of the disclosure and the sentence together; it is stored with each signature, so a change of words needs a new one. */
export const consentVersion = '2026-03'

/** What the tick says. */
export const consentSentence =
  'I have read the lease and the notice about electronic records and signatures, and I agree to sign this lease electronically.'

export type ConsentSection = { title: string; text: string }

/** What a signer is told before the tick: scope, paper, withdrawal, what is needed to read it, how to get a copy. */
export function consentDisclosure(site: {
  companyName: string
  ownerEmail: string
  ownerPhone: string
}): ConsentSection[] {
  const contact = `${site.ownerEmail} or ${site.ownerPhone}`
  return [
    {
      title: 'What you agree to',
      text: `Your electronic signature binds you as a signature by hand does. Your consent covers this lease alone, and the copies of it that ${site.companyName} sends you: no other document, and no later change of the lease.`,
    },
    {
      title: 'You may sign on paper instead',
      text: `You need not sign electronically. Print the lease, sign it by hand and upload a scan of it here, or ask for a paper lease at ${contact}. That costs nothing, and it does not make your booking worse.`,
    },
    {
      title: 'You may withdraw your consent',
      text: `Until you press Sign Lease, close this window. Afterwards, write to ${contact} to withdraw your consent to electronic records; there is no fee. From then on you receive your records on paper. What you signed before stays in force.`,
    },
    {
      title: 'What you need to read and keep it',
      text: 'A device with a current web browser, a program that opens PDF files, an e-mail account, and a printer or room for the file if you want to keep it. If you can read this window and open the preview of the lease, you have what it takes.',
    },
    {
      title: 'How to get a copy',
      text: `The signed lease is sent as a PDF to the e-mail address of your account, and you can open it here, with your application, at any time. For a paper copy, free of charge, or to tell us of a new e-mail address, write to ${contact}.`,
    },
  ]
}

/** Largest signature image: bytes of the PNG, and its pixels. The field to draw in makes no larger one. */
export const maxSignatureBytes = 500 * 1024
export const maxSignatureWidth = 1200
export const maxSignatureHeight = 400
export const signatureUnreadable = 'The signature could not be read. Please sign again.'
export const signatureTooLarge = `A signature is at most ${maxSignatureWidth} × ${maxSignatureHeight} pixels large. Please sign again.`

const imageText = z
  .string({ error: signatureUnreadable })
  .max(Math.ceil(maxSignatureBytes / 3) * 4 + 40, signatureUnreadable)
  .nullish()
  .transform(text => text ?? '')
const typedName = z
  .string()
  .trim()
  .normalize('NFC')
  .max(200, 'Please use at most 200 characters')
  .refine(...printableText)
  .nullish()
  .transform(name => name ?? '')

/** What signing sends (spec §3, Signature submission). Images are PNGs, as data URL or bare base64. */
export const signLeaseInput = z.object({
  id: z.string(),
  /** Where it is left out: typed when there is a name, else drawn when there is an image. */
  mode: z.enum(['type', 'draw']).optional(),
  typedName,
  typedName2: typedName,
  signatureImageBase64: imageText,
  signatureImageBase64_2: imageText,
  consent: z.boolean({ error: leaseTexts.consentMissing }).default(false),
  /** Of the text that was shown; the signature counts for that very text or not at all. */
  leaseTextSha256: z.string().optional(),
})
export type SignLeaseValues = z.input<typeof signLeaseInput>
export type SignLeaseInput = z.output<typeof signLeaseInput>

type Signing = Omit<SignLeaseInput, 'id' | 'leaseTextSha256'>

/** Whether the names were typed or the signatures drawn. */
export function signingMode(signing: Signing): 'type' | 'draw' {
  if (signing.mode) return signing.mode
  const typed = signing.typedName !== '' || signing.typedName2 !== ''
  return typed || !(signing.signatureImageBase64 || signing.signatureImageBase64_2) ? 'type' : 'draw'
}

/** The first thing that is missing for a signature, with its field, or undefined (spec §5, lease signing). */
export function signingProblem(
  signing: Signing,
  hasCoApplicant: boolean,
): { field: keyof Signing; message: string } | undefined {
  if (!signing.consent) return { field: 'consent', message: leaseTexts.consentMissing }
  if (signingMode(signing) === 'draw') {
    if (!signing.signatureImageBase64)
      return { field: 'signatureImageBase64', message: leaseTexts.drawMissing }
    if (hasCoApplicant && !signing.signatureImageBase64_2)
      return { field: 'signatureImageBase64_2', message: leaseTexts.drawMissing2 }
    return undefined
  }
  if (!signing.typedName) return { field: 'typedName', message: leaseTexts.nameMissing }
  if (hasCoApplicant && !signing.typedName2) return { field: 'typedName2', message: leaseTexts.nameMissing2 }
  return undefined
}
