import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { placeholders, prepared } from '../../../db/prepared.ts'
import { applications, users } from '../../../db/schema.ts'
import { requireTenant, type SignedIn, type Tenant } from '../../domain/access.ts'
import {
  type ApplicationEdit,
  type ApplicationInput,
  guestLimitErrors,
  pastStartMessage,
} from '../../domain/application.ts'
import { dateIn } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import { guestLimitMessage } from '../../domain/guest-limit.ts'
import { unavailableMessage } from '../../domain/stay.ts'
import { blockedNights, bookedNights } from '../bookings/nights.ts'
import { mailOwner, notifyTenant } from '../bookings/notifications.ts'
import {
  type AdminApplicationView,
  type ApplicationView,
  presentForAdmin,
  presentForTenant,
} from '../bookings/presenter.ts'
import { type ApplicationRecord, type ApplicationRow, loadRecord, ownRecords } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { leaseSignedMessage, rewriteLease } from '../leases/generate.ts'
import { cancelPaymentsOf, closeCanceled } from '../payments/checkout/cancel.ts'
import { nextApplicationNumber } from './application-number.ts'

/** The caller's own applications, newest first. */
export function listOwn({ db }: Deps, actor: SignedIn): ApplicationView[] {
  return ownRecords(db, actor).map(presentForTenant)
}

/** @throws AppError not_found for a stranger's */
export function getApplication(
  { db }: Deps,
  actor: SignedIn,
  id: string,
): ApplicationView | AdminApplicationView {
  const record = loadRecord(db, actor, id)
  return actor.role === 'admin' ? presentForAdmin(record) : presentForTenant(record)
}

/** Makes a draft. @throws AppError bad_request for a start in the past, too_many */
export async function createApplication(
  deps: Deps,
  actor: SignedIn,
  input: ApplicationInput,
): Promise<ApplicationView> {
  await deps.limits.take('applyByUser', actor.userId)
  return deps.write(tx => presentForTenant(insertDraft(tx, deps, actor, input)))
}

/**
 * Draft -> pending; a second time changes nothing.
 * @throws AppError not_found, forbidden for an admin, bad_request for a past start, conflict for taken nights
 */
export function submitApplication(deps: Deps, actor: SignedIn, id: string): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  return deps.write(tx => presentForTenant(submitDraft(tx, deps, tenant, loadRecord(tx, tenant, id))))
}

/**
 * What the form does: creates and submits in one transaction, so that a refusal leaves nothing behind. The same
 * `requestId` from the same tenant answers with the application that it made the first time.
 * @throws AppError like `createApplication` and `submitApplication`
 */
export async function createAndSubmit(
  deps: Deps,
  actor: SignedIn,
  input: ApplicationInput & { requestId?: string | undefined },
): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  await deps.limits.take('applyByUser', tenant.userId)
  return deps.write(tx => {
    const made = input.requestId && findByRequest(tx, tenant, input.requestId)
    if (made) return presentForTenant(loadRecord(tx, tenant, made.id))
    return presentForTenant(submitDraft(tx, deps, tenant, insertDraft(tx, deps, tenant, input)))
  })
}

/**
 * The tenant's edit; unsigned leases follow it.
 * @throws AppError not_found, forbidden for an admin, conflict for a name once the lease is signed, bad_request for a
 * co-applicant who is one person too many
 */
export function updateApplication(
  deps: Deps,
  actor: SignedIn,
  id: string,
  { address, ...edit }: ApplicationEdit,
): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  return deps.write(tx => {
    const { application: row } = loadRecord(tx, tenant, id)
    const renamed = nameFields.filter(field => edit[field] !== row[field])
    if (renamed.length > 0 && row.leaseSignedAt !== null) throw leaseIsSigned(renamed)
    requireGuestLimit(row, edit)
    const at = nowIso(deps)
    tx.update(applications)
      .set({ ...edit, ...address, updatedAt: at })
      .where(eq(applications.id, id))
      .run()
    recordEvent(tx, at, tenant, 'application.updated', id)
    if (renamed.length > 0) rewriteLease(tx, deps, tenant, id)
    return presentForTenant(loadRecord(tx, tenant, id))
  })
}

/**
 * Takes an application back that is not approved yet: it is declined, its open checkouts are closed, and
 * the owner is told of a submitted one.
 * @throws AppError not_found, forbidden for an admin, conflict once approved
 */
