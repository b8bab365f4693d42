import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, ne } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { formatCents } from '../../domain/money.ts'
import type { TransferInput } from '../../domain/payment.ts'
import { findUser } from '../accounts/users.ts'
import { type Deps, nowIso } from '../deps.ts'
import { insertRow } from './manual.ts'
import { balanceOf, ledgerOf, ledgerOfUser, requireApplication } from './records.ts'
import { adminPayment } from './service.ts'

/**
 * A tenant's applications, newest first, with what is still owed on each and what could be taken from it. Cents.
 * @throws AppError not_found for an unknown tenant
 */
export function availableDeposits({ db }: Deps, userId: string) {
  if (!findUser(db, userId)) throw new AppError('not_found', 'User not found')
  const rows = db
    .select()
    .from(applications)
    .where(
      and(eq(applications.userId, userId), isNull(applications.deletedAt), ne(applications.status, 'draft')),
    )
    .orderBy(desc(applications.createdAt))
    .all()
  const ledger = Map.groupBy(ledgerOfUser(db, userId), row => row.applicationId)
  return rows.map(application => {
    const { balanceCents, paidCents } = balanceOf(application, ledger.get(application.id) ?? [])
    return {
      applicationId: application.id,
      applicationNumber: application.number,
      firstName: application.firstName,
      lastName: application.lastName,
      status: application.status,
      totalBalance: balanceCents,
      availableToTransfer: Math.max(0, paidCents),
    }
  })
}

/**
 * Moves an amount between two applications of one tenant: two rows that sum to zero, in one transaction (MONEY-09).
 * @throws AppError not_found; bad_request to itself, between tenants, or for more than was paid
 */
export async function transferAmount(deps: Deps, actor: Admin, input: TransferInput) {
  const { depositAmount: cents, fromApplicationId, toApplicationId, transferNotes } = input
  const ids = await deps.write(tx => {
    const from = requireApplication(tx, fromApplicationId)
    const to = requireApplication(tx, toApplicationId)
    if (from.id === to.id)
      throw refuse('toApplicationId', 'Please choose another application to transfer to.')
    if (from.userId !== to.userId)
      throw refuse('toApplicationId', 'Both applications must be of the same tenant.')
    const available = Math.max(0, balanceOf(from, ledgerOf(tx, from.id)).paidCents)
    if (cents > available)
      throw refuse(
        'depositAmount',
        `At most ${formatCents(available)} can be transferred from ${from.number}.`,
      )
    const shared = {
      userId: from.userId,
      type: 'admin_transfer',
      method: 'transfer',
      transferId: randomUUID(),
      paidAt: nowIso(deps),
      notes: transferNotes,
    } as const
    return [
      insertRow(deps, tx, actor, 'payment.transferred', {
        ...shared,
        applicationId: from.id,
        amountCents: -cents,
        description: `Transfer to ${to.number}`,
      }),
      insertRow(deps, tx, actor, 'payment.transferred', {
        ...shared,
        applicationId: to.id,
        amountCents: cents,
        description: `Transfer from ${from.number}`,
      }),
    ]
  })
  return {
    message: 'Transfer completed successfully!',
    payments: ids.map(id => adminPayment(deps, id)),
  }
}

const refuse = (field: string, sentence: string) =>
  new AppError('bad_request', sentence, { fields: { [field]: sentence } })
