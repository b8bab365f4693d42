import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  applications,
  charges,
  claims,
  events,
  leases,
  outbox,
  payments,
  signers,
  users,
} from '../../../../db/schema.ts'
import { untilText } from '../../../domain/bookings/claim.ts'
import { noLease } from '../../../domain/bookings/offer-words.ts'
import { tenantStep } from '../../../domain/bookings/tenant-step.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import type { OutgoingMail } from '../../../domain/content/outgoing-mail.ts'
import { signUp } from '../../../testing/build-account.ts'
import { dates, makeBooking, makePending } from '../../../testing/build-application.ts'
import { buildFeeRule, buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { changeEmail } from '../../../testing/build-email-change.ts'
import { buildCsv, buildEntry, buildRow } from '../../../testing/build-entry.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { buildRate } from '../../../testing/build-rate.ts'
import { preparedSite, testNow, testOrigin, visitor } from '../../../testing/test-app.ts'
import { composeMail } from '../../mail/compose.ts'
import { MailObsoleteError } from '../../mail/define-mail.ts'
import { startMailScheduler } from '../../mail/scheduled-mails.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources, scheduledMailSources } from '../../mail-sources.ts'
import { markRestored } from '../../operations/backup/restored.ts'
import { tickOffers } from './tick.ts'

const prepared = preparedSite(async app => ({
  owner: await app.makeAdmin({ email: 'owner@condo.example' }),
  tenant: await app.makeTenant({ email: 'maya@guest.example' }),
}))

async function site() {
  const { app, owner, tenant } = await prepared()
  const admin = app.as(owner)
  const guest = app.as(visitor)
  const make = async (more = {}) => (await admin.offers.make(buildOffer(more))).claim
  const accept = (claimId: string, more = {}) =>
    guest.offers.acceptByLink({
      token: offerToken(app, claimId),
      typedName: 'Anna Miller',
      totalCents: 200_000,
      person: offerPerson,
      ...more,
    })
  const get = async (claimId: string) => (await admin.offers.adminGet({ claimId })).claim
  const ofClaim = (id: string) =>
    app.deps.db
      .select()
      .from(events)
      .where(eq(events.subjectId, id))
      .all()
      .map(({ kind }) => kind)
  const mails = () =>
    app.deps.db
      .select()
      .from(outbox)
      .all()
      .map(({ kind }) => kind)
  const deliver = async () => {
    const scheduler = startMailScheduler(app.deps, scheduledMailSources)
    await scheduler.tick()
    await scheduler.stop()
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    return app.sentMails.splice(0).map(({ subject }) => subject)
  }
  const apply = (startDate: string, endDate: string, who = tenant) =>
    makePending(app, who, { requestedStartDate: startDate, requestedEndDate: endDate })
  return { app, owner, tenant, admin, guest, make, accept, get, ofClaim, mails, deliver, apply }
}

const cardDeposit = (
  applicationId: string,
  userId: string,
  at: string,
  status: 'processing' | 'succeeded',
) => ({
  id: 'late',
  userId,
  applicationId,
  type: 'deposit' as const,
  method: 'card' as const,
  status,
  amountCents: 50_000,
  feeCents: 0,
  totalCents: 50_000,
  paidAt: status === 'succeeded' ? at : null,
  createdAt: at,
  updatedAt: at,
})

test('the preview shows the mail that making the offer sends, also to an address registered without proof and to the tenant of a booked stay [CLAIM-15, CLAIM-16, FIX-27]', async () => {
  const { admin, app, owner, tenant } = await site()
  const compare = async ({
    email,
    firstName,
    ...more
  }: {
    email?: string
    firstName?: string
    applicationId?: string
  }) => {
    const { email: _, ...offer } = buildOffer({ message: 'See you soon.', until: '2026-03-09', ...more })
    const mail = {
      email,
      firstName: firstName ?? offer.firstName,
      message: offer.message,
      until: offer.until,
    }
    const preview = await admin.offers.preview({ ...offer, mail })
    const { claim } = await admin.offers.make({
      ...offer,
      firstName: mail.firstName,
      email: email ?? 'any@guest.example',
    })
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    const sent = app.sentMails.splice(0).find(({ subject }) => subject === preview.mail?.subject)
    expect(preview.mail?.words).toContain('See you soon.')
    expect(sent?.text.replaceAll(/offer#[\w-]+/g, 'offer#…')).toContain(preview.mail?.words)
    await admin.offers.withdraw({ claimId: claim.id })
    return preview.mail?.words
  }
  expect(await compare({ email: 'anna@guest.example' })).toContain('Hello Anna,')
  await signUp(app, { email: 'anna@guest.example', firstName: 'Evil' })
  expect(await compare({ email: 'Anna@guest.example' })).toContain('Hello,')
  const dates = { requestedStartDate: '2026-05-03', requestedEndDate: '2026-05-17' }
  const { id: applicationId } = await makeBooking(app, tenant, owner, dates)
  expect(await compare({ applicationId, firstName: 'Typed' })).toContain('Hello Maya,')
})

test('an offer holds its nights for its person until the moment of its clock, however it is booked, also in bulk and by import [CLAIM-02, CLAIM-05, CLAIM-06, CLAIM-07, CLAIM-13]', async () => {
  const { admin, app, apply, get, make } = await site()
  const [asked, beside] = [await apply('2026-08-10', '2026-08-12'), await apply('2026-09-01', '2026-09-05')]
  const claim = await make()
  expect(claim).toMatchObject({
    kind: 'offer',
    state: 'open',
    until: '2026-03-07T17:00:00.000Z',
    nights: 14,
    guests: 2,
    rentalAmount: 2000,
    totalCents: 200_000,
    depositCents: 50_000,
    priceFrom: 'owner',
    version: 1,
  })
  const held = 'These dates are held for Anna Miller until Mar 7, 2026, 12:00 PM. Withdraw that offer first.'
  await expect(make({ email: 'ben@guest.example' })).rejects.toThrow(held)
  await expect(
    admin.manualBookings.create(
      buildEntry({ startDate: '2026-08-16', endDate: '2026-08-20', invite: false }),
    ),
  ).rejects.toThrow(held)
  const inBulk = { ids: [asked.id, beside.id], status: 'approved' as const }
  expect((await admin.applications.adminSetStatuses(inBulk)).results).toEqual([
    { id: asked.id, ok: false, error: held },
    { id: beside.id, ok: true },
  ])
  const row = { email: 'ben@guest.example', start_date: '2026-08-16', end_date: '2026-08-20' }
  const file = { csv: buildCsv([buildRow(row)]), dryRun: true }
  const [checked] = (await admin.manualBookings.import(file)).rows
  expect(checked?.errors).toEqual([{ column: 'start_date', message: held }])
  await expect(admin.manualBookings.import({ ...file, dryRun: false })).rejects.toMatchObject({
    cause: { fields: { 'rows.2.start_date': held } },
  })
  await expect(apply('2026-08-01', '2026-08-04')).rejects.toThrow('no longer available')
  const { nights } = await admin.bookings.nights({
    startDate: '2026-08-02',
    endDate: '2026-08-04',
    claimId: claim.id,
  })
  expect(nights).toMatchObject([
    { stands: null, apply: true },
    {
      stands: 'held',
      who: 'Anna Miller',
      claimId: claim.id,
      accept: true,
      byHand: false,
      exported: 'Blocked',
    },
  ])
  app.setNow('2026-03-07T16:59:59.999Z')
  await expect(apply('2026-08-01', '2026-08-04')).rejects.toThrow('no longer available')
  app.setNow('2026-03-07T17:00:00.000Z')
  await apply('2026-08-01', '2026-08-04')
  expect(await get(claim.id)).toMatchObject({ state: 'ended', endedAs: 'expired', until: null })
  app.setNow('2026-03-05T17:00:00.000Z')
  expect(await get(claim.id)).toMatchObject({ state: 'ended' })
})

test('without a mail server no offer is made, as nobody would read it [CLAIM-13]', async () => {
  const { admin, app } = await site()
  Object.assign(app.deps, { mail: undefined })
  await expect(admin.offers.make(buildOffer())).rejects.toThrow('No mail server is set up')
  expect(app.deps.db.select().from(claims).all()).toEqual([])
})

test('who, when and how long are checked, and the preview writes nothing [CLAIM-13, CLAIM-14, CLAIM-15]', async () => {
  const { admin, app, make } = await site()
  await expect(make({ email: 'owner@condo.example' })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(make({ startDate: '2026-03-03' })).rejects.toThrow('The arrival is in the past.')
  await expect(make({ startDate: '2029-08-01', endDate: '2029-08-08' })).rejects.toThrow('within three years')
  await expect(make({ guests: 7 })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(make({ until: '2026-03-04T17:59:59.000Z' })).rejects.toThrow(
    'Please choose a time from Mar 4, 2026, 1:00 PM to Apr 3, 2026, 1:00 PM.',
  )
  await expect(make({ rentalAmount: null })).rejects.toThrow(
    'There is no rate for these dates. Please enter a rent.',
  )
  const soon = { startDate: '2026-03-04', endDate: '2026-03-06' }
  const requestId = crypto.randomUUID()
  const first = await make({ ...soon, requestId })
  expect(first.until).toBe('2026-03-05T05:00:00.000Z')
  expect(await make({ ...soon, requestId })).toEqual(first)
  await expect(admin.offers.ask({ claimId: first.id })).rejects.toThrow('Only a promise can be asked about.')
  const toOwner = admin.offers.resend({ claimId: first.id, email: 'Owner@condo.example' })
  await expect(toOwner).rejects.toThrow('This is an administrator’s email.')
  const entry = admin.manualBookings.create({ ...buildEntry(), requestId })
  await expect(entry).rejects.toThrow('This form has already been sent.')
  const before = app.deps.db.select().from(claims).all()
  await admin.availability.setDates({ dates: ['2026-08-04'], isAvailable: false, reason: 'Painting' })
  await admin.settings.bookingRules.save({ version: 0, body: { leadDays: 200 } })
  const { email: _, firstName: __, lastName: ___, ...stay } = buildOffer()
  const preview = await admin.offers.preview(stay)
  expect(preview).toMatchObject({ totalCents: 200_000, depositCents: 50_000, blockedNights: ['2026-08-04'] })
  expect(preview.warnings).toEqual([
    'You have blocked these nights: Aug 4, 2026',
    'Please choose an arrival on Sep 20, 2026 or later.',
  ])
  expect(app.deps.db.select().from(claims).all()).toEqual(before)
})

test('nothing is offered or promised to a guest without an email, who would never read of it [CLAIM-13, CLAIM-28]', async () => {
  const { admin, app } = await site()
  const entry = buildEntry({ email: '', invite: false, generateLease: false })
  const { id: applicationId } = (await admin.manualBookings.create(entry)).application
  const required = { code: 'BAD_REQUEST', message: 'Email is required' }
  const offer = admin.offers.make(buildOffer({ applicationId }))
  await expect(offer).rejects.toMatchObject(required)
  const promise = admin.offers.promise({ applicationId, rentalAmount: 2000 })
  await expect(promise).rejects.toMatchObject(required)
  expect(app.deps.db.select().from(claims).all()).toEqual([])
})

test('accepting an offer books the stay at the price that was offered, in one transaction [CLAIM-18, CLAIM-19, CLAIM-20, CLAIM-21]', async () => {
  const { accept, admin, app, get, guest, mails, make, ofClaim, tenant } = await site()
  await admin.chargeRules.createFee(buildFeeRule())
  await admin.chargeRules.createTax(buildTaxRule())
  const { id, lines, totalCents } = await make()
  const offered = totalCents ?? 0
  const token = offerToken(app, id)
  const opened = await guest.offers.open({ token })
  expect(opened.claim).toMatchObject({ needs: ['phone', 'address', 'additionalGuests'], lines })
  expect(opened.claim.afterAccepting).toContain(
    'pay the $500.00 deposit within 3 days, or the booking lapses.',
  )
  expect(JSON.stringify(opened)).not.toContain('anna@guest.example')
  const additionalGuests = [...offerPerson.additionalGuests, { firstName: 'Ben', lastName: 'Miller' }]
  const third = accept(id, { totalCents: offered, person: { ...offerPerson, additionalGuests } })
  await expect(third).rejects.toThrow('This offer is for at most 2 guests.')
  await expect(accept(id, { totalCents: offered + 1 })).rejects.toThrow(
    'The price has changed. Please look again.',
  )
  await expect(accept(id, { totalCents: offered, depositCents: 1 })).rejects.toThrow('The price has changed.')
  await expect(accept(id, { totalCents: offered, person: undefined })).rejects.toThrow(
    'Phone number is required',
  )
  await expect(accept(id, { totalCents: offered, typedName: ' ' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  expect(app.deps.db.select().from(applications).all()).toEqual([])
  const { claim, next } = await accept(id, { totalCents: offered })
  expect(claim).toMatchObject({ state: 'accepted', secureUntil: '2026-03-08T05:00:00.000Z', until: null })
  expect(claim.missing).toEqual(['The lease is not signed.', '$500.00 of the deposit is not paid.'])
  const [application] = app.deps.db.select().from(applications).all()
  expect(application).toMatchObject({
    status: 'approved',
    source: 'offer',
    awaitsMailbox: true,
    rentCents: 200_000,
  })
  const written = app.deps.db.select().from(charges).all()
  expect(
    written.filter(({ kind }) => kind !== 'deposit').reduce((sum, { amountCents }) => sum + amountCents, 0),
  ).toBe(offered)
  expect(app.deps.db.select().from(leases).all()).toHaveLength(1)
  expect(mails()).toEqual(['offer', 'invitation', 'offer-accepted'])
  expect(ofClaim(id)).toEqual(['claim.made', 'claim.accepted'])
  expect(app.deps.db.select().from(events).where(eq(events.kind, 'claim.accepted')).get()).toMatchObject({
    at: testNow,
    address: testOrigin.address,
    userAgent: testOrigin.userAgent,
    detail: { typedName: 'Anna Miller', totalCents: offered },
  })
  await expect(accept(id, { totalCents: offered })).rejects.toThrow('This offer is accepted already.')
  await expect(admin.offers.withdraw({ claimId: id })).rejects.toThrow(
    'Decline or cancel the application instead.',
  )
  expect(next.kind).toBe('password')
  if (next.kind !== 'password') return
  const entered = await guest.manualBookings.acceptInvitation({
    token: next.invitationToken,
    newPassword: 'Brand.new.tides.7',
  })
  expect('token' in entered).toBe(true)
  const anna = { ...tenant, userId: application?.userId ?? '' }
  expect((await app.as(anna).offers.mine()).claims).toMatchObject([
    { id, state: 'accepted', secureUntil: claim.secureUntil },
  ])
  expect((await app.as(anna).applications.status()).applications).toMatchObject([
    { waiting: { kind: 'offer', claimId: id, depositCents: 500_00, until: '2026-03-07' } },
  ])
  expect((await app.as(tenant).offers.mine()).claims).toEqual([])
  expect(await get(id)).toMatchObject({ acceptedApplicationNumber: application?.number })
})

test('rates and fees that change later leave offers and promises as they are; a new tax is added at once [CLAIM-15, CLAIM-18, CLAIM-29]', async () => {
  const { accept, admin, app, get, make, owner, tenant } = await site()
  const year = { startDate: '2026-08-01', endDate: '2027-08-31', minStay: 1 }
  const { id: rateId } = (await admin.rates.create(buildRate(year))).rate
  const { id: feeId } = (await admin.chargeRules.createFee(buildFeeRule())).fee
  const offer = await make({ rentalAmount: null, depositAmount: null })
  const stay = await makeBooking(app, tenant, owner)
  const { claim: promise } = await admin.offers.promise({ applicationId: stay.id })
  expect([offer.priceFrom, promise.priceFrom]).toEqual(['rates', 'rates'])
  await admin.rates.update({
    id: rateId,
    ...buildRate({ ...year, monthly: 9900, weekly: 9900, nightly: 990 }),
  })
  await admin.chargeRules.updateFee({ id: feeId, ...buildFeeRule({ amountCents: 999_00 }) })
  for (const { id, ...before } of [offer, promise])
    expect(await get(id)).toMatchObject({ lines: before.lines, rentalAmount: before.rentalAmount })
  const seen = { totalCents: offer.totalCents ?? 0 }
  await admin.chargeRules.createTax(buildTaxRule())
  const taxed = await get(offer.id)
  expect(taxed.lines?.slice(0, -1)).toEqual(offer.lines)
  expect(taxed.totalCents).toBeGreaterThan(seen.totalCents)
  expect((await get(promise.id)).totalCents).toBeGreaterThan(promise.totalCents ?? 0)
  await expect(accept(offer.id, seen)).rejects.toThrow('The price has changed. Please look again.')
  await accept(offer.id, { totalCents: taxed.totalCents })
})

test('an accepted offer is charged for as many guests as were offered, also when a name is corrected [CLAIM-15, CLAIM-19]', async () => {
  const { accept, admin, app, make } = await site()
  await admin.chargeRules.createFee(buildFeeRule({ per: 'guest', amountCents: 50_00, taxable: false }))
  const { id, totalCents } = await make({ guests: 4 })
  expect(totalCents).toBe(220_000)
  await accept(id, { totalCents })
  const booking = () => app.deps.db.select().from(applications).get()
  const applicationId = booking()?.id ?? ''
  const written = booking()?.totalCents
  await admin.applications.adminEdit({ id: applicationId, lastName: 'Müller' })
  expect(booking()?.totalCents).toBe(written)
  expect((await admin.leases.terms({ id: applicationId })).owedCents).toBe(220_000 + 50_000)
})

test('the mail after accepting says so, with the deadline and what is due by it, and the reminder leads in [CLAIM-19, CLAIM-20, OWN-12]', async () => {
  const { accept, admin, app, deliver, make } = await site()
  const textOf = async (start: string) => {
    await deliver()
    return sent.findLast(({ subject }) => subject.startsWith(start))?.text.replaceAll(/\s+/g, ' ')
  }
  const sent: OutgoingMail[] = []
  app.deps.mail = { send: async mail => void sent.push(mail) }
  const due =
    'by Mar 7, 2026, or the booking lapses. The lease is not signed. $500.00 of the deposit is not paid.'
  const said = `You accepted our offer. Please sign the lease and pay the deposit ${due}`
  await accept((await make()).id)
  expect(await textOf('Your stay at')).toContain(said)
  const applicationId = app.deps.db.select().from(applications).get()?.id ?? ''
  await admin.manualBookings.invite({ applicationId })
  expect(await textOf('Your stay at')).toContain(said)
  app.setNow('2026-03-07T07:00:00.000Z')
  const reminder = await textOf('Please sign')
  expect(reminder).toContain(`Please sign the lease and pay the deposit ${due}`)
  expect(reminder).toMatch(new RegExp(`/invitation#[\\w-]{43}/application/${applicationId}`))

  app.setNow(testNow)
  await app.makeTenant({ email: 'ben@guest.example' })
  const dates = { startDate: '2026-09-03', endDate: '2026-09-17' }
  const known = await make({ ...dates, email: 'ben@guest.example' })
  const { next } = await accept(known.id)
  expect(next).toEqual({ kind: 'login', applicationId: expect.any(String) })
  expect(await textOf('Your lease is ready')).toContain(said)

  // Written anew before the mails leave.
  for (const [email, month, subject] of [
    ['ben@guest.example', '11', 'Your lease is ready'],
    ['eve@guest.example', '12', 'Your stay at'],
  ] as const) {
    app.setNow(testNow)
    const { id } = await make({ email, startDate: `2026-${month}-03`, endDate: `2026-${month}-17` })
    await accept(id)
    app.advance(dayMs)
    const claim = app.deps.db.select().from(claims).where(eq(claims.id, id)).get()
    await admin.leases.generate({ applicationId: claim?.acceptedApplicationId ?? '', rentalAmount: 1900 })
    expect(await textOf(subject)).toContain(said.replace('Mar 7', 'Mar 8'))
  }

  app.setNow(testNow)
  const calm = await make({ startDate: '2026-10-03', endDate: '2026-10-17', secureDays: 0 })
  await accept(calm.id, { secureDays: 0 })
  const words = await textOf('Your stay at')
  expect(words).toContain('You accepted our offer. Set a password')
  expect(words).not.toContain('by Mar')
  expect(sent.some(({ text }) => text.includes('The owner has entered'))).toBe(false)
})

test('an account that merely has the email sees nothing, and the mailbox decides [CLAIM-16, CLAIM-22]', async () => {
  const { accept, admin, app, guest, make } = await site()
  const stranger = await app.makeTenant({ email: 'anna@guest.example', mailboxProvenAt: null })
  const { id } = await make()
  expect((await app.as(stranger).offers.mine()).claims).toEqual([])
  await expect(app.as(stranger).offers.accept({ claimId: id, totalCents: 200_000 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  const old = offerToken(app, id)
  await admin.offers.resend({ claimId: id })
  await expect(guest.offers.open({ token: old })).rejects.toThrow(
    'This link is no longer valid. Please ask the owner for a new one.',
  )
  expect((await accept(id)).next.kind).toBe('password')
  expect((await app.as(stranger).applications.status()).applications).toEqual([])
})

test('the page says for 30 days after the end how it ended, and an address opens 30 times and answers 10 times in 10 minutes [CLAIM-16]', async () => {
  const { accept, admin, app, guest, make } = await site()
  const dates = { startDate: '2026-10-01', endDate: '2026-10-15' }
  const [over, withdrawn] = [await make(), await make(dates)]
  await admin.offers.withdraw({ claimId: withdrawn.id })
  app.setNow(over.until ?? '')
  await tickOffers(app.deps)
  for (const [{ id }, endedAt, endedAs] of [
    [over, over.until ?? '', 'expired'],
    [withdrawn, testNow, 'withdrawn'],
  ] as const) {
    const pageEnd = Date.parse(endedAt) + 30 * dayMs
    app.setNow(new Date(pageEnd - 1).toISOString())
    const token = offerToken(app, id)
    expect((await guest.offers.open({ token })).claim.endedAs).toBe(endedAs)
    app.setNow(new Date(pageEnd).toISOString())
    await expect(guest.offers.open({ token })).rejects.toThrow('This link is no longer valid.')
  }
  app.setNow('2026-05-04T17:00:00.000Z')
  const { id } = await make()
  const token = offerToken(app, id)
  const { offers } = app.as({ ...visitor, requestOrigin: { ...testOrigin, address: '192.0.2.9' } })
  const answer = { token, typedName: 'Anna Miller', totalCents: 1, person: offerPerson }
  const tooMany = { code: 'TOO_MANY_REQUESTS' }
  for (let count = 0; count < 30; count++) await offers.open({ token })
  await expect(offers.open({ token })).rejects.toMatchObject(tooMany)
  for (let count = 0; count < 10; count++)
    await expect(offers.acceptByLink(answer)).rejects.toThrow('The price has changed.')
  await expect(offers.acceptByLink({ ...answer, totalCents: 200_000 })).rejects.toMatchObject(tooMany)
  await expect(offers.declineByLink({ token, reason: 'No' })).rejects.toMatchObject(tooMany)
  await accept(id)
})

test('the owner changes what is open, by its version [CLAIM-23, CLAIM-24, CLAIM-43, FIX-32]', async () => {
  const { accept, admin, app, deliver, get, make, owner } = await site()
  const { id } = await make()
  await admin.offers.change({ claimId: id, version: 1, rentalAmount: 1800 })
  await expect(admin.offers.change({ claimId: id, version: 1, message: 'Hello' })).rejects.toThrow(
    'This offer was changed meanwhile. Please look at it again.',
  )
  for (const until of ['2026-03-04T16:59:59.000Z', '2026-04-04']) {
    const change = admin.offers.change({ claimId: id, version: 2, until })
    await expect(change).rejects.toThrow('Please choose a time from')
  }
  await admin.offers.change({
    claimId: id,
    version: 2,
    message: 'Welcome',
    until: '2026-03-05T18:00:00.000Z',
  })
  expect(await deliver()).toEqual(['An offer for you: Aug 3 – Aug 17, 2026'])
  await expect(accept(id)).rejects.toThrow('The price has changed.')
  const unproven = app.as({ ...owner, sessionId: 'without proof' })
  await expect(unproven.offers.withdraw({ claimId: id, reason: 'Pay to DE02 1203' })).rejects.toThrow(
    'Please confirm that it is you.',
  )
  await admin.offers.withdraw({ claimId: id, reason: 'Sorry' })
  expect(await get(id)).toMatchObject({ endedAs: 'withdrawn', totalCents: 180_000 })
  await expect(accept(id, { totalCents: 180_000 })).rejects.toThrow('This offer is no longer open.')
  expect(await deliver()).toEqual(['Your offer for Aug 3 – Aug 17, 2026 has ended'])
})

test('a new number of days to sign and pay is mailed, and a guest who was shown the old one cannot accept [CLAIM-18, CLAIM-23]', async () => {
  const { accept, admin, deliver, make } = await site()
  const { id, secureDays } = await make({ secureDays: 5 })
  expect(secureDays).toBe(5)
  const offered = 'An offer for you: Aug 3 – Aug 17, 2026'
  expect(await deliver()).toEqual([offered])
  await admin.offers.change({ claimId: id, version: 1, secureDays: 5, message: 'See you.' })
  expect(await deliver()).toEqual([])
  await admin.offers.change({ claimId: id, version: 2, secureDays: 1 })
  expect(await deliver()).toEqual([offered])
  await expect(accept(id, { secureDays: 5 })).rejects.toThrow('This offer was changed meanwhile.')
  const { claim } = await accept(id, { secureDays: 1 })
  expect(claim.secureUntil).toBe('2026-03-06T05:00:00.000Z')
})

test('making an offer or a promise is refused if the price differs from the preview [CLAIM-15, CLAIM-18]', async () => {
  const { admin, app, make, owner, tenant } = await site()
  const changed = 'The price has changed. Please look again.'
  await expect(make({ totalCents: 210_000, depositCents: 50_000 })).rejects.toThrow(changed)
  await expect(make({ totalCents: 200_000, depositCents: 60_000 })).rejects.toThrow(changed)
  await make({ totalCents: 200_000, depositCents: 50_000 })
  const { id: applicationId } = await makeBooking(app, tenant, owner)
  const promise = { applicationId, rentalAmount: 2000 }
  await expect(admin.offers.promise({ ...promise, totalCents: 210_000 })).rejects.toThrow(changed)
  await admin.offers.promise({ ...promise, totalCents: 200_000 })
  expect(app.deps.db.select().from(claims).all()).toHaveLength(2)
})

test('an offer to an address that its account has left is refused, and the guest is asked to write to the owner [CLAIM-19, SAFE-28]', async () => {
  const { accept, admin, app, make, tenant } = await site()
  const { id: claimId } = await make({ email: 'maya@guest.example' })
  await changeEmail(app, tenant, 'new@guest.example')
  await expect(accept(claimId)).rejects.toThrow(
    'Your account has another email address now. Please write to owner@condo.example.',
  )
  expect(app.deps.db.select().from(applications).all()).toEqual([])
  await admin.offers.resend({ claimId, email: 'new@guest.example' })
  await accept(claimId)
  expect(app.deps.db.select().from(applications).get()?.userId).toBe(tenant.userId)
})

test('declining frees the nights at once and tells the owner why; accepting tells the owner as well [CLAIM-24, CLAIM-43]', async () => {
  const { accept, app, deliver, guest, make } = await site()
  const offered = 'An offer for you: Aug 3 – Aug 17, 2026'
  const { id } = await make()
  expect(await deliver()).toEqual([offered])
  const token = offerToken(app, id)
  await expect(guest.offers.declineByLink({ token, reason: ' ' })).rejects.toThrow(
    'Please write a few words.',
  )
  await guest.offers.declineByLink({ token, reason: 'Too far away' })
  const mail = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'offer-declined')).get()
  expect(mail).toMatchObject({
    toAddress: 'owner@condo.example',
    validUntil: new Date(Date.parse(testNow) + 7 * dayMs).toISOString(),
  })
  expect((mail && (await composeMail(app.deps, mailSources, mail)).words) ?? '').toContain('Too far away')
  await accept((await make()).id)
  // What was offered is answered already.
  expect(await deliver()).toEqual([
    'Anna Miller declined your offer',
    expect.stringContaining('Your stay at'),
    'Anna Miller accepted your offer',
  ])
})

test('of an offer, exactly one answer wins [CLAIM-21]', async () => {
  const { accept, admin, app, get, guest, make, ofClaim } = await site()
  const { id } = await make()
  const token = offerToken(app, id)
  const all = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => accept(id)),
    admin.offers.withdraw({ claimId: id }),
    guest.offers.declineByLink({ token, reason: 'Too far' }),
    admin.offers.change({ claimId: id, version: 1, rentalAmount: 100 }),
  ])
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await get(id)).state).not.toBe('open')
  expect(app.deps.db.select().from(applications).all().length).toBeLessThanOrEqual(1)
  expect(ofClaim(id)).toHaveLength(2)
})

test('for a day after a restore, offers and asked promises neither end nor lose their nights, as an answer may be lost [CLAIM-04, INST-42]', async () => {
  const { admin, app, get, mails, make, owner, tenant } = await site()
  const offer = await make()
  const stay = await makeBooking(app, tenant, owner)
  const promised = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  await admin.offers.ask({ claimId: promised.claim.id })
  const ids = [offer.id, promised.claim.id]
  const untils = (await Promise.all(ids.map(get))).map(({ until }) => until ?? '')
  const [first = '', last = ''] = untils.toSorted()
  markRestored(app.deps.config.databaseFile, app.deps.clock.now().toISOString(), new Date(first))
  app.setNow(new Date(Date.parse(first) + dayMs - 1).toISOString())
  await tickOffers(app.deps)
  // So does every write that changes bookings.
  await makePending(app, await app.makeTenant(), dates('2027-01-04', '2027-01-11'))
  expect((await Promise.all(ids.map(get))).map(({ state }) => state)).toEqual(['open', 'asked'])
  expect(mails()).not.toContain('offer-over')
  app.setNow(new Date(Date.parse(last) + dayMs).toISOString())
  await tickOffers(app.deps)
  const ends = (await Promise.all(ids.map(get))).map(({ endedAs }) => endedAs)
  expect(ends).toEqual(['expired', 'passed'])
})

test.each([0, 5])(
  'signed by all and with the deposit paid an accepted offer is done, also %i days later, and stays booked [CLAIM-25]',
  async days => {
    const { accept, admin, app, get, make, ofClaim } = await site()
    const { id } = await make()
    await accept(id)
    const { id: applicationId = '' } = app.deps.db.select().from(applications).get() ?? {}
    const deposit = buildManualPayment(applicationId, { amount: 499_99 })
    await admin.payments.addManual({ ...deposit, paymentType: 'deposit' })
    const at = app.deps.clock.now().toISOString()
    await app.deps.write(tx => tx.update(leases).set({ firstSignedAt: at }).run())
    await tickOffers(app.deps)
    expect(await get(id)).toMatchObject({
      state: 'accepted',
      missing: ['The lease is not signed.', '$0.01 of the deposit is not paid.'],
    })
    await app.deps.write(tx => tx.update(leases).set({ signedAt: at }).run())
    await admin.payments.addManual({ ...deposit, amount: 1, paymentType: 'deposit' })
    for (const later of [days, 30]) {
      app.advance(later * dayMs)
      await tickOffers(app.deps)
      expect(await get(id)).toMatchObject({ state: 'ended', endedAs: 'done', missing: [] })
    }
    expect(app.deps.db.select().from(applications).get()?.status).toBe('approved')
    expect(ofClaim(id)).toEqual(['claim.made', 'claim.accepted', 'claim.ended'])
    expect((await admin.notices.list()).notices.filter(notice => notice.id.endsWith(id))).toEqual([])
  },
)

test('with nothing signed or paid it lapses, and late money books nothing [CLAIM-26, CLAIM-27]', async () => {
  const { accept, admin, app, deliver, get, make } = await site()
  const { id } = await make()
  await accept(id)
  app.setNow('2026-03-07T07:00:00.000Z')
  expect(await deliver()).toContain('Please sign the lease and pay the deposit by Mar 7, 2026')
  app.setNow('2026-03-08T04:59:59.999Z')
  await tickOffers(app.deps)
  expect((await get(id)).state).toBe('accepted')
  app.setNow('2026-03-08T05:00:00.000Z')
  await Promise.all([tickOffers(app.deps), tickOffers(app.deps)])
  expect(await get(id)).toMatchObject({ state: 'ended', endedAs: 'lapsed' })
  const [application] = app.deps.db.select().from(applications).all()
  expect(application?.status).toBe('rejected')
  expect(
    (await deliver()).filter(subject => subject === 'The booking for Aug 3 – Aug 17, 2026 has lapsed'),
  ).toHaveLength(2)
  const at = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx
      .insert(payments)
      .values({
        ...cardDeposit(application?.id ?? '', application?.userId ?? '', at, 'succeeded'),
        cancelRequestedAt: at,
      })
      .run(),
  )
  const { notices } = await admin.notices.list()
  expect(notices).toContainEqual(
    expect.objectContaining({
      id: 'claim-late-late',
      tone: 'danger',
      title: 'Paid after the offer ended: $500.00',
    }),
  )
  expect(app.deps.db.select().from(applications).get()?.status).toBe('rejected')
  // 'Book All the Same' runs all checks of an approval.
  const book = () =>
    admin.applications.adminSetStatus({ id: application?.id ?? '', status: 'approved' as const })
  const meanwhile = await make({ email: 'ben@guest.example' })
  await expect(book()).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('held for'),
  })
  await admin.offers.withdraw({ claimId: meanwhile.id })
  await book()
})

test('the page of an offer whose booking was declined since says that it is no longer open, and asks for nothing [CLAIM-21, CLAIM-24]', async () => {
  const { accept, admin, app, guest, make } = await site()
  const { id } = await make({ secureDays: 0 })
  await accept(id)
  const page = async () => (await guest.offers.open({ token: offerToken(app, id) })).claim
  expect(await page()).toMatchObject({ endedAs: 'done', missing: [expect.any(String), expect.any(String)] })
  const { id: applicationId = '' } = app.deps.db.select().from(applications).get() ?? {}
  await admin.applications.adminSetStatus({ id: applicationId, status: 'rejected' })
  expect(await page()).toMatchObject({ endedAs: 'closed', missing: [] })
  await admin.applications.adminSetStatus({ id: applicationId, status: 'approved' })
  expect((await page()).endedAs).toBe('done')
})

test('the owner reads the email that the account of an offer or promise has at this moment [CLAIM-16]', async () => {
  const { admin, app, get, make, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const offer = await make({ applicationId: stay.id, startDate: '2026-10-01', endDate: '2026-10-15' })
  await app.deps.write(tx =>
    tx
      .update(users)
      .set({ email: 'new@guest.example', emailKey: 'new@guest.example' })
      .where(eq(users.id, tenant.userId))
      .run(),
  )
  expect([(await get(claim.id)).email, (await get(offer.id)).email]).toEqual(
    Array(2).fill('new@guest.example'),
  )
  const { claims: listed } = await admin.offers.adminList({})
  expect(listed.map(({ email }) => email)).toEqual(Array(2).fill('new@guest.example'))
})

test('a guest who has signed or paid is reminded only of what is missing, and not that the booking lapses [CLAIM-26, CLAIM-43]', async () => {
  const reminded = async (done: 'nothing' | 'signed' | 'paid') => {
    const { accept, admin, app, deliver, make } = await site()
    await accept((await make()).id)
    const { id: applicationId = '', userId = '' } = app.deps.db.select().from(applications).get() ?? {}
    const at = app.deps.clock.now().toISOString()
    const tenant = { role: 'tenant', userId, requestOrigin: testOrigin } as const
    await app.deps.write(tx => {
      tx.update(users).set({ mailboxProvenAt: at }).run()
      if (done === 'signed') tx.update(leases).set({ signedAt: at }).run()
    })
    const deposit = {
      ...buildManualPayment(applicationId, { amount: 50_000 }),
      paymentType: 'deposit' as const,
    }
    if (done === 'paid') await admin.payments.addManual(deposit)
    await deliver()
    app.setNow('2026-03-07T07:00:00.000Z')
    await deliver()
    const mail = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'offer-secure')).get()
    const [step] = (await app.as(tenant).applications.status()).applications
    const words = mail && (await composeMail(app.deps, mailSources, mail)).words
    if (mail && done === 'paid') {
      await app.deps.write(tx => tx.update(leases).set({ signedAt: at }).run())
      await expect(composeMail(app.deps, mailSources, mail)).rejects.toThrow(MailObsoleteError)
    }
    return [words, step?.waiting?.kind]
  }
  const [words, waiting] = await reminded('nothing')
  expect(words).toContain('Please sign the lease and pay the deposit by Mar 7, 2026, or the booking lapses.')
  expect(waiting).toBe('offer')
  const [ofSigned, deposit] = await reminded('signed')
  expect(deposit).toBe('deposit')
  expect(ofSigned).toContain('Your dates are booked. Please pay the deposit by Mar 7, 2026.')
  const [ofPaid, none] = await reminded('paid')
  expect(ofPaid).toContain('Your dates are booked. Please sign the lease by Mar 7, 2026.')
  expect(none).toBeUndefined()
})

