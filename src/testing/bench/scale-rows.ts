import { randomUUID } from 'node:crypto'
import type { applications, charges, leases, payments, users } from '../../../db/schema.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import { isBooked, type SubmittedStatus } from '../../domain/bookings/application-status.ts'
import { addDays, type CalendarDate, type DateRange } from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { cardFeeCents, defaultDepositCents } from '../../domain/common/money.ts'
import { chargeKindLabels } from '../../domain/money/charge.ts'
import { rentPlusDepositCents, termRent } from '../../domain/money/lease-terms.ts'
import { sha256 } from '../../server/lib/sha256.ts'
import { streets, towns } from '../../server/operations/demo/seed-guest.ts'
import type { Random } from '../../server/operations/demo/seed-runtime.ts'
import { firstNames, lastNames, mailHosts } from './names.ts'

type ApplicationRow = typeof applications.$inferInsert
type PaymentRow = typeof payments.$inferInsert
type TenantRow = typeof users.$inferInsert
type PlannedStay = DateRange & { status: SubmittedStatus }

const iso = (ms: number) => new Date(ms).toISOString()

export function newTenant(random: Random, at: string, passwordHash: string): TenantRow {
  const id = randomUUID()
  const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
  const email = `${firstName}.${lastName}.${id.slice(0, 8)}@${random.pick(mailHosts)}`.toLowerCase()
  const phone = newPhone(random)
  const key = emailKey(email)
  const moments = { createdAt: at, updatedAt: at }
  return { id, email, emailKey: key, passwordHash, firstName, lastName, phone, role: 'tenant', ...moments }
}

/** A past stay is completed, approved or rejected; a future one pending or rejected. */
export function planStay(random: Random, created: CalendarDate, today: CalendarDate): PlannedStay {
  const start = addDays(created, 10 + random.below(110))
  const end = addDays(start, random.pick([3, 5, 7, 7, 14, 14, 28, 30, 30, 61, 90]))
  const chance = random.below(100)
  if (end <= today)
    return { start, end, status: chance < 40 ? 'completed' : chance < 48 ? 'approved' : 'rejected' }
  return { start, end, status: chance < 55 ? 'pending' : 'rejected' }
}

export function newApplication(
  random: Random,
  { at, number, stay, userId }: { at: string; number: string; stay: PlannedStay; userId: string },
): ApplicationRow {
  const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
  const hasGuest = random.below(3) === 0
  return {
    id: randomUUID(),
    number,
    userId,
    status: stay.status,
    firstName,
    lastName,
    email: `${firstName}.${lastName}${random.below(1000)}@${random.pick(mailHosts)}`.toLowerCase(),
    phone: newPhone(random),
    street: `${1 + random.below(999)} ${random.pick(streets)}`,
    ...random.pick(towns),
    requestedStartDate: stay.start,
    requestedEndDate: stay.end,
    additionalGuests: hasGuest ? [{ firstName: random.pick(firstNames), lastName, isAdult: true }] : [],
    createdAt: at,
    updatedAt: at,
    submittedAt: at,
    stayStartDate: stay.start,
    stayEndDate: stay.end,
    ...(isBooked(stay.status) && newTerms(random, stay)),
  }
}

function newTerms(random: Random, { start, end }: DateRange): Partial<ApplicationRow> {
  const rentCents = 1800_00 + random.below(24) * 100_00
  const totalCents = rentPlusDepositCents(termRent(start, end, rentCents), defaultDepositCents)
  return { rentCents, depositCents: defaultDepositCents, totalCents }
}

/** The lease of a booked application, else undefined. */
export function newLease(row: ApplicationRow): typeof leases.$inferInsert | undefined {
  const { createdAt, depositCents, id, number, rentCents, stayEndDate, stayStartDate } = row
  if (rentCents == null || depositCents == null) return undefined
  const text = `LEASE OF ${number}\n\nFrom ${stayStartDate} to ${stayEndDate}. These are data for a trial of size.\n`
  return {
    id: randomUUID(),
    applicationId: id,
    kind: 'lease',
    number: 1,
    startDate: stayStartDate,
    endDate: stayEndDate,
    rentCents,
    depositCents,
    text,
    textSha256: sha256(text),
    generatedAt: createdAt,
  }
}

