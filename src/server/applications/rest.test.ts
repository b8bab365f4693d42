import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, files, leases, payments } from '../../../db/schema.ts'
import type { Role } from '../../domain/accounts/account-rules.ts'
import { buildApplication, dates } from '../../testing/build-application.ts'
import { buildLease, tokenOf } from '../../testing/build-lease.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A signed-in user who calls the REST paths. */
async function signIn(app: TestApp, role: Role, email: string) {
  const { user, actor } = await app.makeUser({ role, email })
  const token = await tokenOf(app, actor)
  const call = async (method: Method, url: string, payload?: object) => {
    const response = await app.http.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    return { status: response.statusCode, body: response.json() }
  }
  return { user, actor, call }
}

async function people() {
  const app = await testApp()
  const tenant = await signIn(app, 'tenant', 'maya@guest.example')
  const other = await signIn(app, 'tenant', 'ben@guest.example')
  const admin = await signIn(app, 'admin', 'desk@condo.example')
  return { app, tenant, other, admin }
}

test('returns an application with all its fields, to the tenant and to the admin [REST-06, REST-08, REST-09]', async () => {
  const { app, tenant, admin } = await people()
  const guests = [{ firstName: 'Leo', lastName: 'Reed', isAdult: false }]
  const created = await tenant.call(
    'POST',
    '/api/application',
    buildApplication({ additionalGuests: guests }),
  )
  expect(created.status).toBe(201)
  const { id } = created.body.application
  const expected = {
    ...buildApplication({ additionalGuests: guests }),
    _id: id,
    id: expect.any(String),
    applicationNumber: 'APP-2026-0001',
    userId: tenant.user.id,
    email: 'maya@guest.example',
    status: 'draft',
    guestCount: 2,
    notes: '',
    guestNote: '',
    createdAt: '2026-03-04T17:00:00.000Z',
    updatedAt: '2026-03-04T17:00:00.000Z',
    submittedAt: null,
    leaseGenerated: false,
    leaseStartDate: null,
    leaseEndDate: null,
    rentalAmount: null,
    depositAmount: null,
    totalAmount: 0,
    leaseSigned: false,
    leaseSignedAt: null,
    signedBy: null,
    signedLeaseFile: null,
    paymentReceived: false,
    source: 'tenant',
    sourceLabel: 'Applied on the site',
    message: null,
  }
  expect(created.body).toEqual({ application: expected })

  const submitted = await tenant.call('POST', `/api/application/${id}/submit`)
  const pending = { ...expected, status: 'pending', submittedAt: '2026-03-04T17:00:00.000Z' }
  expect(submitted).toEqual({ status: 200, body: { application: pending } })
  expect(await tenant.call('POST', `/api/application/${id}/submit`)).toEqual(submitted)
  expect(await tenant.call('GET', `/api/application/${id}`)).toEqual(submitted)
  expect(await tenant.call('GET', '/api/application/status')).toEqual({
    status: 200,
    body: { hasApplications: true, applications: [pending] },
  })

  // As if the lease were generated, signed and paid.
  await app.deps.write(tx => {
    const file = {
      storageName: 'x',
      originalName: 'lease.pdf',
      contentType: 'application/pdf',
      sizeBytes: 1234,
    }
    tx.insert(files)
      .values({ id: 'file', ...file, sha256: '', createdAt: '2026-03-05T12:00:00.000Z' })
      .run()
    tx.update(applications)
      .set({ rentCents: 250_050, depositCents: 50_000, totalCents: 300_050 })
      .where(eq(applications.id, id))
      .run()
    tx.insert(leases)
      .values(
        buildLease(id, {
          rentCents: 250_050,
          generatedAt: '2026-03-05T11:00:00.000Z',
          signedAt: '2026-03-05T12:00:00.000Z',
          signedBy: 'admin_upload',
          fileId: 'file',
        }),
      )
      .run()
    const payment = {
      userId: tenant.user.id,
      applicationId: id,
      type: 'rent',
      method: 'card',
      amountCents: 1,
    } as const
    for (const status of ['succeeded', 'failed'] as const)
      tx.insert(payments)
        .values({ id: status, ...payment, status, createdAt: '' })
        .run()
  })
  const booked = {
    ...pending,
    leaseGenerated: true,
    leaseStartDate: '2026-06-01',
    leaseEndDate: '2026-07-01',
    rentalAmount: 2500.5,
    depositAmount: 500,
    totalAmount: 3000.5,
    leaseSigned: true,
    leaseSignedAt: '2026-03-05T12:00:00.000Z',
    signedBy: 'admin_upload',
    signedLeaseFile: {
      originalName: 'lease.pdf',
      uploadedBy: 'admin',
      uploadedAt: '2026-03-05T12:00:00.000Z',
      size: 1234,
    },
    paymentReceived: true,
  }
  expect((await tenant.call('GET', `/api/application/${id}`)).body).toEqual({ application: booked })
  const userId = { _id: tenant.user.id, id: tenant.user.id, email: 'maya@guest.example' }
  const forAdmin = { ...booked, userId, sourceNote: '', guestAccess: 'open', invitation: null }
  const listed = { ...forAdmin, nextStep: { kind: 'answer', amountCents: 0 } }
  const answer = (body: object) => ({ status: 200, body })
  expect(await admin.call('GET', `/api/application/admin/${id}`)).toEqual(answer({ application: listed }))
  expect(await admin.call('GET', `/api/application/${id}`)).toEqual(answer({ application: forAdmin }))
  expect((await admin.call('GET', '/api/application/admin/all')).body).toEqual({ applications: [listed] })
  // The preview counts received payments, not voided ones. Deleting the application keeps the payments in the ledger.
  expect((await app.as(admin.actor).applications.adminStatusPreview({ id })).paidCents).toBe(1)
  expect((await admin.call('DELETE', `/api/application/admin/${id}`)).body).toEqual({
    message: 'Application deleted',
  })
  const left = app.deps.db.select({ to: payments.applicationId }).from(payments).all()
  expect(left).toEqual([{ to: null }, { to: null }])
})