test('a booking that the owner has confirmed stays booked, and no sentence says that it lapses [CLAIM-26, LOOK-69]', async () => {
  const { accept, admin, app, deliver, get, guest, make } = await site()
  const { id } = await make()
  await accept(id)
  expect(await get(id)).toMatchObject({ lapses: true })
  const { id: applicationId = '' } = app.deps.db.select().from(applications).get() ?? {}
  for (const status of ['completed', 'approved'] as const) {
    await admin.applications.adminSetStatus({ id: applicationId, status })
    expect(await get(id)).toMatchObject({ lapses: false })
  }
  await deliver()
  app.setNow('2026-03-07T07:00:00.000Z')
  await deliver()
  const reminder = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'offer-secure')).get()
  expect((reminder && (await composeMail(app.deps, mailSources, reminder)).words) ?? '').toContain(
    'Please sign the lease and pay the deposit by Mar 7, 2026.',
  )
  app.setNow('2026-03-08T06:30:00.000Z')
  const notice = async () =>
    (await admin.notices.list()).notices.find(each => each.id === `claim-incomplete-${id}`)?.detail
  const open = 'APP-2026-0001 stays booked. The lease is not signed. $500.00 of the deposit is not paid.'
  expect(await notice()).toBe(open)
  await tickOffers(app.deps)
  expect(await get(id)).toMatchObject({ endedAs: 'incomplete' })
  expect(app.deps.db.select().from(applications).get()?.status).toBe('approved')
  expect(await notice()).toBe(open)
  const { claim } = await guest.offers.open({ token: offerToken(app, id) })
  expect(claim).toMatchObject({ endedAs: 'incomplete', secureUntil: null })
})

