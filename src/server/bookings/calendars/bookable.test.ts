import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { calendarConflicts, calendarEvents, events, outbox } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { minuteMs } from '../../../domain/common/durations.ts'
import { call, signUpAdmin } from '../../../testing/build-account.ts'
import { dates, makeBooking, makePending } from '../../../testing/build-application.ts'
import { makeEvent, makeFeed } from '../../../testing/build-calendar.ts'
import { buildCsv, buildEntry, buildRow } from '../../../testing/build-entry.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { setSigned } from '../../../testing/build-plan.ts'
import { calendarHost } from '../../../testing/calendar-host.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { updateConflicts } from './conflicts.ts'

const stay = (start: string, end: string) => ({ start, end })

async function openApp(env: NodeJS.ProcessEnv = {}) {
  const app = await testApp({ env })
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const asOwner = app.as(admin).applications
  const pending = (start: string, end: string) => makePending(app, tenant, dates(start, end))
  const booking = (start: string, end: string) => makeBooking(app, tenant, admin, dates(start, end))
  return { app, tenant, admin, asOwner, pending, booking }
}

type Opened = Awaited<ReturnType<typeof openApp>>

/** A reservation on Airbnb from June 5 to June 8, 2026. */
async function withReservation() {
  const opened = await openApp()
  const { app } = opened
  const id = (await opened.pending('2026-06-01', '2026-06-10')).id
  const feedId = await makeFeed(app)
  const eventId = await makeEvent(app, feedId, stay('2026-06-05', '2026-06-08'))
  return { ...opened, feedId, eventId, id }
}

const takenOnAirbnb =
  'Taken on Airbnb: Jun 5, 2026 to Jun 8, 2026. Book all the same only if you have cleared it there.'
const taken = (message = takenOnAirbnb) => ({
  code: 'CONFLICT',
  message,
  cause: { fields: { overrideCalendar: message } },
})

/** The key that a refusal lists the taken nights with. */
const keyOfRefusal = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => expect.unreachable(),
    error => error.cause.current,
  )

/** Another write that adds a reservation, and lasts until the returned function is called. */
function addSlowly(app: TestApp, feedId: string, nights: { start: string; end: string }) {
  let isFinished = false
  void app.deps.writeInParts(function* () {
    while (!isFinished) yield
  })
  const added = makeEvent(app, feedId, nights)
  return () => {
    isFinished = true
    return added
  }
}

const overridesOf = ({ deps }: TestApp, id: string) =>
  deps.db
    .select({ actorId: events.actorId, detail: events.detail })
    .from(events)
    .where(and(eq(events.kind, 'calendar.overridden'), eq(events.subjectId, id)))
    .all()
const conflictsOf = ({ deps }: TestApp) => deps.db.select().from(calendarConflicts).all()
const openConflicts = async (app: TestApp, admin: SignedIn) =>
  (await app.as(admin).calendars.overview()).conflicts
const conflictMails = ({ deps }: TestApp) =>
  deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-double-booking')).all().length

const june = { startDate: '2026-06-01', endDate: '2026-06-15' }

/** Each way to book imported nights: Airbnb's June 5 to June 8. */
const ways: [string, (at: Awaited<ReturnType<typeof withReservation>>) => Promise<Booker>][] = [
  ['approving', async ({ asOwner, id }) => status(asOwner, id, 'approved')],
  ['completing', async ({ asOwner, id }) => status(asOwner, id, 'completed')],
  [
    'approving what was declined',
    async ({ asOwner, id }) => {
      await asOwner.adminSetStatus({ id, status: 'rejected' })
      return status(asOwner, id, 'approved')
    },
  ],
  [
    'moving a booking',
    async ({ booking, asOwner }) => {
      const { id } = await booking('2026-06-20', '2026-06-25')
      const edit = dates('2026-06-04', '2026-06-09')
      return async overrideCalendar => {
        await asOwner.adminEdit({ id, ...edit, overrideCalendar })
        return id
      }
    },
  ],
  [
    'making a booking longer',
    async ({ booking, asOwner }) => {
      const { id } = await booking('2026-06-08', '2026-06-12')
      return async overrideCalendar => {
        await asOwner.adminEdit({ id, requestedStartDate: '2026-06-05', overrideCalendar })
        return id
      }
    },
  ],
  [
    'generating a lease',
    async ({ admin, app, booking }) => {
      const { id } = await booking('2026-06-20', '2026-06-25')
      const terms = { leaseStartDate: '2026-06-01', leaseEndDate: '2026-06-25', rentalAmount: 2000 }
      return async overrideCalendar => {
        await app.as(admin).leases.generate({ applicationId: id, ...terms, overrideCalendar })
        return id
      }
    },
  ],
  [
    'entering a booking with its lease',
    async ({ admin, app }) => entering(app, admin, { generateLease: true }),
  ],
  [
    'entering a booking without lease',
    async ({ admin, app }) => entering(app, admin, { generateLease: false }),
  ],
]

