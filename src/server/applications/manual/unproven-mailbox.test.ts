import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import {
  registeredMessage,
  unprovenApplicantMessage,
  usedInvitationMessage,
} from '../../../domain/bookings/booking-entry.ts'
import {
  call,
  isSessionValid,
  logInAs,
  resetTokens,
  signUp,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { buildApplication, dates } from '../../../testing/build-application.ts'
import { buildCsv, buildEntry, buildRow, invitationTokens } from '../../../testing/build-entry.ts'
import { enableTwoStep, mailsOf } from '../../../testing/build-factor.ts'
import { typedSignature } from '../../../testing/build-lease.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { type TestApp, testApp, testNow, testOrigin, visitor } from '../../../testing/test-app.ts'
import { forceEmailChange } from '../../auth/accounts/email-change/force-change.ts'

const victim = 'victim@mailbox.example'
const newPassword = 'the true owner'
const { secondApplicantFirstName, secondApplicantLastName, firstName, lastName, phone, address } =
  buildApplication()
const edit = { secondApplicantFirstName, secondApplicantLastName, firstName, lastName, phone, address }

/** A stranger registers the victim's email; then the owner enters a booking for it, with a lease and payments. */
async function enterForSquatted(app: TestApp) {
  const squatter = await signUp(app, { email: victim, firstName: 'Eve', lastName: 'Low' })
  const admin = app.as(await app.makeAdmin())
  const { application } = await admin.manualBookings.create(
    buildEntry({
      email: victim.toUpperCase(),
      phone: '850-555-0142',
      address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
      rentalAmount: 2000,
      depositAmount: 400,
      payments: [{ amount: 400_00, paymentType: 'deposit' }],
      note: 'Met in person',
    }),
  )
  const { payments } = await admin.payments.adminHistory({ userId: squatter.user.id })
  return { squatter, admin, application, paymentId: payments[0]?.id ?? '' }
}
const accept = (app: TestApp, token: string) =>
  call(app, 'POST', '/api/booking/invitation/accept', { body: { token, newPassword } })
const actorOf = (userId: string): SignedIn => ({ role: 'tenant', userId, requestOrigin: testOrigin })

test('a booking entered for an email that somebody registered without proving the mailbox stays closed to that account until the mailbox’s invitation is used [FIX-27, OWN-04]', async () => {
  const app = await testApp()
  const { squatter, admin, application, paymentId } = await enterForSquatted(app)
  const { token } = squatter
  const { id } = application
  expect(application).toMatchObject({ guestAccess: 'unproven', invitation: { acceptedAt: null } })
  expect(mailsOf(app, 'booking-entered')).toEqual([])
  const [invitation = ''] = invitationTokens(app, victim)
  expect(invitation).not.toBe('')

  const closed: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object][] = [
    ['GET', `/api/application/${id}`],
    ['PUT', `/api/application/${id}`, edit],
    ['POST', `/api/application/${id}/submit`],
    ['GET', `/api/charge/${id}`],
    ['GET', `/api/plan/${id}`],
    ['GET', `/api/lease/preview/${id}`],
    ['GET', `/api/lease/download?applicationId=${id}`],
    ['POST', `/api/lease/sign/${id}`, typedSignature(id, 'a'.repeat(64))],
    ['POST', `/api/lease/generate/${id}`],
    ['DELETE', `/api/lease/remove-signed/${id}`],
    ['GET', `/api/lease/view-signed/${id}`],
    ['GET', '/api/lease/view-signed'],
    ['GET', `/api/payment/history?applicationId=${id}`],
    ['GET', `/api/payment/${paymentId}/receipt.pdf`],
  ]
  for (const [method, url, body] of closed)
    expect([method, url, (await call(app, method, url, { token, body })).status]).toEqual([method, url, 404])
  const caller = app.as(actorOf(squatter.user.id))
  await expect(caller.applications.withdraw({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const lists = [
    (await call(app, 'GET', '/api/application/status', { token })).body,
    (await call(app, 'GET', '/api/lease/status', { token })).body,
    (await call(app, 'GET', '/api/payment/history', { token })).body,
    await caller.payments.options(),
  ]
  for (const list of lists) {
    const text = JSON.stringify(list)
    for (const secret of [id, application.applicationNumber, '850-555-0142', '400'])
      expect(text).not.toContain(secret)
  }
  // Applying and changing the password must not revoke the invitation.
  const change = { currentPassword: tenantPassword, newPassword: 'eve again' }
  expect((await call(app, 'PUT', '/api/auth/change-password', { token, body: change })).status).toBe(200)

  const accepted = await accept(app, invitation)
  expect(accepted).toMatchObject({ status: 200, body: { user: { email: victim }, before: { payments: 1 } } })
  expect(await isSessionValid(app, token)).toBe(false)
  for (const password of [tenantPassword, 'eve again'])
    expect((await logInAs(app, victim, password)).status).toBe(401)
  const opened = await call(app, 'GET', `/api/application/${id}`, { token: accepted.body.token })
  expect(opened.body.application).toMatchObject({ phone: '850-555-0142', leaseGenerated: true })
  const shown = await admin.applications.adminGet({ id })
  expect(shown.application).toMatchObject({
    guestAccess: 'open',
    invitation: { acceptedAt: expect.any(String) },
  })
  await expect(admin.manualBookings.invite({ applicationId: id })).rejects.toThrow('has a password already')
  expect((await accept(app, invitation)).body.error).toBe(usedInvitationMessage)
})

test('any proof of the mailbox opens the booking and ends its invitation: a reset does, and it shows the booking as the account’s [FIX-27, OWN-12]', async () => {
  const app = await testApp()
  const { squatter, application } = await enterForSquatted(app)
  const [invitation = ''] = invitationTokens(app, victim)
  await app.as(visitor).accounts.forgotPassword({ email: victim })
  const [token = ''] = resetTokens(app, victim)
  const { before } = await app.as(visitor).accounts.resetPassword({ token, newPassword })
  expect(before.applicationNumbers).toEqual([application.applicationNumber])
  expect(await isSessionValid(app, squatter.token)).toBe(false)
  expect((await accept(app, invitation)).status).toBe(409)
  const { application: opened } = await app
    .as(actorOf(squatter.user.id))
    .applications.get({ id: application.id })
  expect(opened.phone).toBe('850-555-0142')
})

test('an imported booking stays closed too, and the owner can send its invitation, but not correct an email that somebody registered [FIX-27, OWN-16]', async () => {
  const app = await testApp()
  const squatter = await signUp(app, { email: victim })
  const admin = app.as(await app.makeAdmin())
  const csv = buildCsv([buildRow({ email: victim, rent_paid: '400', monthly_rent: '900', lease: 'yes' })])
  const { rows } = await admin.manualBookings.import({ csv, dryRun: false, invite: false })
  const { applications } = await admin.applications.adminList({ search: rows[0]?.applicationNumber ?? '' })
  const [{ id = '' } = {}] = applications
  expect(applications).toMatchObject([{ guestAccess: 'unproven', invitation: null }])
  expect((await call(app, 'GET', `/api/application/${id}`, { token: squatter.token })).status).toBe(404)
  await expect(
    admin.manualBookings.invite({ applicationId: id, email: 'eve@elsewhere.example' }),
  ).rejects.toThrow(registeredMessage)
  await admin.manualBookings.invite({ applicationId: id })
  const [token = ''] = invitationTokens(app, victim)
  const { invitation } = await app.as(visitor).manualBookings.invitation({ token })
  expect(invitation).toMatchObject({ isRegistered: true })
  expect((await accept(app, token)).status).toBe(200)
})

test('the booking of an accepted offer stays closed too, and the owner sees its invitation and can send it again [FIX-27, CLAIM-20]', async () => {
  const app = await testApp()
  await signUp(app, { email: victim })
  const admin = app.as(await app.makeAdmin())
  const { claim } = await admin.offers.make(buildOffer({ email: victim }))
  const totalCents = claim.totalCents ?? 0
  const answer = {
    token: offerToken(app, claim.id),
    typedName: 'Anna Miller',
    totalCents,
    person: offerPerson,
  }
  await app.as(visitor).offers.acceptByLink(answer)
  const booking = async () => {
    const [listed] = (await admin.applications.adminList({})).applications
    return listed ?? expect.unreachable()
  }
  const { id } = await booking()
  expect(await booking()).toMatchObject({ guestAccess: 'unproven', invitation: { acceptedAt: null } })
  await admin.manualBookings.invite({ applicationId: id })
  expect((await accept(app, invitationTokens(app, victim).at(-1) ?? '')).status).toBe(200)
  expect(await booking()).toMatchObject({
    guestAccess: 'open',
    invitation: { acceptedAt: expect.any(String) },
  })
})

test('accepting an invitation removes a second step from before the mailbox was proven [FIX-27, FIX-22, SAFE-09]', async () => {
  const app = await testApp()
  const squatter = await signUp(app, { email: victim })
  const isSquatter = eq(users.id, squatter.user.id)
  const prove = (mailboxProvenAt: string | null) =>
    app.deps.write(tx => tx.update(users).set({ mailboxProvenAt }).where(isSquatter).run())
  // As accounts could do before a factor asked for the mailbox.
  await prove(testNow)
  await enableTwoStep(app, actorOf(squatter.user.id), tenantPassword)
  await prove(null)
  await app.as(await app.makeAdmin()).manualBookings.create(buildEntry({ email: victim }))
  const accepted = await accept(app, invitationTokens(app, victim)[0] ?? '')
  expect(accepted.status).toBe(200)
  expect(Object.keys(accepted.body).toSorted()).toEqual(['before', 'token', 'user'])
  expect('challenge' in (await logInAs(app, victim, newPassword)).body).toBe(false)
})

test('money of a closed booking does not reach the account by a transfer, or when the booking is deleted [FIX-27]', async () => {
  const app = await testApp()
  const { squatter, admin, application, paymentId } = await enterForSquatted(app)
  const caller = app.as(actorOf(squatter.user.id))
  const own = await caller.applications.createAndSubmit(buildApplication(dates('2026-06-01', '2026-07-01')))
  await expect(
    admin.payments.transfer({
      fromApplicationId: application.id,
      toApplicationId: own.application.id,
      depositAmount: 100_00,
    }),
  ).rejects.toThrow('Nobody has confirmed yet that both applications are of the same person.')
  const before = await caller.payments.options()
  await admin.applications.adminDelete({ id: application.id })
  expect(await caller.payments.options()).toEqual(before)
  expect((await caller.payments.history({})).payments).toEqual([])
  const receipt = `/api/payment/${paymentId}/receipt.pdf`
  expect((await call(app, 'GET', receipt, { token: squatter.token })).status).toBe(404)
})

test('a booking for a proven account is open at once, and earlier bookings of an account stay open [OWN-04, FIX-27]', async () => {
  const app = await testApp()
  const maya = await app.makeTenant({ email: victim })
  const admin = app.as(await app.makeAdmin())
  const { application } = await admin.manualBookings.create(buildEntry({ email: victim }))
  expect(application).toMatchObject({ guestAccess: 'open', invitation: null })
  expect(mailsOf(app, 'booking-entered')).toHaveLength(1)
  expect((await app.as(maya).applications.get({ id: application.id })).application.id).toBe(application.id)
  // As after an upgrade: entered before the mailbox mattered.
  await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: null }).run())
  expect((await app.as(maya).applications.get({ id: application.id })).application.id).toBe(application.id)
})

