import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, charges, claims, files, leases, outbox, users } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { nightsBetween } from '../../../domain/common/dates.ts'
import { signAddendumInput } from '../../../domain/leases/lease-signing-form.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { planMismatchCents } from '../../../domain/money/payment-plan-charges.ts'
import { dates, makeBooking, makePending } from '../../../testing/build-application.ts'
import { buildFeeRule, buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { buildCsv, buildEntry, buildRow } from '../../../testing/build-entry.ts'
import { makeLease, scanPdf, signLease } from '../../../testing/build-lease.ts'
import { setSigned } from '../../../testing/build-plan.ts'
import { buildRate } from '../../../testing/build-rate.ts'
import { gusEmail } from '../../../testing/build-signing.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { preparedSite, type TestApp, testApp, testNow, visitor } from '../../../testing/test-app.ts'
import { composeMail } from '../../mail/compose.ts'
import { mailSources } from '../../mail-sources.ts'
import { activeCharges, allCharges, liveInstallments } from '../../money/records.ts'
import { markRestored } from '../../operations/backup/restored.ts'
import { verifyStore } from '../../operations/backup/verify.ts'
import { tickAddenda } from './close.ts'
import { signAddendum } from './sign.ts'
import { uploadSignedAddendum } from './upload.ts'

/** A signed lease from June 1 to July 1, 2026, at $2,500 with a deposit of $500. */
const prepared = preparedSite(async app => {
  const lease = await makeLease(app)
  await signLease(app, lease.tenant, lease.id)
  return lease
})

async function site() {
  const { app, ...lease } = await prepared()
  const make = (input: object = { leaseEndDate: '2026-07-15', rentalAmount: 2500 }) =>
    app.as(lease.admin).addenda.make({ applicationId: lease.id, ...input })
  const sign = async (addendumId: string, tenant: SignedIn = lease.tenant) =>
    app.as(tenant).addenda.sign(await signatureFor(app, tenant, addendumId))
  const rowOf = () => app.deps.db.select().from(applications).where(eq(applications.id, lease.id)).get()
  return { app, make, sign, rowOf, ...lease }
}

async function signatureFor(app: TestApp, tenant: SignedIn, addendumId: string) {
  const { addendumTextSha256, noticeSha256 } = await app.as(tenant).addenda.get({ addendumId })
  return { addendumId, addendumTextSha256, noticeSha256, typedName: 'Maya Rivers', consent: true }
}

test('an addendum that is being signed when invitations go out is signed by links [SIGNER-08]', async () => {
  const { admin, app, id, make, tenant } = await site()
  const { addendum } = await make()
  const { addendumId, ...given } = await signatureFor(app, tenant, addendum.id)
  const guarantor = { role: 'guarantor' as const, firstName: 'Gus', lastName: 'Grant', email: gusEmail }
  const signedLeasePdf: typeof app.deps.renderer.signedLeasePdf = async signed => {
    await app.as(admin).signing.adminInvite({ applicationId: id, addendumId, signers: [guarantor] })
    return app.deps.renderer.signedLeasePdf(signed)
  }
  const deps = { ...app.deps, renderer: { ...app.deps.renderer, signedLeasePdf } }
  const input = { ...signAddendumInput.parse({ addendumId, ...given }) }
  await expect(signAddendum(deps, tenant, input)).rejects.toThrow('The invitations are out already.')
})

const liveClaims = ({ deps }: TestApp) => deps.db.select().from(claims).where(isNull(claims.endedAt)).all()
const mailsOf = ({ deps }: TestApp, kind: string) =>
  deps.db.select().from(outbox).where(eq(outbox.kind, kind)).all()

test('an addendum with another rent than was previewed is not sent [CHANGE-21]', async () => {
  const { admin, app, id, make } = await site()
  const terms = { leaseEndDate: '2026-06-21' }
  const previewed = async () => {
    const preview = await app.as(admin).addenda.preview({ applicationId: id, ...terms })
    return { ...terms, addendumTextSha256: preview.addendumTextSha256 }
  }
  const stale = await previewed()
  await app
    .as(admin)
    .rates.create(buildRate({ startDate: '2026-01-01', endDate: '2027-12-31', monthly: 9000 }))
  await expect(make(stale)).rejects.toThrow('This application has changed meanwhile')
  expect(liveClaims(app)).toEqual([])
  await make(await previewed())
})

test('for a day after a restore an addendum is not closed and keeps its nights, as it may be signed [CHANGE-23, INST-42]', async () => {
  const { app, make } = await site()
  await make({ leaseEndDate: '2026-07-15', rentalAmount: 2500, validUntil: '2026-03-05' })
  const [from, at] = [app.deps.clock.now().toISOString(), new Date('2026-03-05T20:00:00Z')]
  markRestored(app.deps.config.databaseFile, from, at)
  app.setNow('2026-03-06T19:59:59Z')
  await tickAddenda(app.deps)
  const nights = { startDate: '2026-07-01', endDate: '2026-07-20' }
  expect((await app.as(visitor).availability.range(nights)).availability).toHaveLength(29 - 15)
  expect(liveClaims(app)).toHaveLength(1)
  expect(app.deps.db.select().from(leases).where(isNotNull(leases.voidedAt)).all()).toEqual([])
  app.setNow('2026-03-06T20:00:00Z')
  await tickAddenda(app.deps)
  expect(liveClaims(app)).toEqual([])
})

test('the nights of an addendum are no offer that the owner can withdraw [CHANGE-24]', async () => {
  const { admin, app, make } = await site()
  await make()
  const [claim] = liveClaims(app)
  const withdrawn = app.as(admin).offers.withdraw({ claimId: claim?.id ?? '' })
  await expect(withdrawn).rejects.toThrow('Nights of an addendum are kept until it is answered.')
  expect(liveClaims(app)).toEqual([claim])
})

test('an addendum is a difference to the terms in force, and signed it is what is in force [CHANGE-19, CHANGE-20, CHANGE-21, CHANGE-25, CHANGE-26, CHANGE-27]', async () => {
  const { admin, app, id, make, rowOf, sign, tenant } = await site()
  const leaseBefore = app.deps.db.select().from(leases).where(eq(leases.kind, 'lease')).get()
  const preview = await app.as(admin).addenda.preview({
    applicationId: id,
    leaseEndDate: '2026-07-15',
    rentalAmount: 2500,
    lines: [{ kind: 'fee', label: 'Second cleaning', amountCents: 100_00 }],
  })
  expect(preview.lines).toEqual([
    { kind: 'rent', label: 'Rent (Addendum No. 1)', amountCents: 1166_67 },
    { kind: 'fee', label: 'Second cleaning', amountCents: 100_00 },
  ])
  expect(preview).toMatchObject({ owedBeforeCents: 3000_00, owedAfterCents: 4266_67 })
  expect(liveClaims(app)).toEqual([])
  const { addendum } = await make({
    leaseEndDate: '2026-07-15',
    rentalAmount: 2500,
    lines: [{ kind: 'fee', label: 'Second cleaning', amountCents: 100_00 }],
    note: 'As we said on the phone.',
  })
  expect(addendum).toMatchObject({ number: 1, state: 'open', validUntil: '2026-03-18' })
  expect(mailsOf(app, 'addendum-ready')).toMatchObject([
    { props: { note: 'As we said on the phone.', stay: 'Jun 1 – Jul 15, 2026', owedAfterCents: 4266_67 } },
  ])
  const { addendumText, consentSentence, notice } = await app
    .as(tenant)
    .addenda.get({ addendumId: addendum.id })
  expect(addendumText).toBe(preview.addendumText)
  for (const part of [
    'Addendum No. 1',
    leaseBefore?.textSha256 ?? '',
    'Last day: July 1, 2026, from now on July 15, 2026',
    /^- Rent for the whole term: 30 nights: one month’s rent, \$2,500.00, from now on \$3,666.67$/m,
    /^- How the new rent adds up: 1 month × .* = \$3,666.67$/m,
    'Rent (Addendum No. 1): $1,166.67',
    'Due with this addendum: $4,266.67.',
    'Everything else in the lease stays as it is.',
  ])
    expect(addendumText).toMatch(part)
  expect(consentSentence).toContain('this addendum')
  expect(notice.map(({ text }) => text).join(' ')).not.toContain('lease')
  await expect(
    app
      .as(tenant)
      .addenda.sign({ ...(await signatureFor(app, tenant, addendum.id)), noticeSha256: undefined }),
  ).rejects.toThrow('Please read the addendum before you sign.')
  await expect(
    app
      .as(tenant)
      .addenda.sign({ ...(await signatureFor(app, tenant, addendum.id)), addendumTextSha256: 'x' }),
  ).rejects.toThrow('Please read it again before you sign.')
  await expect(sign(addendum.id, admin)).rejects.toThrow('Only the tenant can sign an addendum.')
  const signed = await sign(addendum.id)
  expect(signed).toMatchObject({
    addendum: { state: 'signed', signedBy: 'signature' },
    application: { leaseEndDate: '2026-07-15', leaseStartDate: '2026-06-01' },
  })
  expect(rowOf()).toMatchObject({ stayEndDate: '2026-07-15', totalCents: 4266_67, rentCents: 2500_00 })
  expect(app.deps.db.select().from(leases).where(eq(leases.kind, 'lease')).get()).toEqual(leaseBefore)
  expect(liveClaims(app)).toEqual([])
  expect(app.deps.db.select().from(claims).all()).toMatchObject([{ endedAs: 'done' }])
  const subjectsOf = async (kind: string) =>
    (await Promise.all(mailsOf(app, kind).map(mail => composeMail(app.deps, mailSources, mail)))).map(
      ({ subject }) => subject,
    )
  expect(await subjectsOf('addendum-ready')).toEqual(['An addendum to your lease (APP-2026-0001)'])
  expect(await subjectsOf('addendum-signed-copy')).toEqual(
    Array(2).fill('The signed addendum (APP-2026-0001)'),
  )
  expect(mailsOf(app, 'charge-added')).toEqual([])
  await expect(sign(addendum.id)).rejects.toThrow('This addendum is no longer open.')
  await expect(app.as(admin).addenda.withdraw({ addendumId: addendum.id })).rejects.toThrow('no longer open')
})

test('an addendum to a stay of up to a month tells its new rent once, with the nights', async () => {
  const { admin, app, id } = await site()
  const { addendumText } = await app
    .as(admin)
    .addenda.preview({ applicationId: id, leaseEndDate: '2026-06-21', rentalAmount: 2400 })
  expect(addendumText.match(/^- Rent for .*$/gm)).toEqual([
    '- Rent for the whole term: 30 nights: one month’s rent, $2,500.00, from now on 20 nights, $2,400.00',
  ])
})

test('only a booked stay with a signed lease that is not over is changed [CHANGE-18, CHANGE-19]', async () => {
  const { admin, app, id, make, tenant } = await site()
  const pending = await makeBooking(app, tenant, admin, dates('2026-09-01', '2026-09-20'))
  const of = (applicationId: string) =>
    app.as(admin).addenda.make({ applicationId, leaseEndDate: '2026-09-21', rentalAmount: 100 })
  await expect(of(pending.id)).rejects.toThrow('The lease is not signed yet. Change the lease itself.')
  await app.as(admin).applications.adminSetStatus({ id: pending.id, status: 'rejected' })
  await expect(of(pending.id)).rejects.toThrow('Only a booked stay can be changed.')
  await expect(make({})).rejects.toThrow('Nothing would change.')
  await expect(make({ leaseEndDate: '2026-05-31' })).rejects.toThrow('End date must be after start date')
  await expect(make({ leaseStartDate: '2026-03-01' })).rejects.toThrow('A new day cannot be before today.')
  await expect(make({ lines: [{ kind: 'discount', label: 'Less', amountCents: -2600_00 }] })).rejects.toThrow(
    'That would make the total less than nothing.',
  )
  await expect(make({ lines: [{ kind: 'discount', label: 'Less', amountCents: 1_00 }] })).rejects.toThrow(
    'A fee is above zero, a discount below',
  )
  await expect(
    make({ rentDue: [{ amountCents: 1, dueDate: '2026-06-01' }], depositAmount: 600 }),
  ).rejects.toThrow('This booking has no payment plan.')
  app.setNow('2026-06-10T12:00:00Z')
  await expect(make({ leaseStartDate: '2026-06-12' })).rejects.toThrow('Its first day cannot change.')
  app.setNow('2026-07-02T12:00:00Z')
  await expect(of(id)).rejects.toThrow('This stay is over.')
})

test('one addendum is open at a time, listed with the tenant’s name, and its number is never given twice [CHANGE-22, CHANGE-28]', async () => {
  const { admin, app, make, sign, tenant } = await site()
  const [first, second] = await Promise.allSettled([make(), make()])
  expect([first, second].map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [open] = liveClaims(app)
  const addendumId = open?.leaseId ?? ''
  const { claims } = await app.as(admin).offers.adminList({})
  expect(claims).toMatchObject([{ kind: 'addendum', firstName: 'Maya', lastName: 'Rivers' }])
  await expect(make()).rejects.toThrow('An addendum waits for signature already.')
  const waiting = async () =>
    (await app.as(tenant).applications.status()).applications.map(each => each.waiting)
  expect(await waiting()).toContainEqual({ kind: 'addendum', until: expect.any(String) })
  await expect(app.as(admin).addenda.decline({ addendumId, reason: 'x' })).rejects.toThrow('Only the tenant')
  await expect(app.as(tenant).addenda.decline({ addendumId, reason: ' ' })).rejects.toThrow(
    'Please give a reason',
  )
  const { addendum } = await app.as(tenant).addenda.decline({ addendumId, reason: 'Too long' })
  expect(addendum).toMatchObject({ state: 'declined', reason: 'Too long' })
  expect(liveClaims(app)).toEqual([])
  expect(await waiting()).toEqual([undefined])
  await expect(sign(addendumId)).rejects.toThrow('This addendum is no longer open.')
  const next = (await make()).addendum
  expect(next.number).toBe(2)
  expect((await app.as(admin).addenda.withdraw({ addendumId: next.id })).addendum.state).toBe('withdrawn')
  expect((await make()).addendum.number).toBe(3)
})

test('an addendum is open until the end of its last day, by any clock [CHANGE-23, CLAIM-02, CLAIM-03, CLAIM-04]', async () => {
  const { admin, app, make, sign, tenant } = await site()
  for (const validUntil of ['2026-03-03', '2026-05-04'])
    await expect(make({ depositAmount: 600, validUntil })).rejects.toThrow('from today to 60 days ahead')
  const { addendum } = await make({
    leaseEndDate: '2026-07-15',
    rentalAmount: 2500,
    validUntil: '2026-03-05',
  })
  const nights = async () =>
    (await app.as(tenant).availability.range({ startDate: '2026-07-01', endDate: '2026-07-20' })).availability
  app.setNow('2026-03-06T04:59:59Z')
  expect(await nights()).toHaveLength(29 - 15)
  app.setNow('2026-03-06T05:00:00Z')
  expect(await nights()).toHaveLength(0)
  await expect(sign(addendum.id)).rejects.toThrow(
    'This addendum was open until Mar 5, 2026. Please ask the owner for a new one.',
  )
  await tickAddenda(app.deps)
  await tickAddenda(app.deps)
  expect(app.deps.db.select().from(claims).all()).toMatchObject([{ endedAs: 'expired', state: 'ended' }])
  const list = async () =>
    (await app.as(tenant).addenda.list({ applicationId: addendum.applicationId })).addenda
  expect(await list()).toMatchObject([{ state: 'expired' }])
  // What was built on the end stands when the clock goes back.
  app.setNow('2026-03-05T12:00:00Z')
  expect(await nights()).toHaveLength(0)
  expect(await list()).toMatchObject([{ state: 'expired' }])
  expect((await app.as(admin).addenda.withdraw({ addendumId: addendum.id })).addendum.state).toBe('withdrawn')
})

test('an addendum that was over when a stay was cancelled stays over when the clock goes back [CHANGE-23, CLAIM-03]', async () => {
  const { admin, app, id, make, sign } = await site()
  const { addendum } = await make({
    leaseEndDate: '2026-07-15',
    rentalAmount: 2500,
    validUntil: '2026-03-05',
  })
  const other = await makeBooking(app, await app.makeTenant(), admin, dates('2026-09-01', '2026-09-10'))
  app.setNow('2026-03-06T05:00:00Z')
  await app
    .as(admin)
    .cancellations.cancel({ applicationId: other.id, side: 'owner', reason: 'A pipe burst.' })
  app.setNow('2026-03-05T12:00:00Z')
  expect(liveClaims(app)).toEqual([])
  const { addenda } = await app.as(admin).addenda.list({ applicationId: id })
  expect(addenda).toMatchObject([{ state: 'expired' }])
  await expect(sign(addendum.id)).rejects.toThrow('This addendum was open until Mar 5, 2026.')
  expect((await make()).addendum).toMatchObject({ number: 2, state: 'open' })
})

test('held nights are nobody else’s: not to apply for, book, free or hold [CHANGE-24, CLAIM-05, CLAIM-06, CLAIM-07, CLAIM-08, CLAIM-10]', async () => {
  const { admin, app, id, make, tenant } = await site()
  const { addendum } = await make()
  const other = await app.makeTenant()
  await expect(makeBooking(app, other, admin, dates('2026-07-10', '2026-07-20'))).rejects.toThrow(
    'These dates are no longer available: Jul 10, 2026 to Jul 14, 2026',
  )
  const number = (await app.as(admin).applications.adminGet({ id })).application.applicationNumber
  const held = `These dates are held for ${number} until Mar 18, 2026. Withdraw that offer first.`
  const beside = await makeBooking(app, other, admin, dates('2026-07-15', '2026-07-25'))
  await expect(
    app.as(admin).leases.generate({ applicationId: beside.id, leaseStartDate: '2026-07-14' }),
  ).rejects.toThrow(held)
  // Another booking of the same tenant is another booking.
  await expect(makeBooking(app, tenant, admin, dates('2026-07-10', '2026-07-20'))).rejects.toThrow(
    'These dates are no longer available',
  )
  const email = app.deps.db.select().from(users).where(eq(users.id, tenant.userId)).get()?.email ?? ''
  const entry = buildEntry({ email, startDate: '2026-07-10', endDate: '2026-07-15' })
  await expect(app.as(admin).manualBookings.create({ ...entry, invite: false })).rejects.toThrow(held)
  const free = (isAvailable: boolean) =>
    app.as(admin).availability.setDates({ dates: ['2026-07-02', '2026-07-03'], isAvailable })
  await expect(free(true)).rejects.toThrow(
    `Held for ${number}: Jul 2, 2026 to Jul 3, 2026. Withdraw the offer to free these nights.`,
  )
  expect((await free(false)).updated).toBe(2)
  const range = { startDate: '2026-06-30', endDate: '2026-07-02' }
  const { availability } = await app.as(admin).availability.adminRange(range)
  const [claim] = liveClaims(app)
  expect(availability).toEqual([
    {
      date: '2026-06-30',
      isAvailable: false,
      reason: 'Booked',
      applicationId: id,
      applicationNumber: number,
    },
    ...['2026-07-01', '2026-07-02'].map(date => ({
      date,
      isAvailable: false,
      reason: 'Held',
      applicationId: null,
      applicationNumber: null,
      claimId: claim?.id,
      claimName: number,
      claimUntil: '2026-03-19T04:00:00.000Z',
    })),
  ])
  expect((await app.as(other).availability.range(range)).availability[1]).toEqual({
    date: '2026-07-01',
    isAvailable: false,
    reason: 'Held',
  })
  const row = async (eyes: object) =>
    (await app.as(admin).bookings.nights({ startDate: '2026-07-04', endDate: '2026-07-05', ...eyes }))
      .nights[0]
  const taken = { stands: 'held', claimId: claim?.id, applicationId: id, who: number, publicReason: 'Held' }
  const none = { apply: false, book: false, accept: false, byHand: false }
  expect(await row({})).toMatchObject({ ...taken, ...none, exported: 'Blocked', until: claim?.untilAt })
  for (const eyes of [{ applicationId: id }, { claimId: claim?.id }])
    expect(await row(eyes)).toMatchObject({ ...taken, ...none, book: true, accept: true })
  expect(await row({ email: 'nobody@guest.example' })).toMatchObject(none)
  await app.as(admin).addenda.withdraw({ addendumId: addendum.id })
  expect(await row({})).toMatchObject({ stands: null, apply: true, book: true, accept: true, byHand: true })
  await expect(row({ claimId: 'x', email: 'y' })).rejects.toThrow('one of')
  await expect(row({ claimId: 'x' })).rejects.toThrow('does not exist')
  expect((await app.as(other).availability.range(range)).availability.at(-1)?.reason).toBe('Unavailable')
})

test('of an addendum and a booking of the same nights at once, one wins [CHANGE-24, CLAIM-05]', async () => {
  const { admin, app, make } = await site()
  const other = await app.makeTenant()
  const waiting = await makePending(app, other, dates('2026-07-05', '2026-07-20'))
  const results = await Promise.allSettled([
    make(),
    app.as(admin).applications.adminSetStatus({ id: waiting.id, status: 'approved' }),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('of a signature and a withdrawal at once, one wins and the other is refused [CHANGE-26, CHANGE-28]', async () => {
  const { admin, app, make, rowOf, sign } = await site()
  const { addendum } = await make()
  const results = await Promise.allSettled([
    sign(addendum.id),
    app.as(admin).addenda.withdraw({ addendumId: addendum.id }),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const isSigned = results[0]?.status === 'fulfilled'
  expect(rowOf()?.stayEndDate).toBe(isSigned ? '2026-07-15' : '2026-07-01')
  expect(liveClaims(app)).toEqual([])
})

test.each(['an addendum’s signature', 'the lease’s signature', 'making an addendum'])(
  'of cancelling and %s at once, in either order, the stay is cancelled, and no nights are held, nothing is charged or left unfinished [CHANGE-11, CHANGE-26, CHANGE-28]',
  async what => {
    for (const isCancelFirst of [true, false]) {
      const { admin, app, id, make, rowOf, sign, tenant } = await site()
      const cancel = () =>
        app.as(admin).cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
      const open = what === 'an addendum’s signature' ? (await make()).addendum.id : ''
      if (what === 'the lease’s signature') await app.as(admin).leases.removeSigned({ applicationId: id })
      const act = () => {
        if (what === 'making an addendum') return make()
        return open ? sign(open) : signLease(app, tenant, id)
      }
      const race = isCancelFirst ? [cancel, act] : [act, cancel]
      const results = await Promise.allSettled(race.map(run => run()))
      expect(results.at(isCancelFirst ? 0 : 1)).toMatchObject({ status: 'fulfilled' })
      expect(rowOf()).toMatchObject({ status: 'cancelled', totalCents: 0 })
      expect([liveClaims(app), activeCharges(app.deps.db, id)]).toEqual([[], []])
      const { addenda } = await app.as(admin).addenda.list({ applicationId: id })
      expect(addenda.map(({ state }) => state)).not.toContain('open')
      expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
    }
  },
)

test('of cancelling and importing a booking of its nights at once, in either order, the stay is cancelled and the nights are of one booking at most [CHANGE-12, CHANGE-16]', async () => {
  for (const isCancelFirst of [true, false]) {
    const { admin, app, id, rowOf } = await site()
    const owner = app.as(admin)
    const cancel = () =>
      owner.cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
    const row = { start_date: '2026-06-20', end_date: '2026-07-10' }
    const enter = () => owner.manualBookings.import({ csv: buildCsv([buildRow(row)]), dryRun: false })
    const race = isCancelFirst ? [cancel, enter] : [enter, cancel]
    const results = await Promise.allSettled(race.map(run => run()))
    expect(results.at(isCancelFirst ? 0 : 1)).toMatchObject({ status: 'fulfilled' })
    expect(rowOf()?.status).toBe('cancelled')
    const isImported = results.every(({ status }) => status === 'fulfilled')
    const again = owner.applications.adminSetStatus({ id, status: 'approved' })
    if (isImported) await expect(again).rejects.toThrow('overlap application')
    else await again
    const booked = app.deps.db.select().from(applications).where(eq(applications.status, 'approved')).all()
    expect(booked.map(({ stayEndDate }) => stayEndDate)).toEqual([isImported ? '2026-07-10' : '2026-07-01'])
    expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  }
})

test('of the addenda of two bookings for one night at once, in either order, one is made and holds it [CHANGE-24, CLAIM-05]', async () => {
  for (const isOwnFirst of [true, false]) {
    const { admin, app, make } = await site()
    const other = await app.makeTenant()
    const next = await makeBooking(app, other, admin, dates('2026-07-20', '2026-08-10'))
    await app.as(admin).leases.generate({ applicationId: next.id, rentalAmount: 2000, depositAmount: 500 })
    await setSigned(app, next.id, testNow)
    const earlier = () =>
      app.as(admin).addenda.make({ applicationId: next.id, leaseStartDate: '2026-07-14', rentalAmount: 2500 })
    const race = isOwnFirst ? [make, earlier] : [earlier, make]
    const [first, second] = await Promise.allSettled(race.map(run => run()))
    const made = [first, second].flatMap(result => (result?.status === 'fulfilled' ? result.value : []))
    const refused = [first, second].find(result => result?.status === 'rejected')
    expect([made.length, String(refused?.reason)]).toEqual([1, expect.stringContaining('are held for APP-')])
    const [claim] = liveClaims(app)
    expect([liveClaims(app).length, claim?.leaseId]).toEqual([1, made[0]?.addendum.id])
  }
})

test('a scan counts as signed, and the stored file is what was uploaded [CHANGE-25]', async () => {
  const { app, make, rowOf, tenant } = await site()
  const { addendum } = await make({ depositAmount: 700 })
  const scan = { id: addendum.id, content: scanPdf(), name: 'scan.pdf' }
  const done = await uploadSignedAddendum(app.deps, tenant, scan)
  expect(done.addendum).toMatchObject({ state: 'signed', signedBy: 'user_upload' })
  expect(rowOf()).toMatchObject({ depositCents: 700_00, totalCents: 3200_00 })
  await expect(uploadSignedAddendum(app.deps, tenant, scan)).rejects.toThrow('no longer open')
})

test('deleting the lease voids its addenda and what they charged, but the signature alone stays [CHANGE-29]', async () => {
  const { admin, app, id, make, rowOf, sign } = await site()
  const { addendum } = await make()
  await sign(addendum.id)
  await expect(app.as(admin).leases.removeSigned({ applicationId: id })).rejects.toThrow(
    'This lease has a signed addendum. Delete the lease to begin anew.',
  )
  const open = (await make({ depositAmount: 800 })).addendum
  await app.as(admin).leases.adminRemove({ id })
  expect(activeCharges(app.deps.db, id)).toEqual([])
  expect(rowOf()).toMatchObject({ totalCents: 0, stayEndDate: '2026-07-01' })
  const { addenda } = await app.as(admin).addenda.list({ applicationId: id })
  expect(addenda.map(({ state }) => state)).toEqual(['voided', 'voided'])
  await expect(sign(open.id)).rejects.toThrow('no longer open')
})

test('declining, cancelling or deleting the booking closes its addendum and frees its nights', async () => {
  for (const how of ['decline', 'cancel', 'delete']) {
    const { admin, app, id, make } = await site()
    await make()
    if (how === 'decline') await app.as(admin).applications.adminSetStatus({ id, status: 'rejected' })
    else if (how === 'cancel')
      await app.as(admin).cancellations.cancel({ applicationId: id, side: 'owner', reason: 'Storm' })
    else await app.as(admin).applications.adminDelete({ id })
    expect(liveClaims(app)).toEqual([])
    expect(app.deps.db.select().from(claims).all()).toMatchObject([{ endedAs: 'closed' }])
  }
})

test('the charges of a signed addendum are fixed [CHANGE-38]', async () => {
  const { admin, app, id, make, sign } = await site()
  await sign((await make()).addendum.id)
  const ofAddendum = and(eq(charges.applicationId, id), eq(charges.source, 'addendum'))
  const charge = app.deps.db.select().from(charges).where(ofAddendum).get()
  await expect(app.as(admin).charges.void({ chargeId: charge?.id ?? '', reason: 'x' })).rejects.toThrow(
    'This charge is part of a signed addendum.',
  )
})

test('a tax that a longer stay would escape stays in the lease and keeps its amount, of which the preview warns; fees have the lease’s amounts [CHANGE-20, CHANGE-38]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.chargeRules.createTax(buildTaxRule({ maxNights: 40 }))
  await owner.chargeRules.createTax(buildTaxRule({ name: 'County tax', authority: 'County', maxMonths: 1 }))
  const perNight = buildFeeRule({ name: 'Linen', per: 'night', amountCents: 10_00, taxable: false })
  const { id: feeId } = (await owner.chargeRules.createFee(perNight)).fee
  const { id } = await makeLease(app)
  await setSigned(app, id, testNow)
  await owner.chargeRules.updateFee({ id: feeId, ...perNight, amountCents: 99_00 })
  const preview = async (leaseEndDate: string, rentalAmount = 2500) => {
    const terms = { leaseEndDate, rentalAmount }
    const { lines, warnings } = await owner.addenda.preview({ applicationId: id, ...terms })
    // By the lease's own amount.
    expect(lines).toContainEqual({
      kind: 'fee',
      label: 'Linen (Addendum No. 1)',
      amountCents: 10_00 * nightsBetween('2026-07-01', leaseEndDate),
    })
    return [lines.flatMap(({ kind, label }) => (kind === 'tax' ? label : [])), warnings] as const
  }
  const stays = (name: string, nights: number) =>
    `${name} stays in the lease, although a stay of ${nights} nights would carry none.`
  const [shorter, none] = await preview('2026-06-21', 2000)
  expect([shorter.length, none]).toEqual([2, []])
  const [longer, one] = await preview('2026-07-11')
  expect([longer, one]).toEqual([[expect.stringContaining('State tax')], [stays('County tax', 40)]])
  expect(await preview('2026-07-12')).toEqual([[], [stays('State tax', 41), stays('County tax', 41)]])
})

test('a signed addendum is a PDF in the lease’s layout with its certificate [CHANGE-25]', async () => {
  const { app, make, sign } = await site()
  const { addendum } = await make()
  await sign(addendum.id)
  const row = app.deps.db.select().from(leases).where(eq(leases.id, addendum.id)).get()
  const file = app.deps.db
    .select()
    .from(files)
    .where(eq(files.id, row?.fileId ?? ''))
    .get()
  const lines = pdfText(await app.deps.files.read(file as never)).flat()
  expect(lines[0]).toMatch(/^Addendum No. 1 to the lease agreement APP-/)
  expect(lines.join('\n')).toContain('Signing certificate')
  expect(lines.join('\n')).toMatch(/Addendum No. 1, application APP-/)
  expect(lines.join(' ')).toContain('agree to sign this addendum electronically')
  expect(allCharges(app.deps.db, addendum.applicationId).length).toBeGreaterThan(2)
  expect(sumOf(activeCharges(app.deps.db, addendum.applicationId))).toBe(4166_67)
  expect(planMismatchCents(liveInstallments(app.deps.db, addendum.applicationId), [])).toBe(0)
})

test('an earlier last day is not agreed on once it is over [CHANGE-19, CHANGE-26]', async () => {
  const { admin, app, make, rowOf, sign, tenant } = await site()
  app.setNow('2026-06-18T17:00:00.000Z')
  const { addendum } = await make({ leaseEndDate: '2026-06-20', rentalAmount: 2500 })
  app.setNow('2026-06-30T17:00:00.000Z')
  await expect(sign(addendum.id)).rejects.toThrow('A new day cannot be before today.')
  expect(rowOf()).toMatchObject({ stayEndDate: '2026-07-01', totalCents: 3000_00 })
  const scan = { id: addendum.id, content: scanPdf(), name: 'addendum.pdf' }
  await expect(uploadSignedAddendum(app.deps, tenant, scan)).rejects.toThrow('before today')
  // Signed on paper in time.
  expect((await uploadSignedAddendum(app.deps, admin, scan)).addendum.state).toBe('signed')
})

test.each([
  ['delete from claims', 'open addenda that do not hold the nights that they add: APP-2026-0001'],
  ["update claims set ended_at = '2026-03-05', ended_as = 'done'", 'open addenda that do not hold'],
  ["update addenda set closed = 'withdrawn'", 'held nights without an open addendum'],
  [
    "update leases set voided_at = '2026-03-05' where kind = 'addendum'",
    'held nights without an open addendum',
  ],
  [
    "update claims set start_date = '2026-09-05', end_date = '2026-09-06'",
    'held nights that another booking has: APP-2026-0002',
  ],
  [
    `insert into claims (id, kind, state, start_date, end_date, until_at, lease_id, created_at)
     select 'copy', kind, state, '2026-07-14', end_date, until_at, lease_id, created_at from claims`,
    '1 claims that share a night with another: ',
  ],
])('verify reports what is wrong with held nights: %s [CLAIM-05, CHANGE-24]', async (wrong, fault) => {
  const { admin, app, make } = await site()
  await make()
  await makeBooking(app, await app.makeTenant(), admin, dates('2026-09-01', '2026-09-10'))
  const faults = async () => (await verifyStore(app.deps.config, () => {})).faults.join('\n')
  expect(await faults()).toBe('')
  await app.deps.write(tx => tx.run(sql.raw(wrong)))
  expect(await faults()).toContain(fault)
})

test('with a plan, added rent follows `rentDue`, other amounts are due 7 days after signing, and an earlier last day moves later due dates [CHANGE-35, CHANGE-36]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  await app.as(admin).leases.generate({ applicationId: id, rentalAmount: 2500, plan: 'monthly' })
  await signLease(app, tenant, id)
  const before = liveInstallments(app.deps.db, id)
  const input = {
    applicationId: id,
    leaseEndDate: '2026-07-15',
    rentalAmount: 2500,
    depositAmount: 600,
    lines: [{ kind: 'fee' as const, label: 'Second cleaning', amountCents: 100_00 }],
  }
  const due = (...rows: [amountCents: number, dueDate: string][]) => ({
    ...input,
    rentDue: rows.map(([amountCents, dueDate]) => ({ amountCents, dueDate })),
  })
  for (const wrong of [
    due([1166_66, '2026-06-15']),
    due([1166_67, '2026-07-16']),
    due([1166_67, '2026-03-03']),
  ])
    await expect(app.as(admin).addenda.make(wrong)).rejects.toMatchObject({
      cause: { fields: { rentDue: expect.any(String) } },
    })
  const wanted = due([1000_00, '2026-06-15'], [166_67, '2026-07-15'])
  const { addendum } = await app.as(admin).addenda.make(wanted)
  const { addendumText } = await app.as(tenant).addenda.get({ addendumId: addendum.id })
  for (const line of ['$1,000.00, due on June 15, 2026', '$166.67, due on July 15, 2026'])
    expect(addendumText).toContain(line)
  expect(addendumText.match(/Second cleaning.*/g)).toEqual([
    'Second cleaning: $100.00, due 7 days after this addendum is signed',
  ])
  app.setNow('2026-03-05T17:00:00.000Z')
  await app.as(tenant).addenda.sign(await signatureFor(app, tenant, addendum.id))
  const known = new Set(before.map(row => row.id))
  const added = liveInstallments(app.deps.db, id).filter(row => !known.has(row.id))
  expect(added.map(({ amountCents, dueDate, kind }) => [kind, amountCents, dueDate]).toSorted()).toEqual([
    ['charge', 100_00, '2026-03-12'],
    ['charge', 1000_00, '2026-06-15'],
    ['charge', 166_67, '2026-07-15'],
    ['deposit', 100_00, '2026-03-12'],
  ])
  expect(liveInstallments(app.deps.db, id).filter(row => known.has(row.id))).toEqual(before)
  expect(planMismatchCents(liveInstallments(app.deps.db, id), allCharges(app.deps.db, id))).toBe(0)

  const longer = liveInstallments(app.deps.db, id)
  const shorter = { applicationId: id, leaseEndDate: '2026-07-10', rentalAmount: 2500 }
  const { addendum: second } = await app.as(admin).addenda.make(shorter)
  await app.as(tenant).addenda.sign(await signatureFor(app, tenant, second.id))
  const now = liveInstallments(app.deps.db, id)
  const last = longer.find(({ dueDate }) => dueDate === '2026-07-15')
  expect(now.filter(({ position }) => position === last?.position)).toMatchObject([
    { label: 'Rent (Addendum No. 1)', amountCents: 166_67, dueDate: '2026-07-10' },
  ])
})
