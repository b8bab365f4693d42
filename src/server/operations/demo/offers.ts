import { eq } from 'drizzle-orm'
import { applications } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { offerForm, promiseForm } from '../../../domain/bookings/offer-form.ts'
import { addDays, addMonths } from '../../../domain/common/dates.ts'
import { withdrawOffer } from '../../applications/offers/change-offer.ts'
import { makeOffer } from '../../applications/offers/make-offer.ts'
import { makePromise } from '../../applications/offers/promise.ts'
import type { Deps } from '../../kernel/deps.ts'

/** An offer that ends tomorrow, one that was withdrawn, and the weeks of a past stay, promised again. */
export async function seedOffers(deps: Deps, admin: Admin, today: string): Promise<void> {
  const past = deps.db.select().from(applications).where(eq(applications.firstName, 'Ruth')).get()
  if (!deps.mail || !past) return
  const fortnight = (months: number) => {
    const startDate = addDays(`${addMonths(today, months).slice(0, 8)}01`, 7)
    return { startDate, endDate: addDays(startDate, 14) }
  }
  const offer = (more: object) =>
    makeOffer(deps, admin, offerForm.parse({ guests: 2, rentalAmount: 2400, depositAmount: 500, ...more }))
  const tomorrow = new Date(deps.clock.now().getTime() + 24 * 60 * 60_000).toISOString()
  const anna = { firstName: 'Anna', lastName: 'Miller', email: 'anna@guest.example' }
  const message = 'We would love to have you back next year.'
  await offer({ ...anna, ...fortnight(13), until: tomorrow, message })
  const greg = { firstName: 'Greg', lastName: 'Stone', email: 'greg@guest.example' }
  const { claim } = await offer({ ...greg, ...fortnight(14) })
  await withdrawOffer(deps, admin, claim.id, 'We are renewing the kitchen then.')
  const again = { applicationId: past.id, ...fortnight(15), rentalAmount: 2600, depositAmount: 500 }
  await makePromise(deps, admin, promiseForm.parse(again))
}