test('an account without a proven mailbox cannot start a change of its email, and one on the command line does not prove it [FIX-27]', async () => {
  const app = await testApp()
  const { squatter, application } = await enterForSquatted(app)
  const mailsBefore = mailsOf(app, 'email-change-link')
  await expect(
    app
      .as(actorOf(squatter.user.id))
      .emailChange.start({ newEmail: 'thief@elsewhere.example', applicationsToo: true }),
  ).rejects.toThrow('Please confirm your email address first.')
  expect(mailsOf(app, 'email-change-link')).toEqual(mailsBefore)
  const change = { email: victim, newEmail: 'moved@mailbox.example', applicationsToo: true }
  await forceEmailChange(app.deps, change)
  const { body } = await logInAs(app, 'moved@mailbox.example', tenantPassword)
  const token = String(body.token)
  expect((await call(app, 'GET', `/api/application/${application.id}`, { token })).status).toBe(404)
})

test('the owner is warned about the application of an account without a proven mailbox, also by an import [FIX-27, OWN-05]', async () => {
  const app = await testApp()
  const squatter = await signUp(app, { email: victim })
  const stay = dates('2027-03-01', '2027-04-01')
  await app.as(actorOf(squatter.user.id)).applications.createAndSubmit(buildApplication(stay))
  const { manualBookings: entry } = app.as(await app.makeAdmin())
  const single = buildEntry({ email: victim, startDate: '2027-03-01', endDate: '2027-04-01' })
  await expect(entry.create(single)).rejects.toThrow(unprovenApplicantMessage)
  const row = buildRow({
    email: victim,
    start_date: '2027-03-01',
    end_date: '2027-04-01',
    deposit_paid: '500',
  })
  await expect(
    entry.import({ csv: buildCsv([row]), dryRun: false, skipDuplicates: true }),
  ).rejects.toMatchObject({
    cause: { fields: { 'rows.2.start_date': expect.stringContaining(unprovenApplicantMessage) } },
  })
})
