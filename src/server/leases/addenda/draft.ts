import type { Db } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { isBooked } from '../../../domain/bookings/application-status.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { type DateRange, formatShortDate, nightsBetween } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { dollarsToCents } from '../../../domain/common/money.ts'
import {
  type AddendumBody,
  type AddendumInput,
  type AddendumTerms,
  addedNights,
  addendumInstallments,
  addendumLines,
  addendumMessages,
  datesError,
  proposesRent,
  rentDueError,
} from '../../../domain/leases/addendum.ts'
import { renderAddendumText } from '../../../domain/leases/addendum-text.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { ruleWarnings } from '../../bookings/booking-rules.ts'
import { takenOf } from '../../bookings/calendars/bookable.ts'
import { describeTaken } from '../../bookings/imported-nights.ts'
import {
  bookedStayOf,
  getSubmittedApplication,
  isSigned,
  type OwnApplication,
} from '../../bookings/records.ts'
import { checkFree, eyesOf, keptFor, whoMayBook } from '../../bookings/who-may-book.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { agreementOf } from '../../money/addendum-charges.ts'
import { enteredLeaving } from '../../money/deposits/records.ts'
import { basisOfLease, chargedCounts } from '../../money/lease-charges.ts'
import { usualTerms } from '../../money/usual-terms.ts'
import { documentWording, partiesOf } from '../lease-terms.ts'
import { nextNumber } from '../records.ts'
import { addendaOf, stateOf } from './records.ts'
import { type AddendumPreview, presentBody, presentTerms } from './views.ts'

/** An addendum before it is stored. */
export type Draft = {
  record: OwnApplication
  number: number
  before: AddendumTerms
  after: AddendumTerms
  /** The nights that it adds. */
  added: DateRange[]
  body: AddendumBody
  text: string
  wordingVersion: number
  warnings: string[]
}

export const stayOfTerms = ({ endDate, startDate }: AddendumTerms): DateRange => ({
  start: startDate,
  end: endDate,
})

/**
 * What an addendum with these changes would be (CHANGE-18 to CHANGE-21, CHANGE-35).
 * @throws AppError not_found; conflict unless the stay is booked, signed for and not over, while another waits, for nights
 * of others, for a total below zero, and for a wording that must be checked; bad_request if nothing would change, for the
 * dates, and at `rentDue`
 */
export function draftAddendum(
  deps: Deps,
  db: Db,
  actor: Admin,
  applicationId: string,
  input: AddendumInput,
): Draft {
  const record = getSubmittedApplication(db, actor, applicationId)
  const { application, lease } = record
  if (!isBooked(application.status)) throw new AppError('conflict', addendumMessages.notBooked)
  if (!lease || !isSigned(lease)) throw new AppError('conflict', addendumMessages.notSigned)
  const today = todayAt(deps)
  if (application.stayEndDate < today) throw new AppError('conflict', addendumMessages.over)
  if (addendaOf(db, applicationId).some(row => stateOf(deps, row) === 'open'))
    throw new AppError('conflict', addendumMessages.waits)

  const { after, before } = changedTerms(db, record, input)
  const [was, stay] = [stayOfTerms(before), stayOfTerms(after)]
  const problem = datesError(was, stay, today)
  if (problem) throw fieldError(problem.field, problem.message)
  const agreement = agreementOf(db, applicationId, stay)
  const number = nextNumber(db, applicationId, 'addendum')
  const lines = addendumLines({
    number,
    before,
    after,
    given: input.lines,
    counts: chargedCounts(db, application),
    fees: basisOfLease(db, applicationId).fees,
    taxes: agreement.taxes,
    bases: agreement.bases,
  })
  const changes = (Object.keys(before) as (keyof AddendumTerms)[]).some(name => before[name] !== after[name])
  if (!changes && lines.length === 0) throw new AppError('bad_request', addendumMessages.nothing)
  requireRentDue(input, { lines, today, end: stay.end, hasPlan: agreement.hasPlan })
  if (agreement.totalCents + sumOf(lines.filter(({ kind }) => kind !== 'deposit')) < 0)
    throw new AppError('conflict', 'That would make the total less than nothing.')
  // Also what is kept for its own tenant: nobody has signed yet, and no night is kept twice.
  const [kept] = checkFree(deps, db, stay, eyesOf(db, applicationId))
  if (kept) throw keptFor(deps, kept)

  const instalments = agreement.hasPlan ? addendumInstallments(lines, input.rentDue ?? null) : []
  const body = { lines, instalments, owedBeforeCents: agreement.owedCents }
  const wording = documentWording(db, 'addendum')
  const leaseSha256 = lease.textSha256
  const data = { ...partiesOf(deps, application), number, before, after, ...body, leaseSha256 }
  const nights = nightsBetween(stay.start, stay.end)
  const hasMoved = was.start !== stay.start || was.end !== stay.end
  const leftOn = was.end === stay.end ? undefined : enteredLeaving(db, applicationId)
  const warnings = [
    ...(leftOn
      ? [
          `The day on which the tenant left was entered by hand: ${formatShortDate(leftOn)}. It stays, and the dates of the deposit count from it.`,
        ]
      : []),
    ...agreement.taxes.flatMap(({ escapes, name }) =>
      escapes ? `${name} stays in the lease, although a stay of ${nights} nights would carry none.` : [],
    ),
    ...(hasMoved
      ? ruleWarnings(db, deps, { stay, people: guestCount(application), excludeId: applicationId })
      : []),
  ]
  return {
    record,
    number,
    before,
    after,
    added: addedNights(was, stay),
    body,
    text: renderAddendumText(data, wording.text),
    wordingVersion: wording.version,
    warnings,
  }
}

