import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../common/dates.ts'
import { dayMs, minuteMs } from '../common/durations.ts'
import { hourOfDateIn } from '../common/zoned-time.ts'
import {
  dueReminder,
  isReminderCurrent,
  type ReminderFacts,
  reminderContent,
  reminderKey,
  reminderMoment,
} from './payment-plan-reminder.ts'
import type { PlanInstallment } from './payment-plan-state.ts'

const newYork = 'America/New_York'
const installment = (dueDate: string | null, change: Partial<PlanInstallment> = {}): PlanInstallment => ({
  id: 'i',
  position: 1,
  kind: 'lease',
  chargeId: null,
  label: 'Payment 1 of 2',
  amountCents: 1000_00,
  dueDate,
  createdAt: '2026-06-01T12:00:00.000Z',
  waivedAt: null,
  paidCents: 0,
  onItsWayCents: 0,
  openCents: 1000_00,
  state: 'upcoming',
  daysOverdue: 0,
  ...change,
})
const facts = (change: Partial<ReminderFacts> = {}): ReminderFacts => ({
  applicationId: 'a',
  signedAt: '2026-06-02T12:00:00.000Z',
  isBooked: true,
  installments: [installment('2026-12-20')],
  reminderDays: [-7, -1, 1, 5],
  sentKeys: [],
  ...change,
})
/** A New York local time in winter. */
const momentOf = (local: string) => new Date(`${local}:00-05:00`)
const at = (local: string) => reminderMoment(momentOf(local), newYork)
const stageAt = (local: string, change: Partial<ReminderFacts> = {}) =>
  dueReminder(facts(change), at(local))?.date
const sent = (...dates: string[]) => ({ sentKeys: dates.map(date => reminderKey('a', date)) })

describe('stages', () => {
  test('begin at 09:00 on the due date and on the configured days around it [PLAN-37]', () => {
    expect(stageAt('2026-12-13T08:59')).toBeUndefined()
    expect(dueReminder(facts(), at('2026-12-13T09:00'))).toEqual({
      key: 'plan-reminder:a:2026-12-13',
      date: '2026-12-13',
      at: new Date('2026-12-13T14:00:00.000Z'),
      validUntil: new Date('2026-12-21T05:00:00.000Z'),
    })
    expect(stageAt('2026-12-21T09:00', { reminderDays: [1] })).toBe('2026-12-21')
    expect(stageAt('2026-12-20T09:00', { reminderDays: [0] })).toBe('2026-12-20')
    expect(stageAt('2026-12-20T09:00', { reminderDays: [] })).toBeUndefined()
  })

  test('are valid until the end of the due date if before it, else for 14 days [PLAN-38]', () => {
    const before = { reminderDays: [-7] }
    expect([stageAt('2026-12-20T23:59', before), stageAt('2026-12-21T00:00', before)]).toEqual([
      '2026-12-13',
      undefined,
    ])
    for (const day of [0, 5]) {
      const on = { reminderDays: [day] }
      const last = addDays('2027-01-03', day)
      expect(stageAt(`${last}T08:59`, on)).toBe(addDays('2026-12-20', day))
      expect(stageAt(`${last}T09:00`, on)).toBeUndefined()
    }
  })

  test('exist only for open amounts without a processing payment, of a signed and booked stay [PLAN-37, PLAN-41]', () => {
    const of = (change: Partial<PlanInstallment>) =>
      stageAt('2026-12-13T09:00', { installments: [installment('2026-12-20', change)] })
    expect(of({})).toBe('2026-12-13')
    expect(of({ openCents: 0, state: 'paid' })).toBeUndefined()
    expect(of({ onItsWayCents: 1 })).toBeUndefined()
    expect(of({ kind: 'deposit' })).toBe('2026-12-13')
    expect(stageAt('2026-12-13T09:00', { isBooked: false })).toBeUndefined()
    expect(stageAt('2026-12-13T09:00', { signedAt: null })).toBeUndefined()
    expect(stageAt('2026-12-13T09:00', { installments: [installment(null)] })).toBeUndefined()
  })

  test('leave out dates before signing or before the installment was created [PLAN-38]', () => {
    const moment = (local: string) => momentOf(local).toISOString()
    const signed = (local: string) => stageAt('2026-12-13T12:00', { signedAt: moment(local) })
    expect([signed('2026-12-13T09:00'), signed('2026-12-13T09:01')]).toEqual(['2026-12-13', undefined])
    const made = (local: string) =>
      stageAt('2026-12-13T12:00', { installments: [installment('2026-12-20', { createdAt: moment(local) })] })
    expect([made('2026-12-13T09:00'), made('2026-12-13T09:01')]).toEqual(['2026-12-13', undefined])
  })
})

