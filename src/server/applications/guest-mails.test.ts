import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { missingEmail } from '../../domain/accounts/account-rules.ts'
import { call } from '../../testing/build-account.ts'
import { buildApplication, dates } from '../../testing/build-application.ts'
import { buildEntry } from '../../testing/build-entry.ts'
import { mailsOf } from '../../testing/build-factor.ts'
import { makeLease } from '../../testing/build-lease.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { stayApp } from '../../testing/build-stay.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { testApp } from '../../testing/test-app.ts'
import { composeMail } from '../mail/compose.ts'

async function openBooking(email: string) {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  const { application } = await owner.manualBookings.create(buildEntry({ email, invite: email !== '' }))
  return { app, owner, id: application.id }
}

test('the approval mail and its preview show the estimated rent and the deposit [LOOK-90]', async () => {
  const app = await testApp()
  const [tenant, owner] = [await app.makeTenant(), app.as(await app.makeAdmin())]
  await owner.rates.create(buildRate({ startDate: '2026-01-01', endDate: '2027-12-31', monthly: 3000 }))
  const { application } = await app
    .as(tenant)
    .applications.createAndSubmit(buildApplication(dates('2026-06-01', '2026-07-01')))
  const { id } = application
  const prices = /Rent \(estimate\)\s+\$3,000\.00\s+Security deposit\s+\$500\.00/
  expect((await owner.applications.previewStatusMail({ id, status: 'approved' })).words).toMatch(prices)
  await owner.applications.adminSetStatus({ id, status: 'approved' })
  const [mail] = mailsOf(app, 'application-approved')
  if (!mail) throw new Error('no mail')
  expect((await composeMail(app.deps, noMailSources, mail)).text).toMatch(prices)
})

test('the mail, which is the one that was previewed, mentions no estimate or coming lease to a guest with a lease, and does not call a booking with money owed complete [MAIL-05, CHANGE-16, LOOK-90]', async () => {
  const { app, id, owner } = await stayApp()
  const textOf = async (kind: 'application-approved' | 'booking-complete') => {
    const mail = mailsOf(app, kind).at(-1)
    if (!mail) throw new Error('no mail')
    return (await composeMail(app.deps, noMailSources, mail)).words
  }
  const wordsOf = async (status: 'approved' | 'completed') =>
    (await owner().applications.previewStatusMail({ id, status })).words
  await owner().applications.adminSetStatus({ id, status: 'completed' })
  expect(await textOf('booking-complete')).toContain('Everything is in place')
  for (const end of ['rejected', 'cancelled'] as const) {
    if (end === 'rejected') await owner().applications.adminSetStatus({ id, status: 'rejected' })
    else await owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'x' })
    const preview = await wordsOf('approved')
    await owner().applications.adminSetStatus({ id, status: 'approved' })
    const approved = await textOf('application-approved')
    for (const text of [approved, preview]) {
      expect(text).toContain('Your lease stands as it was.')
      expect(text).not.toMatch(/Next comes your lease|estimate/)
    }
    expect(approved).toMatch(/Rent\s+\$2,500\.00\s+Security deposit\s+\$500\.00/)
    expect(preview).toBe(approved)
  }
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await owner().payments.recordReturn({
    applicationId: id,
    kind: 'deposit_return',
    amount: 500_00,
    reason: '',
  })
  const withoutDeposit = await wordsOf('completed')
  await owner().applications.adminSetStatus({ id, status: 'completed' })
  expect(withoutDeposit).toBe(await textOf('booking-complete'))
  expect(withoutDeposit).toMatch(/Still to be paid\s+\$500\.00/)
  await owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'x' })
  const { cancellation } = await owner().cancellations.adminGet({ applicationId: id })
  for (const refund of cancellation?.refunds ?? [])
    await owner().cancellations.refundByHand({ refundId: refund.id })
  const preview = await wordsOf('completed')
  await owner().applications.adminSetStatus({ id, status: 'completed' })
  const owing = await textOf('booking-complete')
  expect(preview).toBe(owing)
  expect(owing).toContain('Your booking is confirmed. Part of it is still to be paid.')
  expect(owing).toMatch(/Still to be paid\s+\$3,000\.00/)
  expect(owing).not.toContain('Everything is in place')
})

test('during an import the mail of a decision is previewed at once; for a cancelled stay, which the decision reinstates, after it [LOOK-68]', async () => {
  const { app, id, owner } = await stayApp()
  const preview = async () =>
    (await owner().applications.previewStatusMail({ id, status: 'completed' })).words
  const during = async (work: () => Promise<unknown>) => {
    let isOver = false
    const long = app.deps.writeInParts(function* () {
      while (!isOver) yield
    })
    const first = await Promise.race([work().then(() => 'previewed'), delay(500).then(() => 'waits')])
    isOver = true
    await long
    return first
  }
  await preview()
  expect(await during(preview)).toBe('previewed')
  await owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'x' })
  expect(await during(preview)).toBe('waits')
})

test('an email whose subject is not stored is listed under the name of its template [LOOK-81]', async () => {
  const app = await testApp()
  const { admin, id } = await makeLease(app)
  const { mails } = await app.as(admin).applications.adminMails({ id })
  expect(mails.map(({ subject }) => subject)).toContain('Lease ready to sign')
})

const words = { subject: 'Your arrival', message: 'The key is under the mat.' }

test('mails the owner’s words to the guest once per request [LOOK-81]', async () => {
  const { app, owner, id } = await openBooking('jon@guest.example')
  const requestId = randomUUID()
  for (let times = 0; times < 2; times++) await owner.applications.writeToGuest({ ...words, id, requestId })
  expect(mailsOf(app, 'message-to-guest')).toMatchObject([{ toAddress: 'jon@guest.example' }])
})

test('refuses words and an invitation to a guest without an email, instead of saying that they are on their way [LOOK-81, LOOK-84]', async () => {
  const { app, owner, id } = await openBooking('')
  await expect(
    owner.applications.writeToGuest({ ...words, id, requestId: randomUUID() }),
  ).rejects.toMatchObject({ code: 'CONFLICT', message: 'This guest has no email.' })
  await expect(owner.manualBookings.invite({ applicationId: id })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Email is required',
  })
  expect(mailsOf(app, 'message-to-guest')).toEqual([])
  await owner.manualBookings.invite({ applicationId: id, email: 'jon@guest.example' })
  await owner.applications.writeToGuest({ ...words, id, requestId: randomUUID() })
  expect(mailsOf(app, 'message-to-guest')).toHaveLength(1)
})

test('nobody can register with the address of a guest who has none [LOOK-84]', async () => {
  const { app } = await openBooking('')
  const form = { firstName: 'Eve', lastName: 'Low', password: 'sand between toes' }
  for (const email of [missingEmail('eve'), missingEmail('eve').toUpperCase()])
    expect(await call(app, 'POST', '/api/auth/register', { body: { ...form, email } })).toMatchObject({
      status: 400,
      body: { fields: { email: 'Please enter a valid email address' } },
    })
})
