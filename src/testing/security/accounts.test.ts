import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenantPassword } from '../build-account.ts'
import { applicationForm, apply, checkout, openPortal, type Portal, signature } from './portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.close())

test('login and password reset reveal neither by body nor by timing whether an e-mail has an account', async () => {
  const { email } = await portal.tenant()
  const emails = { known: email, unknown: 'nobody-here@guest.example' }
  const ask = {
    login: (to: string) =>
      portal.call('POST', '/api/auth/login', { body: { email: to, password: 'a wrong one' } }),
    forgot: (to: string) => portal.call('POST', '/api/auth/forgot-password', { body: { email: to } }),
  }
  for (const [path, call] of Object.entries(ask)) {
    const times: Record<string, number[]> = { known: [], unknown: [] }
    const bodies = new Set<string>()
    for (let round = 0; round < 5; round++) {
      for (const [which, to] of Object.entries(emails)) {
        const start = performance.now()
        const { status, body } = await call(to)
        times[which]?.push(performance.now() - start)
        bodies.add(JSON.stringify([status, { ...body, requestId: undefined }]))
      }
    }
    expect(bodies.size, path).toBe(1)
    const [known, unknown] = [Math.min(...(times.known ?? [])), Math.min(...(times.unknown ?? []))]
    // A hash takes tens of milliseconds: hashing for only one of the two would show.
    expect(Math.max(known, unknown) / Math.min(known, unknown), `${path} ${known} ${unknown}`).toBeLessThan(3)
  }
})

test('a 1 MB password is never hashed', async () => {
  const { email } = await portal.tenant()
  const password = 'x'.repeat(1024 * 1024)
  const long = 'x'.repeat(201)
  const asks = [
    ...Array.from(
      { length: 30 },
      () => () => portal.call('POST', '/api/auth/login', { body: { email, password: long } }),
    ),
    () => portal.call('POST', '/api/auth/login', { body: { email, password } }),
    () => portal.mutate('accounts.login', { body: { email, password } }),
    () =>
      portal.mutate('accounts.register', {
        body: { firstName: 'A', lastName: 'B', email: 'b@guest.example', password },
      }),
    () => portal.mutate('accounts.resetPassword', { body: { token: 'x', newPassword: password } }),
  ]
  const before = portal.snapshotState()
  // More concurrent requests than the hash queue accepts: none of them waits for it.
  const replies = await Promise.all(asks.map(ask => ask()))
  expect(replies.map(({ status }) => status)).toEqual([...Array(30).fill(400), 413, 413, 413, 413])
  expect(portal.snapshotState()).toEqual(before)
})

test('rejects a second account whose e-mail differs only in letter case', async () => {
  const { email } = await portal.tenant()
  const form = { firstName: 'Eve', lastName: 'Rivers', email: email.toUpperCase(), password: tenantPassword }
  await portal.expectRejected(409, () => portal.call('POST', '/api/auth/register', { body: form }))
  await portal.expectRejected(409, () =>
    portal.mutate('accounts.register', { body: { ...form, email: ` ${email} ` } }),
  )
})

test('ignores a role, status or userId in any body', async () => {
  const victim = await portal.tenant()
  const forged = {
    role: 'admin',
    userId: victim.id,
    id: victim.id,
    _id: victim.id,
    status: 'approved',
    emailKey: 'x',
  }
  const { body } = await portal.call('POST', '/api/auth/register', {
    body: {
      ...forged,
      firstName: 'Eve',
      lastName: 'Low',
      email: 'eve@guest.example',
      password: tenantPassword,
    },
  })
  expect(body.user).toMatchObject({ role: 'tenant', email: 'eve@guest.example' })
  expect(body.user.id).not.toBe(victim.id)
  const token = body.token
  const changed = await portal.expectOk(
    portal.call('PUT', '/api/auth/profile', { token, body: { ...forged, lastName: 'High' } }),
  )
  expect(changed.user).toMatchObject({
    role: 'tenant',
    id: body.user.id,
    email: 'eve@guest.example',
    lastName: 'High',
  })
  await portal.expectRejected(403, () => portal.query('notices.list', { token }))
  expect((await portal.call('GET', '/api/auth/profile', { token: victim.token })).body.user.lastName).toBe(
    'Rivers',
  )
})

test('ignores a role, status, owner or amount in the body of an application, a checkout or a signature', async () => {
  const [victim, eve, admin] = [await portal.tenant(), await portal.tenant(), await portal.admin()]
  const other = await apply(portal, victim, admin)
  const forged = {
    ...{
      role: 'admin',
      status: 'completed',
      userId: victim.id,
      user: victim.id,
      id: other.id,
      _id: other.id,
    },
    ...{ applicationNumber: 'APP-1999-0001', notes: 'forged', email: 'forged@guest.example' },
    ...{
      leaseGenerated: true,
      leaseSigned: true,
      depositPaid: true,
      submittedAt: '1999-01-01T00:00:00.000Z',
    },
    ...{ rentalAmount: 1, depositAmount: 1, rentCents: 1, depositCents: 1, totalAmountCents: 1 },
  }
  const serverFields = { status: 'draft', rentalAmount: null, depositAmount: null, leaseGenerated: false }
  const { token } = eve
  const { application } = await portal.expectOk(
    portal.call('POST', '/api/application', { token, body: applicationForm(forged) }),
  )
  expect(application).toMatchObject(serverFields)
  expect(JSON.stringify(application)).not.toMatch(/forged|APP-1999|1999-01/)
  const change = { ...applicationForm(forged), phone: '850-555-0199' }
  const path = `/api/application/${application.id}`
  await portal.expectOk(portal.call('PUT', path, { token, body: change }))
  const stored = () =>
    portal.database(db => db.prepare('select * from applications where id = ?').get(application.id))
  expect(stored()).toMatchObject({ user_id: eve.id, status: 'draft', rent_cents: null, deposit_cents: null })
  await portal.expectOk(portal.call('POST', `${path}/submit`, { token, body: forged }))
  expect(stored()).toMatchObject({ user_id: eve.id, status: 'pending', rent_cents: null })
  const leases = portal.database(db =>
    db.prepare('select id from leases where application_id = ?').all(application.id),
  )
  expect(leases).toEqual([])
  expect(JSON.stringify(stored())).not.toMatch(/forged|APP-1999|1999-01/)

  const paid = { ...checkout({ applicationId: application.id }), userId: victim.id, status: 'succeeded' }
  await portal.expectOk(portal.call('POST', '/api/payment/create-checkout-session', { token, body: paid }))
  const rows = portal.database(db => db.prepare('select user_id, status from payments').all())
  expect(rows).toEqual([{ user_id: eve.id, status: 'pending' }])

  const signed = signature({ ...forged, signedFileId: 'x', leaseTextSha256: other.leaseTextSha256 })
  await portal.expectOk(
    portal.call('POST', `/api/lease/sign/${other.id}`, { token: victim.token, body: signed }),
  )
  const events = portal.database(db => db.prepare("select * from events where kind = 'lease.signed'").all())
  expect(events).toMatchObject([{ actor_id: victim.id, actor_role: 'tenant', subject_id: other.id }])
})

test('the first visitor does not become admin', async () => {
  const empty = await openPortal({ env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })
  try {
    const first = await empty.tenant({ email: 'admin@condo.example', role: 'admin' })
    await empty.expectRejected(403, () => empty.query('notices.list', { token: first.token }))
    const roles = empty.database(db => db.prepare('select role from users').pluck().all())
    expect(roles).toEqual(['tenant'])
  } finally {
    await empty.close()
  }
})