test('nobody can sign a lease that the owner deleted: the booking does not lapse, and its guest is not asked to sign [CLAIM-26]', async () => {
  const { accept, admin, app, deliver, get, guest, make } = await site()
  const { id } = await make()
  await accept(id)
  const { id: applicationId = '' } = app.deps.db.select().from(applications).get() ?? {}
  const page = async () => (await guest.offers.open({ token: offerToken(app, id) })).claim
  await admin.leases.adminRemove({ id: applicationId })
  expect(await get(id)).toMatchObject({ lapses: false, missing: [noLease, expect.anything()] })
  app.setNow('2026-03-07T07:00:00.000Z')
  expect(await deliver()).toContain('Please pay the deposit by Mar 7, 2026')
  await admin.leases.generate({ applicationId, rentalAmount: 2000, depositAmount: 0 })
  expect(await get(id)).toMatchObject({ lapses: true, missing: ['The lease is not signed.'] })
  await admin.leases.adminRemove({ id: applicationId })
  const deposit = {
    ...buildManualPayment(applicationId, { amount: 500_00 }),
    paymentType: 'deposit' as const,
  }
  await admin.payments.addManual(deposit)
  expect((await page()).missing).toEqual([noLease])
  app.setNow('2026-03-11T05:00:00.000Z')
  await tickOffers(app.deps)
  expect(await get(id)).toMatchObject({ endedAs: 'incomplete' })
  expect((await admin.notices.list()).notices).toContainEqual(
    expect.objectContaining({ detail: `APP-2026-0001 stays booked. ${noLease}` }),
  )
})

