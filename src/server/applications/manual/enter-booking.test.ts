import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { applications, charges, outbox, payments, users } from '../../../../db/schema.ts'
import { bookingEntryFor } from '../../../domain/bookings/booking-entry.ts'
import { call, signUp, signUpAdmin } from '../../../testing/build-account.ts'
import { dates, makeBooking, makePending } from '../../../testing/build-application.ts'
import { buildEntry, invitationTokens } from '../../../testing/build-entry.ts'
import { proveMailbox } from '../../../testing/build-factor.ts'
import { type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'

const rowsOf = (app: TestApp) => ({
  users: app.deps.db.select().from(users).all().length,
  applications: app.deps.db.select().from(applications).all().length,
  payments: app.deps.db.select().from(payments).all().length,
  charges: app.deps.db.select().from(charges).all().length,
  mails: app.deps.db.select().from(outbox).all().length,
})
const mailsOf = (app: TestApp) =>
  app.deps.db
    .select()
    .from(outbox)
    .all()
    .map(({ kind, toAddress }) => [kind, toAddress])

async function openApp() {
  const app = await testApp()
  const owner = await app.makeAdmin()
  return { app, owner, entry: app.as(owner).manualBookings }
}

describe('entering a booking', () => {
  test('creates account, application, lease, payments and one mail [OWN-01, OWN-02, OWN-07, OWN-08, OWN-11]', async () => {
    const { app, entry } = await openApp()
    const { application, warnings } = await entry.create(
      buildEntry({
        phone: '850-555-0142',
        address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
        additionalGuests: [{ firstName: 'Lee', lastName: 'Reyes' }],
        rentalAmount: 2000,
        depositAmount: 400,
        payments: [
          { amount: 400_00, paymentType: 'deposit', paymentDate: '2026-02-01', checkNumber: '7' },
          { amount: 100_00, paymentType: 'rent' },
        ],
        note: 'Came by phone',
      }),
    )
    expect(warnings).toEqual([])
    expect(application).toMatchObject({
      status: 'approved',
      source: 'owner',
      sourceLabel: 'Entered by the owner',
      sourceNote: 'Came by phone',
      firstName: 'Jon',
      phone: '850-555-0142',
      address: { city: 'Mobile' },
      guestCount: 2,
      leaseGenerated: true,
      leaseStartDate: '2027-09-01',
      rentalAmount: 2000,
      totalAmount: 2400,
      paymentReceived: true,
      invitation: { acceptedAt: null, expiresAt: '2026-04-03T17:00:00.000Z' },
    })
    const [deposit, rent] = app.deps.db.select().from(payments).all()
    expect(deposit).toMatchObject({
      method: 'manual',
      type: 'deposit',
      amountCents: 400_00,
      checkNumber: '7',
    })
    expect(rent).toMatchObject({ method: 'manual', type: 'rent', receiptQueuedAt: null })
    expect(mailsOf(app)).toEqual([['invitation', 'jon@guest.example']])
    expect(app.deps.db.select().from(users).where(eq(users.id, application.userId.id)).get()).toMatchObject({
      passwordHash: null,
      role: 'tenant',
    })
  })

  test('is completed if the stay has ended, without an invitation [OWN-02, OWN-06, OWN-11]', async () => {
    const { app, entry } = await openApp()
    const past = await entry.create(buildEntry({ startDate: '2000-01-01', endDate: '2000-02-01' }))
    expect(past.application).toMatchObject({ status: 'completed', invitation: null })
    const ended = await entry.create(buildEntry({ startDate: '2026-02-01', endDate: '2026-03-03' }))
    expect(ended.application.status).toBe('completed')
    const leaving = await entry.create(buildEntry({ startDate: '2026-03-03', endDate: '2026-03-04' }))
    expect(leaving.application.status).toBe('approved')
    expect(mailsOf(app)).toEqual([['invitation', 'jon@guest.example']])
  })

  test('returns the source in every response, and the note only to the administrator [OWN-02]', async () => {
    const app = await testApp()
    const [maya, owner] = [await signUp(app), await signUpAdmin(app)]
    await proveMailbox(app, { role: 'tenant', userId: maya.user.id, requestOrigin: testOrigin })
    const entered = await call(app, 'POST', '/api/booking/admin', {
      token: owner.token,
      body: buildEntry({ email: 'MAYA@guest.example', note: 'Pays late' }),
    })
    expect(entered.status).toBe(201)
    const { id } = entered.body.application
    const own = await call(app, 'GET', `/api/application/${id}`, { token: maya.token })
    expect(own.body.application).toMatchObject({ source: 'owner', sourceLabel: 'Entered by the owner' })
    expect(own.body.application).not.toHaveProperty('sourceNote')
    expect(own.body.application).not.toHaveProperty('invitation')
    const shown = await call(app, 'GET', `/api/application/${id}`, { token: owner.token })
    expect(shown.body.application).toMatchObject({ sourceNote: 'Pays late', invitation: null })
    const applied = await makePending(app, {
      role: 'tenant',
      userId: maya.user.id,
      requestOrigin: { address: '203.0.113.7', userAgent: '' },
    })
    expect(applied).toMatchObject({ source: 'tenant', sourceLabel: 'Applied on the site' })
  })

  test('is rejected if it overlaps a booking, which the error names; of two simultaneous entries one succeeds [OWN-03]', async () => {
    const { app, owner, entry } = await openApp()
    const maya = await app.makeTenant()
    const { applicationNumber } = await makeBooking(app, maya, owner, dates('2027-09-20', '2027-10-05'))
    const before = rowsOf(app)
    for (const generateLease of [true, false])
      await expect(entry.create(buildEntry({ generateLease }))).rejects.toThrow(
        `These dates overlap application ${applicationNumber}, which is booked for Sep 20, 2027 to Oct 5, 2027.`,
      )
    expect(rowsOf(app)).toEqual(before)
    const june = { startDate: '2027-06-01', endDate: '2027-07-01' }
    const both = await Promise.allSettled([
      entry.create(buildEntry({ ...june, email: 'a@guest.example' })),
      entry.create(buildEntry({ ...june, email: 'b@guest.example' })),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(rowsOf(app).users).toBe(before.users + 1)
  })

  test('warns about blocked nights and broken rules, and stores the booking anyway [OWN-03]', async () => {
    const { app, owner, entry } = await openApp()
    await app.as(owner).availability.setDate({ date: '2027-09-10', isAvailable: false, reason: 'Painting' })
    const { version } = await app.as(owner).settings.bookingRules.get()
    await app.as(owner).settings.bookingRules.save({ version, body: { windowDays: 30, maxGuests: 1 } })
    const guests = [{ firstName: 'Lee', lastName: 'Reyes' }]
    const { warnings, application } = await entry.create(
      buildEntry({ overrideCalendar: true, additionalGuests: guests }),
    )
    expect(warnings).toEqual([
      'You have blocked these nights: Sep 10, 2027',
      'Please choose an arrival on Apr 3, 2026 or earlier.',
      expect.stringMatching(/^At most 1 /),
    ])
    expect(application.status).toBe('approved')
  })

  test('belongs to the account of its email, regardless of case, and keeps the account’s names [OWN-04]', async () => {
    const { app, entry } = await openApp()
    const maya = await app.makeTenant({ email: 'Maya@guest.example' })
    const { application } = await entry.create(buildEntry({ email: ' mAYA@Guest.example ' }))
    expect(application.userId).toMatchObject({ id: maya.userId, email: 'Maya@guest.example' })
    expect(application).toMatchObject({ firstName: 'Jon', email: 'Maya@guest.example' })
    expect(app.deps.db.select().from(users).where(eq(users.id, maya.userId)).get()).toMatchObject({
      firstName: 'Maya',
      lastName: 'Rivers',
    })
    expect(mailsOf(app)).toEqual([['booking-entered', 'Maya@guest.example']])
  })

  test('is rejected for the email of an administrator [OWN-04]', async () => {
    const { app, entry } = await openApp()
    await app.makeAdmin({ email: 'second@condo.example' })
    const before = rowsOf(app)
    await expect(entry.create(buildEntry({ email: 'Second@condo.example' }))).rejects.toThrow(
      'This is an administrator’s email.',
    )
    expect(rowsOf(app)).toEqual(before)
  })

  test('is rejected if the guest’s pending application has the same dates, which the error names [OWN-05]', async () => {
    const { app, owner, entry } = await openApp()
    const maya = await app.makeTenant({ email: 'maya@guest.example' })
    const { applicationNumber, id } = await makePending(app, maya, dates('2027-09-01', '2027-10-01'))
    await expect(entry.create(buildEntry({ email: 'MAYA@guest.example' }))).rejects.toThrow(
      `${applicationNumber} asks for the same dates: approve it instead.`,
    )
    expect((await entry.create(buildEntry())).application.status).toBe('approved')
    await app.as(owner).applications.adminSetStatus({ id, status: 'rejected' })
    await app.as(owner).applications.adminDelete({ id })
  })

  test.each([
    [{ firstName: ' ' }, 'firstName'],
    [{ lastName: '漢字' }, 'lastName'],
    [{ email: 'jon' }, 'email'],
    [{ startDate: '1999-12-31' }, 'startDate'],
    [{ startDate: '2027-02-30' }, 'startDate'],
    [{ endDate: '2027-09-01' }, 'endDate'],
    [{ endDate: '2031-09-01' }, 'endDate'],
    [{ phone: 'call me' }, 'phone'],
    [{ address: { street: '12 Pine Street', city: '', state: 'AL', zipCode: '36602' } }, 'address.city'],
    [{ address: { street: '', city: '', state: 'ZZ', zipCode: '' } }, 'address.state'],
    [{ secondApplicantFirstName: 'Lee' }, 'secondApplicantLastName'],
    [{ additionalGuests: Array(4).fill({ firstName: 'A', lastName: 'B' }) }, 'additionalGuests'],
    [{ rentalAmount: 1.001 }, 'rentalAmount'],
    [{ payments: [{ amount: 0, paymentType: 'rent' as const }] }, 'payments.0.amount'],
    [{ payments: Array(21).fill({ amount: 1, paymentType: 'rent' }) }, 'payments'],
  ])('is rejected with a field error: %j [OWN-06, OWN-08]', (wrong, field) => {
    const { error } = bookingEntryFor(4).safeParse(buildEntry(wrong))
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field)
  })

  test('requires neither phone nor address, and accepts them blank [OWN-06]', async () => {
    const { entry } = await openApp()
    const blank = { street: ' ', city: '', state: '', zipCode: '' }
    const { application } = await entry.create(buildEntry({ phone: '', address: blank }))
    expect(application).toMatchObject({ phone: '', address: { ...blank, street: '' } })
  })

  test('without a lease has rent and deposit as charges of the owner, 0 if they are missing [OWN-07]', async () => {
    const { app, owner, entry } = await openApp()
    const { application } = await entry.create(
      buildEntry({ generateLease: false, rentalAmount: 2000, endDate: '2027-11-01' }),
    )
    expect(application).toMatchObject({ leaseGenerated: false, rentalAmount: 2000, totalAmount: 4000 })
    const owed = () => app.as(owner).charges.list({ applicationId: application.id })
    const before = await owed()
    expect(before.charges.map(({ kind, source, amountCents }) => [kind, source, amountCents])).toEqual([
      ['rent', 'owner', 4000_00],
    ])
    expect(before.summary).toMatchObject({ owedCents: 4000_00, depositCents: 0, depositDueCents: 0 })
    const none = await entry.create(
      buildEntry({ generateLease: false, startDate: '2028-01-01', endDate: '2028-02-01' }),
    )
    expect(none.application).toMatchObject({ totalAmount: 0 })
    await app.as(owner).applications.adminEdit({ id: application.id, rentalAmount: 1500, depositAmount: 200 })
    expect((await owed()).summary.owedCents).toBe(3200_00)
    await app
      .as(owner)
      .leases.generate({ applicationId: application.id, rentalAmount: 1000, depositAmount: 0 })
    const after = await owed()
    expect(after.charges.map(({ source }) => source)).toEqual(['lease'])
    expect(after.summary.owedCents).toBe(2000_00)
  })

  test('keeps a voided deposit voided until a new one is set, and still accepts charges [CHG-22, CHG-24, OWN-07]', async () => {
    const { app, owner, entry } = await openApp()
    const terms = { generateLease: false, rentalAmount: 2000, depositAmount: 300 }
    const { application } = await entry.create(buildEntry(terms))
    const { applications, charges: billing } = app.as(owner)
    const { charges } = await billing.list({ applicationId: application.id })
    const undo = (kind: string) =>
      billing.void({
        chargeId: charges.find(charge => charge.kind === kind)?.id ?? '',
        reason: 'Agreed otherwise',
      })
    const owed = async () => (await billing.list({ applicationId: application.id })).summary.owedCents
    await undo('deposit')
    await applications.adminEdit({ id: application.id, rentalAmount: 2100 })
    expect(await owed()).toBe(2100_00)
    await applications.adminEdit({ id: application.id, depositAmount: 400 })
    expect(await owed()).toBe(2500_00)

    const bare = await entry.create(buildEntry({ ...terms, startDate: '2028-01-01', endDate: '2028-02-01' }))
    const list = await billing.list({ applicationId: bare.application.id })
    for (const { id } of list.charges) await billing.void({ chargeId: id, reason: 'A gift' })
    const lamp = { kind: 'damage' as const, label: 'Broken lamp', amountCents: 50_00 }
    const added = await billing.add({ applicationId: bare.application.id, ...lamp })
    expect(added.summary.owedCents).toBe(50_00)
  })

  test('generates the lease with the given terms and lines, or with the defaults [OWN-07]', async () => {
    const { entry } = await openApp()
    const usual = await entry.create(buildEntry())
    expect(usual.application).toMatchObject({ rentalAmount: 2500, depositAmount: 500, totalAmount: 3000 })
    const given = await entry.create(
      buildEntry({
        startDate: '2028-01-01',
        endDate: '2028-02-01',
        rentalAmount: 1000,
        depositAmount: 0,
        extraLines: [{ kind: 'fee', label: 'Parking', amountCents: 50_00 }],
      }),
    )
    expect(given.application.totalAmount).toBe(1050)
    await expect(
      entry.create(buildEntry({ startDate: '2028-03-01', endDate: '2028-04-01', feeIds: ['x'] })),
    ).rejects.toMatchObject({ cause: { code: 'bad_request', fields: { feeIds: expect.any(String) } } })
  })

  test('with a payment in the future stores nothing [OWN-01, OWN-08]', async () => {
    const { app, entry } = await openApp()
    const before = rowsOf(app)
    const payment = { amount: 100_00, paymentType: 'rent' as const, paymentDate: '2026-04-01' }
    await expect(entry.create(buildEntry({ payments: [payment] }))).rejects.toMatchObject({
      cause: { fields: { 'payments.0.paymentDate': 'The date of a payment cannot be in the future' } },
    })
    expect(rowsOf(app)).toEqual(before)
  })

  test('with a repeated requestId returns the first response [OWN-09]', async () => {
    const { app, owner, entry } = await openApp()
    const requestId = randomUUID()
    const first = await entry.create({ ...buildEntry(), requestId })
    await app.as(owner).applications.adminEdit({ id: first.application.id, notes: 'Changed' })
    const before = rowsOf(app)
    expect(await entry.create({ ...buildEntry(), requestId })).toEqual(first)
    expect(rowsOf(app)).toEqual(before)
    await expect(entry.import({ csv: '', dryRun: false, requestId })).rejects.toThrow()
  })

  test('without an invitation sends no mail at all [OWN-11]', async () => {
    const { app, entry } = await openApp()
    const { application } = await entry.create(buildEntry({ invite: false }))
    expect(application.invitation).toBeNull()
    expect(mailsOf(app)).toEqual([])
    expect(invitationTokens(app, application.email)).toEqual([])
  })
})