/** Books the stay and returns the application's id. */
type Booker = (overrideCalendar?: boolean | string) => Promise<string>

function status(
  asOwner: Awaited<ReturnType<typeof openApp>>['asOwner'],
  id: string,
  status: 'approved' | 'completed',
): Booker {
  return async overrideCalendar => {
    await asOwner.adminSetStatus({ id, status, overrideCalendar })
    return id
  }
}

function entering(app: TestApp, admin: SignedIn, { generateLease }: { generateLease: boolean }): Booker {
  const entry = { startDate: '2026-06-04', endDate: '2026-06-11', generateLease }
  return async overrideCalendar =>
    (await app.as(admin).manualBookings.create(buildEntry({ ...entry, overrideCalendar }))).application.id
}

describe('nights that are taken on another platform', () => {
  test.each(ways)(
    'block %s unless the owner overrides, which the audit log records [CAL-38, CAL-44]',
    async (_, prepare) => {
      const opened = await withReservation()
      const { admin, app, eventId } = opened
      const book = await prepare(opened)
      const before = app.deps.db.select().from(events).all()
      for (const overrideCalendar of [undefined, false])
        await expect(book(overrideCalendar)).rejects.toMatchObject(taken())
      expect(app.deps.db.select().from(events).all()).toEqual(before)
      const id = await book(true)
      const shared = '2026-06-05 to 2026-06-08'
      expect(overridesOf(app, id)).toEqual([
        { actorId: admin.userId, detail: { feeds: 'Airbnb', nights: shared } },
      ])
      expect(conflictsOf(app)).toMatchObject([
        { eventId, applicationId: id, acknowledgedAt: '2026-03-04T17:00:00.000Z', resolvedAt: null },
      ])
      expect(conflictMails(app)).toBe(0)
    },
  )

  test.each(ways)(
    'are asked about again before %s if others are taken than were shown [FIX-41, CAL-38]',
    async (_, prepare) => {
      const opened = await withReservation()
      const { app, eventId } = opened
      const vrbo = await makeFeed(app, { name: 'Vrbo' })
      const book = await prepare(opened)
      const key = await keyOfRefusal(book())
      const otherId = await makeEvent(app, vrbo, stay('2026-06-05', '2026-06-08'), { kind: 'unclear' })
      const both =
        'Taken on Airbnb and Vrbo: Jun 5, 2026 to Jun 8, 2026. Book all the same only if you have cleared it there.'
      await expect(book(key)).rejects.toMatchObject(taken(both))
      expect(conflictsOf(app)).toEqual([])
      const id = await book(await keyOfRefusal(book(key)))
      const acknowledged = conflictsOf(app).filter(conflict => conflict.acknowledgedAt !== null)
      expect(acknowledged.map(conflict => conflict.applicationId)).toEqual([id, id])
      expect(acknowledged.map(conflict => conflict.eventId).sort()).toEqual([eventId, otherId].sort())
    },
  )

  test.each(ways)(
    'that a reading finds after the request are not booked by %s with a bare override [FIX-41]',
    async (_, prepare) => {
      const opened = await withReservation()
      const { app } = opened
      const vrbo = await makeFeed(app, { name: 'Vrbo' })
      const book = await prepare(opened)
      const finish = addSlowly(app, vrbo, stay('2026-06-05', '2026-06-06'))
      const refused = expect(book(true)).rejects.toThrow('Taken on Airbnb and Vrbo')
      await sleep(50)
      await finish()
      await refused
      expect(conflictsOf(app)).toEqual([])
      await book(true)
    },
  )

  test('are asked about again if an event grew or is another, but not if it grew elsewhere [FIX-41]', async () => {
    const { app, asOwner, eventId, id } = await withReservation()
    const approve = (overrideCalendar?: string) =>
      asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar })
    const change = (values: Partial<typeof calendarEvents.$inferSelect>) =>
      app.deps.write(tx => tx.update(calendarEvents).set(values).where(eq(calendarEvents.id, eventId)).run())
    const first = await keyOfRefusal(approve())
    await change({ end: '2026-06-09' })
    const second = await keyOfRefusal(approve(first))
    await change({ end: '2026-06-08', kind: 'block' })
    const third = await keyOfRefusal(approve(second))
    expect(new Set([first, second, third]).size).toBe(3)
    await change({ uid: 'another' })
    const fourth = await keyOfRefusal(approve(third))
    await change({ end: '2026-06-10' })
    const last = await keyOfRefusal(approve(fourth))
    await change({ end: '2026-07-10' })
    expect(await approve(last)).toMatchObject({ application: { status: 'approved' } })
  })

  test('are accepted one by one: an earlier event on nights that the booking has is still told [FIX-41, CAL-42]', async () => {
    const { admin, app, asOwner, booking, eventId } = await withReservation()
    const { id } = await booking('2026-06-08', '2026-06-12')
    const { eventId: unread } = await addFeedEvent(app, stay('2026-06-10', '2026-06-11'))
    await asOwner.adminEdit({ id, requestedStartDate: '2026-06-05', overrideCalendar: true })
    const conflicts = await openConflicts(app, admin)
    expect(conflicts.map(({ acknowledgedAt, ...of }) => [of.eventId, acknowledgedAt !== null])).toEqual([
      [eventId, true],
      [unread, false],
    ])
    expect(conflictMails(app)).toBe(1)
  })

  test('do not block nights that the application already has, on completing, moving or generating [CAL-38]', async () => {
    const { admin, app, asOwner, id } = await withReservation()
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    await asOwner.adminEdit({ id, ...dates('2026-06-02', '2026-06-10') })
    await asOwner.adminEdit({ id, requestedEndDate: '2026-06-07' })
    const longer = asOwner.adminEdit({ id, requestedEndDate: '2026-06-09' })
    await expect(longer).rejects.toMatchObject(
      taken(
        'Taken on Airbnb: Jun 7, 2026 to Jun 8, 2026. Book all the same only if you have cleared it there.',
      ),
    )
    await app.as(admin).leases.generate({ applicationId: id, leaseStartDate: '2026-06-01' })
    await asOwner.adminEdit({ id, notes: 'Called' })
    await asOwner.adminSetStatus({ id, status: 'completed' })
    await asOwner.adminSetStatus({ id, status: 'approved' })
    expect(overridesOf(app, id)).toHaveLength(1)
  })

  test('are listed in one message for all calendars, with at most six runs [CAL-38]', async () => {
    const { app, asOwner, id, pending } = await withReservation()
    const vrbo = await makeFeed(app, { name: 'Vrbo' })
    await makeEvent(app, vrbo, stay('2026-06-07', '2026-06-09'), { kind: 'block' })
    await makeEvent(app, vrbo, stay('2026-05-20', '2026-06-02'), { kind: 'unclear' })
    await expect(asOwner.adminSetStatus({ id, status: 'approved' })).rejects.toMatchObject(
      taken(
        'Taken on Vrbo and Airbnb: Jun 1, 2026 to Jun 2, 2026; Jun 5, 2026 to Jun 9, 2026. Book all the same only if you have cleared it there.',
      ),
    )
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    expect(overridesOf(app, id)[0]?.detail).toEqual({
      feeds: 'Vrbo and Airbnb',
      nights: '2026-06-01 to 2026-06-02; 2026-06-05 to 2026-06-09',
    })
    const long = await pending('2027-01-01', '2027-02-01')
    for (const day of ['02', '04', '06', '08', '10', '12', '14'])
      await makeEvent(
        app,
        vrbo,
        stay(`2027-01-${day}`, `2027-01-${String(Number(day) + 1).padStart(2, '0')}`),
      )
    await expect(asOwner.adminSetStatus({ id: long.id, status: 'approved' })).rejects.toThrow(
      /Jan 12, 2027 to Jan 13, 2027 and more\. Book/,
    )
  })

  test('do not block edits of a pending or declined application [CAL-38]', async () => {
    const { app, asOwner, id } = await withReservation()
    await asOwner.adminEdit({ id, ...dates('2026-06-04', '2026-06-07') })
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    await asOwner.adminEdit({ id, ...dates('2026-06-05', '2026-06-08') })
    expect(conflictsOf(app)).toEqual([])
    expect(overridesOf(app, id)).toEqual([])
  })

  test('can be booked if the event was released, has ended or is an echo [CAL-35, CAL-47]', async () => {
    for (const change of [{ releasedAt: '2026-03-01' }, { endedAt: '2026-03-01' }, { echo: true }]) {
      const { app, asOwner, eventId, id } = await withReservation()
      await app.deps.write(tx =>
        tx.update(calendarEvents).set(change).where(eq(calendarEvents.id, eventId)).run(),
      )
      expect(await asOwner.adminSetStatus({ id, status: 'approved' })).toMatchObject({
        application: { status: 'approved' },
      })
    }
  })

  test('are checked after overlapping applications, which cannot be overridden [CAL-39]', async () => {
    const { admin, app, booking, asOwner, id } = await withReservation()
    const other = await booking('2026-06-09', '2026-06-12')
    const moved = await booking('2026-06-20', '2026-06-22')
    const refusal = `These dates overlap application ${other.applicationNumber}, which is booked for Jun 9, 2026 to Jun 12, 2026.`
    const entry = buildEntry({ startDate: '2026-06-01', endDate: '2026-06-10' })
    for (const overrideCalendar of [false, true])
      for (const attempt of [
        () => asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar }),
        () => asOwner.adminEdit({ id: moved.id, ...dates('2026-06-01', '2026-06-10'), overrideCalendar }),
        () =>
          app.as(admin).leases.generate({
            applicationId: moved.id,
            leaseStartDate: '2026-06-01',
            overrideCalendar,
          }),
        () => app.as(admin).manualBookings.create({ ...entry, overrideCalendar }),
      ])
        await expect(attempt()).rejects.toMatchObject({
          code: 'CONFLICT',
          message: refusal,
          cause: { fields: undefined },
        })
    expect(conflictsOf(app)).toEqual([])
  })

  test('block each application of a bulk approval, which ignores the override [CAL-39]', async () => {
    const { app, asOwner, id, pending } = await withReservation()
    const free = await pending('2026-07-01', '2026-07-05')
    const change = { ids: [id, free.id], status: 'approved' as const, overrideCalendar: true }
    expect(await asOwner.adminSetStatuses(change)).toEqual({
      results: [
        { id, ok: false, error: takenOnAirbnb },
        { id: free.id, ok: true },
      ],
    })
    expect(overridesOf(app, id)).toEqual([])
  })

  test('are reported as a double booking when deleting a lease moves the booking onto them [CAL-42]', async () => {
    const { admin, app, booking, asOwner, id } = await withReservation()
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    const moved = await booking('2026-06-20', '2026-06-25')
    await app.as(admin).leases.generate({ applicationId: moved.id })
    const { feedId } = await addFeedEvent(app, stay('2026-06-24', '2026-06-25'))
    await app.deps.write(tx => updateConflicts(app.deps, tx))
    expect(conflictMails(app)).toBe(1)
    await app.as(admin).leases.generate({ applicationId: moved.id, leaseEndDate: '2026-06-24' })
    expect(await openConflicts(app, admin)).toEqual([])
    await app.as(admin).leases.adminRemove({ id: moved.id })
    expect(await openConflicts(app, admin)).toMatchObject([
      {
        feedId,
        applicationId: moved.id,
        startDate: '2026-06-24',
        endDate: '2026-06-25',
        acknowledgedAt: null,
      },
    ])
    // One mail per pair of booking and event.
    expect(conflictMails(app)).toBe(1)
  })

  test('are told again when deleting a lease gives an acknowledged double booking more of them [CAL-42]', async () => {
    const { admin, app, booking, asOwner, id } = await withReservation()
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    const shorter = await booking('2026-06-20', '2026-06-30')
    await app.as(admin).leases.generate({ applicationId: shorter.id, leaseEndDate: '2026-06-25' })
    await addFeedEvent(app, stay('2026-06-24', '2026-06-28'))
    await app.deps.write(tx => updateConflicts(app.deps, tx))
    const [conflict] = await openConflicts(app, admin)
    await app.as(admin).calendars.acknowledgeConflict({ id: conflict?.id ?? '', acknowledged: true })
    await app.as(admin).leases.adminRemove({ id: shorter.id })
    expect(await openConflicts(app, admin)).toMatchObject([
      { startDate: '2026-06-24', endDate: '2026-06-28', acknowledgedAt: null },
    ])
  })
})