test('a lease that the owner writes anew gives the guest all days to sign and pay again, at most to the arrival; they are reminded again [CLAIM-25]', async () => {
  const { accept, admin, app, deliver, get, make } = await site()
  const { id } = await make()
  await accept(id)
  const { id: applicationId = '' } = app.deps.db.select().from(applications).get() ?? {}
  const write = (leaseStartDate = '2026-08-03') =>
    admin.leases.generate({ applicationId, rentalAmount: 1900, leaseStartDate })
  const until = async () => untilText((await get(id)).until ?? '', app.deps.config.site.timeZone)
  app.setNow('2026-03-07T07:00:00.000Z')
  const reminder = 'Please sign the lease and pay the deposit by '
  expect(await deliver()).toContain(`${reminder}Mar 7, 2026`)
  await write()
  expect(await until()).toBe('Mar 10, 2026')
  // Past, while the provider is asked.
  app.setNow('2026-03-11T07:00:00.000Z')
  await admin.leases.adminRemove({ id: applicationId })
  await write()
  await tickOffers(app.deps)
  expect([(await get(id)).state, await until()]).toEqual(['accepted', 'Mar 14, 2026'])
  app.setNow('2026-03-14T07:00:00.000Z')
  expect(await deliver()).toContain(`${reminder}Mar 14, 2026`)
  // An earlier arrival leaves the days that the guest has.
  for (const arrival of ['2026-03-16', '2026-03-12']) {
    await write(arrival)
    expect(await until()).toBe('Mar 16, 2026')
  }
  app.setNow('2026-03-14T08:00:00.000Z')
  await admin.applications.adminEdit({ id: applicationId, requestedStartDate: '2026-08-05' })
  expect(await until()).toBe('Mar 17, 2026')
  // Written while the clock was ahead.
  app.setNow('2026-07-04T08:00:00.000Z')
  await write('2026-08-03')
  expect(await until()).toBe('Jul 7, 2026')
  app.setNow('2026-03-15T08:00:00.000Z')
  await write('2026-08-04')
  expect(await until()).toBe('Mar 18, 2026')
})

