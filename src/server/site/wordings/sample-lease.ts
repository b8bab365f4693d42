import type { LeaseData } from '../../../domain/leases/lease-text.ts'
import { sampleLease } from '../../../domain/leases/lease-wording.ts'
import type { Deps } from '../../kernel/deps.ts'
import { currentSite } from '../content/current-site.ts'

/** A lease of this property with a fictional tenant. */
export function sampleLeaseOf(deps: Deps): LeaseData {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = currentSite(deps)
  const { facts, houseRules } = deps.siteContent().content
  return {
    ...sampleLease,
    landlordName: companyName,
    landlordEmail: ownerEmail,
    landlordPhone: ownerPhone,
    propertyName,
    propertyAddress,
    guestLimit: facts.sleeps,
    houseRules: houseRules.rules,
  }
}