async function addFeedEvent(app: TestApp, nights: { start: string; end: string }) {
  const feedId = await makeFeed(app, { name: 'Vrbo' })
  return { feedId, eventId: await makeEvent(app, feedId, nights) }
}

describe('a conflict', () => {
  const endings: [
    string,
    (asOwner: Awaited<ReturnType<typeof openApp>>['asOwner'], id: string) => Promise<unknown>,
  ][] = [
    ['declined', (asOwner, id) => asOwner.adminSetStatus({ id, status: 'rejected' })],
    ['declined among others', (asOwner, id) => asOwner.adminSetStatuses({ ids: [id], status: 'rejected' })],
    ['moved away', (asOwner, id) => asOwner.adminEdit({ id, ...dates('2026-07-01', '2026-07-05') })],
    ['deleted', (asOwner, id) => asOwner.adminDelete({ id })],
    ['deleted among others', (asOwner, id) => asOwner.adminDeleteMany({ ids: [id] })],
  ]
  test.each(endings)('is resolved when its booking is %s [CAL-44]', async (_, end) => {
    const { admin, app, asOwner, id } = await withReservation()
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    expect(await openConflicts(app, admin)).toHaveLength(1)
    await end(asOwner, id)
    expect(await openConflicts(app, admin)).toEqual([])
    expect(conflictsOf(app)).toMatchObject([{ resolvedAt: '2026-03-04T17:00:00.000Z' }])
  })

  test('with a new event is reported even if the booking overrode an earlier event [CAL-42, CAL-44]', async () => {
    const { admin, app, asOwner, id } = await withReservation()
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    const { eventId } = await addFeedEvent(app, stay('2026-06-01', '2026-06-02'))
    await app.deps.write(tx => updateConflicts(app.deps, tx))
    expect(await openConflicts(app, admin)).toMatchObject([
      { eventId, acknowledgedAt: null },
      { feedName: 'Airbnb', acknowledgedAt: expect.any(String) },
    ])
    expect(conflictMails(app)).toBe(1)
  })

  test('that was resolved comes back as acknowledged when the owner overrides again [CAL-44]', async () => {
    const { admin, app, asOwner, id } = await withReservation()
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    const [conflict] = await openConflicts(app, admin)
    await app.as(admin).calendars.acknowledgeConflict({ id: conflict?.id ?? '', acknowledged: false })
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    expect(await openConflicts(app, admin)).toMatchObject([{ acknowledgedAt: expect.any(String) }])
    expect(conflictMails(app)).toBe(0)
  })

  test('is not created for a block, although the block takes its nights [CAL-42]', async () => {
    const { app, asOwner, eventId, id } = await withReservation()
    await app.deps.write(tx =>
      tx.update(calendarEvents).set({ kind: 'block' }).where(eq(calendarEvents.id, eventId)).run(),
    )
    await expect(asOwner.adminSetStatus({ id, status: 'approved' })).rejects.toMatchObject(taken())
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: true })
    expect(conflictsOf(app)).toEqual([])
    expect(overridesOf(app, id)).toHaveLength(1)
  })
})