describe('the reminder to send', () => {
  test('is the newest valid stage, and never older than the last one sent [PLAN-38]', () => {
    expect(stageAt('2026-12-19T10:00')).toBe('2026-12-19')
    expect(stageAt('2026-12-26T10:00')).toBe('2026-12-25')
    expect(stageAt('2026-12-26T10:00', sent('2026-12-25'))).toBeUndefined()
    expect(stageAt('2026-12-22T10:00', sent('2026-12-22'))).toBeUndefined()
    expect(stageAt('2026-12-22T10:00', sent('2026-12-13', '2026-12-19'))).toBe('2026-12-21')
    // Keys of another booking and of another mail.
    const others = [reminderKey('b', '2026-12-30'), 'charge-added:a', reminderKey('a2', '2026-12-30')]
    expect(stageAt('2026-12-22T10:00', { sentKeys: others })).toBe('2026-12-21')
  })

  test('is not held back by one that was sent while the clock was ahead [PLAN-38]', () => {
    expect(stageAt('2026-12-13T09:00', sent('2026-12-19', '2026-12-21'))).toBe('2026-12-13')
    const current = facts(sent('2026-12-13', '2026-12-21'))
    expect(isReminderCurrent(current, reminderKey('a', '2026-12-13'), at('2026-12-13T09:00'))).toBe(true)
    // The owner sent one today before the hour of sending.
    expect(stageAt('2026-12-14T08:00', sent('2026-12-14'))).toBeUndefined()
  })

  test('is one per day and booking, for all its installments [PLAN-37]', () => {
    const installments = [installment('2026-12-20'), installment('2026-12-18', { id: 'j' })]
    expect(stageAt('2026-12-19T10:00', { installments })).toBe('2026-12-19')
    expect(stageAt('2026-12-19T10:00', { installments, ...sent('2026-12-19') })).toBeUndefined()
    // On the same day, the longest validity counts.
    expect(dueReminder(facts({ installments }), at('2026-12-19T10:00'))?.validUntil).toEqual(
      new Date('2027-01-02T14:00:00.000Z'),
    )
  })

  test('is withdrawn before delivery if it is paid, expired, or no longer the newest [PLAN-38, PLAN-39, PLAN-41]', () => {
    const key = reminderKey('a', '2026-12-19')
    const isTrue = (local: string, change: Partial<ReminderFacts> = {}) =>
      isReminderCurrent(facts({ ...sent('2026-12-13', '2026-12-19'), ...change }), key, at(local))
    expect(isTrue('2026-12-19T09:00')).toBe(true)
    expect(isTrue('2026-12-20T23:59')).toBe(true)
    expect(isTrue('2026-12-21T00:00')).toBe(false)
    expect(isTrue('2026-12-20T12:00', { installments: [installment('2026-12-20', { openCents: 0 })] })).toBe(
      false,
    )
    expect(isTrue('2026-12-20T12:00', { isBooked: false })).toBe(false)
    expect(isTrue('2026-12-20T12:00', sent('2026-12-19', '2026-12-20'))).toBe(false)
    expect(isReminderCurrent(facts(sent('2026-12-19')), 'charge-added:a', at('2026-12-19T10:00'))).toBe(false)
  })
})

describe('the content', () => {
  const subject = (...installments: PlanInstallment[]) => reminderContent(installments)?.subject
  const overdue = installment('2026-12-01', { state: 'overdue', openCents: 600_00 })
  const due = installment('2026-12-10', { state: 'due', openCents: 300_00 })
  const next = installment('2026-12-20', { openCents: 100_00 })
  const partly = installment('2026-12-20', { state: 'partly', openCents: 50_00 })
  const later = installment('2027-01-20')

  test('names in the subject what is overdue, else due, else next [PLAN-39]', () => {
    expect(subject(next, due, overdue, overdue)).toBe('Payment overdue: $1,200.00')
    expect(subject(next, due)).toBe('Payment due today: $300.00')
    expect(subject(later, next, partly)).toBe('Payment reminder: $150.00 due on Dec 20, 2026')
    expect(subject(later)).toBe('Payment reminder: $1,000.00 due on Jan 20, 2027')
    expect(subject()).toBeUndefined()
    expect(subject(installment('2026-12-01', { state: 'paid', openCents: 0 }))).toBeUndefined()
    expect(subject(installment(null))).toBeUndefined()
  })

  test('lists everything overdue, due and next [PLAN-39]', () => {
    const part = ({ dueDate, label, openCents }: PlanInstallment) => ({
      label,
      amountCents: openCents,
      dueDate,
    })
    expect(reminderContent([overdue, due, next, partly, later])).toMatchObject({
      overdue: [part(overdue)],
      due: [part(due)],
      next: [part(next), part(partly)],
    })
  })
})

