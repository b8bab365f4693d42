import type { ApplicationFormValues } from '../domain/application.ts'

/** A whole application as somebody fills in the form. */
export function buildApplication(overrides: Partial<ApplicationFormValues> = {}): ApplicationFormValues {
  return {
    firstName: 'Maya',
    lastName: 'Rivers',
    secondApplicantFirstName: '',
    secondApplicantLastName: '',
    phone: '(850) 555-0142',
    address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
    requestedStartDate: '2026-06-01',
    requestedEndDate: '2026-07-01',
    additionalGuests: [],
    ...overrides,
  }
}
