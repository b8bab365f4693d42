import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
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

/** The newest statement that counts, and what it tells of items that were not kept since. */
export function toldIn(
  statements: readonly StatementRow[],
  items: readonly { id: string; keptAt: string | null }[],
) {
  const newest = statements.findLast(({ counts }) => counts)
  const kept = new Set(items.flatMap(({ id, keptAt }) => (keptAt === null ? [] : id)))
  return { newest, told: (newest?.items ?? []).filter(({ id }) => !kept.has(id)) }
}

/** What the tenants were told is claimed of the deposits of these applications and not kept yet, in cents; of none while they are not watched. */
export function toldClaims(db: Db, ids: readonly string[]): Map<string, number> {
  if (ids.length === 0 || !readSection(db, depositSection).body.enabled) return new Map()
  const { applicationId, id, keptAt, voidedAt } = depositItems
  const sent = db
    .selectDistinct({ id: depositStatements.applicationId })
    .from(depositStatements)
    .where(isOneOf(depositStatements.applicationId, ids))
    .all()
  return new Map(
    sent.map(of => {
      const kept = db
        .select({ id, keptAt })
        .from(depositItems)
        .where(and(eq(applicationId, of.id), isNotNull(keptAt), isNull(voidedAt)))
        .all()
      return [of.id, sumOf(toldIn(statementsOf(db, of.id), kept).told)]
    }),
  )
}

/** What the tenant of an application was told is claimed of the deposit and not kept yet, in cents. */
export const toldClaimOf = (db: Db, applicationId: string): number =>
  toldClaims(db, [applicationId]).get(applicationId) ?? 0
