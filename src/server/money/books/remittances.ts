import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { taxRemittances, taxRules } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import type { RemittanceInput } from '../../../domain/money/book-input.ts'
import { notPaidOverCents } from '../../../domain/money/books.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import type { FoundNotice } from '../../kernel/notice.ts'
import { requireSameRequest } from '../../kernel/same-request.ts'
import { view } from '../../kernel/view.ts'
import { loadBooks } from './records.ts'
import { remittanceView } from './views.ts'

/**
 * Notes that a tax was paid over, at most what is collected and not yet paid over. Repeating a `requestId` returns the
 * first one (BOOK-16).
 * @throws AppError not_found for an unknown tax; bad_request for a future date; conflict for more than that, and as in
 * `requireSameRequest`
 */
export function noteRemittance(deps: Deps, actor: Admin, input: RemittanceInput) {
  if (input.paidOn > todayAt(deps)) throw fieldError('paidOn', 'The date cannot be in the future')
  return deps.write(tx => {
    const { requestId, taxRuleId } = input
    const known = tx.select().from(taxRemittances).where(eq(taxRemittances.requestId, requestId)).get()
    if (known) {
      const { amountCents, paidOn, voidedAt } = known
      const isOfForm = amountCents === input.amountCents && paidOn === input.paidOn
      requireSameRequest(voidedAt === null && isOfForm && known.taxRuleId === taxRuleId)
      return view(remittanceView, known)
    }
    if (!tx.select().from(taxRules).where(eq(taxRules.id, taxRuleId)).get())
      throw new AppError('not_found', 'Tax not found')
    const left = Math.max(0, notPaidOverCents(loadBooks({ ...deps, db: tx }).movements, taxRuleId))
    if (input.amountCents > left)
      throw new AppError('conflict', `Only ${formatCents(left)} is collected and not yet paid over.`)
    const [at, id] = [nowIso(deps), randomUUID()]
    recordEvent(tx, at, actor, 'books.tax_paid_over', id, { amountCents: input.amountCents, taxRuleId })
    const row = { ...input, id, createdAt: at, createdBy: actor.userId }
    tx.insert(taxRemittances).values(row).run()
    return view(remittanceView, row)
  })
}

/** Takes a remittance out of the books; it stays for the record. @throws AppError not_found */
export async function removeRemittance(deps: Deps, actor: Admin, id: string) {
  await deps.write(tx => {
    const at = nowIso(deps)
    const { changes } = tx
      .update(taxRemittances)
      .set({ voidedAt: at })
      .where(and(eq(taxRemittances.id, id), isNull(taxRemittances.voidedAt)))
      .run()
    if (changes === 0) throw new AppError('not_found', 'Tax payment not found')
    recordEvent(tx, at, actor, 'books.remittance_removed', id)
  })
  return { message: 'Tax payment removed' }
}

/** Taxes of which more was paid over than is still collected (BOOK-27). */
export function overpaidTaxes(deps: Deps): FoundNotice[] {
  if (!deps.db.select().from(taxRemittances).where(isNull(taxRemittances.voidedAt)).limit(1).get()) return []
  const { movements, taxes } = loadBooks(deps)
  return taxes.flatMap(({ name, taxRuleId }): FoundNotice | [] => {
    const cents = notPaidOverCents(movements, taxRuleId)
    if (cents >= 0) return []
    return {
      id: `tax-over-${taxRuleId}`,
      tone: 'warning',
      action: { kind: 'books' },
      title: `More of ${name} was paid over than is collected`,
      detail: `${formatCents(-cents)} of ${name} was paid over and is no longer collected. Take it off the next return.`,
    }
  })
}
