import { readdirSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { decode } from 'fast-png'
import { expect, test } from 'vitest'
import {
  applications,
  events,
  installationFacts,
  outbox,
  payments,
  rates,
  users,
} from '../../../../db/schema.ts'
import type { Admin, Tenant } from '../../../domain/accounts/access.ts'
import { addDays, addMonths, datesInRange, overlaps, startOfMonth } from '../../../domain/common/dates.ts'
import { rateForm } from '../../../domain/money/rate.ts'
import { rateForNight } from '../../../domain/money/rent-quote.ts'
import { buildRate } from '../../../testing/build-rate.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import {
  preparedSite,
  type TestApp,
  testApp,
  testNow,
  testOrigin,
  visitor,
} from '../../../testing/test-app.ts'
import { ensureFirstAdmin } from '../../auth/accounts/admins.ts'
import { findUserByEmail } from '../../auth/sessions/users.ts'
import { selfOrigin } from '../../kernel/config.ts'
import { isMarkedAsDemo } from '../../kernel/demo-mark.ts'
import { verifyStore } from '../backup/verify.ts'
import { dailyCriticalNotices } from '../notices/daily-mail.ts'
import { demoLogins, markEmptyDatabaseAsDemo, seedDemo } from './demo-data.ts'
import { openProvider } from './embedded.ts'
import { blockedNights, demoGuests, demoPassword, nightsAdded } from './guests.ts'
import { demoRates } from './rates.ts'
import { drawSignature } from './seed-runtime.ts'

const rows = ({ deps }: TestApp) => deps.db.select().from(applications).all()

/** Does the same as the first start. */
async function start(app: TestApp): Promise<boolean> {
  await markEmptyDatabaseAsDemo(app.deps)
  await ensureFirstAdmin(app.deps)
  return seedDemo(app.deps)
}

const seededDemo = preparedSite(async app => ({ isSeeded: await start(app) }))

/** A seeded demo for one test; with `env` it is seeded from scratch. */
async function demo(env?: Record<string, string>) {
  const { app } = env ? { app: await testApp({ env }) } : await seededDemo()
  if (env) await start(app)
  const owner = findUserByEmail(app.deps.db, 'owner@condo.example')
  const admin: Admin = { role: 'admin', userId: owner?.id ?? '', requestOrigin: testOrigin }
  const as = (email: string) => {
    const tenant: Tenant = {
      role: 'tenant',
      userId: findUserByEmail(app.deps.db, email)?.id ?? '',
      requestOrigin: testOrigin,
    }
    return app.as(tenant)
  }
  return { app, admin, as }
}

test('updates the URL of the sandbox calendar when the demo starts on another port', async () => {
  const { app, admin } = await demo()
  const other = { ...app.deps, config: { ...app.deps.config, port: app.deps.config.port + 1 } }
  const { calendars } = app.as(admin)
  const before = (await calendars.overview()).feeds
  await seedDemo(app.deps)
  expect((await calendars.overview()).feeds).toEqual(before)
  await seedDemo(other)
  const [feed] = (await calendars.overview()).feeds
  expect(before[0]?.host).toBe(new URL(selfOrigin(app.deps.config)).host)
  expect(feed?.host).toBe(new URL(selfOrigin(other.config)).host)
  expect(feed).toMatchObject({ state: 'ok', lastError: null, eventCount: before[0]?.eventCount })
})

test('seeds an empty demo once, with every status', async () => {
  const app = await testApp()
  expect(await start(app)).toBe(true)
  const made = rows(app)
  expect(new Set(made.map(({ status }) => status))).toEqual(
    new Set(['pending', 'approved', 'rejected', 'completed', 'cancelled']),
  )
  expect(await start(app)).toBe(false)
  expect(rows(app)).toEqual(made)
})

test("stores valid data with no time in the future, and only an overdue payment, a deposit and a refund by hand need the owner's attention", async () => {
  const { app, admin } = await demo()
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  for (const table of [users, applications, payments, outbox])
    for (const { createdAt } of app.deps.db.select().from(table).all())
      expect(createdAt <= testNow).toBe(true)
  for (const { at } of app.deps.db.select().from(events).all()) expect(at <= testNow).toBe(true)
  const { notices } = await app.as(admin).notices.list()
  const other = notices.filter(({ id }) => id !== 'no-provider' && id !== 'mail-waiting')
  expect(other.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^plan-overdue-/),
    expect.stringMatching(/^deposit-return-/),
    expect.stringMatching(/^cancellation-refund-/),
  ])
  expect(dailyCriticalNotices.due(app.deps)).toBeUndefined()
})

