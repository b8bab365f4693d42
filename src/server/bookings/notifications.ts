import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, outbox, users } from '../../../db/schema.ts'
import { bookedStatuses } from '../../domain/bookings/application-status.ts'
import type { Decision } from '../../domain/bookings/decision.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { termRent } from '../../domain/money/lease-terms.ts'
import type { Deps } from '../kernel/deps.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { currentSite } from '../site/content/published.ts'
import { type ApplicationRecord, bookedStayOf } from './records.ts'

type TenantMail =
  | 'application-received'
  | 'application-approved'
  | 'application-declined'
  | 'lease-ready'
  | 'booking-complete'
type OwnerMail = 'owner-new-application' | 'owner-withdrawn'

type Extra = {
  /** One mail per occasion; without one, each call sends a mail. */
  occasion?: string
  /** The owner's words in this mail. */
  message?: string | undefined
  /** The estimated price, for the approval mail. */
  decision?: Decision | undefined
  /** The unpaid balance of a completed stay, in cents. */
  owedCents?: number
  /** The accepted offer that a lease follows. */
  offer?: { claimId: string } | undefined
}

/** Mails the tenant about an application. */
export function notifyTenant(
  tx: Tx,
  at: string,
  kind: TenantMail,
  record: ApplicationRecord,
  { occasion = `${record.application.id}:${randomUUID()}`, ...more }: Extra = {},
): void {
  const { account } = record
  const dedupeKey = `${kind}:${occasion}`
  enqueueMail(tx, at, { kind, to: account.email, dedupeKey, props: tenantMailProps(kind, record, more) })
}

/** What a mail to the tenant contains. */
export function tenantMailProps(
  kind: TenantMail,
  { application, lease }: ApplicationRecord,
  { decision, message, offer, owedCents = 0 }: Omit<Extra, 'occasion'>,
) {
  // Approved again after a decline or a cancellation.
  const hasLease = kind === 'application-approved' && lease !== null
  const { start, end } = bookedStayOf(application)
  const { depositCents, rentCents, totalCents } = application
  const hasFees = termRent(start, end, rentCents ?? 0).totalCents + (depositCents ?? 0) !== totalCents
  return {
    firstName: application.firstName,
    applicationNumber: application.number,
    applicationId: application.id,
    startDate: start,
    endDate: end,
    ...(application.notes && { notes: application.notes }),
    ...(message && { message }),
    ...(offer && { offer }),
    ...(decision && { estimateCents: decision.rentCents, depositCents: decision.depositCents }),
    ...(decision && kind === 'application-received' && { guests: decision.guests }),
    ...(owedCents > 0 && { owedCents }),
    ...(hasLease && { hasLease }),
    ...((kind === 'lease-ready' || hasLease) && {
      totalCents,
      depositCents: depositCents ?? 0,
      ...(hasFees && { hasFees: true as const }),
    }),
  }
}

/** Anyone can apply, and then write, so these mails must not flood the owner's mailbox. */
const maxOwnerMailsPerDay = 50

/**
 * Mails the owner about an application, with what it holds in cents or what the owner decides on, once per kind; replies
 * go to the tenant. At most 50 times a day, except about money.
 */
export function notifyOwner(
  deps: Deps,
  tx: Tx,
  at: string,
  kind: OwnerMail,
  { application, account }: ApplicationRecord,
  { decision, paidCents = 0 }: { decision?: Decision; paidCents?: number },
): void {
  const left = maxOwnerMailsPerDay - mailsOfLastDay(tx, at, kind)
  if (left <= 0 && paidCents === 0) return
  const { start, end } = bookedStayOf(application)
  enqueueMail(tx, at, {
    kind,
    to: currentSite(deps).ownerEmail,
    replyTo: account.email,
    dedupeKey: `${kind}:${application.id}`,
    props: {
      applicationNumber: application.number,
      applicationId: application.id,
      applicantName: `${application.firstName} ${application.lastName}`,
      startDate: start,
      endDate: end,
      ...(decision && { decision }),
      ...(paidCents > 0 && { paidCents }),
      ...(left === 1 && { isLastOfDay: true }),
    },
  })
}

/**
 * A thread that anybody can make with somebody else's address: its messages' mails to the owner count with those about
 * new applications (MSG-09). Needs joins to application and account.
 */
export const isOfStranger = and(
  isNull(users.mailboxProvenAt),
  notInArray(applications.status, [...bookedStatuses]),
)

/** How many mails about messages of strangers the owner can get now; the day's last is an application's, which says so. */
export const strangersMailsLeft = (db: Db, at: string): number =>
  Math.max(0, maxOwnerMailsPerDay - 1 - mailsOfLastDay(db, at, 'owner-new-application'))

/** Reads only the newest mails, so that a long outbox costs nothing. */
function mailsOfLastDay(db: Db, at: string, kind: OwnerMail): number {
  const since = new Date(Date.parse(at) - dayMs).toISOString()
  const messages = and(eq(outbox.kind, 'message-to-owner'), isOfStranger)
  const newest = db
    .select({ createdAt: outbox.createdAt })
    .from(outbox)
    .leftJoin(applications, eq(applications.id, outbox.applicationId))
    .leftJoin(users, eq(users.id, applications.userId))
    .where(
      and(
        or(eq(outbox.kind, kind), kind === 'owner-new-application' ? messages : undefined),
        // None from a time when the clock was ahead.
        lte(outbox.createdAt, at),
      ),
    )
    .orderBy(sql`${outbox}.rowid desc`)
    .limit(maxOwnerMailsPerDay)
    .all()
  return newest.filter(({ createdAt }) => createdAt > since).length
}