test('an invalid form returns 400 with a message for each field by its dotted path [REST-02]', async () => {
  const { tenant } = await people()
  const form = buildApplication({
    firstName: '',
    address: { ...buildApplication().address, zipCode: '1' },
    additionalGuests: [
      { firstName: '', lastName: '' },
      { firstName: 'Leo', lastName: '' },
    ],
    ...dates('2026-06-01', '2026-06-01'),
  })
  const { status, body } = await tenant.call('POST', '/api/application', form)
  expect(status).toBe(400)
  expect(body).toMatchObject({
    error: 'First name is required',
    fields: {
      firstName: 'First name is required',
      'address.zipCode': 'Please enter a valid ZIP code',
      'additionalGuests.1.lastName': 'Last name is required for additional guest',
      requestedEndDate: 'End date must be after start date',
    },
  })
  expect((await tenant.call('GET', '/api/application/status')).body.applications).toEqual([])
})

test('rejects more people than the condo sleeps, on every path that adds people [FIX-17]', async () => {
  const { app, tenant, admin } = await people()
  const guests = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ firstName: `Leo ${i}`, lastName: 'Reed', isAdult: true }))
  const couple = { secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' }
  const refusal = (field: string) => ({
    status: 400,
    body: {
      error: 'The condo sleeps 4 people, applicants included',
      fields: { [field]: 'The condo sleeps 4 people, applicants included' },
      requestId: expect.any(String),
    },
  })
  const create = (additionalGuests: object[]) =>
    tenant.call('POST', '/api/application', { ...buildApplication(), additionalGuests })
  expect(await create(guests(20))).toEqual(refusal('additionalGuests'))
  expect(await create(guests(4))).toEqual(refusal('additionalGuests'))
  expect((await tenant.call('GET', '/api/application/status')).body.applications).toEqual([])

  const { id } = (await create(guests(3))).body.application
  await tenant.call('POST', `/api/application/${id}/submit`)
  const stored = () => app.deps.db.select().from(applications).all()
  const before = stored()
  const own = (values: object) =>
    tenant.call('PUT', `/api/application/${id}`, { ...buildApplication(), ...values })
  const asOwner = (values: object) => admin.call('PUT', `/api/application/admin/${id}/edit`, values)
  expect(await own(couple)).toEqual(refusal('secondApplicantFirstName'))
  expect(await asOwner(couple)).toEqual(refusal('secondApplicantFirstName'))
  expect(await asOwner({ additionalGuests: guests(4) })).toEqual(refusal('additionalGuests'))
  expect(stored()).toEqual(before)
  expect((await asOwner({ ...couple, additionalGuests: guests(2) })).body.application.guestCount).toBe(4)
})