describe('an import', () => {
  const rows = [
    buildRow({ start_date: '2026-06-01', end_date: '2026-06-06', email: 'one@guest.example' }),
    buildRow({ start_date: '2026-06-07', end_date: '2026-06-09', email: 'two@guest.example' }),
    buildRow({ start_date: '2026-07-01', end_date: '2026-07-09', email: 'three@guest.example' }),
  ]
  const csv = buildCsv(rows)
  const sentence = (nights: string) =>
    `Taken on Airbnb: ${nights}. Book all the same only if you have cleared it there.`

  test('reports the rows whose nights are taken, and imports no rows [CAL-38]', async () => {
    const { admin, app } = await withReservation()
    const { manualBookings: entry } = app.as(admin)
    const dryRun = await entry.import({ csv, dryRun: true })
    expect(dryRun.rows.map(({ errors }) => errors)).toEqual([
      [{ column: 'start_date', message: sentence('Jun 5, 2026 to Jun 6, 2026') }],
      [{ column: 'start_date', message: sentence('Jun 7, 2026 to Jun 8, 2026') }],
      [],
    ])
    await expect(entry.import({ csv, dryRun: false })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { fields: { 'rows.2.start_date': sentence('Jun 5, 2026 to Jun 6, 2026') } },
    })
    expect(conflictsOf(app)).toEqual([])
  })

  test('imports all rows with the override, and stores each conflict as acknowledged [CAL-38, CAL-44]', async () => {
    const { admin, app, eventId } = await withReservation()
    const { manualBookings: entry } = app.as(admin)
    const dryRun = await entry.import({ csv, dryRun: true, overrideCalendar: true })
    expect(dryRun.counts).toEqual({ ready: 3, errors: 0, duplicates: 0 })
    expect(conflictsOf(app)).toEqual([])
    const { imported } = await entry.import({ csv, dryRun: false, overrideCalendar: true })
    expect(imported).toBe(3)
    expect(conflictsOf(app)).toMatchObject([
      { eventId, acknowledgedAt: expect.any(String) },
      { eventId, acknowledgedAt: expect.any(String) },
    ])
    expect(conflictMails(app)).toBe(0)
    const told = app.deps.db.select().from(events).where(eq(events.kind, 'calendar.overridden')).all()
    expect(told.map(({ detail }) => detail)).toEqual([
      { feeds: 'Airbnb', nights: '2026-06-05 to 2026-06-06' },
      { feeds: 'Airbnb', nights: '2026-06-07 to 2026-06-08' },
    ])
  })
})

