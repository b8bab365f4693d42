import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { calendarEvents, availability as table } from '../../../db/schema.ts'
import { addDays } from '../../domain/common/dates.ts'
import { buildApplication, dates, makeBooking, makePending } from '../../testing/build-application.ts'
import { makeEvent, makeFeed } from '../../testing/build-calendar.ts'
import { testApp, visitor } from '../../testing/test-app.ts'

async function openApp() {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const asOwner = app.as(admin).availability
  const look = async (startDate: string, endDate: string) =>
    (await app.as(visitor).availability.range({ startDate, endDate })).availability
  const lookAsOwner = async (startDate: string, endDate: string) =>
    (await asOwner.adminRange({ startDate, endDate })).availability
  return { app, tenant, admin, asOwner, look, lookAsOwner }
}
const stay = (start: string, end: string) => ({ start, end })
const booked = (date: string) => ({ date, isAvailable: false, reason: 'Booked' })
const nobody = { applicationId: null, applicationNumber: null }

describe('imported nights', () => {
  test('show as booked to everybody; only the owner sees their calendar [CAL-36, CAL-01]', async () => {
    const { admin, app, asOwner, look, lookAsOwner, tenant } = await openApp()
    const feedId = await makeFeed(app, { name: 'Secret platform' })
    const booking = await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-06'))
    await asOwner.setDates({
      dates: ['2026-06-02', '2026-06-08'],
      isAvailable: false,
      reason: 'Painting',
    })
    await makeEvent(app, feedId, stay('2026-06-02', '2026-06-04'))
    await makeEvent(app, feedId, stay('2026-06-05', '2026-06-07'), { kind: 'block' })
    const entries = await look('2026-06-01', '2026-06-09')
    expect(entries).toEqual([
      booked('2026-06-02'),
      booked('2026-06-03'),
      booked('2026-06-05'),
      booked('2026-06-06'),
      { date: '2026-06-08', isAvailable: false, reason: 'Painting' },
    ])
    const feed = { feedId, feedName: 'Secret platform' }
    expect(await lookAsOwner('2026-06-01', '2026-06-09')).toStrictEqual([
      { ...booked('2026-06-02'), ...nobody, ...feed },
      { ...booked('2026-06-03'), ...nobody, ...feed },
      { ...booked('2026-06-05'), applicationId: booking.id, applicationNumber: booking.applicationNumber },
      { ...booked('2026-06-06'), ...nobody, ...feed },
      { date: '2026-06-08', isAvailable: false, reason: 'Painting', ...nobody },
    ])
    for (const actor of [tenant, visitor]) {
      const seen = await app.as(actor).availability.range({ startDate: '2026-06-01', endDate: '2026-06-30' })
      expect(JSON.stringify(seen)).not.toMatch(/Secret|feed|calendars\.example/)
    }
  })

  test('exclude released events, ended events and echoes, and nights more than 1,096 days ahead [CAL-35, CAL-36, CAL-47, CAL-25]', async () => {
    const { app, look } = await openApp()
    const feedId = await makeFeed(app)
    const at = '2026-03-01T12:00:00.000Z'
    await makeEvent(app, feedId, stay('2026-06-02', '2026-06-04'), { releasedAt: at })
    await makeEvent(app, feedId, stay('2026-06-03', '2026-06-05'), { endedAt: at })
    await makeEvent(app, feedId, stay('2026-06-04', '2026-06-06'), { kind: 'unclear', echo: true })
    await makeEvent(app, feedId, stay('2026-06-06', '2026-06-07'), { missingSince: at, misses: 2 })
    expect(await look('2026-06-01', '2026-06-30')).toEqual([booked('2026-06-06')])
    const last = addDays('2026-03-04', 1096)
    await makeEvent(app, feedId, stay(addDays(last, -1), addDays(last, 3)))
    expect(await look(addDays(last, -5), addDays(last, 5))).toEqual([booked(addDays(last, -1)), booked(last)])
  })

  test('cannot be requested; the error is the same as for a booking and names no platform [CAL-37]', async () => {
    const { app, look, tenant } = await openApp()
    const { application: draft } = await app
      .as(tenant)
      .applications.create(buildApplication(dates('2026-06-01', '2026-06-10')))
    const feedId = await makeFeed(app, { name: 'Secret platform' })
    const eventId = await makeEvent(app, feedId, stay('2026-06-08', '2026-06-12'), { kind: 'block' })
    expect(await look('2026-06-08', '2026-06-08')).toEqual([booked('2026-06-08')])
    const message = 'These dates are no longer available: Jun 8, 2026 to Jun 9, 2026'
    for (const attempt of [
      () => app.as(tenant).applications.submit({ id: draft.id }),
      () => makePending(app, tenant, dates('2026-06-01', '2026-06-10')),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'CONFLICT',
        message,
        cause: { fields: { requestedStartDate: message } },
      })
    await makePending(app, tenant, dates('2026-06-12', '2026-06-20'))
    await app.deps.write(tx =>
      tx
        .update(calendarEvents)
        .set({ releasedAt: '2026-03-04T17:00:00.000Z' })
        .where(eq(calendarEvents.id, eventId))
        .run(),
    )
    expect(await app.as(tenant).applications.submit({ id: draft.id })).toMatchObject({
      application: { status: 'pending' },
    })
  })

  test('cannot be freed by hand, alone or in a batch (which then changes nothing), but can be blocked [CAL-41]', async () => {
    const { admin, app, asOwner, tenant } = await openApp()
    const [airbnb, vrbo] = [await makeFeed(app), await makeFeed(app, { name: 'Vrbo' })]
    await makeEvent(app, airbnb, stay('2026-06-02', '2026-06-05'))
    await makeEvent(app, vrbo, stay('2026-06-04', '2026-06-07'), { kind: 'block' })
    const free = (...dates: string[]) => asOwner.setDates({ dates, isAvailable: true })
    const refusal = (message: string) => ({ code: 'CONFLICT', message })
    await expect(asOwner.setDate({ date: '2026-06-03', isAvailable: true })).rejects.toMatchObject(
      refusal(
        'Taken on Airbnb: Jun 3, 2026 to Jun 4, 2026. You can free these nights under Other platforms.',
      ),
    )
    await expect(free('2026-06-06', '2026-06-01', '2026-06-02', '2026-06-04')).rejects.toMatchObject(
      refusal(
        'Taken on Airbnb and Vrbo: Jun 2, 2026 to Jun 3, 2026; Jun 4, 2026 to Jun 5, 2026; Jun 6, 2026 to Jun 7, 2026. You can free these nights under Other platforms.',
      ),
    )
    expect(app.deps.db.select().from(table).all()).toEqual([])
    const { applicationNumber } = await makeBooking(app, tenant, admin, dates('2026-06-10', '2026-06-12'))
    await expect(free('2026-06-03', '2026-06-10')).rejects.toThrow(`Booked by ${applicationNumber}`)
    expect(await asOwner.setDates({ dates: ['2026-06-03', '2026-06-07'], isAvailable: false })).toEqual({
      updated: 2,
    })
    expect(await free('2026-06-01', '2026-06-07')).toEqual({ updated: 2 })
  })
})