/** Rent and deposit of a lease. */
export function chargesOf(row: ApplicationRow): (typeof charges.$inferInsert)[] {
  const { createdAt, depositCents, id: applicationId, totalCents } = row
  if (depositCents == null || totalCents == null) return []
  const of = (kind: 'rent' | 'deposit', amountCents: number) => {
    const [name, source] = [chargeKindLabels[kind], 'lease' as const]
    return { id: randomUUID(), applicationId, kind, name, label: name, amountCents, source, createdAt }
  }
  return [of('rent', totalCents - depositCents), of('deposit', depositCents)]
}

/** The payments of an application; most rejected ones have none. */
export function paymentsOf(random: Random, row: ApplicationRow, now: Date): PaymentRow[] {
  const createdMs = Date.parse(row.createdAt)
  const stayMs = Date.parse(row.requestedStartDate)
  const link = { userId: row.userId, applicationId: row.id, description: row.number }
  const add = (type: PaymentRow['type'], amountCents: number, atMs: number, byCard: boolean): PaymentRow =>
    newPayment(random, { ...link, type, amountCents }, Math.min(atMs, now.getTime() - dayMs), byCard)
  if (!isBooked(row.status)) {
    if (random.below(10) >= 4) return []
    const paid = add('deposit', defaultDepositCents, createdMs + dayMs, true)
    return [row.status === 'pending' ? paid : { ...paid, ...refunded(paid) }]
  }
  const rent = (row.totalCents ?? 0) - defaultDepositCents
  const firstHalf = Math.floor(rent / 2)
  const failed = add('rent', firstHalf, createdMs + 5 * dayMs, true)
  return [
    add('deposit', defaultDepositCents, createdMs + 3 * dayMs, true),
    { ...failed, status: 'failed', paidAt: null },
    add('rent', firstHalf, createdMs + 6 * dayMs, random.below(2) === 0),
    add('rent', rent - firstHalf, stayMs - 3 * dayMs, random.below(3) === 0),
    ...(row.status === 'completed'
      ? [add('deposit_return', -defaultDepositCents, Date.parse(row.requestedEndDate) + 5 * dayMs, false)]
      : []),
  ]
}

/** A tenant's payment without an application. */
export function otherPayment(random: Random, userId: string, atMs: number, now: Date): PaymentRow {
  const type = random.pick(['other', 'other', 'late_fee', 'rent'] as const)
  const row = { userId, type, amountCents: 25_00 + random.below(400) * 1_00 }
  return newPayment(random, row, Math.min(atMs, now.getTime()), random.below(2) === 0)
}

type Sum = Pick<PaymentRow, 'userId' | 'applicationId' | 'type' | 'amountCents' | 'description'>

function newPayment(random: Random, sum: Sum, atMs: number, byCard: boolean): PaymentRow {
  const id = randomUUID()
  const at = iso(atMs)
  const row: PaymentRow = { ...sum, id, method: 'manual', status: 'succeeded', createdAt: at, paidAt: at }
  if (!byCard) return { ...row, checkNumber: String(1000 + random.below(9000)) }
  return {
    ...row,
    method: 'card',
    providerMethod: 'card',
    feeCents: cardFeeCents(sum.amountCents),
    checkoutSessionId: `cs_test_scale_${id}`,
    stripePaymentIntentId: `pi_scale_${id}`,
    stripeChargeId: `ch_scale_${id}`,
    cardBrand: random.pick(['visa', 'mastercard', 'amex']),
    cardLast4: String(1000 + random.below(9000)),
  }
}

const refunded = ({ amountCents, feeCents = 0 }: PaymentRow): Partial<PaymentRow> => ({
  status: 'refunded',
  refundedAmountCents: amountCents,
  refundedFeeCents: feeCents,
})

/** A phone number in one of the formats that people type. */
function newPhone(random: Random): string {
  const part = (from: number, count: number) => String(from + random.below(count))
  const [area, exchange, line] = [part(200, 780), part(200, 790), part(1000, 9000)]
  return random.pick([
    `(${area}) ${exchange}-${line}`,
    `${area}-${exchange}-${line}`,
    `${area}${exchange}${line}`,
    `+1 ${area} ${exchange} ${line}`,
  ])
}
