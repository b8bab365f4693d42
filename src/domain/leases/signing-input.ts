import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import { boundedText, line } from '../common/inputs.ts'
import { section } from '../content/settings-section.ts'
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

const remindersMessage = 'Please enter at most five different whole numbers from 1 to 60'
const daysMessage = 'Please enter a whole number from 7 to 90'
const choice = () => z.boolean('Please choose yes or no').default(false)

/** Who signs by an own link, and for how long the links open. */
export const signingSection = section(
  'signing',
  z.object({
    /** A co-applicant signs by an own link alone. */
    separate: choice(),
    /** The owner signs, too. */
    countersign: choice(),
    /** Days after the invitation. */
    reminderDays: z
      .array(z.int(remindersMessage).min(1, remindersMessage).max(60, remindersMessage), remindersMessage)
      .max(5, remindersMessage)
      .refine(days => new Set(days).size === days.length, remindersMessage)
      .default([3, 7]),
    linkDays: z.int(daysMessage).min(7, daysMessage).max(90, daysMessage).default(30),
  }),
)

export const signingReason = z.object({
  reason: boundedText(2000, 'Please give a reason').min(1, 'Please give a reason'),
})