describe('an import with a confirmed list', () => {
  const csv = buildCsv([
    buildRow({ start_date: '2026-06-01', end_date: '2026-06-06', email: 'one@guest.example' }),
    buildRow({ start_date: '2026-07-01', end_date: '2026-07-09', email: 'two@guest.example' }),
  ])

  test('imports only what the dry run listed, in all rows [FIX-41]', async () => {
    const { admin, app } = await withReservation()
    const { import: send } = app.as(admin).manualBookings
    const { overrideKey = '' } = await send({ csv, dryRun: true })
    const checked = await send({ csv, dryRun: true, overrideCalendar: overrideKey })
    expect(checked).toMatchObject({ counts: { ready: 2 }, overrideKey })
    await addFeedEvent(app, stay('2026-07-01', '2026-07-02'))
    const refusal = { cause: { fields: { 'rows.2.start_date': expect.stringContaining('Taken on Airbnb') } } }
    await expect(send({ csv, dryRun: false, overrideCalendar: overrideKey })).rejects.toMatchObject(refusal)
    const again = await send({ csv, dryRun: true, overrideCalendar: overrideKey })
    expect(again.counts).toEqual({ ready: 0, errors: 2, duplicates: 0 })
    expect(conflictsOf(app)).toEqual([])
    await send({ csv, dryRun: false, overrideCalendar: again.overrideKey })
    expect(conflictsOf(app)).toHaveLength(2)
  })

  test('and a bare override waits for a reading, and is refused what that found [FIX-41]', async () => {
    const { admin, app } = await withReservation()
    const vrbo = await makeFeed(app, { name: 'Vrbo' })
    const { import: send } = app.as(admin).manualBookings
    const finish = addSlowly(app, vrbo, stay('2026-07-01', '2026-07-02'))
    const refused = expect(send({ csv, dryRun: false, overrideCalendar: true })).rejects.toThrow(
      'Nothing was imported: 2 rows have errors.',
    )
    await sleep(50)
    await finish()
    await refused
  })

  test('has no key if no nights are taken [FIX-41]', async () => {
    const { admin, app } = await openApp()
    const answer = await app.as(admin).manualBookings.import({ csv, dryRun: true })
    expect(answer).not.toHaveProperty('overrideKey')
  })
})