test('watches deposits: one claimed with photos, one kept in part, one to be returned within five days', async () => {
  const { app, admin, as } = await demo()
  const { deposits } = await app.as(admin).deposits.list({})
  const of = (state: string) => deposits.filter(deposit => deposit.state === state)
  expect(deposits).toContainEqual(
    expect.objectContaining({
      tenantName: 'Gabe Ellison',
      state: 'held',
      deadline: expect.objectContaining({ daysLeft: 5 }),
    }),
  )
  expect(of('claimed')).toMatchObject([{ tenantName: 'Ruth Bell', claimedCents: 185_00, keptCents: 0 }])
  expect(of('claimed')[0]?.items.map(({ photos }) => photos.length)).toEqual([1, 1])
  const partly = of('closed').filter(({ keptCents }) => keptCents > 0)
  expect(partly).toMatchObject([{ tenantName: 'Omar Haddad', keptCents: 38_00, heldCents: 0 }])
  const [ruth] = of('claimed')
  const { deposit } = await as('ruth@guest.example').deposits.get({
    applicationId: ruth?.applicationId ?? '',
  })
  expect(deposit).toMatchObject({ state: 'claimed', items: [{}, {}] })
})

test('completed stays are paid in full', async () => {
  const { app, admin } = await demo()
  const completed = rows(app).filter(({ status }) => status === 'completed')
  expect(completed.length).toBeGreaterThan(6)
  for (const { userId } of completed) {
    const { applications: own } = await app.as(admin).payments.availableDeposits({ userId })
    expect(own.filter(({ status }) => status === 'completed')).toMatchObject([{ totalBalance: 0 }])
  }
  const { monthlyRevenue } = await app.as(admin).payments.revenueSummary()
  expect(Object.values(monthlyRevenue).filter(cents => cents > 0).length).toBeGreaterThan(6)
})

test('the printed logins work, and their tenants have the data that is described', async () => {
  const { app, as } = await demo()
  const logins = (await demoLogins(app.deps)) ?? ''
  for (const email of ['mia@guest.example', 'sam@guest.example', 'ruth@guest.example']) {
    expect(logins).toContain(email)
    const answer = await app.as(visitor).accounts.login({ email, password: demoPassword })
    expect(answer).toMatchObject({ user: { role: 'tenant' } })
  }
  const only = async (email: string) => (await as(email).applications.status()).applications[0]
  expect(await only('mia@guest.example')).toMatchObject({ status: 'pending', leaseGenerated: false })
  const sam = await only('sam@guest.example')
  expect(sam).toMatchObject({ status: 'approved', leaseGenerated: true, leaseSigned: false })
  const options = await as('sam@guest.example').payments.options()
  expect(options.applications).toMatchObject([{ depositPaid: false, balance: { label: 'Amount owed' } }])
  expect(await only('ruth@guest.example')).toMatchObject({ status: 'completed', leaseSigned: true })
  const { payments: paid } = await as('ruth@guest.example').payments.history()
  expect(paid.map(({ method, paymentType, cardLast4 }) => [method, paymentType, cardLast4])).toEqual([
    ['card', 'rent', '4242'],
    ['card', 'deposit', '4242'],
  ])
  const signedFiles = readdirSync(app.deps.config.uploadsDir, { withFileTypes: true })
  // Five leases, an addendum, a drawn signature, two statements, and a photo of each of three items.
  expect(signedFiles.filter(entry => entry.isFile() && entry.name !== 'store-id')).toHaveLength(12)
})

test('its card and bank payments also exist in the running sandbox, where they can be refunded', async () => {
  const { app } = await demo()
  const { db, config } = app.deps
  const rows = db.select().from(payments).all()
  const byCard = rows.filter(({ providerMethod }) => providerMethod === 'card')
  expect(byCard.length).toBeGreaterThan(4)
  const byBank = rows.filter(({ providerMethod }) => providerMethod === 'us_bank_account')
  expect(byBank.map(({ cardLast4, status }) => [status, cardLast4])).toEqual([
    ['succeeded', '6789'],
    ['processing', null],
  ])
  const sandbox = openProvider(config, { webhookSecret: 'whsec_x', now: () => new Date(testNow) })
  const truth = sandbox?.truth() ?? {}
  const waiting = sandbox?.waitingDeliveries()
  await sandbox?.close()
  for (const row of byCard) expect(row).toMatchObject({ status: 'succeeded', cardLast4: '4242' })
  for (const row of [...byCard, ...byBank.filter(({ paidAt }) => paidAt)])
    expect(truth[row.checkoutSessionId ?? '']).toMatchObject({ paid: row.amountCents + row.feeCents })
  expect(waiting).toEqual([])
})