const zones = [
  newYork,
  'America/Los_Angeles',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
]
const localFormats = new Map(
  zones.map(zone => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
)
/** Local time in a zone, such as `2026-12-01 09:00:00`, which sorts as text. */
const clockIn = (zone: string, moment: Date | string) =>
  localFormats.get(zone)?.format(new Date(moment)) ?? ''

/** The stage that must be sent, computed only from local times. */
function expectedStage(
  { installments, isBooked, reminderDays, sentKeys, signedAt }: ReminderFacts,
  now: Date,
  zone: string,
) {
  if (!signedAt || !isBooked) return undefined
  const [clock, signed] = [clockIn(zone, now), clockIn(zone, new Date(signedAt))]
  let newest = ''
  for (const { createdAt, dueDate, onItsWayCents, openCents } of installments) {
    if (dueDate === null || openCents === 0 || onItsWayCents > 0) continue
    const made = clockIn(zone, new Date(createdAt))
    for (const day of reminderDays) {
      const stage = addDays(dueDate, day)
      const begins = `${stage} 09:00:00`
      const ends = day < 0 ? `${dueDate} 24:00:00` : `${addDays(stage, 14)} 09:00:00`
      const isValid = begins >= signed && begins >= made && begins <= clock && clock < ends
      if (isValid && stage > newest) newest = stage
    }
  }
  // A key of a later day was sent while the clock was ahead.
  const todayKey = reminderKey('a', clock.slice(0, 10))
  const isOld = sentKeys.some(key => key >= reminderKey('a', newest) && key <= todayKey)
  return newest === '' || isOld ? undefined : newest
}

type Step =
  | { do: 'pass' | 'jump'; minutes: number }
  | { do: 'pay' | 'refund' | 'send' | 'arrive'; which: number }
  | { do: 'cancel' | 'reinstate' }
  | { do: 'setUp'; days: number[] }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 3000 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('jump' as const),
      minutes: fc.integer({ min: -30_000, max: 30_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('pay', 'refund', 'refund', 'send', 'arrive'),
      which: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel', 'reinstate', 'reinstate'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('setUp' as const),
      days: fc.uniqueArray(fc.integer({ min: -60, max: 60 }), { maxLength: 8 }),
    }),
  },
)
/** Around the clock changes of 2026 and 2027, and on any other date. */
const firstDay = fc.oneof(
  fc.constantFrom('2026-11-01', '2027-03-14', '2027-04-04'),
  fc.integer({ min: 0, max: 700 }).map(days => addDays('2026-01-01', days)),
)

