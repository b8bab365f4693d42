import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import { line } from '../common/inputs.ts'
import { signLeaseInput } from './lease-signing-form.ts'
import { maxSigners, signingMessages } from './signing.ts'

const name = line(100)
  .nullish()
  .transform(text => text ?? '')

/** The signers to invite; the tenant is always one of them and is not named. */
export const inviteForm = z.object({
  signers: z
    .array(
      z.object({
        role: z.enum(['co_tenant', 'occupant', 'guarantor', 'owner'], 'Please choose who signs'),
        firstName: name,
        lastName: name,
        email: z.union([z.literal(''), emailText]).nullish(),
      }),
      'Please say who signs',
    )
    .max(maxSigners, signingMessages.tooMany)
    .default([]),
  addendumId: z.string().max(100).nullish(),
})
export type InviteForm = z.output<typeof inviteForm>

/** A signature by an own link, or the owner's. Both hashes say what was shown. */
export const ownSignatureForm = signLeaseInput
  .pick({ mode: true, typedName: true, signatureImageBase64: true, consent: true })
  .extend({ textSha256: z.string().max(100).optional(), noticeSha256: z.string().max(100).optional() })
export type OwnSignature = z.output<typeof ownSignatureForm>
