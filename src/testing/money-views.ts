import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { payments, refunds } from '../../db/schema.ts'
import type { SignedIn } from '../domain/accounts/access.ts'
import { compare } from '../domain/common/compare.ts'
import { addDays, dateIn } from '../domain/common/dates.ts'
import { isRefundCounted } from '../domain/money/ledger.ts'
import { revenueCsv } from '../server/money/payments/revenue.ts'
import type { ChargeSummary } from '../server/money/views.ts'
import { proven, type TestApp } from './test-app.ts'
import { textOf } from './text-of.ts'

/** Expects every screen, list and export to show the same sums of the same money. For random tests, after each step. */
export async function expectSameMoney(
  app: TestApp,
  admin: SignedIn,
  tenants: readonly SignedIn[],
): Promise<void> {
  for (const tenant of tenants) {
    const { applications } = await app.as(admin).payments.availableDeposits({ userId: tenant.userId })
    const { applications: options } = await app.as(tenant).payments.options()
    for (const { applicationId, applicationNumber, totalBalance } of applications) {
      const option = options.find(({ id }) => id === applicationId)
      const summary = await expectSameSums(app, admin, tenant, applicationId)
      expect(totalBalance, applicationNumber).toBe(summary.balanceCents)
      if (option) expect(summary, applicationNumber).toMatchObject(commonOf(option))
      const { plan } = await app.as(admin).plans.show({ applicationId })
      if (plan) await expectSamePlan(app, admin, tenant, applicationId)
      else if (option?.leaseGenerated) await expectPayable(app, tenant, option)
    }
  }
  await expectSameRevenue(app, admin)
}

type Option = Awaited<ReturnType<ReturnType<TestApp['as']>['payments']['options']>>['applications'][number]

const commonOf = ({ balance, depositCents, depositDueCents }: Option) => {
  const { amountCents: _, ...sums } = balance
  return { ...sums, depositCents, depositDueCents }
}

/** Balance, list of payments and the questions before and after declining, for owner and tenant. */
async function expectSameSums(app: TestApp, admin: SignedIn, tenant: SignedIn, applicationId: string) {
  const owner = app.as(admin)
  const { summary } = await owner.charges.list({ applicationId })
  const { summary: ofTenant } = await app.as(tenant).charges.list({ applicationId })
  expect(withoutClaims(ofTenant)).toEqual(withoutClaims(summary))
  // The tenant reads a statement as it was sent, the owner without what was taken back since (DEP-21).
  expect(ofTenant.ended?.claimedCents ?? 0).toBeGreaterThanOrEqual(summary.ended?.claimedCents ?? 0)
  const { payments: listed } = await owner.payments.adminHistory({ userId: tenant.userId, applicationId })
  expect(listed.reduce((sum, { creditedAmount }) => sum + creditedAmount, 0)).toBe(summary.paidCents)
  const { payments: shown } = await app.as(tenant).payments.history({ applicationId })
  expect(shown).toEqual(listed.map(({ notes: _, ...payment }) => payment))
  const { paidCents } = await owner.applications.adminStatusPreview({ id: applicationId })
  const { nextStep } = (await owner.applications.adminGet({ id: applicationId })).application
  const toReturnCents = nextStep?.kind === 'give_back' ? nextStep.amountCents : 0
  expect(paidCents).toBe(summary.ended ? toReturnCents : summary.paidCents)
  return summary
}

const withoutClaims = ({ ended, ...sums }: ChargeSummary) => {
  const { claimedCents = 0, toReturnCents = 0, ...rest } = ended ?? {}
  return { ...sums, ...rest, notKeptCents: claimedCents + toReturnCents }
}