test('over clock jumps, restarts and changes, each reminder is sent at most once, on time, and none is missed [PLAN-37, PLAN-38, PLAN-40, PLAN-41]', () => {
  let count = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      firstDay,
      fc.array(
        fc.record({
          after: fc.integer({ min: 0, max: 30 }),
          madeAfter: fc.integer({ min: -40_000, max: 10_000 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      fc.integer({ min: -40_000, max: 10_000 }),
      fc.array(step, { minLength: 10, maxLength: 60 }),
      (zone, first, dues, signedAfter, steps) => {
        const start = Date.parse(`${first}T05:00:00Z`)
        const momentAfter = (minutes: number) => new Date(start + minutes * minuteMs).toISOString()
        const installments = dues.map(({ after, madeAfter }, i) =>
          installment(addDays(first, after), { id: `i${i}`, createdAt: momentAfter(madeAfter) }),
        )
        let now = start
        let some = facts({
          installments,
          signedAt: momentAfter(signedAfter),
          reminderDays: [-7, -1, 0, 1, 5],
        })
        const outbox = new Set<string>()
        const change = (which: number, to: Partial<PlanInstallment>) =>
          some.installments.map((row, i) => (i === which % dues.length ? { ...row, ...to } : row))
        for (const each of steps) {
          if (each.do === 'pass' || each.do === 'jump') now += each.minutes * minuteMs
          if (each.do === 'pay') some = { ...some, installments: change(each.which, { openCents: 0 }) }
          if (each.do === 'refund') some = { ...some, installments: change(each.which, { openCents: 5 }) }
          if (each.do === 'send') some = { ...some, installments: change(each.which, { onItsWayCents: 5 }) }
          if (each.do === 'arrive') some = { ...some, installments: change(each.which, { onItsWayCents: 0 }) }
          if (each.do === 'cancel' || each.do === 'reinstate')
            some = { ...some, isBooked: each.do === 'reinstate' }
          if (each.do === 'setUp') some = { ...some, reminderDays: each.days }
          // Two ticks after each step, as after a restart: only the outbox remembers the past.
          for (const tick of [1, 2]) {
            const known = { ...some, sentKeys: [...outbox] }
            const time = new Date(now)
            const moment = reminderMoment(time, zone)
            const reminder = dueReminder(known, moment)
            expect(reminder?.date).toBe(tick === 2 ? undefined : expectedStage(known, time, zone))
            if (!reminder) continue
            expect(outbox.has(reminder.key)).toBe(false)
            const todayKey = reminderKey('a', moment.today)
            expect([...outbox].every(key => key < reminder.key || key > todayKey)).toBe(true)
            expect(time >= reminder.at && time < reminder.validUntil).toBe(true)
            expect(clockIn(zone, reminder.at)).toBe(`${reminder.date} 09:00:00`)
            outbox.add(reminder.key)
            count++
            expect(isReminderCurrent({ ...some, sentKeys: [...outbox] }, reminder.key, moment)).toBe(true)
          }
        }
      },
    ),
    { numRuns: 200 },
  )
  expect(count).toBeGreaterThan(100)
})

test.each(zones.flatMap(zone => ['2026-10-15', '2027-03-05'].map(first => [zone, first] as const)))(
  'with a steady clock, each stage is sent once, at 09:00 local time in %s, starting on %s [PLAN-37, PLAN-40]',
  (zone, first) => {
    const start = Date.parse(`${first}T00:00:00Z`)
    const installments = [0, 14, 28].map(days => installment(addDays(first, days + 8), { id: `i${days}` }))
    const signedAt = new Date(start).toISOString()
    const outbox: string[] = []
    const times: string[] = []
    for (let now = start; now < start + 45 * dayMs; now += 60 * minuteMs) {
      const moment = reminderMoment(new Date(now), zone)
      const reminder = dueReminder(facts({ installments, signedAt, sentKeys: outbox }), moment)
      if (!reminder) continue
      outbox.push(reminder.key)
      times.push(clockIn(zone, new Date(now)).slice(11, 16))
    }
    const stages = installments.flatMap(({ dueDate }) =>
      [-7, -1, 1, 5].map(day => addDays(dueDate ?? '', day)),
    )
    expect(outbox).toEqual([...new Set(stages)].toSorted().map(date => reminderKey('a', date)))
    // Ticks come every hour, which is not a full hour in every zone.
    expect(times.filter(time => time < '09:00' || time >= '10:00')).toEqual([])
  },
)

test('returns the hour in local time, even on clock changes [PLAN-40]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 1500 }),
      fc.integer({ min: 4, max: 23 }),
      (zone, day, hour) => {
        const date = addDays('2026-01-01', day)
        expect(clockIn(zone, hourOfDateIn(date, hour, zone))).toBe(
          `${date} ${String(hour).padStart(2, '0')}:00:00`,
        )
      },
    ),
  )
  const nine = (date: string, zone = newYork) => hourOfDateIn(date, 9, zone).toISOString()
  expect(nine('2026-11-01', 'America/Los_Angeles')).toBe('2026-11-01T17:00:00.000Z')
  expect([nine('2026-10-31'), nine('2026-11-01')]).toEqual([
    '2026-10-31T13:00:00.000Z',
    '2026-11-01T14:00:00.000Z',
  ])
  expect(
    hourOfDateIn('2027-03-14', 9, newYork).getTime() - hourOfDateIn('2027-03-13', 9, newYork).getTime(),
  ).toBe(dayMs - 60 * minuteMs)
})