/** The preview of an addendum; writes nothing. @throws AppError like `draftAddendum` */
export function previewAddendum(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  input: AddendumInput,
): AddendumPreview {
  const { db } = deps
  const draft = draftAddendum(deps, db, actor, applicationId, input)
  const { added, after, before, body, text, warnings } = draft
  const taken = takenOf(deps, db, stayOfTerms(after), stayOfTerms(before))
  const { feeds, nights } = describeTaken(taken)
  return {
    addendumText: text,
    addendumTextSha256: sha256(text),
    after: presentTerms(after),
    ...presentBody(body),
    blockedNights: added.flatMap(range =>
      whoMayBook(deps, db, range, { applicationId })
        .filter(({ block }) => block !== undefined)
        .map(({ date }) => date),
    ),
    warnings: [...warnings, ...(taken.length > 0 ? [calendarMessages.taken(feeds, nights)] : [])],
  }
}

function changedTerms(
  db: Db,
  { application }: OwnApplication,
  { depositAmount, leaseEndDate, leaseStartDate, rentalAmount }: AddendumInput,
): { before: AddendumTerms; after: AddendumTerms } {
  const { end, start } = bookedStayOf(application)
  const before = {
    startDate: start,
    endDate: end,
    rentCents: application.rentCents ?? 0,
    depositCents: application.depositCents ?? 0,
  }
  const stay = { start: leaseStartDate ?? start, end: leaseEndDate ?? end }
  const rentOf = () =>
    proposesRent({ start, end }, stay)
      ? usualTerms(db, { ...application, rentCents: null }, stay).rentCents
      : before.rentCents
  const after = {
    startDate: stay.start,
    endDate: stay.end,
    rentCents: rentalAmount == null ? rentOf() : dollarsToCents(rentalAmount),
    depositCents: depositAmount == null ? before.depositCents : dollarsToCents(depositAmount),
  }
  return { before, after }
}

function requireRentDue(
  { rentDue }: AddendumInput,
  {
    end,
    hasPlan,
    lines,
    today,
  }: Pick<AddendumBody, 'lines'> & { end: string; hasPlan: boolean; today: string },
): void {
  if (!rentDue) return
  const rentCents = sumOf(lines.filter(({ kind }) => kind === 'rent'))
  const problem = rentDueError(rentDue, { rentCents, end, today, hasPlan })
  if (problem) throw fieldError('rentDue', problem)
}
