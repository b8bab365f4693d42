import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { stayGates } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { stayMessages, stayRefusals } from '../../domain/arrival/stay-messages.ts'
import { checkOutAt } from '../../domain/arrival/stay-settings.ts'
import { addDays, dateIn, formatShortDate } from '../../domain/common/dates.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { calendarDate } from '../../domain/common/inputs.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import { cleanText } from '../../domain/content/content-text.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { bookedStayOf, getSubmittedApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { secretIn } from './arrival.ts'
import { drawMissingCodes, missingCodes } from './codes.ts'
import {
  closesAt,
  type GateRow,
  heldEvent,
  isOpenByHandOnly,
  laterDays,
  listStays,
  maxDaysAfter,
  momentOf,
  readStay,
  type Stay,
} from './records.ts'

export const holdForm = z.object({
  hold: z.enum(['open', 'closed'], 'Please choose open or closed').nullable(),
  reason: z.string({ error: stayMessages.reason }).max(2000, stayMessages.reason).default(''),
  /** When an open stay closes that is open for longer; a day means its check-out time. */
  until: z.union([wireMoment, calendarDate()], 'Please enter a valid date').optional(),
})

/**
 * Opens or closes the gate by hand, or switches back to automatic (STAY-10). Repeating a request changes nothing.
 * @throws AppError forbidden without a step-up, except for ending an opening; not_found; bad_request at `reason` or `until`; conflict for opening a stay that is not booked, or long over
 */
export function holdGate(
  deps: Deps,
  actor: Admin,
  id: string,
  { hold, until, ...form }: z.output<typeof holdForm>,
) {
  return deps.write(tx => {
    const { gate, isBooked, moment, record, row } = readStay(deps, tx, getSubmittedApplication(tx, actor, id))
    // Switching back to automatic can open a closed gate, and the error at `reason` reveals whether it contains a live code.
    if (hold !== null || row?.hold === 'closed') requireStepUp(deps, tx, actor)
    const reason = hold === null ? null : cleanText(form.reason)
    if (reason !== null && (reason === '' || reason.length > 500))
      throw fieldError('reason', stayMessages.reason)
    const secret = reason === null ? undefined : secretIn(deps, tx, reason)
    if (secret) throw fieldError('reason', secret)
    if (hold === 'open' && !isBooked) throw new AppError('conflict', stayRefusals.onlyBooked)
    const { end, start } = bookedStayOf(record.application)
    const leaves = checkOutAt({ endDate: end }, moment.settings, moment.timeZone)
    const closes = until === undefined ? leaves : closesAt(until, moment)
    const isLonger = closes > leaves && dateIn(closes, moment.timeZone) <= addDays(end, maxDaysAfter)
    // Saving without a day ends an extension.
    const isEnd = until === undefined && gate.state === 'open'
    const isLate = hold === 'open' && closes <= moment.now && !isEnd
    const days = laterDays({ start, end }, moment)
    if (isLate && days.length === 0) throw new AppError('conflict', stayMessages.over)
    if (isLate || (until !== undefined && !(hold === 'open' && isLonger)))
      throw fieldError(
        'until',
        `${isLate ? 'The stay is over then. ' : ''}Please choose a day from ${formatShortDate(days[0] ?? end)} to ${formatShortDate(addDays(end, maxDaysAfter))}`,
      )
    const former = [row?.hold, row?.holdReason, row?.holdUntil].map(each => each ?? null)
    if ([hold, reason, until ?? null].every((each, at) => each === former[at])) return
    const at = nowIso(deps)
    setGate(tx, id, { hold, holdReason: reason, holdAt: at })
    recordEvent(tx, at, actor, heldEvent, id, { hold, reason, stay: `${start} ${end}`, until: until ?? null })
    for (const stay of turned([readStay(deps, tx, record)])) noteTurn(tx, at, stay)
  })
}

export function setGate(tx: Tx, applicationId: string, set: Partial<GateRow>): void {
  tx.insert(stayGates)
    .values({ applicationId, ...set })
    .onConflictDoUpdate({ target: stayGates.applicationId, set })
    .run()
}

/** Booked anew: that its gate was open before the decline keeps it open no longer (STAY-11). */
export function forgetOpening(tx: Tx, applicationId: string): void {
  tx.update(stayGates).set({ openedAt: null }).where(eq(stayGates.applicationId, applicationId)).run()
}

/** The gates that opened since they were last looked at, and those that closed again before check-in (STAY-11). */
const turned = (stays: readonly Stay[]): Stay[] =>
  stays.filter(stay => {
    const { gate, isOpenByRule, moment, row } = stay
    const wasOpen = (row?.openedAt ?? null) !== null
    if (gate.state === 'open') return !wasOpen && (isOpenByRule || !isOpenByHandOnly(stay))
    return wasOpen && moment.now < gate.checkInAt
  })

const noteTurn = (tx: Tx, at: string, { gate, record }: Stay): void =>
  setGate(tx, record.application.id, { openedAt: gate.state === 'open' ? at : null })

/** Opens gates and draws codes, also without a mail server. While the clock is known to be wrong, nothing opens by rule and no code is drawn (STAY-14). */
export async function tickStays(deps: Deps): Promise<void> {
  const work = (db: Db) => {
    const { isClockWrong, settings } = momentOf(deps, db)
    const isOn = settings.enabled && !isClockWrong
    // A stay can be reopened for some days after its end.
    const stays = isOn ? listStays(deps, db, maxDaysAfter) : []
    // One that was open can have moved far ahead.
    const turns = isOn ? turned(listStays(deps, db, 1, 400)) : []
    return { stays, turns, isNeeded: turns.length > 0 || missingCodes(deps, db, stays).length > 0 }
  }
  if (!work(deps.db).isNeeded) return
  await deps.write(tx => {
    const { stays, turns } = work(tx)
    for (const stay of turns) noteTurn(tx, nowIso(deps), stay)
    drawMissingCodes(deps, tx, stays)
  })
}
