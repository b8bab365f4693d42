import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import { bookedStatuses } from '../../../domain/bookings/application-status.ts'
import type { BookingEntry } from '../../../domain/bookings/booking-entry.ts'
import {
  type BookingImport,
  columnOf,
  countRows,
  type ImportResponse,
  type ImportRow,
  importedDate,
  nothingImportedMessage,
  parseImportRow,
  type RowError,
} from '../../../domain/bookings/booking-import.ts'
import { type DateRange, mergeOverlapping, overlaps } from '../../../domain/common/dates.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { type Acceptance, acceptanceOf, overrideKeyOf, takenOf } from '../../bookings/calendars/bookable.ts'
import { updateConflictsInParts } from '../../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../../bookings/calendars/refresh-stale.ts'
import type { ImportedEvent } from '../../bookings/imported-nights.ts'
import { getSubmittedApplication, type OwnApplication } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { partMs } from '../../kernel/write.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { inviteTo, isOver } from './enter-booking.ts'
import { oncePerRequestInParts } from './idempotency.ts'
import { type InsertedEntry, insertEntry } from './insert-entry.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

/** A row and the booking that was written for it. */
type Outcome = { row: ImportRow; inserted?: InsertedEntry }

/** Thrown to roll back a part of a dry run; carries its result. */
class DryRunDone extends Error {
  readonly outcomes: Outcome[]

  constructor(outcomes: Outcome[]) {
    super('a dry run')
    this.outcomes = outcomes
  }
}

/** Bounds the memory: the rows of a file and their results take several megabytes for many seconds. */
const maxAtOnce = 2
let atOnce = 0

/** @throws AppError unavailable while others are running; like `importRows` */
export async function importBookings(
  deps: Deps,
  actor: Admin,
  input: BookingImport,
): Promise<ImportResponse> {
  if (atOnce >= maxAtOnce)
    throw new AppError('unavailable', 'Another import is running. Please try again in a minute.', {
      retryAfterSeconds: 60,
    })
  atOnce++
  try {
    return await importRows(deps, actor, input)
  } finally {
    atOnce--
  }
}

/**
 * Imports the bookings of a CSV file, all of them or none, while other requests are answered (FIX-34). A dry run does
 * the same, returns the result of each row, and rolls everything back.
 * @throws AppError forbidden without a step-up, unless it is a dry run; bad_request at `csv` for an unreadable file; with the errors of its rows, unless it is a dry run
 */
async function importRows(deps: Deps, actor: Admin, input: BookingImport): Promise<ImportResponse> {
  if (!input.dryRun) requireStepUp(deps, deps.db, actor)
  const rows = await readCsv(input.csv)
  const at = nowIso(deps)
  const accept = acceptanceOf(deps, input.overrideCalendar)
  await refreshStaleFeeds(deps)
  if (input.dryRun) return dryRun(deps, actor, rows, accept)
  const answer = await deps.writeInParts(tx =>
    oncePerRequestInParts(tx, at, 'import', input.requestId, function* () {
      const outcomes: Outcome[] = []
      const isAccepted = accept(yield* takenByRows(deps, tx, rows))
      for (const outcome of insertRows(deps, tx, actor, rows, isAccepted)) {
        outcomes.push(outcome)
        yield
      }
      assertNoRowErrors(outcomes, input.skipDuplicates)
      const inserted = outcomes.flatMap(outcome => outcome.inserted ?? [])
      yield* updateConflictsInParts(
        deps,
        tx,
        ...inserted.map(({ id, taken }) => ({ applicationId: id, taken })),
      )
      yield
      if (input.invite) yield* inviteAll(deps, tx, actor, inserted)
      failpoint('in-import-write')
      return answerOf(
        outcomes.map(({ row }) => row),
        inserted.length,
      )
    }),
  )
  failpoint('after-import-write')
  return answer
}

