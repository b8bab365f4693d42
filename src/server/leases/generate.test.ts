import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { events, leases, outbox } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { formatLongDate } from '../../domain/common/dates.ts'
import { buildApplication, dates, makeBooking, makePending } from '../../testing/build-application.ts'
import { storedLease } from '../../testing/build-lease.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { generateLease } from './generate.ts'

async function people() {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  return {
    app,
    tenant,
    admin: asAdmin(admin),
    own: app.as(tenant).applications,
    asOwner: app.as(admin).applications,
  }
}

const asAdmin = (actor: SignedIn): Admin => ({ ...actor, role: 'admin' })

const stored = (app: TestApp, id: string) => {
  const { row, lease } = storedLease(app, id)
  if (!lease) throw new Error('no lease')
  expect(lease.textSha256).toBe(createHash('sha256').update(lease.text).digest('hex'))
  expect(lease).toMatchObject({
    startDate: row.stayStartDate,
    endDate: row.stayEndDate,
    rentCents: row.rentCents,
  })
  return { ...row, ...lease }
}
const leaseMails = (app: TestApp) =>
  app.deps.db.select().from(outbox).where(eq(outbox.kind, 'lease-ready')).all().length
const sign = (app: TestApp, id: string) =>
  app.deps.write(tx =>
    tx.update(leases).set({ signedAt: '2026-03-05T12:00:00.000Z' }).where(eq(leases.applicationId, id)).run(),
  )

describe('generating a lease', () => {
  test("defaults to the requested dates, the period's rent or 2500, and a deposit of 500 [ADMAPP-23, ADMDASH-08]", async () => {
    const { app, tenant, admin, asOwner } = await people()
    await app.as(admin).rates.create(buildRate({ monthly: 3600 }))
    await app.as(admin).rates.create(buildRate({ period: 'Off', monthly: 9999, isActive: false }))
    const summer = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    const winter = await makeBooking(app, tenant, admin, dates('2026-11-01', '2027-01-16'))
    expect(summer).toMatchObject({ leaseGenerated: false, rentalAmount: null, totalAmount: 0 })
    const { leaseAgreement } = await generateLease(app.deps, admin, summer.id, {})
    await generateLease(app.deps, admin, winter.id, {})
    expect((await asOwner.adminGet({ id: summer.id })).application).toMatchObject({
      leaseGenerated: true,
      leaseStartDate: '2026-06-01',
      leaseEndDate: '2026-07-01',
      rentalAmount: 3600,
      depositAmount: 500,
      totalAmount: 4100,
    })
    // Two months and 15/30 of a month at 2500, plus the deposit.
    expect((await asOwner.adminGet({ id: winter.id })).application).toMatchObject({
      rentalAmount: 2500,
      totalAmount: 6750,
    })
    expect(leaseAgreement).toBe(stored(app, summer.id).text)
    for (const words of [
      'Maya Rivers',
      formatLongDate('2026-06-01'),
      '$3,600.00',
      '$500.00',
      summer.applicationNumber,
    ])
      expect(leaseAgreement).toContain(words)
    expect(leaseMails(app)).toBe(2)
  })

  test('uses the given terms, and keeps stored terms when they are not given again', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const { id } = await makeBooking(app, tenant, admin)
    const terms = {
      leaseStartDate: '2026-06-03',
      leaseEndDate: '2026-06-30',
      rentalAmount: 2750.5,
      depositAmount: 0,
    }
    await generateLease(app.deps, admin, id, terms)
    expect((await asOwner.adminGet({ id })).application).toMatchObject({ ...terms, totalAmount: 2750.5 })
    await generateLease(app.deps, admin, id, { depositAmount: 600 })
    expect((await asOwner.adminGet({ id })).application).toMatchObject({ ...terms, depositAmount: 600 })
    await expect(generateLease(app.deps, admin, id, { leaseEndDate: '2026-06-03' })).rejects.toMatchObject({
      code: 'bad_request',
      fields: { leaseEndDate: 'End date must be after start date' },
    })
    await expect(generateLease(app.deps, admin, id, { leaseEndDate: '2036-06-03' })).rejects.toThrow(
      'three years',
    )
  })

  test('requires an approved application, and can be repeated until the lease is signed [ADMAPP-24]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const { id } = await makePending(app, tenant)
    for (const status of ['pending', 'rejected'] as const) {
      if (status === 'rejected') await asOwner.adminSetStatus({ id, status })
      await expect(generateLease(app.deps, admin, id, {})).rejects.toMatchObject({ code: 'conflict' })
    }
    for (const status of ['approved', 'completed'] as const) {
      await asOwner.adminSetStatus({ id, status })
      await generateLease(app.deps, admin, id, {})
    }
    const before = stored(app, id)
    await sign(app, id)
    await expect(generateLease(app.deps, admin, id, { rentalAmount: 1 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The lease is signed. Delete it to change its terms.',
    })
    expect(stored(app, id)).toMatchObject({ textSha256: before.textSha256, rentCents: 250_000 })
    await expect(generateLease(app.deps, admin, 'nobody', {})).rejects.toMatchObject({ code: 'not_found' })
  })

  test('refuses dates of another booking and names it, but allows its own nights', async () => {
    const { app, tenant, admin } = await people()
    const other = await makeBooking(app, tenant, admin, dates('2026-07-01', '2026-07-10'))
    const { id } = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    await expect(generateLease(app.deps, admin, id, { leaseEndDate: '2026-07-02' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(other.applicationNumber),
    })
    await generateLease(app.deps, admin, id, { leaseStartDate: '2026-06-10' })
    await generateLease(app.deps, admin, id, { leaseStartDate: '2026-06-05' })
    // The lease's dates are booked now; the requested dates before them are free.
    const { availability } = await app
      .as(tenant)
      .availability.range({ startDate: '2026-06-01', endDate: '2026-06-06' })
    expect(availability.map(({ date }) => date)).toEqual(['2026-06-05', '2026-06-06'])
  })
})

