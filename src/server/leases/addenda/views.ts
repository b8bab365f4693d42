import { z } from 'zod'
import { centsToDollars } from '../../../domain/common/money.ts'
import { apiCents, recordIds, wireDate, wireDollars, wireMoment } from '../../../domain/common/wire.ts'
import { type AddendumBody, type AddendumTerms, addendumStates } from '../../../domain/leases/addendum.ts'
import { signedByKinds } from '../../../domain/leases/lease.ts'
import { chargeKinds, sumOf } from '../../../domain/money/charge.ts'
import { applicationView } from '../../bookings/views.ts'
import type { Deps } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { type AddendumRow, bodyOf, stateOf, termsOf } from './records.ts'

export const termsView = z.strictObject({
  leaseStartDate: wireDate,
  leaseEndDate: wireDate,
  rentalAmount: wireDollars,
  depositAmount: wireDollars,
})
const lineView = z.strictObject({ kind: z.enum(chargeKinds), label: z.string(), amountCents: apiCents })
const installmentView = z.strictObject({
  label: z.string(),
  amountCents: apiCents,
  /** Null if due 7 days after the signature. */
  dueDate: wireDate.nullable(),
})

export const addendumView = z
  .strictObject({
    ...recordIds,
    applicationId: z.string(),
    number: z.int(),
    state: z.enum(addendumStates),
    tenantSigned: z
      .literal(true)
      .optional()
      .meta({ description: 'The tenant has signed by an own link, and others are missing' }),
    before: termsView,
    after: termsView,
    lines: z.array(lineView),
    instalments: z.array(installmentView),
    differenceCents: apiCents,
    owedBeforeCents: apiCents,
    owedAfterCents: apiCents,
    validUntil: wireDate,
    addendumTextSha256: z.string(),
    reason: z.string(),
    createdAt: wireMoment,
    signedAt: wireMoment.nullable(),
    signedBy: z.enum(signedByKinds).nullable(),
  })
  .meta({ id: 'Addendum' })
export type AddendumView = z.infer<typeof addendumView>

export const addendumPreview = z.strictObject({
  addendumText: z.string(),
  addendumTextSha256: z.string(),
  after: termsView,
  lines: z.array(lineView),
  differenceCents: apiCents,
  owedBeforeCents: apiCents,
  owedAfterCents: apiCents,
  blockedNights: z.array(wireDate),
  warnings: z.array(z.string()),
  instalments: z.array(installmentView),
})
export type AddendumPreview = z.infer<typeof addendumPreview>

export const addendumDocument = z.strictObject({
  addendum: addendumView,
  addendumText: z.string(),
  addendumTextSha256: z.string(),
  notice: z.array(z.strictObject({ title: z.string(), text: z.string() })),
  noticeSha256: z.string(),
  consentSentence: z.string(),
})
export const signedAddendum = z.strictObject({
  message: z.string(),
  addendum: addendumView,
  application: applicationView,
})

export const presentTerms = ({ depositCents, endDate, rentCents, startDate }: AddendumTerms) => ({
  leaseStartDate: startDate,
  leaseEndDate: endDate,
  rentalAmount: centsToDollars(rentCents),
  depositAmount: centsToDollars(depositCents),
})

/** What an addendum charges. */
export function presentBody({ instalments, lines, owedBeforeCents }: AddendumBody) {
  const differenceCents = sumOf(lines)
  return {
    lines: lines.map(({ amountCents, kind, label }) => ({ kind, label, amountCents })),
    instalments,
    differenceCents,
    owedBeforeCents,
    owedAfterCents: owedBeforeCents + differenceCents,
  }
}

export function presentAddendum(deps: Deps, row: AddendumRow): AddendumView {
  const { addendum, lease } = row
  return view(addendumView, {
    ...lease,
    state: stateOf(deps, row),
    ...(row.isTenantSigned && { tenantSigned: true as const }),
    before: presentTerms(addendum.before),
    after: presentTerms(termsOf(row)),
    ...presentBody(bodyOf(row)),
    validUntil: addendum.validUntil,
    addendumTextSha256: lease.textSha256,
    reason: addendum.reason,
    createdAt: lease.generatedAt,
  })
}