describe('the preview of a status', () => {
  test('lists the imported events of the stay with the age of their calendars, until it is booked [CAL-38]', async () => {
    const { app, asOwner, feedId, id } = await withReservation()
    const vrbo = await makeFeed(app, { name: 'Vrbo', lastSuccessAt: null })
    await makeEvent(app, vrbo, stay('2026-06-07', '2026-06-20'), { kind: 'block' })
    const { imported, overrideKey } = await asOwner.adminStatusPreview({ id })
    expect(imported).toStrictEqual([
      {
        feedId,
        feedName: 'Airbnb',
        startDate: '2026-06-05',
        endDate: '2026-06-08',
        lastSuccessAt: '2026-03-04T17:00:00.000Z',
      },
      { feedId: vrbo, feedName: 'Vrbo', startDate: '2026-06-07', endDate: '2026-06-10', lastSuccessAt: null },
    ])
    await asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar: overrideKey })
    const after = await asOwner.adminStatusPreview({ id })
    for (const name of ['imported', 'overrideKey']) expect(after).not.toHaveProperty(name)
  })
})

describe('reading calendars before a booking', () => {
  /** Airbnb's calendar was read 15 minutes ago, when it was empty; now it contains June 5 to June 8, 2026. */
  async function withOldFeed() {
    const host = await calendarHost()
    const opened = await openApp({ FETCH_ALLOW: host.origin })
    const { app, pending } = opened
    const feedId = await makeFeed(app, { url: host.url() })
    host.serveEvents({ start: '2026-06-05', end: '2026-06-08' })
    app.advance(15 * minuteMs)
    return { ...opened, host, feedId, id: (await pending('2026-06-01', '2026-06-10')).id }
  }

  test.each(['approved', 'completed'] as const)(
    'happens before an application becomes %s, if the last reading was 15 minutes ago or more [CAL-40]',
    async status => {
      const { app, asOwner, host, id } = await withOldFeed()
      await expect(asOwner.adminSetStatus({ id, status })).rejects.toMatchObject(taken())
      expect(host.requests).toHaveLength(1)
      app.advance(15 * minuteMs - 1)
      await asOwner.adminSetStatus({ id, status, overrideCalendar: true })
      expect(host.requests).toHaveLength(1)
    },
  )

  test.each([
    ['a booking is entered', ({ admin, app }: Opened) => entering(app, admin, { generateLease: false })()],
    [
      'bookings are imported',
      async ({ admin, app }: Opened) => {
        const csv = buildCsv([buildRow({ start_date: '2026-06-01', end_date: '2026-06-10' })])
        const { rows } = await app.as(admin).manualBookings.import({ csv, dryRun: true })
        throw new Error(rows[0]?.errors[0]?.message)
      },
    ],
    [
      'a booking is moved',
      ({ asOwner, later }: Opened & { later: string }) =>
        asOwner.adminEdit({ id: later, ...dates('2026-06-04', '2026-06-09') }),
    ],
    [
      'a lease moves a booking',
      ({ admin, app, later }: Opened & { later: string }) =>
        app.as(admin).leases.generate({
          applicationId: later,
          leaseStartDate: '2026-06-01',
          leaseEndDate: '2026-06-25',
          rentalAmount: 2000,
        }),
    ],
  ])('happens before %s [CAL-40]', async (_, book) => {
    const opened = await withOldFeed()
    opened.host.serveEvents()
    const { id: later } = await makeBooking(
      opened.app,
      opened.tenant,
      opened.admin,
      dates('2026-06-20', '2026-06-25'),
    )
    opened.app.advance(15 * minuteMs)
    opened.host.serveEvents({ uid: 'new', start: '2026-06-05', end: '2026-06-08' })
    await expect(book({ ...opened, later })).rejects.toThrow('Taken on Airbnb')
  })

  test.each([
    [
      'an offer is made',
      async ({ admin, app }: Opened) =>
        () =>
          app.as(admin).offers.make(buildOffer(june)),
    ],
    [
      'an offer is accepted',
      async ({ admin, app }: Opened) => {
        const { claim } = await app.as(admin).offers.make(buildOffer(june))
        const answer = { token: offerToken(app, claim.id), typedName: 'Anna Miller', totalCents: 200_000 }
        return () => app.as(visitor).offers.acceptByLink({ ...answer, person: offerPerson })
      },
    ],
    [
      'nights are promised',
      async ({ admin, app, booking }: Opened) => {
        const { id: applicationId } = await booking('2026-06-20', '2026-06-25')
        return () => app.as(admin).offers.promise({ applicationId, ...june, rentalAmount: 2000 })
      },
    ],
    [
      'an addendum is made',
      async ({ admin, app, booking }: Opened) => {
        const { id: applicationId } = await booking('2026-06-20', '2026-06-25')
        await app.as(admin).leases.generate({ applicationId, rentalAmount: 2000 })
        await setSigned(app, applicationId, app.deps.clock.now().toISOString())
        const change = { leaseStartDate: '2026-06-05', rentalAmount: 2000 }
        return () => app.as(admin).addenda.make({ applicationId, ...change })
      },
    ],
  ])('happens before %s [CAL-40, CLAIM-19, CHANGE-24]', async (_, prepare) => {
    const opened = await withOldFeed()
    opened.host.serveEvents()
    const book = await prepare(opened)
    opened.app.advance(15 * minuteMs)
    opened.host.serveEvents({ uid: 'new', start: '2026-06-05', end: '2026-06-08' })
    await expect(book()).rejects.toThrow(/Taken on Airbnb|These dates are no longer available/)
  })

  test('does not pass what it finds with a bare override, nor with the key of a shorter list [CAL-40, FIX-41]', async () => {
    const { app, asOwner, id, host } = await withOldFeed()
    const approve = (overrideCalendar: boolean | string) =>
      asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar })
    await expect(approve(true)).rejects.toMatchObject(taken())
    const shown = await keyOfRefusal(approve(false))
    host.serveEvents({ start: '2026-06-05', end: '2026-06-08' }, { start: '2026-06-01', end: '2026-06-02' })
    app.advance(15 * minuteMs)
    await expect(approve(shown)).rejects.toThrow('Taken on Airbnb: Jun 1, 2026 to Jun 2, 2026; Jun 5')
    expect(conflictsOf(app)).toEqual([])
    expect(overridesOf(app, id)).toEqual([])
    await approve(await keyOfRefusal(approve(shown)))
    expect(conflictsOf(app)).toHaveLength(2)
  })

  // The listed one was cleared there, and another guest booked the same nights.
  test.each([
    ['alone in its calendar', []],
    ['beside another that stays', [{ uid: 'stays', start: '2026-09-01', end: '2026-09-03' }]],
  ])('does not pass another reservation of the listed nights, %s [CAL-28, FIX-41]', async (_, others) => {
    const { admin, app, asOwner, feedId, host, id } = await withOldFeed()
    const reserved = (uid: string) => ({ uid, start: '2026-06-05', end: '2026-06-08' })
    const approve = (overrideCalendar: boolean | string) =>
      asOwner.adminSetStatus({ id, status: 'approved', overrideCalendar })
    host.serveEvents(reserved('first'), ...others)
    const listed = await keyOfRefusal(approve(false))
    for (const [override, uid] of [
      [listed, 'second'],
      [true, 'third'],
    ] as const) {
      app.advance(15 * minuteMs)
      host.serveEvents(reserved(uid), ...others)
      await expect(approve(override)).rejects.toMatchObject(taken())
    }
    expect(conflictsOf(app)).toEqual([])
    await approve(true)
    expect(conflictMails(app)).toBe(0)
    host.serveEvents(reserved('fourth'), ...others)
    await app.as(admin).calendars.readNow({ id: feedId })
    expect(await openConflicts(app, admin)).toMatchObject([{ applicationId: id, acknowledgedAt: null }])
    expect(conflictMails(app)).toBe(1)
  })

  test('does not block the booking if it fails, but returns a warning, also for a bulk approval [CAL-40]', async () => {
    const { app, asOwner, host, id, pending } = await withOldFeed()
    await makeFeed(app, { name: 'Vrbo', url: host.url('/vrbo.ics'), lastSuccessAt: null })
    host.serve({ status: 503 }, '/calendar.ics')
    const warnings = ['Airbnb could not be read just now: 127.0.0.1 answered with 503.']
    const { nextStep: _, ...application } = (await asOwner.adminGet({ id })).application
    const updatedAt = app.deps.clock.now().toISOString()
    host.serveEvents()
    expect(await asOwner.adminSetStatus({ id, status: 'approved' })).toStrictEqual({
      application: { ...application, status: 'approved', updatedAt },
      warnings,
    })
    const ids = [
      (await pending('2026-07-01', '2026-07-05')).id,
      (await pending('2026-08-01', '2026-08-05')).id,
    ]
    const asked = host.requests.length
    expect(await asOwner.adminSetStatuses({ ids, status: 'approved' })).toStrictEqual({
      results: ids.map(id => ({ id, ok: true })),
      warnings,
    })
    // Read once before all of them.
    expect(host.requests.length - asked).toBe(1)
  })

  test('does not happen for booked or declined applications, paused calendars or tenants [CAL-40, CAL-12]', async () => {
    const { admin, app, booking, asOwner, host, id, pending, tenant } = await withOldFeed()
    await asOwner.adminStatusPreview({ id })
    await asOwner.adminEdit({ id, requestedEndDate: '2026-06-09' })
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    await asOwner.adminSetStatuses({ ids: [id], status: 'rejected' })
    await app.as(tenant).availability.range({ startDate: '2026-06-01', endDate: '2026-06-30' })
    await pending('2026-09-01', '2026-09-05')
    expect(host.requests).toEqual([])
    const booked = await booking('2026-10-01', '2026-10-05')
    expect(host.requests).toHaveLength(1)
    app.advance(60 * minuteMs)
    await asOwner.adminSetStatus({ id: booked.id, status: 'completed' })
    await asOwner.adminSetStatuses({ ids: [booked.id], status: 'approved' })
    await asOwner.adminDelete({ id: booked.id })
    expect(host.requests).toHaveLength(1)
    for (const { id } of (await app.as(admin).calendars.overview()).feeds)
      await app.as(admin).calendars.editFeed({ id, active: false })
    const last = await pending('2026-11-01', '2026-11-05')
    const answer = await asOwner.adminSetStatus({ id: last.id, status: 'approved' })
    expect(Object.keys(answer)).toEqual(['application'])
    expect(host.requests).toHaveLength(1)
  })
})