test('a lapse ends the invitations to sign, whose links and reminders would go on, and the unsent mail that the offer was accepted [CLAIM-26, CLAIM-43, SIGNER-10]', async () => {
  const { accept, admin, app, mails, make } = await site()
  const { id } = await make()
  await accept(id)
  const applicationId = app.deps.db.select().from(applications).get()?.id ?? ''
  await admin.signing.adminInvite({ applicationId, signers: [] })
  app.setNow('2026-03-08T05:00:00.000Z')
  await tickOffers(app.deps)
  const { signing } = await admin.signing.get({ applicationId })
  expect(signing).toMatchObject({ state: 'voided' })
  expect(mails()).not.toContain('invitation')
})

test('a lapse ends a request to cancel, which would wait for the owner for good [CLAIM-26, CHANGE-05]', async () => {
  const { accept, admin, app, make } = await site()
  await accept((await make()).id)
  const booking = app.deps.db.select().from(applications).get()
  const applicationId = booking?.id ?? ''
  const anna = { role: 'tenant', userId: booking?.userId ?? '', requestOrigin: testOrigin } as const
  await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: '2026-03-04T17:00:00.000Z' }).run())
  await app.as(anna).cancellations.request({ applicationId, reason: 'I am ill' })
  app.setNow('2026-03-08T05:00:00.000Z')
  await tickOffers(app.deps)
  const { cancellation } = await admin.cancellations.adminGet({ applicationId })
  expect(cancellation).toMatchObject({ state: 'declined', reason: 'I am ill' })
})

