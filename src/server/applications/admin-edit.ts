import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { emailRequired } from '../../domain/accounts/account.ts'
import { isMissingEmail } from '../../domain/accounts/account-rules.ts'
import { crossFieldErrors } from '../../domain/bookings/application.ts'
import type { AdminEdit } from '../../domain/bookings/application-form.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import type { CalendarOverride } from '../../domain/common/inputs.ts'
import { dollarsToCents } from '../../domain/common/money.ts'
import { movedLease, movedLeaseError } from '../../domain/leases/lease.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { acceptanceOf, assertBookable, recordOverride } from '../bookings/calendars/bookable.ts'
import { updateConflicts } from '../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../bookings/calendars/refresh-stale.ts'
import { endOverClaims } from '../bookings/claims.ts'
import type { ImportedEvent } from '../bookings/imported-nights.ts'
import {
  type ApplicationRow,
  bookedStayOf,
  getSubmittedApplication,
  isSigned,
  type OwnApplication,
  requestedStay,
} from '../bookings/records.ts'
import { type AdminApplicationView, presentForAdmin } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { rewriteLease } from '../leases/generate.ts'
import { chargeTerms, hasBookingTerms } from '../money/lease-charges.ts'
import { leaseSignedError, requireGuestLimit } from './edit.ts'
import { askPromises } from './offers/promise.ts'

type EditedColumn =
  | Exclude<keyof AdminEdit, 'address' | 'rentalAmount' | 'depositAmount'>
  | keyof NonNullable<AdminEdit['address']>
  | 'rentCents'
  | 'depositCents'

/**
 * Every column that an edit can change. `lease`: the lease contains it; it is locked when the lease is signed, and until
 * then an edit rewrites the lease. `proven`: the next mails or the lease say it, or mails go there (FIX-32).
 */
const editedColumns: Record<EditedColumn, { lease?: true; proven?: true }> = {
  firstName: { lease: true, proven: true },
  lastName: { lease: true, proven: true },
  secondApplicantFirstName: { lease: true, proven: true },
  secondApplicantLastName: { lease: true, proven: true },
  additionalGuests: { lease: true, proven: true },
  email: { proven: true },
  notes: { proven: true },
  requestedStartDate: { lease: true },
  requestedEndDate: { lease: true },
  rentCents: { lease: true },
  depositCents: { lease: true },
  phone: {},
  street: {},
  city: {},
  state: {},
  zipCode: {},
}
/** The API's field names, by column. */
const wireNames: Partial<Record<EditedColumn, string>> = {
  rentCents: 'rentalAmount',
  depositCents: 'depositAmount',
}

/**
 * Changes the given fields; the email is the application's, not the account's. A changed requested start or end moves
 * only that end of an unsigned lease. The charges are updated.
 * @throws AppError not_found; forbidden without a step-up for what is `proven`; bad_request for values that conflict with stored ones, and for too many people; conflict
 * for fields of a signed lease; like `assertBookable` for the dates of a booking
 * @param overrideCalendar whether nights that are taken on another calendar may be booked
 */
