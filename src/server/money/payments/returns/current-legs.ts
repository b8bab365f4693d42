import { eq } from 'drizzle-orm'
import type { Db } from '../../../../../db/open.ts'
import { applications } from '../../../../../db/schema.ts'
import { creditedCents, type LedgerRow, leftOfTotalCents } from '../../../../domain/money/ledger.ts'
import { totalToRefund } from '../../../../domain/money/return-plan.ts'
import { leftToReturn } from '../../accounts.ts'
import { ledgersOf } from '../../records.ts'
import { toldClaimOf } from '../../statements.ts'
import { type LegRow, legsOf } from './legs.ts'

/** Whether only the owner goes on with a refund of a cancellation: it waits to be given back by hand, or has failed. */
const isOwners = ({ by, cause, state }: LegRow): boolean =>
  cause === 'cancellation' && (state === 'failed' || (state === 'waiting' && by === 'hand'))

/** A refund leg. A failed one is open until the owner tries again or returns the money in another way. */
export type CurrentLeg = LegRow & { isOpen: boolean }

const withOpen = (legs: readonly LegRow[]): CurrentLeg[] =>
  legs.map((leg, i) => ({
    ...leg,
    isOpen: !legs
      .slice(i)
      .some(
        ({ causeId, createdAt, kind }) =>
          kind === leg.kind && causeId !== leg.causeId && createdAt >= leg.updatedAt,
      ),
  }))

/**
 * The legs of an application, each refund that the owner goes on with for what is still to go back, and to a card for what
 * is left of its payment: less, or withdrawn, where its money went back in another way, bounced or was disputed since (CHANGE-15).
 */
export function currentLegs(db: Db, applicationId: string): CurrentLeg[] {
  const legs = withOpen(legsOf(db, { applicationId }))
  if (!legs.some(isOwners)) return legs
  const application = db.select().from(applications).where(eq(applications.id, applicationId)).get()
  if (application?.status !== 'cancelled') return legs
  const rows = ledgersOf(db, [applicationId]).get(applicationId) ?? []
  const claimedCents = toldClaimOf(db, applicationId)
  const { depositCents, rows: after, toReturnCents } = leftToReturn(application, rows, claimedCents)
  const deposit = Math.max(0, depositCents - claimedCents)
  const left = { deposit, other: toReturnCents - deposit }
  return legs.map(leg => {
    if (!isOwners(leg)) return leg
    const payment = after.find(({ id }) => id === leg.paymentId)
    const most = payment ? creditedCents(payment) : leg.amountCents
    const amountCents = Math.max(0, Math.min(leg.amountCents, most, left[leg.kind]))
    left[leg.kind] -= amountCents
    if (amountCents === leg.amountCents) return leg
    if (amountCents <= 0) return { ...leg, state: 'withdrawn' }
    const totalCents = payment ? totalToRefund(refundSource(payment), amountCents) : amountCents
    return { ...leg, amountCents, feeCents: totalCents - amountCents, totalCents }
  })
}

/** What of a payment can still be refunded, as `totalToRefund` needs it. */
export const refundSource = (row: LedgerRow) => ({
  amountCents: row.amountCents,
  feeCents: row.feeCents,
  refundedTotalCents: row.refundedAmountCents + row.refundedFeeCents,
  leftTotalCents: leftOfTotalCents(row),
})
