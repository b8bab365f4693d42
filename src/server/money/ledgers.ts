import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../../db/open.ts'
import { charges, payments } from '../../../db/schema.ts'
import type { LedgerRow } from '../../domain/money/ledger.ts'

type ReadDb = Pick<Db | Tx, 'select' | 'all'>

/**
 * The ledger rows of many applications that are not voided, by application. Uses raw SQL: with thousands of rows,
 * Drizzle's column mapping takes longer than everything else.
 */
export function ledgersOf(db: ReadDb, ids: readonly string[]): Map<string, LedgerRow[]> {
  const { applicationId, voidedAt } = payments
  const rows = db.all<LedgerRow & { applicationId: string }>(sql`
    select ${applicationId} as applicationId, ${payments.type} as type, ${payments.method} as method,
      ${payments.status} as status, ${payments.amountCents} as amountCents, ${payments.feeCents} as feeCents,
      ${payments.refundedAmountCents} as refundedAmountCents, ${payments.refundedFeeCents} as refundedFeeCents,
      ${payments.lostAmountCents} as lostAmountCents, ${payments.paidAt} as paidAt, ${voidedAt} as voidedAt
    from ${payments} where ${isOneOf(applicationId, ids)} and ${voidedAt} is null`)
  return byApplication(rows)
}

/** The charged deposit in cents by application, the same as `chargedDepositCents`. */
export function chargedDeposits(db: ReadDb, ids: readonly string[]): Map<string, number> {
  const { applicationId, amountCents, kind, voidedAt } = charges
  const sums = db
    .select({ applicationId, cents: sql<number>`sum(${amountCents})` })
    .from(charges)
    .where(and(isOneOf(applicationId, ids), isNull(voidedAt), eq(kind, 'deposit')))
    .groupBy(applicationId)
    .all()
  return new Map(sums.map(({ applicationId, cents }) => [applicationId, cents]))
}

/** Passes all ids as one parameter, a JSON list, because there may be more ids than a statement allows parameters. */
export const isOneOf = (column: SQLiteColumn, ids: readonly string[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`

export function byApplication<Row extends { applicationId: string }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  return Map.groupBy(rows, ({ applicationId }) => applicationId)
}
