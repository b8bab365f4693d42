import { z } from 'zod'
import { actorRoles } from '../../domain/accounts/access.ts'
import { applicationStatuses } from '../../domain/bookings/application-status.ts'
import { apiCents, wireDate, wireDollars, wireMoment } from '../../domain/common/wire.ts'
import { leaseMessages } from '../../domain/leases/lease.ts'
import { chargeKinds, feeKinds, feeUnits } from '../../domain/money/charge.ts'
import { planChoices, planKinds, settingKinds } from '../../domain/money/payment-plan.ts'
import { applicationView, signedLeaseFile } from '../bookings/views.ts'

export { planView } from '../money/views.ts'

/** The state of a tenant's lease; all fields are null without an active application. */
export const leaseStatusView = z.strictObject({
  hasApplication: z.boolean(),
  applicationId: z.string().nullable(),
  applicationNumber: z.string().nullable(),
  status: z.enum(applicationStatuses).nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  leaseGenerated: z.boolean(),
  leaseStartDate: wireDate.nullable(),
  leaseEndDate: wireDate.nullable(),
  rentalAmount: wireDollars.nullable(),
  depositAmount: wireDollars.nullable(),
  leaseSigned: z.boolean(),
  leaseSignedAt: wireMoment.nullable(),
  signedLeaseFile: signedLeaseFile.nullable(),
  canRemoveSignedLease: z.boolean(),
  message: z.literal(leaseMessages.noActiveApplications).nullable(),
})
export type LeaseStatus = z.infer<typeof leaseStatusView>

/** The default terms of a lease, with totals. */
export const leaseTermsView = z.strictObject({
  leaseStartDate: wireDate,
  leaseEndDate: wireDate,
  rentalAmount: wireDollars,
  depositAmount: wireDollars,
  termRentCents: apiCents,
  termRentSum: z.string(),
  owedCents: apiCents,
  /** Fees and discounts that are available for these dates, and whether the lease has or would have them. */
  fees: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(feeKinds),
      name: z.string(),
      required: z.boolean(),
      per: z.enum(feeUnits),
      amountCents: apiCents.nullable(),
      basisPoints: z.int().nullable(),
    }),
  ),
  feeIds: z.array(z.string()),
  extraLines: z.array(
    z.strictObject({
      kind: z.enum(feeKinds),
      label: z.string(),
      amountCents: apiCents,
      taxable: z.boolean(),
    }),
  ),
  plan: z.strictObject({
    /** The choice for this lease. */
    choice: z.enum(planChoices),
    /** The lease's current plan; null if it has none. */
    kind: z.enum(planKinds).nullable(),
    /** The plan that the settings would create now. */
    setup: z.enum(settingKinds),
  }),
})

/** The charges of a lease before it is generated. */
export const chargePreview = z.strictObject({
  lines: z.array(
    z.strictObject({
      kind: z.enum(chargeKinds),
      label: z.string(),
      amountCents: apiCents,
      feeRuleId: z.string().nullable(),
      taxRuleId: z.string().nullable(),
    }),
  ),
  owedCents: apiCents,
})
export type LeaseTermsView = z.infer<typeof leaseTermsView>

/** One event of a lease's audit trail. */
export const leaseEventView = z.strictObject({
  _id: z.string(),
  id: z.string(),
  at: wireMoment,
  kind: z.string(),
  label: z.string(),
  actorRole: z.enum(actorRoles),
  actorName: z.string().nullable(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type LeaseEventView = z.infer<typeof leaseEventView>

export const signedResponse = z.strictObject({ message: z.string(), application: applicationView })
