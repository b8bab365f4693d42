import { z } from 'zod'
import type { ApplicationFormValues } from '../../../domain/application.ts'
import { readSession, removeSession, writeSession } from '../../forms/tab-storage.ts'

const key = 'applicationDraft'

type OptionalField = 'secondApplicantFirstName' | 'secondApplicantLastName' | 'additionalGuests'

/** Every field of the form, so that all of them are controlled and can be kept. */
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
/** What was last sent, under which id: an answer that got lost on the way must not make a second application. */
const attempt = z.object({ requestId: z.string(), sent: z.string() })
const draft = z.object({ userId: z.string(), values, attempt: attempt.optional() })
type Draft = z.infer<typeof draft>

/** What this tenant had entered before a reload of this tab; another tenant's is forgotten. */
export function readDraft(userId: string): Draft | undefined {
  const kept = draft.safeParse(readSession(key)).data
  if (kept?.userId === userId) return kept
  forgetDraft()
  return undefined
}

export function keepDraft(draft: Draft): void {
  writeSession(key, draft)
}

export function forgetDraft(): void {
  removeSession(key)
}
