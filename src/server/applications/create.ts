import { randomUUID } from 'node:crypto'
import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications, sequences, users } from '../../../db/schema.ts'
import { requireTenant, type SignedIn, type Tenant } from '../../domain/accounts/access.ts'
import {
  maxDrafts,
  maxPendingApplications,
  maxUnbookedApplications,
  pastStartMessage,
  tooManyDraftsMessage,
  tooManyPendingMessage,
  tooManyUnbookedMessage,
} from '../../domain/bookings/application.ts'
import type { ApplicationInput } from '../../domain/bookings/application-form.ts'
import type { ApplicationStatus } from '../../domain/bookings/application-status.ts'
import { applicationRuleFields } from '../../domain/bookings/booking-rules.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import type { CalendarDate } from '../../domain/common/dates.ts'
import { AppError, type FieldErrors, fieldError } from '../../domain/common/errors.ts'
import { guestLimitMessage } from '../../domain/common/guest-limit.ts'
import { unavailableMessage } from '../../domain/common/stay.ts'
import { isMailboxProven } from '../auth/sessions/users.ts'
import { brokenRules } from '../bookings/booking-rules.ts'
import { endOverClaims } from '../bookings/claims.ts'
import { notifyOwner, notifyTenant } from '../bookings/notifications.ts'
import {
  type ApplicationRow,
  getApplicationRecord,
  type OwnApplication,
  requestedStay,
} from '../bookings/records.ts'
import { type ApplicationView, presentForTenant } from '../bookings/views.ts'
import { whoMayBook } from '../bookings/who-may-book.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import { guestLimitOf } from '../site/content/published.ts'
import { decisionOn } from './decision.ts'
import { askPromises } from './offers/promise.ts'

/** The next number, such as `APP-2026-0007`, of the year of `today`; never reused. */
export function nextApplicationNumber(tx: Tx, today: CalendarDate): string {
  const name = `APP-${today.slice(0, 4)}`
  const { lastValue } = tx
    .insert(sequences)
    .values({ name, lastValue: 1 })
    .onConflictDoUpdate({
      target: sequences.name,
      set: { lastValue: sql`${sequences.lastValue} + 1` },
    })
    .returning()
    .get()
  return `${name}-${String(lastValue).padStart(4, '0')}`
}

/** Creates a draft. @throws AppError bad_request for a start in the past; conflict for too many applications; too_many */
export async function createApplication(
  deps: Deps,
  actor: SignedIn,
  input: ApplicationInput,
): Promise<ApplicationView> {
  await deps.limits.consume('applyByUser', actor.userId)
  return deps.write(tx => {
    requireFewer(tx, actor, ['draft'], maxDrafts, tooManyDraftsMessage)
    return presentForTenant(insertDraft(deps, tx, actor, input))
  })
}

/**
 * Submits a draft, which becomes pending; idempotent.
 * @throws AppError not_found; forbidden for an admin; bad_request if the start is past, there are too many people or a
 * booking rule is broken; conflict if nights are taken or too many applications of this tenant are pending
 */
export function submitApplication(deps: Deps, actor: SignedIn, id: string): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  return deps.write(tx =>
    presentForTenant(submitDraft(deps, tx, tenant, getApplicationRecord(tx, tenant, id))),
  )
}

/**
 * Creates and submits in one transaction, so that an error leaves nothing behind. Repeating a `requestId` returns the
 * application of the first call.
 * @throws AppError like `createApplication` and `submitApplication`
 */
export async function createAndSubmit(
  deps: Deps,
  actor: SignedIn,
  input: ApplicationInput & { requestId?: string | undefined },
): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  await deps.limits.consume('applyByUser', tenant.userId)
  return deps.write(tx => {
    const existing = input.requestId && findByRequest(tx, tenant, input.requestId)
    if (existing) return presentForTenant(getApplicationRecord(tx, tenant, existing.id))
    return presentForTenant(submitDraft(deps, tx, tenant, insertDraft(deps, tx, tenant, input)))
  })
}

function findByRequest(tx: Tx, actor: Tenant, requestId: string): { id: string } | undefined {
  return tx
    .select({ id: applications.id })
    .from(applications)
    .where(and(eq(applications.userId, actor.userId), eq(applications.requestId, requestId)))
    .get()
}

