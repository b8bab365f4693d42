import { and, asc, desc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { applications, isReturnedPayment, isUnfinishedPayment, payments, users } from '../../../db/schema.ts'
import { dateIn, formatShortDate } from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { formatCents } from '../../domain/common/money.ts'
import { depositSums } from '../../domain/money/ledger.ts'
import type { Deps } from '../kernel/deps.ts'
import { type FoundNotice, openApplication } from '../kernel/notice.ts'
import { bankRefusal } from './methods.ts'
import { isMoneyOpen, ledgerOf } from './records.ts'

const returnedForMs = 30 * dayMs
const slowAfterMs = 14 * dayMs

/** Bank payments refused by the provider, returned within 30 days, or pending for 14 days (BANK-11, -13, -14). */
export function listBankNotices(deps: Deps): FoundNotice[] {
  return [...refusalNotice(deps), ...returnedNotices(deps), ...slowNotices(deps)]
}

function refusalNotice({ db }: Deps): FoundNotice[] {
  const refusal = bankRefusal(db)
  if (!refusal) return []
  return [
    {
      id: 'bank-refused',
      title: 'Bank payments are refused by the card provider',
      detail: `The card provider says: ${refusal.words} Tenants are offered the card alone. Switch on ACH Direct Debit at the provider, then save the bank payments in the setup.`,
      at: refusal.at,
      action: { kind: 'setup' },
    },
  ]
}

function returnedNotices(deps: Deps): FoundNotice[] {
  const since = before(deps, returnedForMs)
  return listed(deps, and(isReturnedPayment, gt(returnedAt, since)))
    .orderBy(desc(returnedAt))
    .all()
    .map(({ payment, returnedAt, tenantName, number }) => ({
      id: `bank-returned-${payment.id}`,
      title: `A bank payment of ${formatCents(payment.amountCents)} was returned${ofApplication(number)}`,
      detail: `The bank of ${tenantName} has taken it back. This is final.${isMoneyOpen(deps.db, payment.applicationId) ? ' The amount is open again.' : ''}${goneBefore(deps, payment)}`,
      at: returnedAt,
      action: openApplication(payment.applicationId),
      ownMail: true,
    }))
}

/** What was returned or kept of a deposit before its bank took it back (DEP-43). */
function goneBefore({ db }: Deps, { applicationId: id, type, userId }: typeof payments.$inferSelect): string {
  if (type !== 'deposit' || id === null) return ''
  const { shortCents } = depositSums(ledgerOf(db, { id, userId }))
  return shortCents > 0 ? ` ${formatCents(shortCents)} of it had been returned or kept.` : ''
}

function slowNotices(deps: Deps): FoundNotice[] {
  const isSlow = and(
    isUnfinishedPayment,
    eq(payments.status, 'processing'),
    eq(payments.providerMethod, 'us_bank_account'),
    lte(payments.createdAt, before(deps, slowAfterMs)),
  )
  const startedOn = (at: string) => formatShortDate(dateIn(new Date(at), deps.config.site.timeZone))
  return listed(deps, isSlow)
    .orderBy(asc(payments.createdAt))
    .all()
    .map(({ payment, tenantName, number }) => ({
      id: `bank-slow-${payment.id}`,
      tone: 'warning',
      title: `A bank payment of ${formatCents(payment.amountCents)} is still on its way${ofApplication(number)}`,
      detail: `${tenantName} started it on ${startedOn(payment.createdAt)}. Look it up at the card provider.`,
      at: payment.createdAt,
      action: openApplication(payment.applicationId),
    }))
}

const ofApplication = (number: string | null) => (number ? ` (${number})` : '')
const before = ({ clock }: Deps, ms: number) => new Date(clock.now().getTime() - ms).toISOString()

/** When the bank returned a payment. */
const returnedAt = sql<string>`(select max(created_at) from disputes where payment_id = ${payments.id})`

function listed({ db }: Deps, where: SQL | undefined) {
  return db
    .select({
      payment: payments,
      number: applications.number,
      tenantName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      returnedAt,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(applications, eq(applications.id, payments.applicationId))
    .where(and(where, isNull(payments.voidedAt)))
}
