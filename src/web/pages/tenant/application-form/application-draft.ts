import type { ApplicationFormValues } from '../../../../domain/bookings/application-form.ts'
import { readTabStorage, removeTabStorage, writeTabStorage } from '../../../forms/tab-storage.ts'

/**
 * Whether a stored value has all fields of a sample with the same types. List entries are compared with the sample's
 * first entry.
 */
export function hasShapeOf<Sample>(sample: Sample, value: unknown): value is Sample {
  if (Array.isArray(sample))
    return Array.isArray(value) && value.every(entry => hasShapeOf<unknown>(sample[0], entry))
  if (typeof sample !== 'object' || sample === null) return typeof value === typeof sample
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(sample).every(([name, part]) => hasShapeOf<unknown>(part, fields.get(name)))
}

const key = 'applicationDraft'

type OptionalField = 'secondApplicantFirstName' | 'secondApplicantLastName' | 'additionalGuests' | 'guestNote'

/** All fields of the form, none optional, so that all of them are controlled and saved. */
export type FormValues = Omit<ApplicationFormValues, OptionalField> & {
  secondApplicantFirstName: string
  secondApplicantLastName: string
  additionalGuests: { firstName: string; lastName: string; isAdult: boolean }[]
  guestNote: string
}

type Draft = {
  userId: string
  values: FormValues
  /**
   * The last submission and its request id, so that a retry after a lost response does not create a second application.
   */
  attempt?: { requestId: string; sent: string } | undefined
}

/** The form before anything is typed. */
export const blankValues: FormValues = {
  firstName: '',
  lastName: '',
  secondApplicantFirstName: '',
  secondApplicantLastName: '',
  phone: '',
  address: { street: '', city: '', state: '', zipCode: '' },
  requestedStartDate: '',
  requestedEndDate: '',
  additionalGuests: [],
  guestNote: '',
}
const guest = { firstName: '', lastName: '', isAdult: true }
const draft: Draft = { userId: '', values: { ...blankValues, additionalGuests: [guest] } }
const attempted: Draft = { ...draft, attempt: { requestId: '', sent: '' } }

/** What this tenant typed before a reload of this tab; another tenant's draft is cleared. */
export function readDraft(userId: string): Draft | undefined {
  const saved = readTabStorage(key)
  if ((hasShapeOf(attempted, saved) || hasShapeOf(draft, saved)) && saved.userId === userId) return saved
  clearDraft()
  return undefined
}

export function saveDraft(draft: Draft): void {
  writeTabStorage(key, draft)
}

export function clearDraft(): void {
  removeTabStorage(key)
}
