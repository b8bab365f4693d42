import { describe, expect, test } from 'vitest'
import { applications } from '../../../db/schema.ts'
import { requireAdmin } from '../../domain/accounts/access.ts'
import type { BookingRulesValues } from '../../domain/bookings/booking-rules-form.ts'
import { calendarSection } from '../../domain/content/settings-section.ts'
import { buildApplication, dates, makeBooking } from '../../testing/build-application.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { testApp, visitor } from '../../testing/test-app.ts'
import { saveSection } from '../site/settings.ts'
import { brokenRules } from './booking-rules.ts'

async function people() {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), requireAdmin(await app.makeAdmin())]
  const { settings: setup } = app.as(admin)
  return {
    app,
    tenant,
    admin,
    guest: app.as(tenant).applications,
    setRules: async (body: BookingRulesValues) =>
      setup.bookingRules.save({ version: (await setup.bookingRules.get()).version, body }),
    setTurnover: (turnoverNights: number) =>
      saveSection(app.deps, admin, calendarSection, { version: 0, body: { turnoverNights } }),
    apply: (start: string, end: string, extra: Parameters<typeof buildApplication>[0] = {}) =>
      app.as(tenant).applications.createAndSubmit(buildApplication({ ...dates(start, end), ...extra })),
  }
}
const refusal = async (attempt: Promise<unknown>) => {
  try {
    await attempt
  } catch (error) {
    const { code, message, cause } = error as { code: string; message: string; cause?: { fields?: object } }
    return { code, message, fields: cause?.fields }
  }
  throw new Error('nothing was refused')
}

describe('submitting', () => {
  test('rejects no stay while no rule is set [RULE-01]', async () => {
    const { app, admin, apply } = await people()
    await app.as(admin).rates.create(buildRate({ minStay: 30, maxStay: 31 }))
    expect((await apply('2026-06-04', '2026-06-05')).application.status).toBe('pending')
  })

  test('returns all broken rules at once as field errors, and stores nothing [RULE-03, RULE-09]', async () => {
    const { app, admin, apply, setRules } = await people()
    await app.as(admin).rates.create(buildRate({ period: 'Summer', minStay: 7, maxStay: 60 }))
    await setRules({
      stayLength: true,
      leadDays: 100,
      windowDays: 200,
      arrivalWeekdays: [5, 6],
      maxGuests: 2,
    })
    const guests = { additionalGuests: [{ firstName: 'Ada', lastName: 'Shore', isAdult: true }] }
    const second = { secondApplicantFirstName: 'Noah', secondApplicantLastName: 'Rivers' }
    expect(await refusal(apply('2026-06-04', '2026-06-06', { ...guests, ...second }))).toEqual({
      code: 'BAD_REQUEST',
      message: 'Please choose an arrival on Jun 12, 2026 or later.',
      fields: {
        requestedStartDate: 'Please choose an arrival on Jun 12, 2026 or later.',
        requestedEndDate: 'The minimum stay in Summer is 7 nights.',
        additionalGuests: 'At most 2 guests can stay.',
      },
    })
    expect((await refusal(apply('2026-06-13', '2026-08-31'))).fields).toEqual({
      requestedEndDate: 'The maximum stay in Summer is 60 nights.',
    })
    expect((await refusal(apply('2026-06-14', '2026-06-21'))).fields).toEqual({
      requestedStartDate: 'Arrivals are possible on Friday and Saturday.',
    })
    expect((await refusal(apply('2026-10-02', '2026-10-21'))).fields).toEqual({
      requestedStartDate: 'Please choose an arrival on Sep 20, 2026 or earlier.',
    })
    expect(app.deps.db.select().from(applications).all()).toEqual([])
    expect((await apply('2026-06-13', '2026-06-20', second)).application.status).toBe('pending')
  })

  test('checks the rules at the time of submission; saving a draft checks none [RULE-03]', async () => {
    const { guest, setRules } = await people()
    const draft = async () =>
      (await guest.create(buildApplication(dates('2026-03-10', '2026-03-20')))).application.id
    const [older, kept] = [await draft(), await draft()]
    await setRules({ leadDays: 30 })
    const newer = await draft()
    for (const id of [older, newer])
      expect(await refusal(guest.submit({ id }))).toEqual({
        code: 'BAD_REQUEST',
        message: 'Please choose an arrival on Apr 3, 2026 or later.',
        fields: { requestedStartDate: 'Please choose an arrival on Apr 3, 2026 or later.' },
      })
    expect((await guest.get({ id: older })).application.status).toBe('draft')
    await setRules({ leadDays: 2 })
    expect((await guest.submit({ id: kept })).application.status).toBe('pending')
    // Already submitted: submitting again changes nothing, even if the rules have changed.
    await setRules({ leadDays: 300 })
    expect((await guest.submit({ id: kept })).application.status).toBe('pending')
  })

  test('checks past dates first, then the rules, then taken nights, by the date at the property [RULE-04, RULE-05, RULE-09]', async () => {
    const { app, tenant, admin, apply, guest, setRules } = await people()
    await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-12'))
    await setRules({ leadDays: 200, windowDays: 200, arrivalWeekdays: [0] })
    expect((await refusal(apply('2026-03-03', '2026-03-20'))).message).toBe(
      'The start date cannot be in the past',
    )
    expect((await refusal(apply('2026-06-05', '2026-06-12'))).message).toBe(
      'Please choose an arrival on Sep 20, 2026 or later.',
    )
    await setRules({})
    expect(await refusal(apply('2026-06-05', '2026-06-12'))).toMatchObject({ code: 'CONFLICT' })
    await setRules({ leadDays: 1, windowDays: 1 })
    // One minute before midnight at the property, and one after: the UTC date is the same.
    app.setNow('2026-04-02T03:59:00.000Z')
    const { application } = await guest.create(buildApplication(dates('2026-04-03', '2026-04-09')))
    expect((await refusal(guest.submit({ id: application.id }))).message).toBe(
      'Please choose an arrival on Apr 2, 2026 or earlier.',
    )
    app.setNow('2026-04-02T04:01:00.000Z')
    expect((await guest.submit({ id: application.id })).application.status).toBe('pending')
  })
})

