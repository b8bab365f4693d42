import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import {
  applications,
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

/** A movement with its date at the property; `remittanceId` is null unless a tax was paid over. */
export type RecordedMovement = Movement & {
  date: CalendarDate
  account: string
  remittanceId: string | null
}

type LedgerPayment = ReturnType<typeof ledgerPayments>[number]

/** Everything that the books are made from; kept until the next write. */
export type Books = {
  movements: RecordedMovement[]
  payments: ReadonlyMap<string, LedgerPayment>
  /** A payment of each account, which names its application. */
  accounts: ReadonlyMap<string, LedgerPayment>
  remittances: ReadonlyMap<string, typeof taxRemittances.$inferSelect>
  /** Every tax rule that a charge names, in the order they were made. */
  taxes: { taxRuleId: string; name: string; authority: string; basisPoints: number }[]
}

export type BooksDeps = Pick<Deps, 'config' | 'dataVersion' | 'db' | 'isWriting'>

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
  const dated = <T extends { at: string }>(movement: T) => {
    const date = dateOf.get(movement.at) ?? dateIn(new Date(movement.at), config.site.timeZone)
    dateOf.set(movement.at, date)
    return { ...movement, date }
  }
  const moved = [...Map.groupBy(rows, accountOf)].flatMap(([account, ofAccount]) => {
    const bill = chargesOf.get(account) ?? []
    const paid = ofAccount.map(
      (row): BookPayment => ({
        ...row,
        ...returnsOf(row),
        providerFeeCents: row.isFirst ? (row.providerFeeCents ?? 0) : 0,
      }),
    )
    return accountMovements({ charges: bill, payments: paid }, taxRuleIds).map(movement => ({
      ...dated(movement),
      account,
      remittanceId: null,
    }))
  })
  const paidOver = remittances.map(({ amountCents, id, paidOn, taxRuleId }) => ({
    at: middayIn(paidOn, config.site.timeZone),
    date: paidOn,
    line: `taxes.${taxRuleId}.paidOver` as const,
    cents: amountCents,
    what: 'remittance' as const,
    paymentId: null,
    account: '',
    remittanceId: id,
  }))
  return {
    movements: [...moved, ...paidOver].sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at)),
    payments: new Map(rows.map(row => [row.id, row])),
    accounts: new Map(rows.map(row => [accountOf(row), row])),
    remittances: new Map(remittances.map(row => [row.id, row])),
    taxes,
  }
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
      id: payments.id,
      type: payments.type,
      method: payments.method,
      /** Of older payments through the provider it is not stored. */
      providerMethod: sql<ProviderMethod | null>`case when ${payments.method} = 'card' then coalesce(${payments.providerMethod}, 'card') end`,
      status: payments.status,
      amountCents: payments.amountCents,
      feeCents: payments.feeCents,
      providerFeeCents: payments.providerFeeCents,
      paysBill: payments.paysBill,
      paidAt: sql<string>`${payments.paidAt}`,
      description: payments.description,
      notes: payments.notes,
      checkNumber: payments.checkNumber,
      intentId: payments.stripePaymentIntentId,
      applicationId: payments.applicationId,
      formerApplicationId: payments.formerApplicationId,
      userId: payments.userId,
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
  return db
    .select()
    .from(charges)
    .orderBy(sql`${charges}.rowid`)
    .all()
    .map(row => ({
      ...row,
      // Those of a lease, or of a booking without one, are written anew when its terms change.
      since: row.source === 'lease' || isBookingTerm(row) ? null : row.createdAt,
    }))
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
