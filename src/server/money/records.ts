import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { preparedQuery } from '../../../db/prepared.ts'
import { charges } from '../../../db/schema.ts'
import type { ChargeKind } from '../../domain/money/charge.ts'

export type ChargeRow = typeof charges.$inferSelect
type ReadDb = Pick<Db | Tx, 'select'>

const inStoredOrder = sql`${charges}.rowid`
const selectActive = preparedQuery((db: ReadDb) =>
  db
    .select()
    .from(charges)
    .where(and(eq(charges.applicationId, sql.placeholder('applicationId')), isNull(charges.voidedAt)))
    .orderBy(inStoredOrder)
    .prepare(),
)

/** The charges of an application that are not voided, as ordered by `inOrder`. Their sum is what is owed. */
export function activeCharges(db: ReadDb, applicationId: string): ChargeRow[] {
  return inOrder(selectActive(db).all({ applicationId }))
}

/** All charges of an application, voided ones included. */
export function allCharges(db: ReadDb, applicationId: string): ChargeRow[] {
  const ofApplication = eq(charges.applicationId, applicationId)
  return inOrder(db.select().from(charges).where(ofApplication).orderBy(inStoredOrder).all())
}

/** Whether a charge is the rent or deposit of a booking that the owner entered without a lease. */
export const isBookingTerm = ({ createdBy, kind, source }: ChargeRow): boolean =>
  source === 'owner' && createdBy === null && (kind === 'rent' || kind === 'deposit')

/** Whether the owner added the charge later, by hand. */
export const isLater = (row: ChargeRow): boolean =>
  row.source === 'owner' && row.kind !== 'tax' && !isBookingTerm(row)

const ranks: Partial<Record<ChargeKind, number>> = { rent: 0, fee: 1, discount: 2, tax: 3 }
const lastRank = 5

/** Sorts by: rent, fees, discounts and taxes of the lease; later charges by time; deposit. */
function inOrder(rows: ChargeRow[]): ChargeRow[] {
  const rank = ({ kind, source }: ChargeRow) => {
    if (kind === 'deposit') return lastRank
    return kind === 'rent' || source === 'lease' ? (ranks[kind] ?? lastRank - 1) : lastRank - 1
  }
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** The deposit that is charged, in cents; null if none was charged yet, when the default deposit is due. */
export function chargedDepositCents(db: ReadDb, applicationId: string): number | null {
  const found = db
    .select({
      cents: sql<number | null>`sum(iif(${charges.voidedAt} is null, ${charges.amountCents}, 0))`,
    })
    .from(charges)
    .where(and(eq(charges.applicationId, applicationId), eq(charges.kind, 'deposit')))
    .get()
  return found?.cents ?? null
}

/** Voids a charge, which no longer counts but is kept for the record. */
export function voidCharge(tx: Tx, at: string, id: string, by: string | null, reason: string): void {
  tx.update(charges).set({ voidedAt: at, voidedBy: by, voidReason: reason }).where(eq(charges.id, id)).run()
}
