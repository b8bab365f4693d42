import { z } from 'zod'
import type { ApplicationFormValues } from '../../../domain/application.ts'
import { readSession, removeSession, writeSession } from '../../forms/tab-storage.ts'

const key = 'applicationDraft'

type OptionalField = 'secondApplicantFirstName' | 'secondApplicantLastName' | 'additionalGuests'

/** Every field of the form, none optional, so that all of them are controlled and saved. */
export type FormValues = Omit<ApplicationFormValues, OptionalField> & {
  secondApplicantFirstName: string
  secondApplicantLastName: string
  additionalGuests: { firstName: string; lastName: string; isAdult: boolean }[]
}

const values: z.ZodType<FormValues> = z.object({
  firstName: z.string(),
  lastName: z.string(),
  secondApplicantFirstName: z.string(),
  secondApplicantLastName: z.string(),
  phone: z.string(),
  address: z.object({ street: z.string(), city: z.string(), state: z.string(), zipCode: z.string() }),
  requestedStartDate: z.string(),
  requestedEndDate: z.string(),
  additionalGuests: z.array(z.object({ firstName: z.string(), lastName: z.string(), isAdult: z.boolean() })),
})
/** What was last sent and its request id, so that a retry after a lost answer does not create a second application. */
const attempt = z.object({ requestId: z.string(), sent: z.string() })
const draft = z.object({ userId: z.string(), values, attempt: attempt.optional() })
type Draft = z.infer<typeof draft>

/** What this tenant entered before a reload of this tab; another tenant's draft is cleared. */
export function readDraft(userId: string): Draft | undefined {
  const saved = draft.safeParse(readSession(key)).data
  if (saved?.userId === userId) return saved
  clearDraft()
  return undefined
}

export function saveDraft(draft: Draft): void {
  writeSession(key, draft)
}

export function clearDraft(): void {
  removeSession(key)
}
