import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { cancellations } from '../../../../db/schema.ts'
import {
  type CancellationSide,
  cancellationError,
  cancellationSection,
  daysBeforeStay,
  refundOf,
  refundPercent,
} from '../../../domain/bookings/cancellation.ts'
import {
  afterRequestedRefunds,
  depositHeldCents,
  keptCents,
  paidCents,
} from '../../../domain/money/ledger.ts'
import { planReturn } from '../../../domain/money/return-plan.ts'
import { type ApplicationRecord, bookedStayOf } from '../../bookings/records.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { accountKeyOf, accountOf, inDisputeOf, withoutLostElsewhere } from '../../money/accounts.ts'
import { sourcesOf } from '../../money/payments/returns/legs.ts'
import { ledgerOf } from '../../money/records.ts'
import { readSection } from '../../site/settings.ts'

export type CancellationRow = typeof cancellations.$inferSelect

export const newestCancellation = (db: Db, applicationId: string): CancellationRow | undefined =>
  db
    .select()
    .from(cancellations)
    .where(eq(cancellations.applicationId, applicationId))
    .orderBy(sql`${cancellations}.rowid desc`)
    .limit(1)
    .get()

/** The request that waits for the owner, or what the stay was cancelled by; there is at most one of each. */
export const findCancellation = (db: Db, applicationId: string, state: 'requested' | 'cancelled') =>
  db
    .select()
    .from(cancellations)
    .where(and(eq(cancellations.applicationId, applicationId), eq(cancellations.state, state)))
    .get()

export const tiersOf = (db: Db) => readSection(db, cancellationSection).body.tiers

/**
 * What goes back when a stay is cancelled now, and how; null where it cannot be (CHANGE-08, CHANGE-09). Cents.
 * @param wantedCents what the owner gives back instead
 */
export function proposalOf(
  deps: Deps,
  db: Db,
  { application }: ApplicationRecord,
  side: CancellationSide,
  wantedCents?: number,
) {
  const today = todayAt(deps)
  const stay = bookedStayOf(application)
  if (cancellationError({ status: application.status, stay }, today)) return null
  const waiting = side === 'tenant' ? findCancellation(db, application.id, 'requested') : undefined
  const receivedOn = waiting?.receivedOn ?? today
  const daysBefore = daysBeforeStay(receivedOn, stay.start)
  const policy = waiting?.policy ?? tiersOf(db)
  const percent = refundPercent(policy, side, daysBefore)
  const account = accountOf(db, accountKeyOf(application))
  const rows = withoutLostElsewhere(db, application, account.rows)
  const after = afterRequestedRefunds(rows)
  const money = {
    paidCents: paidCents(after),
    depositCents: depositHeldCents(after),
    keptOfDepositCents: keptCents(after),
  }
  const { depositCents, mostCents, ...proposed } = refundOf(money, percent)
  const refundCents = wantedCents ?? proposed.refundCents
  const isOnItsWay = (row: (typeof rows)[number]) => row.status === 'processing' && row.voidedAt === null
  return {
    side,
    receivedOn,
    daysBefore,
    refundPercent: percent,
    policy,
    depositCents,
    mostCents,
    proposedCents: proposed.refundCents,
    refundCents,
    paidCents: proposed.paidCents,
    keptCents: proposed.paidCents - refundCents,
    onItsWayCents: rows.reduce((sum, row) => sum + (isOnItsWay(row) ? row.amountCents : 0), 0),
    disputedCents: inDisputeOf(db, account).cents,
    refunds: refundsOf(deps, db, application, { depositCents, refundCents }),
  }
}

/** Payments of the deposit first, then others; each kind through the provider as far as it goes, then by hand (CHANGE-14). */
function refundsOf(
  deps: Deps,
  db: Db,
  application: ApplicationRecord['application'],
  { depositCents, refundCents }: { depositCents: number; refundCents: number },
) {
  const payments = ledgerOf(db, application)
  const legsOf = (kind: 'deposit' | 'other', cents: number) => {
    const ofKind = payments.filter(({ type }) => (type === 'deposit') === (kind === 'deposit'))
    return planReturn(cents, sourcesOf(deps, db, ofKind)).map(leg => ({
      ...leg,
      kind,
      paymentType: ofKind.find(({ id }) => id === leg.paymentId)?.type ?? null,
    }))
  }
  const ofDeposit = Math.min(depositCents, refundCents)
  return [...legsOf('deposit', ofDeposit), ...legsOf('other', Math.max(0, refundCents - ofDeposit))]
}