describe('the owner', () => {
  test('can approve a stay that breaks rules, and gets a warning for each [RULE-11]', async () => {
    const { app, tenant, admin, apply, setRules, setTurnover } = await people()
    const asOwner = app.as(admin)
    await asOwner.rates.create(buildRate({ minStay: 7 }))
    const { application } = await apply('2026-06-04', '2026-06-09')
    const id = application.id
    expect((await asOwner.applications.adminStatusPreview({ id })).warnings).toEqual([])
    await makeBooking(app, tenant, admin, dates('2026-06-10', '2026-06-20'))
    await setRules({ stayLength: true, arrivalWeekdays: [6], windowDays: 30 })
    await setTurnover(3)
    expect((await asOwner.applications.adminStatusPreview({ id })).warnings).toEqual([
      'Please choose an arrival on Apr 3, 2026 or earlier.',
      'Arrivals are possible on Saturday.',
      'The minimum stay in Summer is 7 nights.',
      'These nights are kept free between bookings: Jun 7, 2026 to Jun 8, 2026.',
    ])
    const edited = await asOwner.applications.adminEdit({ id, requestedStartDate: '2026-06-05' })
    expect(edited.application.requestedStartDate).toBe('2026-06-05')
    const approved = await asOwner.applications.adminSetStatus({ id, status: 'approved' })
    expect(approved.application.status).toBe('approved')
    const lease = await asOwner.leases.generate({ applicationId: id, rentalAmount: 2500, depositAmount: 500 })
    expect(lease.leaseAgreement).toContain('June 5, 2026')
    expect(
      brokenRules(app.deps.db, app.deps, { stay: { start: '2026-03-07', end: '2026-03-08' }, people: 9 }),
    ).toEqual([])
  })
})