test('has a booking that the owner entered, with its invitation, and a charge that was added later', async () => {
  const { app, admin } = await demo()
  const entered = rows(app).find(({ source }) => source === 'owner')
  const { application } = await app.as(admin).applications.get({ id: entered?.id ?? '' })
  expect(application).toMatchObject({
    firstName: 'Helen',
    status: 'approved',
    sourceLabel: 'Entered by the owner',
    invitation: { acceptedAt: null },
  })
  const invitations = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'invitation')).all()
  expect(invitations).toMatchObject([{ toAddress: 'helen@guest.example' }])
  const nina = rows(app).find(({ firstName }) => firstName === 'Nina')
  const { charges, summary } = await app.as(admin).charges.list({ applicationId: nina?.id ?? '' })
  expect(charges).toContainEqual(
    expect.objectContaining({ label: 'Beach chairs and umbrella', amountCents: 60_00, source: 'owner' }),
  )
  expect(summary).toMatchObject({ balanceCents: 60_00, label: 'Amount owed' })
})

test('keeps only an invitation and the mails of guests with a printed login', async () => {
  const { app } = await demo()
  const mails = app.deps.db.select().from(outbox).where(eq(outbox.status, 'queued')).all()
  expect(mails.length).toBeLessThan(35)
  const others = demoGuests('2026-03-04').filter(guest => !guest.loginDescription)
  const about = JSON.stringify(mails.map(({ props, toAddress }) => [props, toAddress]))
  for (const { firstName, lastName } of others) expect(about).not.toContain(`${firstName} ${lastName}`)
  expect(mails.filter(({ kind }) => kind === 'payment-receipt')).toHaveLength(4)
})

test('the owner’s mails about applications tell a rent and the free nights that the screens show', async () => {
  const { app, admin } = await demo()
  const mails = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-new-application')).all()
  const waiting = mails.filter(({ status }) => status === 'queued')
  expect(waiting.length).toBeGreaterThan(3)
  for (const { props } of waiting) expect(props).not.toMatchObject({ decision: { rentCents: null } })
  const mia = rows(app).find(({ firstName }) => firstName === 'Mia')
  const { decision } = await app.as(admin).applications.adminStatusPreview({ id: mia?.id ?? '' })
  const props = waiting.find(({ applicationId }) => applicationId === mia?.id)?.props
  expect(props).toMatchObject({ decision })
})

test('without sandbox all payments are checks, and nothing is sent to a real mail server', async () => {
  const { app } = await demo({
    STRIPE_API_BASE: 'http://127.0.0.1:1',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    SMTP_URL: 'smtp://127.0.0.1:1',
  })
  const methods = app.deps.db
    .select()
    .from(payments)
    .all()
    .map(({ method }) => method)
  expect(new Set(methods)).toEqual(new Set(['manual']))
  expect(app.deps.db.select().from(outbox).all()).toEqual([])
})

test.each(['2028-02-29', '2026-12-31'])('the demo can start on %s', async day => {
  const app = await testApp()
  app.setNow(`${day}T12:00:00.000Z`)
  expect(await start(app)).toBe(true)
  const month = startOfMonth(addMonths(day, 1))
  const { availability } = await app
    .as(visitor)
    .availability.range({ startDate: month, endDate: addMonths(month, 1) })
  expect(new Set(availability.map(({ reason }) => reason))).toEqual(new Set(['Booked', 'Deep cleaning']))
})

test('on any day stays and blocked nights never overlap, and every night of the year ahead has a price', () => {
  for (const today of datesInRange({ start: '2026-01-01', end: '2029-01-01' })) {
    const booked = demoGuests(today).filter(
      ({ outcome }) => outcome === 'approved' || outcome === 'completed',
    )
    const stays = [...booked.map(withAddedNights), ...blockedNights(today).map(({ nights }) => nights)]
    for (const [i, stay] of stays.entries())
      expect([today, stays.slice(i + 1).filter(other => overlaps(stay, other))]).toEqual([today, []])
    if (!today.endsWith('-15')) continue
    const periods = demoRates(today).map((rate, i) => ({ ...rate, id: String(i) }))
    for (const rate of periods) expect(rateForm.safeParse(rate).success).toBe(true)
    for (const night of datesInRange({ start: today, end: addDays(today, 365) }))
      expect([night, rateForNight(periods, night)]).toEqual([
        night,
        expect.objectContaining({ isActive: true }),
      ])
  }
})

