import type { SignedIn } from '../domain/accounts/access.ts'
import type { ApplicationFormValues } from '../domain/bookings/application-form.ts'
import type { TestApp } from './test-app.ts'

/** A complete application, as entered in the form. */
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

export async function makePending(
  app: TestApp,
  tenant: SignedIn,
  overrides: Partial<ApplicationFormValues> = {},
) {
  const { application } = await app.as(tenant).applications.createAndSubmit(buildApplication(overrides))
  return application
}

/** An approved application, which makes it a booking. */
export async function makeBooking(
  app: TestApp,
  tenant: SignedIn,
  admin: SignedIn,
  overrides: Partial<ApplicationFormValues> = {},
) {
  const { id } = await makePending(app, tenant, overrides)
  const approved = await app.as(admin).applications.adminSetStatus({ id, status: 'approved' })
  return approved.application
}

/** The requested dates of an application. */
export const dates = (requestedStartDate: string, requestedEndDate: string) => ({
  requestedStartDate,
  requestedEndDate,
})