describe('turnover nights', () => {
  test('before and after each booking are unavailable, and cannot be requested [RULE-10]', async () => {
    const { app, tenant, admin, apply, setTurnover } = await people()
    const first = await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-08'))
    await makeBooking(app, tenant, admin, dates('2026-06-11', '2026-06-12'))
    const asOwner = app.as(admin).availability
    await asOwner.setDates({ dates: ['2026-06-03', '2026-06-04'], isAvailable: false, reason: 'Painting' })
    await asOwner.setDate({ date: '2026-06-08', isAvailable: true })
    const range = { startDate: '2026-06-01', endDate: '2026-06-30' }
    const look = async () =>
      (await app.as(visitor).availability.range(range)).availability.map(
        ({ date, isAvailable, reason }) => `${date.slice(8)} ${isAvailable ? 'free' : 'taken'} ${reason}`,
      )
    const before = await look()
    expect(before.filter(day => day.includes('Turnover'))).toEqual([])
    await setTurnover(2)
    expect(await look()).toEqual([
      '03 taken Turnover',
      '04 taken Turnover',
      '05 taken Booked',
      '06 taken Booked',
      '07 taken Booked',
      '08 taken Turnover',
      '09 taken Turnover',
      '10 taken Turnover',
      '11 taken Booked',
      '12 taken Turnover',
      '13 taken Turnover',
    ])
    // Bookings outside the requested range also have turnover nights in it.
    expect(
      (await app.as(visitor).availability.range({ startDate: '2026-06-13', endDate: '2026-06-13' }))
        .availability,
    ).toEqual([{ date: '2026-06-13', isAvailable: false, reason: 'Turnover' }])
    const seen = await asOwner.adminRange(range)
    expect(seen.availability[0]).toMatchObject({ reason: 'Turnover', applicationId: null })
    expect(seen.bookings[0]).toMatchObject({
      applicationId: first.id,
      start: '2026-06-05',
      end: '2026-06-08',
    })
    const message = 'These dates are no longer available: Jun 12, 2026 to Jun 13, 2026'
    expect(await refusal(apply('2026-06-12', '2026-06-20'))).toEqual({
      code: 'CONFLICT',
      message,
      fields: { requestedStartDate: message },
    })
    expect(await refusal(apply('2026-05-20', '2026-06-04'))).toMatchObject({ code: 'CONFLICT' })
    expect((await apply('2026-06-14', '2026-06-20')).application.status).toBe('pending')
  })

  test('do not bind the owner, and are off when set to 0 [RULE-10, RULE-11]', async () => {
    const { app, tenant, admin, apply, setTurnover } = await people()
    await makeBooking(app, tenant, admin, dates('2026-06-05', '2026-06-08'))
    const { application } = await apply('2026-06-08', '2026-06-12')
    await setTurnover(1)
    const { status } = (
      await app.as(admin).applications.adminSetStatus({ id: application.id, status: 'approved' })
    ).application
    expect(status).toBe('approved')
    await saveSection(app.deps, admin, calendarSection, { version: 1, body: { turnoverNights: 0 } })
    expect((await apply('2026-06-12', '2026-06-13')).application.status).toBe('pending')
  })
})

test('everybody can read the rules, which are cached until they are saved [RULE-12]', async () => {
  const { app, setRules, setTurnover } = await people()
  const none = { stayLength: false, leadDays: null, windowDays: null, arrivalWeekdays: null, maxGuests: null }
  const read = async () => {
    const { statusCode, body } = await app.http.inject('/api/booking/rules')
    return [statusCode, JSON.parse(body)]
  }
  expect(await read()).toEqual([200, { rules: { ...none, turnoverNights: 0 } }])
  await setRules({ leadDays: 3, arrivalWeekdays: [6] })
  await setTurnover(1)
  const set = { ...none, leadDays: 3, arrivalWeekdays: [6], turnoverNights: 1 }
  expect(await read()).toEqual([200, { rules: set }])
  expect(await app.as(visitor).bookings.rules()).toEqual({ rules: set })
})
