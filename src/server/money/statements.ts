import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { depositItems, depositStatements, events } from '../../../db/schema.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import { readSection } from '../site/settings.ts'
import { isOneOf } from './records.ts'

// Deposit statements: which are valid, and what they claim.

/** `counts` is false for a statement that was sent while the application was declined or cancelled, once it is approved again (DEP-21). */
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
 * The newest valid statement, its items that were not kept since, and what the owner still claims of them, in cents: an
 * item can be removed or lowered.
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
 * What the valid statements of these applications claim and is not kept yet, in cents. For the owner without items that
 * were removed or lowered since; for tenants as the statement says. Empty while deposits are not watched.
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
