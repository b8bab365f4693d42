import type { z } from 'zod'
import type { Tx } from '../../db/open.ts'
import type { offerForm } from '../domain/bookings/offer-form.ts'
import { linkOf } from '../server/applications/offers/records.ts'
import { issueToken } from '../server/auth/sessions/access-links.ts'
import type { TestApp } from './test-app.ts'

/** An offer for two summer weeks, as the owner enters it. */
export function buildOffer(overrides: Partial<z.input<typeof offerForm>> = {}): z.input<typeof offerForm> {
  return {
    email: 'anna@guest.example',
    firstName: 'Anna',
    lastName: 'Miller',
    startDate: '2026-08-03',
    endDate: '2026-08-17',
    guests: 2,
    rentalAmount: 2000,
    depositAmount: 500,
    ...overrides,
  }
}

/** What the guest of an offer who is known by email alone gives when accepting. */
export const offerPerson = {
  phone: '(850) 555-0142',
  address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
  additionalGuests: [{ firstName: 'Tom', lastName: 'Miller', isAdult: true }],
}

/** The token that delivery would make for the mails of an offer. */
export function offerToken({ deps }: Pick<TestApp, 'deps'>, claimId: string): string {
  const linkId = linkOf(deps.db, claimId) ?? ''
  return issueToken(deps.db as unknown as Tx, deps.clock.now().toISOString(), linkId)?.token ?? ''
}