test('a lapse ends what was promised or offered from the booking [CLAIM-26, CLAIM-33]', async () => {
  const { accept, admin, app, get, make } = await site()
  await accept((await make()).id)
  const applicationId = app.deps.db.select().from(applications).get()?.id ?? ''
  const { claim } = await admin.offers.promise({ applicationId, rentalAmount: 2000 })
  app.setNow('2026-03-08T05:00:00.000Z')
  await tickOffers(app.deps)
  expect(await get(claim.id)).toMatchObject({ state: 'ended', endedAs: 'closed' })
})

test('a change of email ends the link to the former address, and sending again goes to the new one [CLAIM-16]', async () => {
  const { admin, app, get, guest, make, owner, tenant } = await site()
  const booking = await makeBooking(app, tenant, owner)
  const { id: claimId } = await make({ applicationId: booking.id })
  const token = offerToken(app, claimId)
  await guest.offers.open({ token })
  await changeEmail(app, tenant, 'new@guest.example')
  await expect(guest.offers.open({ token })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const another = admin.offers.resend({ claimId, email: 'ben@guest.example' })
  await expect(another).rejects.toThrow('This person has an account, with an email of its own.')
  await admin.offers.resend({ claimId })
  expect((await get(claimId)).email).toBe('new@guest.example')
  const { claim } = await guest.offers.open({ token: offerToken(app, claimId) })
  expect(claim.state).toBe('open')
})

test('whoever takes over an account’s former email cannot book nights that are promised to or held for the account [CLAIM-05, CLAIM-07, CLAIM-33]', async () => {
  const { admin, app, get, make, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const promised = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const held = await make({ applicationId: stay.id, startDate: '2026-10-01', endDate: '2026-10-15' })
  await changeEmail(app, tenant, 'new@guest.example')
  const other = await app.makeTenant({
    email: 'maya@guest.example',
    mailboxProvenAt: app.deps.clock.now().toISOString(),
  })
  const { endDate: requestedEndDate, startDate: requestedStartDate } = promised.claim
  const asks = await makePending(app, other, { requestedStartDate, requestedEndDate })
  const approve = (id: string) => admin.applications.adminSetStatus({ id, status: 'approved' })
  await expect(approve(asks.id)).rejects.toThrow('These dates are promised to')
  const moved = { requestedStartDate: held.startDate, requestedEndDate: held.endDate }
  await admin.applications.adminEdit({ id: asks.id, ...moved })
  await expect(approve(asks.id)).rejects.toThrow('These dates are held for')
  expect((await get(held.id)).state).toBe('open')
})

test('after a change of email, offers are mailed to the new address with a working link, and unsent mail to the old one is withdrawn [CLAIM-16, CLAIM-31]', async () => {
  const { admin, app, apply, get, guest, make, owner, tenant } = await site()
  const mailed = async () => {
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    return app.sentMails.splice(0).filter(({ text }) => text.includes('/offer#'))
  }
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  await changeEmail(app, tenant, 'new@guest.example')
  expect(await mailed()).toEqual([])
  await apply('2027-06-05', '2027-06-20', await app.makeTenant({ email: 'ben@guest.example' }))
  const [asked] = await mailed()
  expect(asked?.to).toBe('new@guest.example')
  const token = asked?.text.match(/offer#([\w-]+)/)?.[1] ?? ''
  expect((await guest.offers.open({ token })).claim.state).toBe('asked')
  expect((await get(claim.id)).state).toBe('asked')
  const entered = (await admin.manualBookings.create(buildEntry({ email: 'wrong@guest.example' })))
    .application
  const dates = { startDate: '2026-05-03', endDate: '2026-05-17' }
  const { id } = await make({ applicationId: entered.id, ...dates })
  await admin.manualBookings.invite({ applicationId: entered.id, email: 'right@guest.example' })
  expect(await mailed()).toEqual([])
  await admin.offers.change({ claimId: id, version: 1, rentalAmount: 2500 })
  expect((await mailed()).map(({ to }) => to)).toEqual(['right@guest.example'])
})

test('once the account of an accepted offer has another email, its mails go there and its link ends [CLAIM-16, CLAIM-26]', async () => {
  const { accept, app, deliver, guest, make } = await site()
  const { id: claimId } = await make()
  const token = offerToken(app, claimId)
  await accept(claimId)
  const booking = app.deps.db.select().from(applications).get()
  await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: '2026-03-04T17:00:00.000Z' }).run())
  const anna = { role: 'tenant', userId: booking?.userId ?? '', requestOrigin: testOrigin } as const
  await changeEmail(app, anna, 'new@guest.example')
  await expect(guest.offers.open({ token })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await deliver()
  app.setNow('2026-03-07T07:00:00.000Z')
  await deliver()
  app.setNow('2026-03-08T05:00:00.000Z')
  await tickOffers(app.deps)
  await deliver()
  const sentTo = (kind: 'offer-secure' | 'offer-lapsed') =>
    app.deps.db
      .select()
      .from(outbox)
      .where(eq(outbox.kind, kind))
      .all()
      .map(({ toAddress }) => toAddress)
  expect(sentTo('offer-secure')).toEqual(['new@guest.example'])
  expect(sentTo('offer-lapsed')).toEqual(['new@guest.example', 'owner@condo.example'])
})

test('an offer to somebody who has become an administrator is not accepted, and writes nothing [CLAIM-19]', async () => {
  const { accept, app, make } = await site()
  const { id, email } = await make()
  await app.makeAdmin({ email: email ?? '' })
  await expect(accept(id)).rejects.toThrow('This is an administrator’s email.')
  expect(app.deps.db.select().from(applications).all()).toEqual([])
})

test('the end of a promise is told to the email that its tenant has now [CLAIM-16, CLAIM-24]', async () => {
  const { admin, app, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  await changeEmail(app, tenant, 'new@guest.example')
  await admin.offers.withdraw({ claimId: claim.id })
  const over = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'offer-over')).all()
  expect(over.map(({ toAddress }) => toAddress)).toEqual(['new@guest.example'])
})

test('with something signed or paid, or while the provider does not answer, it stays booked, and the owner reads what is missing [CLAIM-26]', async () => {
  const { accept, admin, app, get, make } = await site()
  const { id } = await make()
  await accept(id)
  app.advance(4 * dayMs)
  const reported = (await admin.notices.list()).notices.find(({ id: notice }) => notice.endsWith(id))
  // Also without a checkout: after a restore payments may be missing.
  expect(reported?.detail).toMatch(
    /keeps its nights until it is known whether anything was paid\. .* is not paid\.$/,
  )
  app.advance(-4 * dayMs)
  await app.deps.write(tx => tx.update(leases).set({ signedAt: app.deps.clock.now().toISOString() }).run())
  app.advance(5 * dayMs)
  await tickOffers(app.deps)
  expect(await get(id)).toMatchObject({ endedAs: 'incomplete' })
  const { notices } = await admin.notices.list()
  expect(notices).toContainEqual(
    expect.objectContaining({
      id: `claim-incomplete-${id}`,
      tone: 'danger',
      detail: expect.stringMatching(/stays booked\. .*\$500\.00 of the deposit is not paid\.$/),
    }),
  )
})

test.each([
  'signed in the portal by one of two',
  'signed by an own link',
  'paid in part',
  'paid for something else',
  'on its way from a bank',
] as const)('%s, the booking of an accepted offer does not lapse [CLAIM-26]', async what => {
  const { accept, admin, app, get, make } = await site()
  const { id } = await make()
  await accept(id)
  const { id: applicationId = '', userId = '' } = app.deps.db.select().from(applications).get() ?? {}
  const at = app.deps.clock.now().toISOString()
  if (what === 'signed by an own link') await admin.signing.adminInvite({ applicationId, signers: [] })
  if (what === 'paid in part' || what === 'paid for something else') {
    const paymentType = what === 'paid in part' ? ('deposit' as const) : ('rent' as const)
    await admin.payments.addManual({ ...buildManualPayment(applicationId, { amount: 100 }), paymentType })
  }
  await app.deps.write(tx => {
    if (what === 'signed in the portal by one of two') tx.update(leases).set({ firstSignedAt: at }).run()
    if (what === 'signed by an own link')
      tx.update(signers).set({ signedAt: at }).where(eq(signers.role, 'tenant')).run()
    if (what === 'on its way from a bank')
      tx.insert(payments)
        .values(cardDeposit(applicationId, userId, at, 'processing'))
        .run()
  })
  app.advance(5 * dayMs)
  await tickOffers(app.deps)
  expect(await get(id)).toMatchObject({ endedAs: 'incomplete' })
  expect(app.deps.db.select().from(applications).get()?.status).toBe('approved')
})