export async function withdrawApplication(deps: Deps, actor: SignedIn, id: string): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  let canceled: string[] = []
  const view = await deps.write(tx => {
    const { application: row } = loadRecord(tx, tenant, id)
    if (row.status === 'rejected') return presentForTenant(loadRecord(tx, tenant, id))
    if (row.status !== 'draft' && row.status !== 'pending')
      throw new AppError(
        'conflict',
        'This application is approved already. Please contact us to cancel your stay.',
      )
    const at = nowIso(deps)
    const notes = [row.notes, 'Withdrawn by the applicant'].filter(Boolean).join('\n')
    tx.update(applications)
      .set({ status: 'rejected', notes, updatedAt: at })
      .where(eq(applications.id, id))
      .run()
    canceled = cancelPaymentsOf(tx, at, id)
    recordEvent(tx, at, tenant, 'application.withdrawn', id, { from: row.status })
    const record = loadRecord(tx, tenant, id)
    if (row.status === 'pending') mailOwner(tx, at, deps, 'owner-withdrawn', record)
    return presentForTenant(record)
  })
  await closeCanceled(deps, canceled)
  return view
}

/** @throws AppError bad_request where the edit brings more people than the condo sleeps */
export function requireGuestLimit(row: ApplicationRow, changes: Partial<ApplicationRow>): void {
  const fields = guestLimitErrors(row, { ...row, ...changes })
  if (fields) throw new AppError('bad_request', guestLimitMessage, { fields })
}

/** Fields that a signed lease locks, each with the sentence at it. */
export function leaseIsSigned(fields: readonly string[]): AppError {
  return new AppError('conflict', leaseSignedMessage, {
    fields: Object.fromEntries(fields.map(field => [field, leaseSignedMessage])),
  })
}

export const nameFields = [
  'firstName',
  'lastName',
  'secondApplicantFirstName',
  'secondApplicantLastName',
] as const satisfies (keyof ApplicationRow)[]

function findByRequest(tx: Tx, actor: Tenant, requestId: string): { id: string } | undefined {
  return tx
    .select({ id: applications.id })
    .from(applications)
    .where(and(eq(applications.userId, actor.userId), eq(applications.requestId, requestId)))
    .get()
}

const emailOf = prepared((tx: Tx) =>
  tx
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare(),
)
const insertRow = prepared((tx: Tx) =>
  tx
    .insert(applications)
    .values({
      ...placeholders('id', 'number', 'userId', 'email', 'requestId', 'firstName', 'lastName', 'phone'),
      ...placeholders('secondApplicantFirstName', 'secondApplicantLastName', 'additionalGuests'),
      ...placeholders('street', 'city', 'state', 'zipCode', 'requestedStartDate', 'requestedEndDate'),
      status: 'draft',
      createdAt: sql.placeholder('at'),
      updatedAt: sql.placeholder('at'),
    })
    .prepare(),
)

function insertDraft(
  tx: Tx,
  deps: Deps,
  actor: SignedIn,
  { address, ...input }: ApplicationInput & { requestId?: string | undefined },
): ApplicationRecord {
  requireNotPast(deps, input.requestedStartDate)
  const account = emailOf(tx).get({ userId: actor.userId })
  if (!account) throw new AppError('unauthorized', 'Please log in to continue.')
  const at = nowIso(deps)
  const id = randomUUID()
  const number = nextApplicationNumber(tx, todayAt(deps))
  insertRow(tx).run({
    ...input,
    ...address,
    id,
    number,
    userId: actor.userId,
    email: account.email,
    requestId: input.requestId ?? null,
    at,
  })
  recordEvent(tx, at, actor, 'application.created', id, { number })
  return loadRecord(tx, actor, id)
}

function submitDraft(tx: Tx, deps: Deps, actor: Tenant, record: ApplicationRecord): ApplicationRecord {
  const { application: row } = record
  if (row.status !== 'draft') return record
  requireNotPast(deps, row.requestedStartDate)
  requireAvailable(tx, row)
  const at = nowIso(deps)
  tx.update(applications)
    .set({ status: 'pending', submittedAt: at, updatedAt: at })
    .where(eq(applications.id, row.id))
    .run()
  recordEvent(tx, at, actor, 'application.submitted', row.id)
  const submitted = loadRecord(tx, actor, row.id)
  notifyTenant(tx, at, 'application-received', submitted, 'submitted')
  mailOwner(tx, at, deps, 'owner-new-application', submitted)
  return submitted
}

const todayAt = ({ clock, config }: Deps) => dateIn(clock.now(), config.site.timeZone)

function requireNotPast(deps: Deps, requestedStartDate: string): void {
  if (requestedStartDate < todayAt(deps))
    throw new AppError('bad_request', pastStartMessage, { fields: { requestedStartDate: pastStartMessage } })
}

function requireAvailable(tx: Tx, row: ApplicationRow): void {
  const stay = { start: row.requestedStartDate, end: row.requestedEndDate }
  const nights = [...bookedNights(tx, stay).keys(), ...blockedNights(tx, stay)]
  if (nights.length === 0) return
  const message = unavailableMessage(nights)
  throw new AppError('conflict', message, { fields: { requestedStartDate: message } })
}