/** The imported nights of all rows, which the owner accepts together. */
function* takenByRows(deps: Deps, db: Db | Tx, rows: CsvRow[]): Generator<void, ImportedEvent[]> {
  const stays = rows.flatMap(({ record }) => {
    const { end, start } = datesOf(record)
    return start && end && start < end ? [{ start, end }] : []
  })
  const taken: ImportedEvent[] = []
  for (const stay of mergeOverlapping(stays)) {
    taken.push(...takenOf(deps, db, stay))
    yield
  }
  return taken
}

/** Each part is rolled back. Rows are compared with each other in memory, so no part needs what another has written. */
async function dryRun(deps: Deps, actor: Admin, rows: CsvRow[], accept: Acceptance): Promise<ImportResponse> {
  // Before the rows are checked: what is found in between is not accepted with the key.
  const finding = takenByRows(deps, deps.db, rows)
  let found = finding.next()
  for (; !found.done; found = finding.next()) await yieldToEventLoop()
  const taken = found.value
  const isAccepted = accept(taken)
  const outcomes: Outcome[] = []
  const earlier: EarlierRow[] = []
  while (outcomes.length < rows.length) {
    const part = deps.write((tx): Outcome[] => {
      const until = performance.now() + partMs
      const done: Outcome[] = []
      for (const outcome of insertRows(deps, tx, actor, rows.slice(outcomes.length), isAccepted, earlier)) {
        done.push(outcome)
        if (performance.now() > until) break
      }
      throw new DryRunDone(done)
    })
    const done = await part.catch(error => {
      if (error instanceof DryRunDone) return error.outcomes
      throw error
    })
    outcomes.push(...done)
  }
  const answer = answerOf(
    outcomes.map(({ row }) => ({ ...row, ...notWritten(row) })),
    0,
  )
  return { ...answer, ...(taken.length > 0 && { overrideKey: overrideKeyOf(taken) }) }
}

const answerOf = (rows: ImportRow[], imported: number): ImportResponse => ({
  rows,
  counts: countRows(rows),
  imported,
})

/** A dry run has no application numbers: its applications are rolled back. */
const notWritten = ({ state }: ImportRow) => (state === 'ready' ? { applicationNumber: null } : {})

/** @throws AppError bad_request with a field for each error: `rows.3.start_date`, or `rows.3.email` for a duplicate */
function assertNoRowErrors(outcomes: Outcome[], skipDuplicates: boolean): void {
  const faulty = outcomes.filter(
    ({ row }) => row.state === 'error' || (row.state === 'duplicate' && !skipDuplicates),
  )
  if (faulty.length === 0) return
  const fields: FieldErrors = {}
  for (const { row } of faulty) {
    if (row.state === 'duplicate') fields[`rows.${row.row}.email`] = duplicateMessage(row)
    for (const { column, message } of row.errors) fields[`rows.${row.row}.${column}`] ??= message
  }
  throw new AppError('bad_request', nothingImportedMessage(faulty.length), { fields })
}

const duplicateMessage = ({ applicationNumber }: ImportRow) =>
  applicationNumber === null
    ? 'An earlier row is the same booking.'
    : `${applicationNumber} is this booking already.`

/** Sends one mail to each person, about their first booking whose stay has not ended. */
function* inviteAll(deps: Deps, tx: Tx, actor: Admin, inserted: InsertedEntry[]): Generator<void, void> {
  const open: { guest: InsertedEntry['guest']; record: OwnApplication }[] = []
  for (const { guest, id } of inserted) {
    const record = getSubmittedApplication(tx, actor, id)
    if (!isOver(deps, record)) open.push({ guest, record })
    yield
  }
  open.sort((a, b) => a.record.application.stayStartDate.localeCompare(b.record.application.stayStartDate))
  const invited = new Set<string>()
  for (const { guest, record } of open) {
    if (!invited.has(guest.id)) inviteTo(deps, tx, guest, record)
    invited.add(guest.id)
    yield
  }
}