export async function editApplication(
  deps: Deps,
  actor: Admin,
  id: string,
  input: AdminEdit,
  overrideCalendar?: CalendarOverride,
): Promise<AdminApplicationView> {
  const accept = acceptanceOf(deps, overrideCalendar)
  const { application } = getSubmittedApplication(deps.db, actor, id)
  if (isBooked(application.status) && isMove(changedColumns(application, input)))
    await refreshStaleFeeds(deps)
  return deps.write(tx => {
    endOverClaims(deps, tx)
    const record = getSubmittedApplication(tx, actor, id)
    const { application: row } = record
    // Empty is the email of a guest who has none, who keeps none.
    if (input.email === '' && !isMissingEmail(row.email)) throw fieldError('email', emailRequired)
    const changes = changedColumns(row, input)
    const changed = Object.keys(changes) as EditedColumn[]
    if (changed.length === 0) return presentForAdmin(tx, getSubmittedApplication(tx, actor, id))
    if (changed.some(field => editedColumns[field].proven)) requireStepUp(deps, tx, actor)

    const fields = crossFieldErrors({ ...row, ...changes })
    const [problem] = Object.values(fields)
    if (problem) throw new AppError('bad_request', problem, { fields })
    const leaseChanges = changed.filter(field => editedColumns[field].lease)
    if (leaseChanges.length > 0 && isSigned(record.lease))
      throw leaseSignedError(leaseChanges.map(field => wireNames[field] ?? field))

    requireGuestLimit(deps, row, changes)

    const moved = isMove(changes)
    const at = nowIso(deps)
    tx.update(applications)
      .set({ ...changes, ...(moved && movedStay(record, changes)), updatedAt: at })
      .where(eq(applications.id, id))
      .run()
    recordEvent(tx, at, actor, 'application.updated', id, { fields: changed.join(' ') })
    let taken: ImportedEvent[] = []
    if (moved && isBooked(row.status)) {
      const stay = bookedStayOf(getSubmittedApplication(tx, actor, id).application)
      const held = bookedStayOf(row)
      taken = assertBookable(deps, tx, { applicationId: id, stay, held, accept })
      recordOverride(deps, tx, actor, id, taken)
    }
    if (leaseChanges.length > 0) rewriteTerms(deps, tx, actor, id, changes)
    if (moved) updateConflicts(deps, tx, { applicationId: id, taken })
    const after = getSubmittedApplication(tx, actor, id)
    if (moved && row.status === 'pending') askPromises(deps, tx, actor, after.application)
    return presentForAdmin(tx, after)
  })
}

/** Updates the charges after an edit: by the unsigned lease, or without a lease by the booking's rent and deposit. */
function rewriteTerms(deps: Deps, tx: Tx, actor: Admin, id: string, changes: Changes): void {
  const { application: row, lease } = getSubmittedApplication(tx, actor, id)
  if (lease === null && hasBookingTerms(tx, id)) {
    const { depositCents, rentCents } = row
    const renewed = [
      ...('rentCents' in changes ? (['rent'] as const) : []),
      ...('depositCents' in changes ? (['deposit'] as const) : []),
    ]
    chargeTerms(deps, tx, nowIso(deps), id, { ...bookedStayOf(row), rentCents, depositCents }, renewed)
  } else rewriteLease(deps, tx, actor, id)
}

type Changes = Partial<ApplicationRow>

const isMove = (changes: Changes) => 'requestedStartDate' in changes || 'requestedEndDate' in changes

function changedColumns(row: ApplicationRow, input: AdminEdit): Changes {
  const { address, rentalAmount, depositAmount, ...rest } = input
  const wanted: Changes = {
    ...rest,
    email: input.email || undefined,
    ...address,
    ...(typeof rentalAmount === 'number' && { rentCents: dollarsToCents(rentalAmount) }),
    ...(typeof depositAmount === 'number' && { depositCents: dollarsToCents(depositAmount) }),
  }
  const isChange = ([field, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(row[field as keyof ApplicationRow])
  return Object.fromEntries(Object.entries(wanted).filter(isChange))
}

/** The stay after the requested dates changed. @throws AppError bad_request when it would start after its end */
function movedStay({ application: row, lease }: OwnApplication, changes: Changes): Changes {
  const requested = {
    start: changes.requestedStartDate ?? row.requestedStartDate,
    end: changes.requestedEndDate ?? row.requestedEndDate,
  }
  const stay = lease ? movedLease(bookedStayOf(row), requestedStay(row), requested) : requested
  const problem = lease && movedLeaseError(stay)
  const field = changes.requestedStartDate ? 'requestedStartDate' : 'requestedEndDate'
  if (problem) throw fieldError(field, problem)
  return { stayStartDate: stay.start, stayEndDate: stay.end }
}