/** The plan against the balance, what can be paid, the due list and the next step. */
async function expectSamePlan(app: TestApp, admin: SignedIn, tenant: SignedIn, applicationId: string) {
  const owner = app.as(admin)
  const { instalments: installments, pay, plan, totals } = await owner.plans.show({ applicationId })
  const ofTenant = await app.as(tenant).plans.show({ applicationId })
  expect([ofTenant.totals, ofTenant.pay]).toEqual([totals, pay])
  const { summary } = await owner.charges.list({ applicationId })
  expect(totals.openCents + totals.onItsWayCents, 'open in the plan').toBe(Math.max(0, summary.balanceCents))
  if (pay && totals.onItsWayCents === 0)
    expect(pay.depositMaxCents + pay.otherMaxCents, 'what can be paid').toBe(totals.openCents)
  const { application } = await owner.applications.adminGet({ id: applicationId })
  const steps: Partial<Record<string, number>> = {
    overdue: totals.overdueCents,
    owed: totals.dueCents || totals.openCents,
    upcoming: installments
      .filter(row => row.openCents > 0 && row.dueDate)
      .toSorted((a, b) => compare(a.dueDate ?? '', b.dueDate ?? ''))[0]?.openCents,
    on_its_way: totals.onItsWayCents,
    overpaid: -summary.balanceCents,
  }
  const { nextStep } = application
  if (nextStep && nextStep.kind in steps)
    expect(nextStep.amountCents, nextStep.kind).toBe(steps[nextStep.kind])
  const due = await owner.plans.due({ limit: 200 })
  const until = addDays(dateIn(app.deps.clock.now(), app.deps.config.site.timeZone), 30)
  const isDue = (row: { state: string; dueDate: string | null }) =>
    row.state !== 'paid' && row.state !== 'waived' && row.dueDate !== null && row.dueDate <= until
  if (plan?.frozen && pay) {
    const listed = due.instalments.filter(row => row.applicationId === applicationId)
    expect(listed.map(({ applicationNumber: _, applicationId: __, tenantName: ___, ...row }) => row)).toEqual(
      installments.filter(isDue).map(({ portions: _, ...row }) => row),
    )
  }
  const listedIn = (...states: string[]) =>
    due.instalments.reduce((sum, { openCents, state }) => sum + (states.includes(state) ? openCents : 0), 0)
  expect(due.totals).toMatchObject({
    overdueCents: listedIn('overdue'),
    dueCents: listedIn('due'),
    next30Cents: listedIn('upcoming', 'partly'),
  })
}

/** Without a plan, all that is owed can be paid. */
async function expectPayable(app: TestApp, tenant: SignedIn, { balance, id, open }: Option): Promise<void> {
  const { payments: listed } = await app.as(tenant).payments.history({ applicationId: id })
  if (open.rentCents === null || listed.some(({ status }) => status === 'processing')) return
  expect(open.depositCents + open.rentCents).toBe(Math.max(0, balance.balanceCents))
}

/** The revenue screen, its parts, its export, and what disputes keep out of it. */
async function expectSameRevenue(app: TestApp, admin: SignedIn): Promise<void> {
  const { disputed, monthlyRevenue, revenueByType, summary } = await app.as(admin).payments.revenueSummary()
  const csv = await textOf(revenueCsv(app.deps, proven(app.deps, admin), {}).parts)
  const lines: Record<string, string>[] = parse(csv, { columns: true, bom: true })
  const inCents = (column: string) =>
    lines.reduce((sum, line) => sum + Math.round(Number(line[column]) * 100), 0)
  const total = (amounts: readonly number[]) => amounts.reduce((sum, cents) => sum + cents, 0)
  expect({
    totalRevenue: inCents('Total revenue'),
    netRevenue: inCents('Net revenue'),
    ofTypes: total(Object.values(revenueByType).map(({ amount }) => amount)),
    ofMonths: total(Object.values(monthlyRevenue)),
    paymentCount: lines.filter(line => Number(line.Amount) > 0).length,
  }).toEqual({
    totalRevenue: summary.totalRevenue,
    netRevenue: summary.netRevenue,
    ofTypes: summary.totalRevenue,
    ofMonths: summary.totalRevenue,
    paymentCount: summary.paymentCount,
  })
  const { db } = app.deps
  const sentBack = Map.groupBy(
    db
      .select()
      .from(refunds)
      .all()
      .filter(({ status }) => isRefundCounted(status)),
    ({ paymentId }) => paymentId,
  )
  // At most all of it: a refund or dispute whose end is not told yet can be more than a payment has left.
  const leftOf = ({ amountCents, feeCents, id }: typeof payments.$inferSelect) => {
    const cents = amountCents + feeCents
    return Math.max(
      Math.min(0, cents),
      cents - total((sentBack.get(id) ?? []).map(({ totalCents }) => totalCents)),
    )
  }
  const received = db.select().from(payments).all().filter(isReceivedRevenue)
  expect(total(received.map(leftOf)), 'revenue and what disputes keep out of it').toBe(
    summary.totalRevenue + disputed.open.amount + disputed.lost.amount,
  )
}

/** Whether a payment arrived, is not removed, and is revenue before refunds and disputes. */
function isReceivedRevenue({ method, paidAt, type, voidedAt }: typeof payments.$inferSelect): boolean {
  const isMoved = method === 'transfer' || type === 'admin_transfer' || type === 'deposit_transfer'
  return paidAt !== null && voidedAt === null && !isMoved && type !== 'deduction'
}
