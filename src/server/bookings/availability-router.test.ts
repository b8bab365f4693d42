import { describe, expect, test, vi } from 'vitest'
import { availability as table } from '../../../db/schema.ts'
import { addDays } from '../../domain/common/dates.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { testApp, visitor } from '../../testing/test-app.ts'

async function people() {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  return { app, tenant, admin, asOwner: app.as(admin).availability }
}
const range = (startDate: string, endDate: string) => ({ startDate, endDate })

describe('the public calendar', () => {
  test('lists days with a record or a booking, both ends inclusive; the departure day is free [HOME-16, HOME-18, REST-12]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-08'))
    await asOwner.setDates({
      dates: ['2026-06-01', '2026-06-06', '2026-06-10'],
      isAvailable: false,
      reason: ' Painting ',
    })
    await asOwner.setDate({ date: '2026-06-03', isAvailable: true })
    const look = async (start: string, end: string) =>
      (await app.as(visitor).availability.range(range(start, end))).availability
    expect(await look('2026-06-01', '2026-06-10')).toEqual([
      { date: '2026-06-01', isAvailable: false, reason: 'Painting' },
      { date: '2026-06-03', isAvailable: true, reason: 'Available' },
      { date: '2026-06-05', isAvailable: false, reason: 'Booked' },
      { date: '2026-06-06', isAvailable: false, reason: 'Booked' },
      { date: '2026-06-07', isAvailable: false, reason: 'Booked' },
      { date: '2026-06-10', isAvailable: false, reason: 'Painting' },
    ])
    expect(await look('2026-06-07', '2026-06-07')).toHaveLength(1)
    expect(await look('2026-06-08', '2026-06-09')).toEqual([])
    expect(await look('2026-06-06T22:30:00.000-04:00', '2026-06-09T23:59:59.999Z')).toEqual(
      await look('2026-06-07', '2026-06-09'),
    )
  })

  test('reveals nothing about the tenant; the owner sees whose booking it is [HOME-19]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const booking = await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-06'))
    const seen = JSON.stringify(await app.as(tenant).availability.range(range('2026-06-01', '2026-06-30')))
    for (const secret of [booking.id, booking.applicationNumber, tenant.userId, 'Maya', 'Rivers', '@'])
      expect(seen).not.toContain(secret)
    expect((await asOwner.adminRange(range('2026-06-01', '2026-06-30'))).availability).toEqual([
      {
        date: '2026-06-05',
        isAvailable: false,
        reason: 'Booked',
        applicationId: booking.id,
        applicationNumber: booking.applicationNumber,
      },
    ])
  })

  test('returns full stays with the guest’s name to the owner, and no names to others [LOOK-04]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const stays = [dates('2026-05-20', '2026-06-02'), dates('2026-06-29', '2026-08-01')]
    const booked: unknown[] = []
    for (const stay of stays) {
      const { id, applicationNumber } = await makeBooking(app, tenant, admin, stay)
      booked.push({
        applicationId: id,
        applicationNumber,
        firstName: 'Maya',
        lastName: 'Rivers',
        start: stay.requestedStartDate,
        end: stay.requestedEndDate,
      })
    }
    await makeBooking(app, tenant, admin, dates('2026-08-01', '2026-08-04'))
    const { availability, bookings } = await asOwner.adminRange(range('2026-06-01', '2026-07-31'))
    expect(bookings).toEqual(booked)
    expect(availability.map(({ date }) => date).filter(date => date < '2026-06-29')).toEqual(['2026-06-01'])
    for (const actor of [tenant, visitor]) {
      const seen = await app.as(actor).availability.range(range('2026-06-01', '2026-07-31'))
      expect(Object.keys(seen)).toEqual(['availability'])
      expect(JSON.stringify(seen)).not.toMatch(/Maya|Rivers/)
    }
  })

  test('rejects a range over 800 days, a reversed range and invalid dates', async () => {
    const { app } = await people()
    const look = (start: string, end: string) => app.as(visitor).availability.range(range(start, end))
    await look('2026-01-01', addDays('2026-01-01', 800))
    for (const [start, end] of [
      ['2026-01-01', addDays('2026-01-01', 801)],
      ['2026-01-02', '2026-01-01'],
      ['2026-02-30', '2026-03-01'],
      ['yesterday', '2026-03-01'],
      ['2026-01-01', '2026-01-01T25:00:00Z'],
    ] as const)
      await expect(look(start, end)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe("the owner's calendar", () => {
  test('cannot change past days, by the date at the property [AVAIL-09, CONST-03]', async () => {
    const { app, asOwner } = await people()
    app.setNow('2026-06-02T03:59:00.000Z')
    await asOwner.setDate({ date: '2026-06-01', isAvailable: false })
    app.setNow('2026-06-02T04:00:00.000Z')
    const attempt = asOwner.setDates({ dates: ['2026-06-01', '2026-06-05'], isAvailable: true })
    await expect(attempt).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Past dates cannot be changed.',
    })
    expect(app.deps.db.select().from(table).all()).toMatchObject([{ date: '2026-06-01', isAvailable: false }])
  })

  test('cannot free a booked night, alone or in a batch (which then changes nothing), but can block it [AVAIL-25]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const booking = await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-08'))
    const many = ['2026-06-04', '2026-06-07', '2026-06-08']
    for (const attempt of [
      () => asOwner.setDate({ date: '2026-06-07', isAvailable: true }),
      () => asOwner.setDates({ dates: many, isAvailable: true }),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `Booked by ${booking.applicationNumber}: Jun 7, 2026. Decline, move or delete the application to free its nights.`,
      })
    expect(app.deps.db.select().from(table).all()).toEqual([])
    expect(await asOwner.setDates({ dates: many, isAvailable: false })).toEqual({ updated: 3 })
    await app.as(admin).applications.adminDelete({ id: booking.id })
    const { availability } = await app.as(visitor).availability.range(range('2026-06-05', '2026-06-07'))
    expect(availability).toEqual([{ date: '2026-06-07', isAvailable: false, reason: 'Unavailable' }])
  })

  test('a night in the next centuries cannot be blocked, but one that is blocked can be freed, without a walk over all nights before it [FIX-19]', async () => {
    const { app, asOwner } = await people()
    const [near, far] = ['2026-06-05', '9999-12-31']
    for (const attempt of [
      () => asOwner.setDate({ date: far, isAvailable: false }),
      () => asOwner.setDates({ dates: [near, '2200-01-01'], isAvailable: false }),
    ])
      await expect(attempt()).rejects.toThrow('Please enter a date of Dec 31, 2199 or earlier')
    expect(await asOwner.setDates({ dates: [near, '2199-12-31'], isAvailable: false })).toEqual({
      updated: 2,
    })
    const updatedAt = '2026-03-01T00:00:00.000Z'
    await app.deps.write(tx =>
      tx.insert(table).values({ date: far, isAvailable: false, reason: '', updatedAt }).run(),
    )
    const written = vi.spyOn(Date.prototype, 'toISOString')
    expect(await asOwner.setDates({ dates: [near, far], isAvailable: true })).toEqual({ updated: 2 })
    expect(written.mock.calls.length).toBeLessThan(1000)
    written.mockRestore()
    await asOwner.setDate({ date: far, isAvailable: true })
    expect((await asOwner.adminRange(range('9999-12-01', far))).availability).toMatchObject([
      { date: far, isAvailable: true },
    ])
  })

  test('accepts 1 to 366 dates and counts each once, and a reason of up to 200 characters with a default', async () => {
    const { asOwner } = await people()
    const year = Array.from({ length: 367 }, (_, day) => addDays('2026-04-01', day))
    await expect(asOwner.setDates({ dates: [], isAvailable: true })).rejects.toThrow(
      'Please select dates to update',
    )
    await expect(asOwner.setDates({ dates: year, isAvailable: true })).rejects.toThrow('at most 366 dates')
    expect(await asOwner.setDates({ dates: [...year.slice(2), '2026-04-05'], isAvailable: false })).toEqual({
      updated: 365,
    })
    await expect(
      asOwner.setDate({ date: '2026-04-05', isAvailable: false, reason: 'x'.repeat(201) }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const set = async (isAvailable: boolean, reason?: string | null) =>
      (await asOwner.setDate({ date: '2026-04-05', isAvailable, reason })).availability.reason
    expect([
      await set(true),
      await set(false, ' '),
      await set(false, null),
      await set(false, 'Pipes'),
    ]).toEqual(['Available', 'Unavailable', 'Unavailable', 'Pipes'])
  })
})