describe('an unsigned lease', () => {
  test('is rewritten when names, guests, dates, rent or deposit change, each time with a new hash and audit event', async () => {
    const { app, tenant, admin, own, asOwner } = await people()
    const { id } = await makeBooking(app, tenant, admin)
    await generateLease(app.deps, admin, id, {})
    const hashes = new Set([stored(app, id).textSha256])
    const edits: [object, string][] = [
      [{ firstName: 'Mia' }, 'Mia Rivers'],
      [{ secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' }, 'Mia Rivers and Ben Jones'],
      [{ additionalGuests: [{ firstName: 'Leo', lastName: 'Reed', isAdult: false }] }, '- Leo Reed, minor'],
      [dates('2026-06-04', '2026-06-24'), 'June 24, 2026'],
      [{ rentalAmount: 2222 }, '$2,222.00'],
      [{ depositAmount: 333 }, '$333.00'],
    ]
    for (const [edit, words] of edits) {
      await asOwner.adminEdit({ id, ...edit })
      expect(stored(app, id).text).toContain(words)
      hashes.add(stored(app, id).textSha256)
    }
    expect(hashes.size).toBe(7)
    expect(stored(app, id)).toMatchObject({
      startDate: '2026-06-04',
      endDate: '2026-06-24',
      totalCents: 222_200 + 33_300,
    })
    await own.update({ ...buildApplication({ lastName: 'Reed' }), id })
    expect(stored(app, id).text).toContain('Tenant: Maya Reed')
    const trail = app.deps.db.select().from(events).where(eq(events.subjectId, id)).all()
    expect(trail.filter(event => event.kind === 'lease.rewritten')).toHaveLength(7)
    // One mail for each text that the admin caused; none for the tenant's own edit.
    expect(leaseMails(app)).toBe(7)
  })

  test('changes only the date whose requested date changed, and keeps its other date [FIX-15]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const { id } = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    await generateLease(app.deps, admin, id, { leaseStartDate: '2026-06-05', leaseEndDate: '2026-07-12' })
    const leaseDates = () => {
      const { startDate, endDate } = stored(app, id)
      return [startDate, endDate]
    }
    await asOwner.adminEdit({ id, ...dates('2026-06-02', '2026-07-01') })
    expect(leaseDates()).toEqual(['2026-06-02', '2026-07-12'])
    expect(stored(app, id).text).toContain('July 12, 2026')
    await generateLease(app.deps, admin, id, { leaseStartDate: '2026-06-05' })
    await asOwner.adminEdit({ id, requestedEndDate: '2026-07-03' })
    expect(leaseDates()).toEqual(['2026-06-05', '2026-07-03'])
    await asOwner.adminEdit({ id, ...dates('2026-06-10', '2026-06-20') })
    expect(leaseDates()).toEqual(['2026-06-10', '2026-06-20'])
  })

  test('rejects a date change that would make the lease end before it starts, at its field [FIX-15]', async () => {
    const { app, tenant, admin, asOwner } = await people()
    const { id } = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-07-01'))
    await generateLease(app.deps, admin, id, { leaseStartDate: '2026-06-10', leaseEndDate: '2026-06-15' })
    const before = stored(app, id)
    const refused = (field: string, message: string) => ({
      code: 'BAD_REQUEST',
      message,
      cause: { fields: { [field]: message } },
    })
    await expect(asOwner.adminEdit({ id, requestedStartDate: '2026-06-15' })).rejects.toMatchObject(
      refused(
        'requestedStartDate',
        'The lease would start on Jun 15, 2026 and end on Jun 15, 2026. Please change the other date too.',
      ),
    )
    await expect(asOwner.adminEdit({ id, requestedEndDate: '2026-06-05' })).rejects.toMatchObject(
      refused(
        'requestedEndDate',
        'The lease would start on Jun 10, 2026 and end on Jun 5, 2026. Please change the other date too.',
      ),
    )
    expect(stored(app, id)).toEqual(before)
  })

  test('is not rewritten by other edits, by new rates or by an edit without changes', async () => {
    const { app, tenant, admin, own, asOwner } = await people()
    const { id } = await makeBooking(app, tenant, admin)
    await generateLease(app.deps, admin, id, { leaseStartDate: '2026-06-02' })
    const before = stored(app, id)
    app.advance(60_000)
    await app.as(admin).rates.create(buildRate({ monthly: 9000 }))
    await asOwner.adminEdit({ id, notes: 'Called.', phone: '5551234567', email: 'a@guest.example' })
    await asOwner.adminEdit({
      id,
      firstName: 'Maya',
      ...dates('2026-06-01', '2026-07-01'),
      additionalGuests: [],
    })
    await own.update({ ...buildApplication({ phone: '5550000000' }), id })
    expect(stored(app, id)).toMatchObject({
      textSha256: before.textSha256,
      generatedAt: before.generatedAt,
      startDate: '2026-06-02',
    })
  })

  test('stays unchanged when the edit would move its dates onto another booking', async () => {
    const { app, tenant, admin, asOwner } = await people()
    await makeBooking(app, tenant, admin, dates('2026-07-01', '2026-07-10'))
    const { id } = await makeBooking(app, tenant, admin)
    await generateLease(app.deps, admin, id, {})
    const before = stored(app, id)
    await expect(asOwner.adminEdit({ id, requestedEndDate: '2026-07-05' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(stored(app, id)).toEqual(before)
  })
})
