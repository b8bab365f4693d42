import { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { cancellationSides, cancellationStates } from '../../../domain/bookings/cancellation.ts'
import { apiCents, recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import { paymentTypes } from '../../../domain/money/ledger.ts'
import { legKinds, legStates, legWays } from '../../../domain/money/return-plan.ts'
import type { Deps } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { findPayment } from '../../money/payments/records.ts'
import { currentLegs } from '../../money/payments/returns/current-legs.ts'
import type { LegRow } from '../../money/payments/returns/legs.ts'
import { type CancellationRow, newestCancellation, type proposalOf } from './records.ts'

const leg = {
  paymentId: z.string().nullable(),
  by: z.enum(legWays),
  kind: z.enum(legKinds),
  /** `amountCents` is what is credited to the tenant less, `feeCents` the card fee that goes back with it. */
  amountCents: apiCents,
  feeCents: apiCents,
  totalCents: apiCents,
}

export const refundView = z.strictObject({
  ...recordIds,
  ...leg,
  state: z.enum(legStates),
  error: z.string().nullable(),
  doneAt: wireMoment.nullable(),
  /** Of a refund by check or transfer. */
  checkNumber: z.string(),
})

/** Amounts are null until it is decided. */
export const cancellationView = z.strictObject({
  ...recordIds,
  applicationId: z.string(),
  state: z.enum(cancellationStates),
  side: z.enum(cancellationSides),
  reason: z.string(),
  requestedAt: wireMoment.nullable(),
  receivedOn: wireDate,
  decidedAt: wireMoment.nullable(),
  note: z.string(),
  paidCents: apiCents.nullable(),
  refundCents: apiCents.nullable(),
  keptCents: apiCents.nullable(),
  refunds: z.array(refundView),
})

/** What would go back; what is on its way from a bank, or disputed, is in no other sum. */
export const proposalView = z
  .strictObject({
    side: z.enum(cancellationSides),
    receivedOn: wireDate,
    daysBefore: z.int(),
    refundPercent: z.int(),
    paidCents: apiCents,
    depositCents: apiCents,
    onItsWayCents: apiCents,
    disputedCents: apiCents,
    refundCents: apiCents,
    keptCents: apiCents,
    refunds: z.array(z.strictObject({ ...leg, paymentType: z.enum(paymentTypes).nullable() })),
  })
  .nullable()

export const toRefundView = (db: Db, row: LegRow) =>
  view(refundView, {
    ...row,
    doneAt: row.state === 'done' ? row.updatedAt : null,
    checkNumber: findPayment(db, row.rowId ?? '')?.checkNumber ?? '',
  })

export const toCancellationView = (deps: Deps, row: CancellationRow) =>
  view(cancellationView, {
    ...row,
    refunds: currentLegs(deps.db, row.applicationId)
      .filter(({ causeId }) => causeId === row.id)
      .map(leg => toRefundView(deps.db, leg)),
  })

/** The newest cancellation of an application; null where there never was one. */
export function cancellationOf(deps: Deps, applicationId: string) {
  const row = newestCancellation(deps.db, applicationId)
  return row ? toCancellationView(deps, row) : null
}

export function toProposalView(proposal: ReturnType<typeof proposalOf>): z.output<typeof proposalView> {
  if (!proposal) return null
  const { mostCents: _, policy: __, proposedCents: ___, ...shown } = proposal
  return shown
}
