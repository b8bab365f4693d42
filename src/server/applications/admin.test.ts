import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { applications, events, outbox } from '../../../db/schema.ts'
import { AppError } from '../../domain/common/errors.ts'
import { buildApplication, dates, makeBooking, makePending } from '../../testing/build-application.ts'
import { storeSignedLease } from '../../testing/build-lease.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { forEachApplication } from './bulk.ts'

const kinds = (app: TestApp) =>
  app.deps.db
    .select({ kind: outbox.kind })
    .from(outbox)
    .all()
    .map(mail => mail.kind)

async function people() {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  return { app, tenant, admin, own: app.as(tenant).applications, asOwner: app.as(admin).applications }
}

describe("the admin's table", () => {
  test('a search treats special characters literally and ignores case in any alphabet', async () => {
    const { app, tenant, asOwner } = await people()
    await makePending(app, tenant, { firstName: 'Özlem', lastName: "O'Neil-Núñez" })
    const found = async (search: string) => (await asOwner.adminList({ search })).applications.length
    for (const search of ['özl', 'Ö', "o'neil-n", 'ÚÑE', 'lem O'])
      expect([search, await found(search)]).toEqual([search, 1])
    for (const search of [
      '"',
      '"""',
      'a" OR "b',
      '*',
      'Öz*',
      'content : x',
      'NEAR(a b)',
      '(((',
      '\0',
      'a\0b',
      '^',
    ])
      expect([search, await found(search)]).toEqual([search, 0])
  })

  test('a search reflects changes of names, phone and status, and deletion', async () => {
    const { app, tenant, asOwner } = await people()
    const found = async (search: string, status?: 'pending' | 'rejected') =>
      (await asOwner.adminList({ search, ...(status && { status }), page: 1 })).total
    const { id } = await makePending(app, tenant, { firstName: 'Mia', lastName: 'Ortiz' })
    expect([await found('ortiz'), await found('ortiz', 'pending'), await found('ortiz', 'rejected')]).toEqual(
      [1, 1, 0],
    )
    await asOwner.adminEdit({ id, lastName: 'Vega', phone: '212 555 0100' })
    expect([await found('ortiz'), await found('vega'), await found('2125550100')]).toEqual([0, 1, 1])
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    expect([await found('vega', 'pending'), await found('vega', 'rejected')]).toEqual([0, 1])
    await asOwner.adminDelete({ id })
    expect(await found('vega')).toBe(0)
  })

  test('paginates, and returns the total number of matches', async () => {
    const { app, tenant, asOwner } = await people()
    for (let i = 0; i < 5; i++) await makePending(app, tenant, { firstName: i < 3 ? 'Ana' : 'Mia' })
    const all = await asOwner.adminList()
    expect(all.applications).toHaveLength(5)
    expect(all).not.toHaveProperty('total')
    const page = await asOwner.adminList({ search: 'ana', page: 2, limit: 2 })
    expect([page.applications.length, page.total]).toEqual([1, 3])
    const pages = await Promise.all([1, 2, 3, 4].map(number => asOwner.adminList({ page: number, limit: 2 })))
    expect(pages.flatMap(each => each.applications)).toEqual(all.applications)
  })

  test('neither lists nor counts drafts, withdrawn drafts and deleted applications [ADMDASH-20]', async () => {
    const { app, tenant, admin, own, asOwner } = await people()
    const draft = (await own.create(buildApplication())).application
    const gone = await makePending(app, tenant)
    await asOwner.adminDelete({ id: gone.id })
    await makePending(app, tenant)
    await makeBooking(app, tenant, admin, dates('2026-10-01', '2026-10-20'))
    const expected = { total: 2, pending: 1, approved: 1, rejected: 0, completed: 0 }
    expect((await asOwner.adminCounts()).counts).toEqual(expected)
    expect((await asOwner.adminList()).applications).toHaveLength(2)
    for (const id of [draft.id, gone.id]) {
      await expect(asOwner.adminGet({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(asOwner.adminSetStatus({ id, status: 'approved' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      await expect(asOwner.adminDelete({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await own.withdraw({ id: draft.id })
    expect((await asOwner.adminCounts()).counts).toEqual(expected)
    await expect(own.get({ id: gone.id })).rejects.toThrow('Application not found')
    expect((await own.status()).applications.map(each => each.id)).not.toContain(gone.id)
  })
})

describe('a status', () => {
  test('can be set to approved, rejected and completed from any other, with one mail for each change [ADMAPP-18, MAIL-05]', async () => {
    const { app, tenant, asOwner } = await people()
    const { id } = await makePending(app, tenant)
    const order = [
      'approved',
      'rejected',
      'completed',
      'approved',
      'completed',
      'rejected',
      'approved',
    ] as const
    for (const status of order) {
      expect((await asOwner.adminSetStatus({ id, status })).application.status).toBe(status)
      await asOwner.adminSetStatus({ id, status })
    }
    const mail = {
      approved: 'application-approved',
      rejected: 'application-declined',
      completed: 'booking-complete',
    }
    expect(kinds(app).slice(2)).toEqual(order.map(status => mail[status]))
  })

  test('is rejected when nights overlap another booking, which it names; a departure day is free [ADMAPP-21, CONST-04]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const late = await makePending(app, tenant, dates('2026-06-29', '2026-07-10'))
    const next = await makePending(app, tenant, dates('2026-07-01', '2026-07-10'))
    const first = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    for (const status of ['approved', 'completed'] as const)
      await expect(asOwner.adminSetStatus({ id: late.id, status })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `These dates overlap application ${first.applicationNumber}, which is booked for Jun 1, 2026 to Jul 1, 2026.`,
      })
    expect((await asOwner.adminGet({ id: late.id })).application.status).toBe('pending')
    await asOwner.adminSetStatus({ id: next.id, status: 'approved' })
    // A completed booking takes its nights like an approved one.
    await asOwner.adminSetStatus({ id: first.id, status: 'completed' })
    await expect(asOwner.adminSetStatus({ id: late.id, status: 'approved' })).rejects.toThrow('overlap')
    await asOwner.adminSetStatus({ id: late.id, status: 'rejected' })
  })

  test('declining, deleting and moving free the nights at once [STATUS-08]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const free = async () => (await app.as(tenant).availability.range(june)).availability.length === 0
    const june = { startDate: '2026-06-01', endDate: '2026-06-30' }
    const { id } = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    expect(await free()).toBe(false)
    await asOwner.adminSetStatus({ id, status: 'rejected' })
    expect(await free()).toBe(true)
    await asOwner.adminSetStatus({ id, status: 'approved' })
    await asOwner.adminEdit({ id, ...dates('2026-07-01', '2026-07-10') })
    expect(await free()).toBe(true)
    await asOwner.adminEdit({ id, ...dates('2026-06-01', '2026-06-10') })
    expect(await free()).toBe(false)
    await asOwner.adminDelete({ id })
    expect(await free()).toBe(true)
  })

  test('can be previewed with what is decided on, which the owner’s mail has too [LOOK-61]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const first = await makePending(app, tenant, dates('2026-06-01', '2026-07-01'))
    const second = await makePending(app, tenant, dates('2026-06-20', '2026-07-10'))
    await asOwner.adminSetStatus({ id: first.id, status: 'approved' })
    await app.as(admin).availability.setDates({ dates: ['2026-07-05', '2026-07-10'], isAvailable: false })
    const decision = {
      start: '2026-06-20',
      end: '2026-07-10',
      guests: 1,
      phone: '(850) 555-0142',
      rentCents: null,
      depositCents: 500_00,
      freeBefore: 0,
      freeAfter: 0,
    }
    expect(await asOwner.adminStatusPreview({ id: second.id })).toEqual({
      decision,
      conflicts: [
        {
          id: first.id,
          number: first.applicationNumber,
          firstName: 'Maya',
          lastName: 'Rivers',
          start: '2026-06-01',
          end: '2026-07-01',
        },
      ],
      blockedNights: ['2026-07-05'],
      warnings: [],
      paidCents: 0,
      paymentsToRefund: [],
      openCheckouts: 0,
      processingPayments: 0,
    })
    expect((await asOwner.adminStatusPreview({ id: first.id })).conflicts).toEqual([])
    const mail = app.deps.db
      .select()
      .from(outbox)
      .where(eq(outbox.dedupeKey, `owner-new-application:${second.id}`))
      .get()
    // Nothing was booked or blocked yet.
    expect(mail?.props.decision).toEqual({ ...decision, freeBefore: null, freeAfter: null })
  })

  test('can be set for several applications, with a separate result and error for each [ADMDASH-14]', async () => {
    const { app, tenant, asOwner } = await people()
    const first = await makePending(app, tenant, dates('2026-06-01', '2026-07-01'))
    const clash = await makePending(app, tenant, dates('2026-06-10', '2026-06-20'))
    const later = await makePending(app, tenant, dates('2026-08-01', '2026-08-20'))
    const ids = [first.id, clash.id, 'nobody', later.id]
    const { results } = await asOwner.adminSetStatuses({ ids, status: 'approved' })
    expect(results).toEqual([
      { id: first.id, ok: true },
      { id: clash.id, ok: false, error: expect.stringContaining(first.applicationNumber) },
      { id: 'nobody', ok: false, error: 'Application not found' },
      { id: later.id, ok: true },
    ])
    const statuses = (await asOwner.adminList({ order: 'asc' })).applications.map(each => each.status)
    expect(statuses).toEqual(['approved', 'pending', 'approved'])
    expect((await asOwner.adminDeleteMany({ ids: [first.id, first.id, clash.id] })).results).toEqual([
      { id: first.id, ok: true },
      { id: clash.id, ok: true },
    ])
    expect((await asOwner.adminCounts()).counts.total).toBe(1)
  })
})

describe('a change from a stale screen', () => {
  const meanwhile = { code: 'CONFLICT', message: 'This application has changed meanwhile' }
  const everyRow = (app: TestApp) => [
    app.deps.db.select().from(applications).all(),
    app.deps.db.select().from(outbox).all(),
    app.deps.db.select().from(events).all(),
  ]

  test('does not approve, decline or complete an application whose status has changed [FIX-16]', async () => {
    const { app, tenant, own, asOwner } = await people()
    const { id } = await makePending(app, tenant)
    await own.withdraw({ id })
    const before = everyRow(app)
    const approve = { id, status: 'approved', fromStatus: 'pending' } as const
    await expect(asOwner.adminSetStatus(approve)).rejects.toMatchObject(meanwhile)
    expect(everyRow(app)).toEqual(before)
    await asOwner.adminSetStatus({ ...approve, fromStatus: 'rejected' })
    await expect(
      asOwner.adminSetStatus({ id, status: 'rejected', fromStatus: 'pending' }),
    ).rejects.toMatchObject(meanwhile)
    await asOwner.adminSetStatus({ id, status: 'completed', fromStatus: 'approved' })
    await expect(asOwner.adminSetStatus(approve)).rejects.toMatchObject(meanwhile)
    expect((await asOwner.adminGet({ id })).application.status).toBe('completed')
    // Clicked twice, or by two people: the application already has the status.
    await asOwner.adminSetStatus({ id, status: 'completed', fromStatus: 'approved' })
    // Without `fromStatus` any status may change.
    await asOwner.adminSetStatus({ id, status: 'approved' })
  })

  test('does not approve other dates than were shown [FIX-16]', async () => {
    const { app, tenant, asOwner } = await people()
    const { id } = await makePending(app, tenant)
    const shown = async () => (await asOwner.adminStatusPreview({ id })).decision
    const seen = await shown()
    await asOwner.adminEdit({ id, requestedEndDate: '2026-07-08' })
    const before = everyRow(app)
    await expect(asOwner.adminSetStatus({ id, status: 'approved', seen })).rejects.toMatchObject(meanwhile)
    expect(everyRow(app)).toEqual(before)
    await asOwner.adminSetStatus({ id, status: 'approved', seen: await shown() })
  })

  test('is rejected for the changed applications of a bulk update, and the others are updated [FIX-16]', async () => {
    const { app, tenant, own, asOwner } = await people()
    const stays = [dates('2026-06-01', '2026-06-10'), dates('2026-07-01', '2026-07-10')]
    const [gone, stayed] = [
      await makePending(app, tenant, stays[0]),
      await makePending(app, tenant, stays[1]),
    ]
    const ids = [gone.id, stayed.id]
    const fromStatuses = Object.fromEntries(ids.map(id => [id, 'pending' as const]))
    await own.withdraw({ id: gone.id })
    const outcome = [
      { id: gone.id, ok: false, error: meanwhile.message },
      { id: stayed.id, ok: true },
    ]
    expect((await asOwner.adminSetStatuses({ ids, status: 'approved', fromStatuses })).results).toEqual(
      outcome,
    )
    expect((await asOwner.adminGet({ id: gone.id })).application.status).toBe('rejected')
  })

  test('does not delete an application that has been approved, alone or in bulk [FIX-16]', async () => {
    const { app, tenant, asOwner } = await people()
    const booked = await makePending(app, tenant, dates('2026-06-01', '2026-06-10'))
    const other = await makePending(app, tenant, dates('2026-07-01', '2026-07-10'))
    await asOwner.adminSetStatus({ id: booked.id, status: 'approved' })
    const before = everyRow(app)
    await expect(asOwner.adminDelete({ id: booked.id, fromStatus: 'pending' })).rejects.toMatchObject(
      meanwhile,
    )
    expect(everyRow(app)).toEqual(before)
    const ids = [booked.id, other.id]
    const fromStatuses = Object.fromEntries(ids.map(id => [id, 'pending' as const]))
    expect((await asOwner.adminDeleteMany({ ids, fromStatuses })).results).toEqual([
      { id: booked.id, ok: false, error: meanwhile.message },
      { id: other.id, ok: true },
    ])
    await asOwner.adminDelete({ id: booked.id, fromStatus: 'approved' })
    expect((await asOwner.adminCounts()).counts.total).toBe(0)
  })
})

describe("the admin's edit", () => {
  test('changes each field separately; the email is not the login', async () => {
    const { app, tenant, asOwner } = await people()
    const pending = await makePending(app, tenant)
    const { nextStep: _, ...before } = (await asOwner.adminGet({ id: pending.id })).application
    const edit = async (fields: object) => (await asOwner.adminEdit({ id: before.id, ...fields })).application
    app.advance(1000)
    const updatedAt = '2026-03-04T17:00:01.000Z'
    expect(await edit({ notes: 'Called back.' })).toEqual({ ...before, notes: 'Called back.', updatedAt })
    expect(await edit({ address: { city: 'Troy' } })).toMatchObject({
      address: { ...before.address, city: 'Troy' },
    })
    expect(await edit({ rentalAmount: 2600.5, depositAmount: 0 })).toMatchObject({
      rentalAmount: 2600.5,
      depositAmount: 0,
      totalAmount: 0,
    })
    expect(await edit({ email: 'new@guest.example', rentalAmount: null })).toMatchObject({
      email: 'new@guest.example',
      userId: before.userId,
      rentalAmount: 2600.5,
    })
    expect(
      await edit({ additionalGuests: [{ firstName: 'Leo', lastName: 'Reed', isAdult: false }, {}] }),
    ).toMatchObject({
      additionalGuests: [{ firstName: 'Leo', lastName: 'Reed', isAdult: false }],
      guestCount: 2,
    })
  })

  test('rejects values that conflict with stored ones', async () => {
    const { app, tenant, asOwner } = await people()
    const { id } = await makePending(app, tenant, dates('2026-06-01', '2026-07-01'))
    await expect(asOwner.adminEdit({ id, requestedStartDate: '2026-07-01' })).rejects.toThrow(
      'End date must be after start date',
    )
    await expect(asOwner.adminEdit({ id, secondApplicantFirstName: 'Ben' })).rejects.toThrow(
      'Last name is required for second applicant',
    )
    await asOwner.adminEdit({ id, secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' })
    await asOwner.adminEdit({ id, secondApplicantLastName: 'Reed' })
    await expect(asOwner.adminEdit({ id, secondApplicantLastName: '' })).rejects.toThrow(
      'Last name is required',
    )
  })

  test('cannot move a booking onto another; a pending application can be moved anywhere [ADMAPP-13]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const first = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    const second = await makeBooking(app, tenant, admin, dates('2026-07-01', '2026-07-10'))
    await expect(
      asOwner.adminEdit({ id: second.id, requestedStartDate: '2026-06-30' }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(first.applicationNumber),
    })
    expect((await asOwner.adminGet({ id: second.id })).application.requestedStartDate).toBe('2026-07-01')
    await asOwner.adminEdit({
      id: second.id,
      requestedEndDate: '2026-07-20',
      requestedStartDate: '2026-07-02',
    })
    const pending = await makePending(app, tenant, dates('2026-09-01', '2026-09-10'))
    await asOwner.adminEdit({ id: pending.id, ...dates('2026-06-05', '2026-06-08') })
  })

  test('a signed lease locks only the fields that it contains [ADMAPP-44]', async () => {
    const { app, tenant, asOwner } = await people()
    const { id } = await makePending(app, tenant)
    await storeSignedLease(app, id, '2026-03-04T18:00:00.000Z')
    await app.deps.write(tx =>
      tx
        .update(applications)
        .set({ rentCents: 250_000, depositCents: 50_000 })
        .where(eq(applications.id, id))
        .run(),
    )
    const before = app.deps.db.select().from(applications).all()
    for (const fields of [
      { firstName: 'Mia' },
      { lastName: 'Reed' },
      { secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' },
      { additionalGuests: [{ firstName: 'Leo', lastName: 'Reed' }] },
      { requestedStartDate: '2026-06-02' },
      { requestedEndDate: '2026-07-02' },
      { rentalAmount: 2400, notes: 'Cheaper.' },
      { depositAmount: 400 },
    ])
      await expect(asOwner.adminEdit({ id, ...fields })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The lease is signed. Delete it to change its terms.',
      })
    expect(app.deps.db.select().from(applications).all()).toEqual(before)
    const free = { phone: '5551234567', email: 'new@guest.example', notes: 'Early arrival.' }
    const same = {
      firstName: 'Maya',
      rentalAmount: 2500,
      ...dates('2026-06-01', '2026-07-01'),
      additionalGuests: [],
    }
    expect(
      (await asOwner.adminEdit({ id, ...free, ...same, address: { city: 'Troy' } })).application,
    ).toMatchObject(free)
  })
})

test('changes many applications one after another, so that other requests run in between [FIX-19]', async () => {
  const app = await testApp()
  let [underWay, most] = [0, 0]
  const results = await forEachApplication(app.deps, ['a', 'b', 'c', 'a'], async id => {
    most = Math.max(most, ++underWay)
    await new Promise(resolve => setImmediate(resolve))
    underWay--
    if (id === 'b') throw new AppError('conflict', 'Booked')
  })
  expect(most).toBe(1)
  expect(results).toEqual([
    { id: 'a', ok: true },
    { id: 'b', ok: false, error: 'Booked' },
    { id: 'c', ok: true },
  ])
})