const withAddedNights = ({ extends: added, stay }: ReturnType<typeof demoGuests>[number]) =>
  added ? { ...stay, end: addDays(stay.end, nightsAdded) } : stay

test('has a lease that one of two signed, an open and a signed addendum, and a cancelled stay with a refund by hand', async () => {
  const { app, admin, as } = await demo()
  const owner = app.as(admin)
  const idOf = (name: string) => rows(app).find(({ firstName }) => firstName === name)?.id ?? ''
  const { application } = await as('carla@guest.example').applications.get({ id: idOf('Carla') })
  expect(application).toMatchObject({ leaseSigned: false, signing: { signed: 1, of: 2 } })
  const addendumOf = async (name: string) =>
    (await owner.addenda.list({ applicationId: idOf(name) })).addenda[0]
  const open = await addendumOf('Jonas')
  expect(open).toMatchObject({ state: 'open', number: 1 })
  expect(open?.differenceCents).toBeGreaterThan(0)
  const [startDate, endDate] = [open?.before.leaseEndDate ?? '', open?.after.leaseEndDate ?? '']
  const { nights } = await owner.bookings.nights({ startDate, endDate })
  expect(nights.map(({ stands }) => stands)).toEqual(Array.from({ length: nightsAdded }, () => 'held'))
  expect(await addendumOf('Paul')).toMatchObject({ state: 'signed' })
  const { instalments } = await owner.plans.show({ applicationId: idOf('Paul') })
  expect(instalments.map(({ kind, state }) => [kind, state])).toEqual([
    ['deposit', 'paid'],
    ['lease', 'upcoming'],
    ['charge', 'upcoming'],
    ['lease', 'upcoming'],
    ['lease', 'upcoming'],
  ])
  const { cancellation } = await owner.cancellations.adminGet({ applicationId: idOf('Lena') })
  // Nine months before arrival the demo's rule and section 13 of the lease give all of it back.
  expect(cancellation?.keptCents).toBe(0)
  expect(cancellation?.decidedAt?.slice(0, 10)).toBe('2026-02-01')
  expect(cancellation?.refunds.map(({ by, kind, state }) => [by, kind, state])).toEqual([
    ['hand', 'deposit', 'done'],
    ['hand', 'other', 'waiting'],
  ])
})

test('a drawn signature is a picture with ink, which depends only on the name', () => {
  const png = (name: string) => decode(Buffer.from(drawSignature(name).split(',')[1] ?? '', 'base64'))
  expect(png('Ruth Bell').data.some(value => value > 0)).toBe(true)
  expect(drawSignature('Ruth Bell')).toBe(drawSignature('Ruth Bell'))
  expect(drawSignature('Ruth Bell')).not.toBe(drawSignature('Sam Carter'))
})

test('never marks a database with users or data as a demo', async () => {
  const withPeople = await testApp()
  await withPeople.makeTenant()
  expect(await start(withPeople)).toBe(false)
  expect(isMarkedAsDemo(withPeople.deps.db)).toBe(false)

  const withRates = await testApp()
  await withRates.as(await withRates.makeAdmin()).rates.create(buildRate({ period: 'Mine' }))
  await withRates.deps.write(tx => tx.insert(installationFacts).values({ key: 'demo', value: testNow }).run())
  expect(await seedDemo(withRates.deps)).toBe(false)
  expect(withRates.deps.db.select().from(rates).all()).toHaveLength(1)
  expect(await demoLogins(withRates.deps)).toBeUndefined()
})

test('seeds nothing in production', async () => {
  const app = await testApp({ env: productionEnv })
  await app.makeAdmin()
  expect(await start(app)).toBe(false)
  expect(isMarkedAsDemo(app.deps.db)).toBe(false)
  expect(rows(app)).toEqual([])
})

test('has a calendar feed without conflicts, an export of each kind, and an unpublished change of the site', async () => {
  const { app, admin } = await demo()
  const { conflicts, exports, feeds, notices } = await app.as(admin).calendars.overview()
  expect(feeds).toMatchObject([{ name: 'Airbnb', provider: 'airbnb', state: 'ok', eventCount: 3 }])
  expect(exports.map(({ feedId, scope }) => [scope, feedId])).toEqual([
    ['platform', feeds[0]?.id],
    ['cleaning', null],
    ['owner', null],
  ])
  expect([conflicts, notices]).toEqual([[], []])

  const { changes: published } = await app.as(admin).editor.compare({ from: 0, to: 'published' })
  const { changes: draft } = await app.as(admin).editor.compare({ from: 'published', to: 'draft' })
  expect([published, draft.map(({ path, section }) => `${section}.${path}`)]).toEqual([[], ['hero.text']])
  expect((await app.as(admin).editor.draft()).draft).toMatchObject({ published: { version: 1 }, faults: {} })
})

