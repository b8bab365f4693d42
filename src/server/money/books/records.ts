import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import {
  applications,
  cancellations,
  charges,
  disputes,
  payments,
  refunds,
  taxRemittances,
  taxRules,
  users,
} from '../../../../db/schema.ts'
import { type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { middayIn } from '../../../domain/common/zoned-time.ts'
import {
  accountMovements,
  type BookCharge,
  type BookPayment,
  type Movement,
} from '../../../domain/money/books.ts'
import { isBankReturn, isRefundCounted, type ProviderMethod } from '../../../domain/money/ledger.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import type { Deps } from '../../kernel/deps.ts'
import { isNotTrial } from '../../kernel/trial.ts'
import { isBookingTerm } from '../records.ts'

type LedgerPayment = ReturnType<typeof ledgerPayments>[number]
type Remittance = typeof taxRemittances.$inferSelect

/** A movement with its date at the property, and what it comes from. */
export type RecordedMovement = Movement & {
  date: CalendarDate
  payment?: LedgerPayment | undefined
  /** Of an application, or of a tenant without one: a payment that names it. */
  account?: LedgerPayment | undefined
  remittance?: Remittance
}

/** Everything that the books are made from; kept until the next write. */
export type Books = {
  movements: RecordedMovement[]
  payments: LedgerPayment[]
  remittances: Remittance[]
  /** Every tax rule that a charge names, in the order they were made. */
  taxes: { taxRuleId: string; name: string; authority: string; basisPoints: number }[]
}

type BooksDeps = Pick<Deps, 'config' | 'dataVersion' | 'db' | 'isWriting'>

/** Reads all movements of money, in order of time. */
export function loadBooks(deps: BooksDeps): Books {
  return cachedUntilWrite(deps, 'books', () => readBooks(deps))
}

function readBooks({ config, db }: BooksDeps): Books {
  const taxes = chargedTaxes(db)
  const taxRuleIds = taxes.map(({ taxRuleId }) => taxRuleId)
  const rows = ledgerPayments(db)
  const chargesOf = Map.groupBy(bookCharges(db), ({ applicationId }) => applicationId)
  const returnsOf = providerReturns(db)
  const remittances = db
    .select()
    .from(taxRemittances)
    .where(isNull(taxRemittances.voidedAt))
    .orderBy(asc(taxRemittances.paidOn), asc(taxRemittances.createdAt))
    .all()
  const dateOf = new Map<string, CalendarDate>()
  const dateAt = (at: string) => {
    const date = dateOf.get(at) ?? dateIn(new Date(at), config.site.timeZone)
    dateOf.set(at, date)
    return date
  }
  const moved = [...Map.groupBy(rows, accountOf)].flatMap(([account, ofAccount]) => {
    const payments = ofAccount.map(
      (row): BookPayment => ({
        ...row,
        ...returnsOf(row),
        providerFeeCents: row.isFirst ? (row.providerFeeCents ?? 0) : 0,
      }),
    )
    const charges = chargesOf.get(account) ?? []
    const byId = new Map(ofAccount.map(row => [row.id, row]))
    return accountMovements({ charges, payments }, taxRuleIds).map(movement => ({
      ...movement,
      date: dateAt(movement.at),
      account: ofAccount[0],
      payment: byId.get(movement.paymentId ?? ''),
    }))
  })
  const paidOver = remittances.map(remittance => ({
    at: middayIn(remittance.paidOn, config.site.timeZone),
    date: remittance.paidOn,
    line: `taxes.${remittance.taxRuleId}.paidOver` as const,
    cents: remittance.amountCents,
    what: 'remittance' as const,
    paymentId: null,
    remittance,
  }))
  const movements = [...moved, ...paidOver].sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
  return { movements, payments: rows, remittances, taxes }
}

/** The application, also a deleted one; payments without any are the tenant's own. */
const accountOf = ({ applicationId, formerApplicationId, userId }: LedgerPayment) =>
  applicationId ?? formerApplicationId ?? `user ${userId}`

function chargedTaxes(db: Db): Books['taxes'] {
  return db
    .select({
      taxRuleId: taxRules.id,
      name: taxRules.name,
      authority: taxRules.authority,
      basisPoints: taxRules.basisPoints,
    })
    .from(taxRules)
    .where(sql`exists (select 1 from charges where tax_rule_id = ${taxRules.id})`)
    .orderBy(asc(taxRules.createdAt), sql`${taxRules}.rowid`)
    .all()
}

function ledgerPayments(db: Db) {
  const lead = db
    .select({ id: payments.id, feeCents: payments.providerFeeCents })
    .from(payments)
    .where(and(isNull(payments.checkoutLeadId), isNull(payments.voidedAt)))
    .as('lead')
  return db
    .select({
      ...getTableColumns(payments),
      /** Of older payments through the provider it is not stored. */
      providerMethod: sql<ProviderMethod | null>`case when ${payments.method} = 'card' then coalesce(${payments.providerMethod}, 'card') end`,
      paidAt: sql<string>`${payments.paidAt}`,
      /** The first row of a checkout that was not removed: it has what the provider says of the whole checkout. */
      isFirst: sql<boolean>`${lead.id} is null`.mapWith(Boolean),
      number: applications.number,
      isDeleted: sql<boolean>`${applications.deletedAt} is not null`.mapWith(Boolean),
      tenantName: sql<string>`coalesce(${applications.firstName} || ' ' || ${applications.lastName}, ${users.firstName} || ' ' || ${users.lastName})`,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(
      applications,
      eq(applications.id, sql`coalesce(${payments.applicationId}, ${payments.formerApplicationId})`),
    )
    .leftJoin(lead, eq(lead.id, payments.checkoutLeadId))
    .where(and(isNotNull(payments.paidAt), isNull(payments.voidedAt), isNotTrial(payments.userId)))
    .orderBy(asc(payments.paidAt), asc(payments.createdAt), sql`${payments}.rowid`)
    .all()
}

function bookCharges(db: Db): (BookCharge & { applicationId: string })[] {
  const reinstated = db
    .select({
      applicationId: cancellations.applicationId,
      from: sql<string>`${cancellations.decidedAt}`,
      until: sql<string>`${cancellations.reinstatedAt}`,
    })
    .from(cancellations)
    .where(and(isNotNull(cancellations.decidedAt), isNotNull(cancellations.reinstatedAt)))
    .all()
  const pausesOf = Map.groupBy(reinstated, ({ applicationId }) => applicationId)
  return db
    .select()
    .from(charges)
    .orderBy(sql`${charges}.rowid`)
    .all()
    .map(row => {
      // Those of a lease, or of a booking without one, are written anew when its terms change.
      const since = row.source === 'lease' || isBookingTerm(row) ? null : row.createdAt
      const stoodAt = (at: string) => (since ?? '') <= at && at < (row.voidedAt ?? '~')
      const pauses = (pausesOf.get(row.applicationId) ?? []).filter(({ from }) => stoodAt(from))
      // What is kept is made by the cancellation, and voided when the stay is reinstated.
      return { ...row, since, pauses: row.source === 'cancellation' ? [] : pauses }
    })
}

/** What went back of each payment at the provider: refunds, lost disputes, and when a bank took all of it back. */
function providerReturns(db: Db): (row: LedgerPayment) => Pick<BookPayment, 'returns' | 'returnedAt'> {
  const refunded = db.select().from(refunds).orderBy(asc(refunds.createdAt), asc(refunds.id)).all()
  const disputed = db.select().from(disputes).orderBy(asc(disputes.createdAt), asc(disputes.id)).all()
  const refundsOf = Map.groupBy(refunded, ({ paymentId }) => paymentId)
  const disputesOf = Map.groupBy(disputed, ({ paymentId }) => paymentId)
  return ({ id, paidAt, providerMethod, status }) => {
    const refunds = (refundsOf.get(id) ?? [])
      .filter(refund => isRefundCounted(refund.status))
      .map(({ createdAt, totalCents }) => ({ at: createdAt, what: 'refund' as const, totalCents }))
    const ended = (disputesOf.get(id) ?? []).filter(dispute => isBankReturn(dispute.status))
    if (providerMethod === 'us_bank_account')
      return {
        returns: refunds,
        returnedAt: status === 'returned' ? (ended[0]?.createdAt ?? paidAt) : null,
      }
    const lost = ended
      .filter(dispute => dispute.status === 'lost')
      .map(({ closedAt, createdAt, reportedAt, totalCents }) => ({
        at: closedAt ?? reportedAt ?? createdAt,
        what: 'dispute' as const,
        totalCents,
      }))
    return { returns: [...refunds, ...lost], returnedAt: null }
  }
}
