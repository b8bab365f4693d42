import { addDays, type CalendarDate, dateIn } from '../common/dates.ts'
import { hourOfDateIn, mailHour } from '../common/zoned-time.ts'
import { type StayMailKind, stayMailKinds } from '../content/wording.ts'
import type { Gate } from './stay-gate.ts'

type StayMailFacts = {
  applicationId: string
  startDate: CalendarDate
  endDate: CalendarDate
  openedAt: string | null
  gate: Gate
  timeZone: string
}
/** A mail of a stay: due from `at`, not worth sending from `until` on, and one of its key. */
export type StayMail = { kind: StayMailKind; key: string; at: Date; until: Date }

/** The mails by the clock of a stay; moved dates have keys of their own (STAY-34). */
export function stayMailsOf(facts: StayMailFacts): StayMail[] {
  const { applicationId, endDate, gate, openedAt, startDate, timeZone } = facts
  const morning = (date: CalendarDate) => hourOfDateIn(date, mailHour, timeZone)
  // The owner may let the guest stay for longer.
  const left = dateIn(gate.checkOutAt, timeZone)
  const lastMorning = morning(left) < gate.checkOutAt ? left : addDays(left, -1)
  const spans: Record<StayMailKind, [at: Date | null, until: Date, day: CalendarDate]> = {
    'stay-missing': [morning(addDays(startDate, -14)), gate.opensAt, startDate],
    'stay-open': [openedAt === null ? null : new Date(openedAt), gate.checkOutAt, startDate],
    'stay-tomorrow': [morning(addDays(startDate, -1)), gate.checkInAt, startDate],
    'stay-checkout': [morning(lastMorning), gate.checkOutAt, left],
    'stay-thanks': [morning(addDays(left, 2)), morning(addDays(left, 9)), endDate],
  }
  return stayMailKinds.flatMap(kind => {
    const [at, until, day] = spans[kind]
    return at === null ? [] : [{ kind, key: `${kind}:${applicationId}:${day}`, at, until }]
  })
}
