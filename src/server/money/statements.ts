import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { depositItems, depositStatements, events } from '../../../db/schema.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import { readSection } from '../site/settings.ts'
import { isOneOf } from './records.ts'

// What the statements about a deposit tell the tenant.

/** `counts` is false for good of one sent for an application that had ended, and was approved since (DEP-21). */
export type StatementRow = typeof depositStatements.$inferSelect & { counts: boolean }

export const endings = ['application.rejected', 'application.withdrawn', 'application.cancelled']
const sent = 'deposit.statement_sent'

/** The statements of an application, oldest first. */
export function statementsOf(db: Db, applicationId: string): StatementRow[] {
  const rows = db
    .select()
    .from(depositStatements)
    .where(eq(depositStatements.applicationId, applicationId))
    .orderBy(asc(depositStatements.number))
    .all()
  if (rows.length === 0) return []
  const kinds = [...endings, sent, 'application.approved', 'application.completed']
  const voided = new Set<unknown>()
  let ofEnded: unknown[] | undefined
  for (const { detail, kind } of db
    .select()
    .from(events)
    .where(and(eq(events.subjectId, applicationId), inArray(events.kind, kinds)))
    .orderBy(asc(events.id))
    .all()) {
    if (endings.includes(kind)) ofEnded ??= []
    else if (kind === sent) ofEnded?.push(detail.statementId)
    else {
      for (const id of ofEnded ?? []) voided.add(id)
      ofEnded = undefined
    }
  }
  return rows.map(row => ({ ...row, counts: !voided.has(row.id) }))
}

/**
 * The newest statement that counts, what it tells of items that were not kept since, and what of it is still claimed, in
 * cents: the owner can take an item back, or lower it.
 */
export function toldIn(
  statements: readonly StatementRow[],
  items: readonly { id: string; amountCents: number; keptAt: string | null }[],
) {
  const newest = statements.findLast(({ counts }) => counts)
  const found = new Map(items.map(item => [item.id, item]))
  const told = (newest?.items ?? []).filter(({ id }) => !found.get(id)?.keptAt)
  const claimedCents = told.reduce(
    (sum, { amountCents, id }) => sum + Math.min(amountCents, found.get(id)?.amountCents ?? 0),
    0,
  )
  return { newest, told, claimedCents }
}

/**
 * What statements claim of the deposits of these applications and is not kept yet, in cents: what the owner still claims of
 * it, or all that the tenants were told, who do not see drafts. Of none while they are not watched.
 */
export function toldClaims(db: Db, ids: readonly string[], isTenant = false): Map<string, number> {
  if (ids.length === 0 || !readSection(db, depositSection).body.enabled) return new Map()
  const sent = db
    .selectDistinct({ id: depositStatements.applicationId })
    .from(depositStatements)
    .where(isOneOf(depositStatements.applicationId, ids))
    .all()
  return new Map(
    sent.map(({ id }) => {
      const ofApplication = and(eq(depositItems.applicationId, id), isNull(depositItems.voidedAt))
      const items = db.select().from(depositItems).where(ofApplication).all()
      const { claimedCents, told } = toldIn(statementsOf(db, id), items)
      return [id, isTenant ? sumOf(told) : claimedCents]
    }),
  )
}

/** Like `toldClaims`, of one application. */
export const toldClaimOf = (db: Db, applicationId: string, isTenant = false): number =>
  toldClaims(db, [applicationId], isTenant).get(applicationId) ?? 0