test('a promise keeps its nights free, and its tenant is asked first [CLAIM-28, CLAIM-29, CLAIM-30, CLAIM-31, CLAIM-33]', async () => {
  const { admin, app, apply, deliver, get, guest, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const extraLines = [{ kind: 'fee' as const, label: 'Dog', amountCents: 75_00, taxable: false }]
  await admin.leases.generate({ applicationId: stay.id, rentalAmount: 2400, depositAmount: 600, extraLines })
  const { proposal } = await admin.offers.proposal({ applicationId: stay.id })
  expect(proposal).toMatchObject({
    startDate: '2027-06-01',
    endDate: '2027-07-01',
    until: '2026-12-01',
    priceFrom: 'last_lease',
    rentalAmount: 2400,
    depositAmount: 600,
  })
  const shorter = { applicationId: stay.id, endDate: '2027-06-16' }
  expect((await admin.offers.proposal(shorter)).proposal).toMatchObject({
    startDate: '2027-06-01',
    endDate: '2027-06-16',
    rentalAmount: 2400,
  })
  const endless = admin.offers.promise({ applicationId: stay.id, endDate: '2037-07-01' })
  await expect(endless).rejects.toThrow('A stay can be at most three years long')
  for (const until of ['2026-03-04', '2027-06-01', '2027-06-02']) {
    const promised = admin.offers.promise({ applicationId: stay.id, until })
    await expect(promised, until).rejects.toThrow('Please choose a day from Mar 5, 2026 to May 31, 2027.')
  }
  const pending = await apply('2026-10-01', '2026-10-08')
  await expect(admin.offers.promise({ applicationId: pending.id })).rejects.toThrow(
    'Only a booked stay can be offered again.',
  )
  const { claim } = await admin.offers.promise({ applicationId: stay.id })
  await expect(admin.offers.promise({ applicationId: stay.id })).rejects.toThrow(
    'These dates are promised already.',
  )
  const later = admin.offers.change({ claimId: claim.id, version: 1, until: '2027-06-01' })
  await expect(later).rejects.toThrow('Please choose a day from Mar 5, 2026 to May 31, 2027.')
  const range = { startDate: '2027-06-01', endDate: '2027-06-30' }
  expect((await guest.availability.range(range)).availability).toEqual([])
  expect((await admin.availability.adminRange(range)).promises).toMatchObject([
    { claimId: claim.id, state: 'open' },
  ])
  expect(await deliver()).toContain('Your dates for next year: Jun 1 – Jul 1, 2027')
  await expect(
    admin.offers.make(buildOffer({ startDate: '2027-06-10', endDate: '2027-06-20' })),
  ).rejects.toThrow(
    'These dates are promised to Maya Rivers until Dec 1, 2026. Ask for an answer, or withdraw the promise.',
  )
  const other = await app.makeTenant({ email: 'ben@guest.example' })
  const named = { firstName: 'Ben', lastName: 'Lee' }
  const first = await makePending(app, other, { ...dates('2027-06-01', '2027-06-20'), ...named })
  const asked = { state: 'asked', until: '2026-03-08T05:00:00.000Z' }
  expect(await get(claim.id)).toMatchObject(asked)
  expect((await admin.notices.ownerDay()).tasks).toContainEqual(
    expect.objectContaining({
      title: 'Ben Lee asks for dates promised to Maya Rivers',
      applicationId: first.id,
    }),
  )
  const subject = 'Somebody asks for your dates: please answer by Mar 7, 2026'
  const mail = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'promise-asked')).get()
  const words = (mail && (await composeMail(app.deps, mailSources, mail)).words) ?? ''
  expect(words).toContain('Somebody else asks for the dates that we promised you.')
  expect(words).not.toMatch(/Ben|Lee|APP-2026-0002/)
  expect(await deliver()).toContain(subject)
  // A later one prolongs and mails nothing.
  app.advance(dayMs)
  await apply('2027-06-10', '2027-06-30', other)
  expect(await get(claim.id)).toMatchObject(asked)
  const [asking] = (await app.as(other).applications.status()).applications
  expect(asking?.answerBy).toBe('2026-03-07')
  const today = { today: '2026-03-05', timeZone: app.deps.config.site.timeZone }
  expect(asking && tenantStep(asking, today)?.title).toBe('We will answer by Mar 7, 2026.')
  expect(await deliver()).not.toContain(subject)
  await expect(admin.applications.adminSetStatus({ id: first.id, status: 'approved' })).rejects.toThrow(
    'These dates are promised to Maya Rivers, who has until Mar 7, 2026 to answer.',
  )
  await expect(admin.offers.change({ claimId: claim.id, version: 2, rentalAmount: 100 })).rejects.toThrow(
    'The price can no longer change.',
  )
  const [own] = (await app.as(tenant).offers.mine()).claims
  expect(own).toMatchObject({ needs: [], totalCents: 247_500, depositCents: 600_00 })
  const accepted = await app.as(tenant).offers.accept({ claimId: claim.id, totalCents: 247_500 })
  expect(accepted.next.kind).toBe('application')
  expect((await app.as(tenant).applications.status()).applications).toHaveLength(3)
  await expect(admin.applications.adminSetStatus({ id: first.id, status: 'approved' })).rejects.toThrow(
    'overlap',
  )
})

test('a booking that the owner enters for whom the nights are promised takes the promise, but not a part of it, and says so [CLAIM-06, CLAIM-07, CLAIM-33]', async () => {
  const { admin, app, get, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const dates = { startDate: '2027-06-10', endDate: '2027-06-20', invite: false, generateLease: false }
  await expect(
    admin.manualBookings.create(buildEntry({ ...dates, email: 'ben@guest.example' })),
  ).rejects.toThrow('promised to Maya Rivers')
  const enter = (more: object) =>
    admin.manualBookings.create(buildEntry({ ...dates, ...more, email: 'maya@guest.example' }))
  // Else the rest of the promised nights would be given up without telling anybody.
  const part =
    'Jun 1 – Jul 1, 2027 is promised to this guest. Book all of these nights, or withdraw the promise first.'
  await expect(enter({})).rejects.toThrow(part)
  await expect(enter({ startDate: '2027-06-01', endDate: '2027-06-30' })).rejects.toThrow(part)
  expect((await get(claim.id)).state).toBe('open')
  const entered = await enter({ startDate: '2027-05-31', endDate: '2027-07-01' })
  expect(await get(claim.id)).toMatchObject({
    endedAs: 'done',
    acceptedApplicationId: entered.application.id,
  })
})

test('without an answer a promise passes, or is open again when nobody asks any more; dates moved onto it ask too [CLAIM-31, CLAIM-32]', async () => {
  const { admin, app, apply, get, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const other = await app.makeTenant({ email: 'ben@guest.example' })
  const first = await apply('2027-06-01', '2027-06-20', other)
  await admin.applications.adminSetStatus({ id: first.id, status: 'rejected' })
  app.setNow('2026-03-08T05:00:00.000Z')
  expect(await get(claim.id)).toMatchObject({ state: 'open', until: '2026-12-02T05:00:00.000Z' })
  await tickOffers(app.deps)
  expect(app.deps.db.select().from(claims).get()).toMatchObject({
    state: 'open',
    untilAt: '2026-12-02T05:00:00.000Z',
  })
  const second = await apply('2027-07-01', '2027-07-20', other)
  expect((await get(claim.id)).state).toBe('open')
  const moved = { requestedStartDate: '2027-06-01', requestedEndDate: '2027-06-20' }
  await admin.applications.adminEdit({ id: second.id, ...moved })
  expect((await get(claim.id)).state).toBe('asked')
  app.advance(5 * dayMs)
  expect(
    (await admin.bookings.nights({ startDate: '2027-06-01', endDate: '2027-06-02' })).nights,
  ).toMatchObject([{ stands: null, book: true }])
  await tickOffers(app.deps)
  expect(await get(claim.id)).toMatchObject({ endedAs: 'passed' })
  expect((await admin.notices.ownerDay()).tasks).toContainEqual(
    expect.objectContaining({ title: `You can answer ${second.applicationNumber} now.` }),
  )
  await admin.applications.adminSetStatus({ id: second.id, status: 'approved' })
  // The answer can come after the promise's own date, but not on the first night.
  const soon = { startDate: '2026-03-16', endDate: '2026-03-20', until: '2026-03-14' }
  const { id: claimId } = (
    await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000, ...soon })
  ).claim
  expect((await admin.offers.ask({ claimId })).claim.until).toBe('2026-03-16T04:00:00.000Z')
})

