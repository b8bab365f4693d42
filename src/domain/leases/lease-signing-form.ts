import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import { line } from '../common/inputs.ts'
import { leaseMessages } from './lease.ts'
import { maxSignatureBytes, signatureUnreadable } from './lease-signing.ts'

const imageText = z
  .string({ error: signatureUnreadable })
  .max(Math.ceil(maxSignatureBytes / 3) * 4 + 40, signatureUnreadable)
  .nullish()
  .transform(text => text ?? '')
const typedName = line(200)
  .nullish()
  .transform(name => name ?? '')

/** The co-applicant's email for the copy; empty without one. */
export const coApplicantEmailText = z
  .string()
  .trim()
  .superRefine((text, ctx) => {
    const [issue] = text === '' ? [] : (emailText.safeParse(text).error?.issues ?? [])
    if (issue) ctx.addIssue({ code: 'custom', message: issue.message })
  })

/** Input of signing. Images are PNGs, as data URL or base64. */
export const signLeaseInput = z.object({
  id: z.string(),
  /** Default: `type` if there is a name, else `draw` if there is an image. */
  mode: z.enum(['type', 'draw']).optional(),
  typedName,
  typedName2: typedName,
  signatureImageBase64: imageText,
  signatureImageBase64_2: imageText,
  consent: z.boolean({ error: leaseMessages.consentMissing }).default(false),
  /** The co-applicant's consent. If missing, `consent` is for both, and the certificate says so. */
  consent2: z.boolean({ error: leaseMessages.consentMissing2 }).optional(),
  coApplicantEmail: coApplicantEmailText.nullish(),
  /** Hash of the text shown to the signer; rejected if the text has changed. */
  leaseTextSha256: z.string().optional(),
  /** Hash of the notice shown to the signer; rejected if the notice has changed. */
  noticeSha256: z.string().optional(),
})
/** The same for an addendum, whose hashes must come (CHANGE-25). */
export const signAddendumInput = signLeaseInput
  .omit({ id: true, leaseTextSha256: true, coApplicantEmail: true })
  .extend({ addendumId: z.string(), addendumTextSha256: z.string().optional() })
export type SignAddendumInput = z.output<typeof signAddendumInput>
export type SignLeaseValues = z.input<typeof signLeaseInput>
export type SignLeaseInput = z.output<typeof signLeaseInput>