describe('turnover', () => {
  async function openWithTurnover(turnoverNights: number) {
    const opened = await openApp()
    const body = { turnoverNights }
    await opened.app.as(opened.admin).settings.calendar.save({ version: 0, body })
    return opened
  }
  const turnover = (date: string) => ({ date, isAvailable: false, reason: 'Turnover' })

  test('keeps nights free around imported events except blocks; nights of any event are booked [CAL-49]', async () => {
    const { app, look, lookAsOwner } = await openWithTurnover(2)
    const feedId = await makeFeed(app)
    await makeEvent(app, feedId, stay('2026-06-10', '2026-06-12'))
    await makeEvent(app, feedId, stay('2026-06-13', '2026-06-14'), { kind: 'block' })
    await makeEvent(app, feedId, stay('2026-06-20', '2026-06-21'), { kind: 'unclear' })
    await makeEvent(app, feedId, stay('2026-06-25', '2026-06-26'), { kind: 'unclear', echo: true })
    const expected = [
      turnover('2026-06-08'),
      turnover('2026-06-09'),
      booked('2026-06-10'),
      booked('2026-06-11'),
      turnover('2026-06-12'),
      booked('2026-06-13'),
      turnover('2026-06-18'),
      turnover('2026-06-19'),
      booked('2026-06-20'),
      turnover('2026-06-21'),
      turnover('2026-06-22'),
    ]
    expect(await look('2026-06-01', '2026-06-30')).toEqual(expected)
    // Also when the event itself is outside the requested range.
    expect(await look('2026-06-12', '2026-06-12')).toEqual([turnover('2026-06-12')])
    const ofOwner = await lookAsOwner('2026-06-12', '2026-06-13')
    expect(ofOwner).toStrictEqual([
      { ...turnover('2026-06-12'), ...nobody },
      { ...booked('2026-06-13'), ...nobody, feedId, feedName: 'Airbnb' },
    ])
  })

  test('is rejected on submit but not on approval, where the owner gets a warning [CAL-49, RULE-10]', async () => {
    const { admin, app, tenant } = await openWithTurnover(1)
    const { id } = await makePending(app, tenant, dates('2026-06-12', '2026-06-20'))
    const feedId = await makeFeed(app)
    await makeEvent(app, feedId, stay('2026-06-10', '2026-06-12'))
    await expect(makePending(app, tenant, dates('2026-06-12', '2026-06-20'))).rejects.toThrow(
      'These dates are no longer available: Jun 12, 2026',
    )
    const preview = await app.as(admin).applications.adminStatusPreview({ id })
    expect(preview).not.toHaveProperty('imported')
    expect(preview.warnings).toEqual(['These nights are kept free between bookings: Jun 12, 2026.'])
    const answer = await app.as(admin).applications.adminSetStatus({ id, status: 'approved' })
    expect(answer.application.status).toBe('approved')
    // A night that a block takes is no turnover night.
    await makeEvent(app, feedId, stay('2026-06-12', '2026-06-13'), { kind: 'block' })
    expect((await app.as(admin).applications.adminStatusPreview({ id })).warnings).toEqual([])
  })
})