test('a promise that passed is not open again when the one who asked is declined later [CLAIM-03, CLAIM-32]', async () => {
  const { admin, app, apply, get, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const other = await app.makeTenant({ email: 'ben@guest.example' })
  const first = await apply('2027-06-01', '2027-06-20', other)
  app.setNow('2026-03-08T05:00:00.000Z')
  await admin.applications.adminSetStatus({ id: first.id, status: 'rejected' })
  expect(await get(claim.id)).toMatchObject({ state: 'ended', endedAs: 'passed' })
})

test('the tenant’s own application takes the promise, and a cancelled, declined or deleted stay ends it [CLAIM-33]', async () => {
  const { admin, app, apply, deliver, get, owner, tenant } = await site()
  const stay = await makeBooking(app, tenant, owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const own = await apply('2027-06-01', '2027-07-01')
  expect((await get(claim.id)).state).toBe('open')
  await admin.applications.adminSetStatus({ id: own.id, status: 'approved' })
  expect(await get(claim.id)).toMatchObject({ endedAs: 'done', acceptedApplicationId: own.id })
  const other = await app.makeTenant({ email: 'ben@guest.example' })
  const { applicationNumber } = await apply('2027-10-10', '2027-10-20', other)
  const promise = (endDate: string) =>
    admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000, startDate: '2027-09-01', endDate })
  await expect(promise('2027-10-11')).rejects.toThrow(`${applicationNumber} asks for these dates`)
  const again = await promise('2027-10-01')
  await admin.offers.ask({ claimId: again.claim.id })
  const twice = admin.offers.ask({ claimId: again.claim.id })
  await expect(twice).rejects.toThrow('An answer is awaited already.')
  await deliver()
  await admin.cancellations.cancel({ applicationId: stay.id, side: 'owner', reason: 'A pipe burst.' })
  expect(await get(again.claim.id)).toMatchObject({ endedAs: 'closed' })
  expect(await deliver()).toContain('Your offer for Sep 1 – Oct 1, 2027 has ended')
  for (const end of [
    () => admin.applications.adminSetStatus({ id: stay.id, status: 'rejected' }),
    () => admin.applications.adminDelete({ id: stay.id }),
  ]) {
    await admin.applications.adminSetStatus({ id: stay.id, status: 'approved' })
    const last = await promise('2027-10-01')
    await end()
    expect(await get(last.claim.id)).toMatchObject({ endedAs: 'closed' })
  }
})

test('reminders before a deadline are sent once, and nothing ends while the clock is wrong [CLAIM-04, CLAIM-43]', async () => {
  const { admin, app, deliver, get, make, owner, tenant } = await site()
  const { id } = await make()
  const stay = await makeBooking(app, tenant, owner)
  await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  await deliver()
  app.setNow('2026-03-06T17:00:00.000Z')
  expect(await deliver()).toEqual(['Your offer ends on Mar 7, 2026, 12:00 PM'])
  expect(await deliver()).toEqual([])
  const ahead = {
    at: '2027-01-01T00:00:00.000Z',
    kind: 'x',
    subjectId: 'x',
    actorRole: 'system' as const,
    detail: {},
  }
  app.setNow('2026-03-07T18:00:00.000Z')
  await app.deps.write(tx => tx.insert(events).values(ahead).run())
  await tickOffers(app.deps)
  expect(
    app.deps.db
      .select()
      .from(claims)
      .where(and(eq(claims.id, id)))
      .get()?.endedAt,
  ).toBeNull()
  await app.deps.write(tx => tx.delete(events).where(eq(events.kind, 'x')).run())
  await Promise.all([tickOffers(app.deps), tickOffers(app.deps)])
  await tickOffers(app.deps)
  expect(await get(id)).toMatchObject({ endedAs: 'expired' })
  expect(await deliver()).toEqual(['Your offer for Aug 3 – Aug 17, 2026 has ended'])
  app.setNow('2026-11-01T15:00:00.000Z')
  expect(await deliver()).toContain('Your dates are kept until Dec 1, 2026')
})

test('a clock ten years ahead ends offers for good and ten years behind ends none, each once and with one mail [CLAIM-03, CLAIM-04]', async () => {
  const { admin, app, get, mails, make, ofClaim } = await site()
  const { id } = await make()
  const at = async (now: string) => {
    app.setNow(now)
    for (let i = 0; i < 2; i++) await tickOffers(app.deps)
    const { nights } = await admin.bookings.nights({ startDate: '2026-08-03', endDate: '2026-08-04' })
    return [(await get(id)).endedAs, nights[0]?.stands, mails().filter(kind => kind === 'offer-over').length]
  }
  expect(await at('2016-03-04T17:00:00.000Z')).toEqual([null, 'held', 0])
  expect(await at(testNow)).toEqual([null, 'held', 0])
  expect(await at('2036-03-04T17:00:00.000Z')).toEqual(['expired', null, 1])
  expect(await at('2016-03-04T17:00:00.000Z')).toEqual(['expired', null, 1])
  app.setNow(testNow)
  const again = await make({ email: 'ben@guest.example' })
  expect(await at(testNow)).toEqual(['expired', 'held', 1])
  for (const end of [again.until ?? '', '2036-03-05T17:00:00.000Z'])
    expect(await at(end)).toEqual(['expired', null, 2])
  for (const each of [id, again.id]) expect(ofClaim(each)).toEqual(['claim.made', 'claim.ended'])
})

test.each([
  ['2026-02-20', '2026-03-07', '2026-03-08T05:00:00.000Z', 'Mar 7, 2026'],
  ['2026-02-20', '2026-03-08', '2026-03-09T04:00:00.000Z', 'Mar 8, 2026'],
  ['2026-10-20', '2026-10-31', '2026-11-01T04:00:00.000Z', 'Oct 31, 2026'],
  ['2026-10-20', '2026-11-01', '2026-11-02T05:00:00.000Z', 'Nov 1, 2026'],
  ['2026-10-20', '2026-11-01T05:30:00.000Z', '2026-11-01T05:30:00.000Z', 'Nov 1, 2026, 1:30 AM'],
  ['2026-10-20', '2026-11-01T06:30:00.000Z', '2026-11-01T06:30:00.000Z', 'Nov 1, 2026, 1:30 AM'],
])(
  'made on %s until %s, around a change of the clocks, an offer keeps its nights to the moment %s [CLAIM-02, CLAIM-14]',
  async (today, until, moment, words) => {
    const { app, apply, deliver, make } = await site()
    app.setNow(`${today}T17:00:00.000Z`)
    const claim = await make({ until, startDate: '2026-12-03', endDate: '2026-12-17' })
    expect(claim.until).toBe(moment)
    const at = (ms: number) => app.setNow(new Date(Date.parse(moment) + ms).toISOString())
    await deliver()
    at(-dayMs - 1)
    expect(await deliver()).toEqual([])
    at(-dayMs)
    expect(await deliver()).toEqual([`Your offer ends on ${words}`])
    at(-1)
    await expect(apply('2026-12-03', '2026-12-10')).rejects.toThrow('no longer available')
    at(0)
    await apply('2026-12-03', '2026-12-10')
  },
)

test('markup and line breaks in the names of an offer are neither in a header nor in the HTML of a mail [CLAIM-13]', async () => {
  const { accept, app, make } = await site()
  const sent: OutgoingMail[] = []
  app.deps.mail = { send: async mail => void sent.push(mail) }
  const broken = make({ firstName: 'Anna\r\nBcc: all@guest.example' })
  await expect(broken).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const { id } = await make({
    firstName: '<img src=x onerror=alert(1)>',
    lastName: '"&amp;</script>',
  })
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await accept(id)
  await worker.deliverDue()
  await worker.stop()
  expect(sent).toHaveLength(3)
  for (const { html, subject, to } of sent) {
    expect(html).not.toMatch(/<img src=x|alert\(1\)>(?!;)|<\/script>/)
    expect(`${subject} ${to}`).not.toMatch(/[\r\n]/)
  }
  expect(sent[0]?.html).toContain('&lt;img src=x')
})

test('GET opens nothing, and 50 offers are enough [CLAIM-13, CLAIM-17]', async () => {
  const { app, make } = await site()
  const { id } = await make()
  const token = offerToken(app, id)
  const answer = await app.http.inject(`/api/offer/open?token=${token}`)
  expect(answer.statusCode).not.toBe(200)
  const [row] = app.deps.db.select().from(claims).all()
  if (!row) throw new Error('no claim')
  await app.deps.write(tx => {
    for (let i = 0; i < 49; i++)
      tx.insert(claims)
        .values({ ...row, id: `more-${i}` })
        .run()
  })
  await expect(make({ startDate: '2026-10-01', endDate: '2026-10-05' })).rejects.toThrow(
    'At most 50 offers can be open.',
  )
})
