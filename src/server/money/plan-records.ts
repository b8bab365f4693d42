import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { preparedQuery } from '../../../db/prepared.ts'
import { instalments, lateFees, paymentPlans } from '../../../db/schema.ts'
import type { Instalment, NewInstalment } from '../../domain/money/payment-plan.ts'

type ReadDb = Pick<Db | Tx, 'select'>
export type PlanRow = typeof paymentPlans.$inferSelect
/** A stored installment of an application, superseded or not. */
export type InstalmentRow = typeof instalments.$inferSelect

const planById = preparedQuery((db: ReadDb) =>
  db
    .select()
    .from(paymentPlans)
    .where(eq(paymentPlans.applicationId, sql.placeholder('applicationId')))
    .prepare(),
)
const liveByApplication = preparedQuery((db: ReadDb) =>
  db
    .select()
    .from(instalments)
    .where(
      and(eq(instalments.applicationId, sql.placeholder('applicationId')), isNull(instalments.supersededAt)),
    )
    .orderBy(instalments.position, instalments.dueDate)
    .prepare(),
)

/** The payment plan of an application, if it has one. */
export function planOf(db: ReadDb, applicationId: string): PlanRow | undefined {
  return planById(db).get({ applicationId })
}

/** Whether any lease has a payment plan. */
export function hasAnyPlan(db: ReadDb): boolean {
  return db.select({ id: paymentPlans.applicationId }).from(paymentPlans).limit(1).get() !== undefined
}

/** The installments of an application that are not superseded, by position. */
export function liveInstalments(db: ReadDb, applicationId: string): Instalment[] {
  return liveByApplication(db).all({ applicationId })
}

const decidedByApplication = preparedQuery((db: ReadDb) =>
  db
    .select({ id: lateFees.instalmentId })
    .from(lateFees)
    .innerJoin(instalments, eq(instalments.id, lateFees.instalmentId))
    .where(
      and(eq(instalments.applicationId, sql.placeholder('applicationId')), isNull(instalments.supersededAt)),
    )
    .prepare(),
)

/** The ids of an application's installments whose late fee the owner charged or dismissed (PLAN-34). */
export function decidedLateFees(db: ReadDb, applicationId: string): Set<string> {
  return new Set(
    decidedByApplication(db)
      .all({ applicationId })
      .map(({ id }) => id),
  )
}

/** Stores new installments; returns their ids, in order. */
export function insertInstalments(
  tx: Tx,
  at: string,
  applicationId: string,
  rows: readonly (NewInstalment & Partial<Pick<InstalmentRow, 'waivedAt' | 'reason'>>)[],
): string[] {
  return rows.map(row => {
    const id = randomUUID()
    tx.insert(instalments)
      .values({ ...row, id, applicationId, createdAt: at })
      .run()
    return id
  })
}

/** Takes installments out of the plan; the rows stay for the record. */
export function supersedeInstalments(tx: Tx, at: string, ids: readonly string[]): void {
  if (ids.length > 0)
    tx.update(instalments)
      .set({ supersededAt: at })
      .where(inArray(instalments.id, [...ids]))
      .run()
}
