import { formatMoment } from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { formatCents } from '../../domain/common/money.ts'
import { bookedStayOf } from '../bookings/records.ts'
import { nowIso } from '../kernel/deps.ts'
import { type FoundNotice, type NoticeCheck, openApplication } from '../kernel/notice.ts'
import { overduePlans } from '../money/due.ts'
import { currentSite } from '../site/content/published.ts'
import { hasUnreadableSecret } from './arrival.ts'
import { type CodeTask, lockTasks, seenCodes } from './code-tasks.ts'
import {
  closesAt,
  guestNameOf,
  laterDays,
  listStays,
  maxDaysAfter,
  momentOf,
  nextArrival,
} from './records.ts'

/** What the owner should know or do about stays (STAY-11, STAY-15, STAY-22, STAY-23). */
export const stayNotices: NoticeCheck = deps => {
  const { db } = deps
  const key: FoundNotice = {
    id: 'stay-key',
    title: 'Codes or the Wi-Fi password cannot be read',
    detail:
      'They were saved with another secret.key. Put the former secret.key back beside the database and restart the site, or enter them anew.',
    action: { kind: 'arrival' },
  }
  const unreadable = hasUnreadableSecret(deps, db) ? [key] : []
  if (!momentOf(deps, db).settings.enabled) return unreadable
  const now = nowIso(deps)
  // In the screen's order: codes of guests who arrive within a day or are already here come first.
  const isLater = ({ action, from, tone }: CodeTask) =>
    Number(!(action === 'set' && tone === 'danger' && (from ?? now) <= now))
  const tasks = lockTasks(deps, db).toSorted((a, b) => isLater(a) - isLater(b))
  const late = tasks.flatMap(({ action, again, from, ...task }): FoundNotice[] => {
    const { codeId, ends, guestName, lockName, tone, until } = task
    const title =
      action === 'set' ? `Set the code for ${guestName}` : `Take the code of ${guestName} off the lock`
    // Setting it earlier would lock out the previous guest.
    const when =
      action === 'set' && from && from > now
        ? ` Not before ${formatMoment(from, currentSite(deps).timeZone)}: the previous guest stays until then.`
        : ''
    const why = again ? ' Another guest’s code may have replaced it.' : ''
    const also = action === 'set' ? '' : ', also if the next code has replaced it'
    const moment = formatMoment(until, currentSite(deps).timeZone)
    // The guest is already here, or has a code but should not come in.
    const isUrgent = (action === 'set') === until < now
    const by = ends
      ? `, once ${ends} has left, whose code ends with it`
      : isUrgent
        ? ', at once'
        : `, ${action === 'set' ? 'by' : 'was due'} ${moment}`
    const detail = `${lockName}${by}.${why}${when} Then mark it under Codes to set${also}.`
    return tone && (action === 'set' || tone === 'danger')
      ? [{ id: `stay-code-${codeId}`, tone, title, detail, action: { kind: 'arrival' } }]
      : []
  })
  return [...unreadable, ...lockedOut(deps), ...late, ...codesSeen(deps), ...openNevertheless(deps)]
}

/** Warns of guests who have seen a code and should not come in now (STAY-15). */
const codesSeen: NoticeCheck = deps =>
  seenCodes(deps, deps.db).map(({ codes, stay: { isBooked, record } }) => ({
    id: `stay-code-shown-${record.application.id}`,
    title: `${guestNameOf(record)} has seen a code that still opens`,
    detail: `${isBooked ? 'The stay is not open now.' : 'The stay has ended early.'} Please change the code or take it off: ${codes.map(({ lockName }) => lockName).join(', ')}.`,
    action: { kind: 'arrival' },
  }))

/** From check-in on neither money nor the lease closes a gate (STAY-11). */
const openNevertheless: NoticeCheck = deps => {
  const overdue = new Set(
    overduePlans(deps).map(({ action }) => action?.kind === 'application' && action.applicationId),
  )
  // The owner can keep a stay open for some days after its last one.
  return listStays(deps, deps.db, maxDaysAfter).flatMap((stay): FoundNotice[] => {
    const { gate, missing, moment, owedCents, record, row } = stay
    if (gate.state !== 'open' || moment.now < gate.checkInAt) return []
    const { id } = record.application
    const next = row?.holdUntil ? nextArrival(deps.db, stay) : undefined
    const [isIn, action] = [`${guestNameOf(record)} is in the condo`, openApplication(id)]
    const unpaid = {
      id: `stay-unpaid-${id}`,
      title: `${isIn} and owes ${formatCents(owedCents)}`,
      detail: 'A code is no way to collect it.',
      action,
    }
    const unsigned: FoundNotice = {
      id: `stay-lease-${id}`,
      tone: 'warning',
      title: `${isIn} without a signed lease`,
      detail: 'The codes stay on the guest’s page. Close it under Arrival to take them off.',
      action,
    }
    // Opened by hand, that is the owner's decision.
    const isUnsigned = row?.hold !== 'open' && missing.some(({ kind }) => kind === 'lease')
    const [leaves, arrives] = [gate.checkOutAt, next?.at ?? gate.checkOutAt].map(at =>
      formatMoment(at.toISOString(), moment.timeZone),
    )
    const booked = bookedStayOf(record.application)
    const canChoose = next && laterDays(booked, moment).some(day => closesAt(day, moment) <= next.at)
    const comes = next && next.at <= moment.now ? 'was to arrive' : 'arrives'
    const overlap: FoundNotice = {
      id: `stay-overlap-${id}`,
      title: `${guestNameOf(record)} may stay past the next arrival`,
      detail: `${next?.guestName} ${comes} ${arrives}, and this stay is open until ${leaves}. ${canChoose ? 'Choose another day' : 'Close it'}, or agree on it with both guests.`,
      action: { kind: 'arrival', applicationId: id },
    }
    return [
      ...(owedCents > 0 && !overdue.has(id) ? [unpaid] : []),
      ...(isUnsigned ? [unsigned] : []),
      ...(next && next.at < gate.checkOutAt ? [overlap] : []),
    ]
  })
}

/** Warns about stays that are still locked by missing items 24 hours before check-in or later (STAY-08). */
const lockedOut: NoticeCheck = deps =>
  listStays(deps, deps.db, 0, 1).flatMap(({ gate, missing, moment, record }) =>
    gate.state === 'locked' && moment.now.getTime() >= gate.checkInAt.getTime() - dayMs
      ? {
          id: `stay-locked-${record.application.id}`,
          title: `${guestNameOf(record)} cannot come in${moment.now < gate.checkInAt ? ' yet' : ''}`,
          detail: `Arrival ${formatMoment(gate.checkInAt.toISOString(), moment.timeZone)}. Missing: ${missing.map(({ ownersText }) => ownersText).join('; ')}.`,
          action: { kind: 'arrival', applicationId: record.application.id },
        }
      : [],
  )