/** Writes each valid row; if any row has errors, the caller rolls all of them back. `earlier` gets the rows done. */
function* insertRows(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  rows: CsvRow[],
  isAccepted: boolean,
  earlier: EarlierRow[] = [],
): Generator<Outcome, void> {
  for (const csvRow of rows) {
    const outcome = insertCsvRow(deps, tx, actor, csvRow, { earlier, isAccepted })
    const { endDate, row, startDate, state } = outcome.row
    if (startDate && endDate && state !== 'duplicate')
      earlier.push({ row, start: startDate, end: endDate, email: emailKey(csvRow.record.email ?? '') })
    yield outcome
  }
}

const datesOf = ({ end_date, start_date }: CsvRow['record']) => ({
  start: importedDate((start_date ?? '').trim()) ?? null,
  end: importedDate((end_date ?? '').trim()) ?? null,
})

type EarlierRow = DateRange & { row: number; email: string }

function insertCsvRow(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  { row, record, hasExtraFields }: CsvRow,
  { earlier, isAccepted }: { earlier: readonly EarlierRow[]; isAccepted: boolean },
): Outcome {
  const { end, start } = datesOf(record)
  const shown: ImportRow = {
    row,
    state: 'error',
    guest: `${(record.first_name ?? '').trim()} ${(record.last_name ?? '').trim()}`.trim().slice(0, 201),
    startDate: start,
    endDate: end,
    owedCents: null,
    paidCents: null,
    applicationNumber: null,
    errors: [],
    warnings: [],
  }
  const failed = (errors: RowError[]): Outcome => ({ row: { ...shown, errors } })
  const { entry, errors } = parseImportRow(record)
  if (hasExtraFields)
    return failed([{ column: 'row', message: 'This row has more fields than there are columns.' }, ...errors])
  if (!entry) return failed(errors)

  const email = emailKey(entry.email)
  const stay = { start: entry.startDate, end: entry.endDate }
  const isRepeated = earlier.some(
    other => other.email === email && other.start === stay.start && other.end === stay.end,
  )
  const stored = isRepeated ? undefined : duplicateOf(tx, email, stay)
  if (stored || isRepeated)
    return { row: { ...shown, state: 'duplicate', applicationNumber: stored?.number ?? null } }
  const taken = earlier.find(other => overlaps(other, stay))
  if (taken) return failed([{ column: 'start_date', message: `These dates overlap row ${taken.row}.` }])
  try {
    const inserted = insertEntry(deps, tx, actor, entry, () => isAccepted)
    const { application } = getSubmittedApplication(tx, actor, inserted.id)
    return {
      inserted,
      row: {
        ...shown,
        state: 'ready',
        owedCents: application.totalCents,
        paidCents: entry.payments.reduce((sum, { amount }) => sum + amount, 0),
        applicationNumber: inserted.number,
        warnings: inserted.warnings,
      },
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failed(columnsOf(error, entry))
  }
}

/** Maps the error of an entry to its columns; the dates by default. */
function columnsOf({ fields, message }: AppError, { payments }: BookingEntry): RowError[] {
  const columns = payments.map(({ paymentType }) => ({
    column: paymentType === 'deposit' ? ('deposit_paid' as const) : ('rent_paid' as const),
  }))
  const errors = Object.entries(fields ?? {}).map(([field, text]) => ({
    column: columnOf(field, columns),
    message: text,
  }))
  return errors.length > 0 ? errors : [{ column: 'start_date', message }]
}

/** The same booking. A pending application is not one: a stranger may have sent it (`insertEntry` refuses it). */
function duplicateOf(tx: Tx, email: string, { end, start }: DateRange): { number: string } | undefined {
  return tx
    .select({ number: applications.number })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .where(
      and(
        eq(users.emailKey, email),
        isNull(applications.deletedAt),
        inArray(applications.status, [...bookedStatuses]),
        or(
          and(eq(applications.requestedStartDate, start), eq(applications.requestedEndDate, end)),
          and(eq(applications.stayStartDate, start), eq(applications.stayEndDate, end)),
        ),
      ),
    )
    .get()
}