test('REST returns the error at its field, and accepts the override [CAL-38]', async () => {
  const { app, id } = await withReservation()
  const { token } = await signUpAdmin(app)
  const put = (path: string, body: object) =>
    call(app, 'PUT', `/api/application/admin/${id}/${path}`, { token, body })
  expect(await put('status', { status: 'approved' })).toMatchObject({
    status: 409,
    body: { error: takenOnAirbnb, fields: { overrideCalendar: takenOnAirbnb } },
  })
  expect(await put('edit', { requestedEndDate: '2026-06-09', overrideCalendar: 'yes' })).toMatchObject({
    status: 400,
    body: { fields: { overrideCalendar: expect.any(String) } },
  })
  expect(await put('status', { status: 'approved', overrideCalendar: 'yes' })).toMatchObject({
    status: 400,
    body: { fields: { overrideCalendar: expect.any(String) } },
  })
  const passed = await put('status', { status: 'approved', overrideCalendar: true })
  expect([passed.status, Object.keys(passed.body)]).toEqual([200, ['application']])
  const feedId = await makeFeed(app, { name: 'Vrbo' })
  await makeEvent(app, feedId, stay('2026-06-10', '2026-06-12'))
  const message =
    'Taken on Vrbo: Jun 10, 2026 to Jun 12, 2026. Book all the same only if you have cleared it there.'
  const refusal = { status: 409, body: { error: message, fields: { overrideCalendar: message } } }
  expect(await put('edit', { requestedEndDate: '2026-06-12' })).toMatchObject(refusal)
  const generate = (body: object) => call(app, 'POST', `/api/lease/generate/${id}`, { token, body })
  expect(await generate({ leaseEndDate: '2026-06-12' })).toMatchObject(refusal)
  const enter = (body: object) =>
    call(app, 'POST', '/api/booking/admin', {
      token,
      body: { ...buildEntry({ startDate: '2026-06-10', endDate: '2026-06-15' }), ...body },
    })
  expect(await enter({})).toMatchObject(refusal)
  expect((await generate({ leaseEndDate: '2026-06-12', overrideCalendar: 1 })).status).toBe(400)
  expect((await generate({ leaseEndDate: '2026-06-11', overrideCalendar: true })).status).toBe(200)
  expect((await put('edit', { requestedEndDate: '2026-06-11', overrideCalendar: true })).status).toBe(200)
})
