import { coApplicantName } from '../../domain/bookings/people.ts'
import type { LeaseData } from '../../domain/leases/lease-text.ts'
import type { ChargeLine } from '../../domain/money/charge.ts'
import { type PlanDraft, scheduleText } from '../../domain/money/payment-plan.ts'
import type { OwnApplication } from '../bookings/records.ts'
import type { LeaseTerms } from '../bookings/terms.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'

/** The values that fill in the placeholders of a lease's wording. */
export function leaseDataOf(
  deps: Deps,
  { application }: OwnApplication,
  terms: LeaseTerms,
  charges: readonly ChargeLine[],
  plan: PlanDraft | null,
): LeaseData {
  const site = currentSite(deps)
  const { facts, houseRules } = deps.siteContent().content
  return {
    applicationNumber: application.number,
    landlordName: site.companyName,
    landlordEmail: site.ownerEmail,
    landlordPhone: site.ownerPhone,
    propertyName: site.propertyName,
    propertyAddress: site.propertyAddress,
    tenantName: `${application.firstName} ${application.lastName}`,
    coTenantName: coApplicantName(application) ?? null,
    guests: application.additionalGuests.map(guest => ({
      name: `${guest.firstName} ${guest.lastName}`,
      isAdult: guest.isAdult,
    })),
    startDate: terms.start,
    endDate: terms.end,
    monthlyRentCents: terms.rentCents,
    depositCents: terms.depositCents,
    guestLimit: facts.sleeps,
    houseRules: houseRules.rules,
    charges: charges.filter(({ kind }) => kind !== 'rent' && kind !== 'deposit'),
    paymentSchedule: plan ? scheduleText(plan.instalments, plan.lateFee) : '',
  }
}