test('an application above the guest limit can be read, approved and edited, but not enlarged [FIX-17]', async () => {
  const { app, tenant, admin } = await people()
  const guests = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ firstName: `Leo ${i}`, lastName: 'Reed', isAdult: true }))
  const { id } = (await tenant.call('POST', '/api/application', buildApplication())).body.application
  await tenant.call('POST', `/api/application/${id}/submit`)
  await app.deps.write(tx =>
    tx
      .update(applications)
      .set({ additionalGuests: guests(6) })
      .run(),
  )
  expect((await tenant.call('GET', `/api/application/${id}`)).body.application.guestCount).toBe(7)
  const asOwner = (values: object) => admin.call('PUT', `/api/application/admin/${id}/edit`, values)
  const approved = await admin.call('PUT', `/api/application/admin/${id}/status`, { status: 'approved' })
  expect(approved.status).toBe(200)
  const edit = buildApplication({ phone: '5551234567' })
  expect((await tenant.call('PUT', `/api/application/${id}`, edit)).status).toBe(200)
  expect((await asOwner({ notes: 'Called.', additionalGuests: guests(6) })).status).toBe(200)
  expect((await asOwner({ additionalGuests: guests(7) })).status).toBe(400)
  const couple = { secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' }
  expect((await asOwner(couple)).status).toBe(400)
  expect((await asOwner({ ...couple, additionalGuests: guests(5) })).body.application.guestCount).toBe(7)
  expect((await asOwner({ additionalGuests: guests(4) })).body.application.guestCount).toBe(6)
  expect((await asOwner({ additionalGuests: guests(5) })).status).toBe(400)
})

test('ignores status, owner, number, rent and id in the body', async () => {
  const { tenant, other } = await people()
  const extra = { status: 'approved', userId: other.user.id, number: 'APP-1', id: 'mine', rentalAmount: 1 }
  const { body } = await tenant.call('POST', '/api/application', { ...buildApplication(), ...extra })
  expect(body.application).toMatchObject({ status: 'draft', userId: tenant.user.id, rentalAmount: null })
  const own = (await other.call('POST', '/api/application', buildApplication())).body.application.id
  const edit = { ...buildApplication({ firstName: 'Mallory' }), id: body.application.id }
  expect((await other.call('PUT', `/api/application/${own}`, edit)).body.application).toMatchObject({
    id: own,
  })
  expect(
    (await tenant.call('GET', `/api/application/${body.application.id}`)).body.application.firstName,
  ).toBe('Maya')
})

test("the admin's list has pages and a total, and rejects an invalid query", async () => {
  const { tenant, admin } = await people()
  for (const stay of [dates('2026-06-01', '2026-07-01'), dates('2026-06-10', '2026-06-20')]) {
    const { id } = (await tenant.call('POST', '/api/application', buildApplication(stay))).body.application
    await tenant.call('POST', `/api/application/${id}/submit`)
  }
  const list = (query: string) => admin.call('GET', `/api/application/admin/all?${query}`)
  const { body, status } = await list('page=2&limit=1&search=rivers&status=&sort=firstName&order=asc')
  expect([status, body.total, body.applications.length]).toEqual([200, 2, 1])
  const invalid = [
    'page=0',
    'page=x',
    'sort=password_hash',
    'status=draft',
    'limit=1000',
    'order=up',
    'search=a&search=b',
  ]
  for (const query of invalid) expect((await list(query)).status, query).toBe(400)
})

test("without a page the admin's list returns at most 250 applications, and says if there are more [FIX-19]", async () => {
  const { app, tenant, admin } = await people()
  const { id } = (
    await tenant.call('POST', '/api/application', buildApplication(dates('2026-06-01', '2026-07-01')))
  ).body.application
  await tenant.call('POST', `/api/application/${id}/submit`)
  const row = app.deps.db.select().from(applications).get()
  if (!row) throw new Error('no application')
  await app.deps.write(tx => {
    for (let at = 0; at < 620; at++)
      tx.insert(applications)
        .values({ ...row, id: randomUUID(), number: `APP-2026-${1000 + at}`, firstName: `Maya ${at % 7}` })
        .run()
  })
  const path = '/api/application/admin/all?sort=firstName&order=asc'
  const asOwner = app.as(admin.actor).applications
  const paged = []
  for (const page of [1, 2, 3, 4])
    paged.push(
      ...(await asOwner.adminList({ sort: 'firstName', order: 'asc', page, limit: 200 })).applications,
    )
  expect(paged).toHaveLength(621)
  expect((await admin.call('GET', path)).body).toEqual({ applications: paged.slice(0, 250), hasMore: true })
  const found = (await admin.call('GET', `${path}&search=maya%203`)).body
  expect(found).toEqual({ applications: paged.filter(({ firstName }) => firstName === 'Maya 3') })
  expect((await admin.call('GET', `${path}&search=nobody`)).body).toEqual({ applications: [] })
})