test('has a two-month stay in its payment plan: the last payment is overdue, with a late fee proposed', async () => {
  const { app, admin, as } = await demo()
  const tessa = rows(app).find(({ firstName }) => firstName === 'Tessa')
  const { instalments, plan } = await app.as(admin).plans.show({ applicationId: tessa?.id ?? '' })
  expect(plan).toMatchObject({ kind: 'monthly', frozen: true })
  expect(instalments.map(({ kind, lateFee, state }) => [kind, state, lateFee?.amountCents])).toEqual([
    ['deposit', 'paid', undefined],
    ['lease', 'paid', undefined],
    ['lease', 'overdue', 50_00],
  ])
  const { instalments: due } = await app.as(admin).plans.due()
  expect(due).toMatchObject([{ label: 'Payment 2 of 2', tenantName: 'Tessa Quinlan' }])
  expect((await app.as(admin).settings.bank.get()).body).toEqual({ enabled: true })
  const nina = rows(app).find(({ firstName }) => firstName === 'Nina')
  const { payments: paid } = await as('nina@guest.example').payments.history({
    applicationId: nina?.id ?? '',
  })
  expect(paid.find(({ status }) => status === 'processing')).toMatchObject({
    amount: 60_00,
    providerMethod: 'us_bank_account',
  })
})

test('has a stay that the owner has opened, with codes and a link, and one that says what is missing', async () => {
  const { app, as } = await demo()
  const idOf = (name: string) => rows(app).find(({ firstName }) => firstName === name)?.id ?? ''
  const stayOf = async (name: string) =>
    (await as(`${name.toLowerCase()}@guest.example`).stays.get({ applicationId: idOf(name) })).stay
  expect(await stayOf('Tessa')).toMatchObject({
    gate: { state: 'open', hold: 'open' },
    locks: [{ ready: true }, { ready: true }],
    guests: [{ name: 'My sister', withCode: true }],
  })
  const tessa = as('tessa@guest.example').stays
  const [front, gate] = await Promise.all(
    ['front-door', 'beach-gate'].map(lockId => tessa.showCode({ applicationId: idOf('Tessa'), lockId })),
  )
  expect([front?.code.code, gate?.code.code]).toEqual([expect.stringMatching(/^\d{6}$/), '4826'])
  expect((await stayOf('Nina'))?.gate).toMatchObject({
    state: 'locked',
    missing: [{ text: 'Your payment of $60.00 is on its way' }],
  })
})

test('the demo has taxes in one stay, paid over, and last year is closed without differences', async () => {
  const { app, admin } = await demo()
  const years = [Number(testNow.slice(0, 4)) - 1, Number(testNow.slice(0, 4))]
  const books = await Promise.all(years.map(year => app.as(admin).books.year({ year })))
  expect(books[0]?.closing).toMatchObject({ version: 1, differences: [] })
  const flows = books.flatMap(({ taxes }) => taxes.flatMap(({ lines }) => lines))
  const sum = (key: string) =>
    flows.filter(line => line.key === key).reduce((total, { yearCents }) => total + yearCents, 0)
  expect(sum('collected')).toBeGreaterThan(0)
  expect(sum('paidOver')).toBe(sum('collected'))
})

test('has an offer that ends tomorrow, one accepted, one withdrawn, a stay promised again, and a promise asked about', async () => {
  const { app, admin } = await demo()
  const { claims } = await app.as(admin).offers.adminList({})
  const tomorrow = new Date(app.deps.clock.now().getTime() + 86_400_000).toISOString()
  expect(
    claims
      .filter(({ kind }) => kind !== 'addendum')
      .map(({ endedAs, firstName, kind, state }) => [firstName, kind, state, endedAs])
      .sort(),
  ).toEqual([
    ['Anna', 'offer', 'open', null],
    ['Dana', 'promise', 'asked', null],
    ['Greg', 'offer', 'ended', 'withdrawn'],
    ['Ruth', 'promise', 'open', null],
    ['Walter', 'offer', 'accepted', null],
  ])
  expect(claims.find(({ firstName }) => firstName === 'Anna')?.until).toBe(tomorrow)
})