function insertDraft(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  { address, ...input }: ApplicationInput & { requestId?: string | undefined },
): OwnApplication {
  requireNotPast(deps, input.requestedStartDate)
  const unbooked = ['draft', 'pending', 'rejected'] as const
  requireFewer(tx, actor, unbooked, maxUnbookedApplications, tooManyUnbookedMessage)
  const account = tx.select({ email: users.email }).from(users).where(eq(users.id, actor.userId)).get()
  if (!account) throw new AppError('unauthorized', 'Please log in to continue.')
  const at = nowIso(deps)
  const id = randomUUID()
  const number = nextApplicationNumber(tx, todayAt(deps))
  const row = {
    ...input,
    ...address,
    id,
    number,
    userId: actor.userId,
    email: account.email,
    stayStartDate: input.requestedStartDate,
    stayEndDate: input.requestedEndDate,
    requestId: input.requestId ?? null,
    status: 'draft' as const,
    createdAt: at,
    updatedAt: at,
  }
  tx.insert(applications).values(row).run()
  recordEvent(tx, at, actor, 'application.created', id, { number })
  return getApplicationRecord(tx, actor, id)
}

function submitDraft(deps: Deps, tx: Tx, actor: Tenant, record: OwnApplication): OwnApplication {
  const { application: row } = record
  if (row.status !== 'draft') return record
  requireNotPast(deps, row.requestedStartDate)
  requireFewer(tx, actor, ['pending'], maxPendingApplications, tooManyPendingMessage)
  assertGuestLimit(deps, row)
  assertBookingRules(deps, tx, row)
  requireAvailable(deps, tx, row)
  const at = nowIso(deps)
  tx.update(applications)
    .set({ status: 'pending', submittedAt: at, updatedAt: at })
    .where(eq(applications.id, row.id))
    .run()
  recordEvent(tx, at, actor, 'application.submitted', row.id)
  const submitted = getApplicationRecord(tx, actor, row.id)
  askPromises(deps, tx, actor, submitted.application)
  // Anyone can register somebody else's address, so an unproven mailbox gets one of these mails a day.
  const isProven = isMailboxProven(submitted.account)
  const occasion = isProven ? `${row.id}:submitted` : `${actor.userId}:${at.slice(0, 10)}`
  const decision = decisionOn(deps, tx, submitted)
  notifyTenant(tx, at, 'application-received', submitted, { occasion, decision })
  notifyOwner(deps, tx, at, 'owner-new-application', submitted, { decision })
  return submitted
}

/** The guest limit may have changed since the draft was created; submitted applications are not checked (SITE-14). */
function assertGuestLimit(deps: Deps, row: ApplicationRow): void {
  const guestLimit = guestLimitOf(deps)
  if (guestCount(row) > guestLimit) throw fieldError('additionalGuests', guestLimitMessage(guestLimit))
}

/** @throws AppError conflict if the account has so many applications with one of these statuses */
function requireFewer(
  tx: Tx,
  { userId }: SignedIn,
  statuses: readonly ApplicationStatus[],
  most: number,
  message: string,
): void {
  const found = tx
    .select({ count: count() })
    .from(applications)
    .where(
      and(
        eq(applications.userId, userId),
        inArray(applications.status, [...statuses]),
        isNull(applications.deletedAt),
      ),
    )
    .get()
  if ((found?.count ?? 0) >= most) throw new AppError('conflict', message)
}

function requireNotPast(deps: Deps, requestedStartDate: string): void {
  if (requestedStartDate < todayAt(deps)) throw fieldError('requestedStartDate', pastStartMessage)
}

/** Reports all broken rules at once, the first of each field. */
function assertBookingRules(deps: Deps, tx: Tx, row: ApplicationRow): void {
  const broken = brokenRules(tx, deps, { stay: requestedStay(row), people: guestCount(row) })
  const [first] = broken
  if (!first) return
  const fields: FieldErrors = {}
  for (const { about, message } of broken) fields[applicationRuleFields[about]] ??= message
  throw new AppError('bad_request', first.message, { fields })
}

function requireAvailable(deps: Deps, tx: Tx, row: ApplicationRow): void {
  endOverClaims(deps, tx)
  const taken = whoMayBook(deps, tx, requestedStay(row)).filter(({ apply }) => !apply)
  if (taken.length === 0) return
  const message = unavailableMessage(taken.map(({ date }) => date))
  throw fieldError('requestedStartDate', message, 'conflict')
}
