import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox, sessions, userFactors } from '../../../../db/schema.ts'
import { shippedMailWordings } from '../../../domain/content/mail-wording.ts'
import { shippedLeaseWording } from '../../../domain/leases/lease-wording.ts'
import { type Account, signUp, signUpAdmin, tenantPassword } from '../../../testing/build-account.ts'
import { makeBooking } from '../../../testing/build-application.ts'
import { makeFeed } from '../../../testing/build-calendar.ts'
import { buildCsv, buildEntry } from '../../../testing/build-entry.ts'
import { makeLease, scanPdf, tokenOf } from '../../../testing/build-lease.ts'
import { buildOffer } from '../../../testing/build-offer.ts'
import { type PaymentApp, paymentApp } from '../../../testing/build-payment.ts'
import { buildRate } from '../../../testing/build-rate.ts'
import { editorOf } from '../../../testing/build-site.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'
import { callRest, callTrpc } from '../../../testing/transports.ts'
import { uploadSignedLease } from '../../leases/upload.ts'
import { sealedPrefix } from '../../lib/sealed.ts'
import { sha256 } from '../../lib/sha256.ts'

type Proof = { factorAt: string | null; stepUpAt: string | null }
/** A call that requires a step-up, over tRPC, and over REST if it has a path. */
type Guarded = { call?: string; route?: string; input: Record<string, unknown> }

const tenMinutes = 10 * 60_000
const refusal = 'Please confirm that it is you.'
const theft = 'Please pay to DE02 1203 0000 0000 2020 51.'
const date = '2026-11-11'
const actorOf = ({ user }: Account) => ({ role: user.role, userId: user.id, requestOrigin: testOrigin })

const setProof = ({ deps }: Pick<TestApp, 'deps'>, { token }: Account, proof: Proof) =>
  deps.write(tx => {
    const { changes } = tx
      .update(sessions)
      .set(proof)
      .where(eq(sessions.id, sha256(token)))
      .run()
    expect(changes).toBe(1)
  })

async function addTotp({ deps }: Pick<TestApp, 'deps'>, { user }: Account) {
  if (deps.key.state !== 'ready') throw new Error('no key')
  const at = deps.clock.now().toISOString()
  const secretEnc = `${sealedPrefix(deps.key.key)}no code is asked for here`
  const row = { id: randomUUID(), userId: user.id, label: 'App', secretEnc, createdAt: at, confirmedAt: at }
  await deps.write(tx =>
    tx
      .insert(userFactors)
      .values({ ...row, kind: 'totp' })
      .run(),
  )
}

/** Two calls of the owner that require a step-up. `step-up-rules.test.ts` has the others. */
async function guardedCalls(app: PaymentApp, tenant: Account): Promise<Guarded[]> {
  const guest = { role: 'tenant' as const, userId: tenant.user.id, requestOrigin: testOrigin }
  const application = await app.makeApplication(guest)
  const paid = await app.checkout(guest, { applicationId: application.id })
  app.provider.pay(paid.checkoutSessionId)
  await app.provider.deliverDue()
  return [
    {
      call: 'payments.refund',
      route: 'POST /api/payment/admin/refund',
      input: { paymentId: paid.id, totalCents: 1_00, requestId: randomUUID() },
    },
    { route: 'GET /api/payment/admin/revenue.csv', input: {} },
  ]
}

/** Its last use is stored with the next write, so that a refused call changes nothing else. */
async function useSession({ deps, http }: Pick<TestApp, 'deps' | 'http'>, { token }: Account) {
  await callRest(http, 'GET /api/auth/verify', { token })
  await deps.write(() => {})
}

const askAll = async (app: Pick<TestApp, 'http'>, { token }: Account, { call, input, route }: Guarded) => [
  ...(call ? [await callTrpc(app.http, call, 'mutation', { token, input })] : []),
  ...(route ? [await callRest(app.http, route, { token, input })] : []),
]

test('without a step-up, guarded calls are rejected with the accepted methods, change nothing and do not call the provider [SAFE-16, SAFE-17, SAFE-18]', async () => {
  const app = await paymentApp()
  const tenant = await signUp(app)
  const owner = await signUpAdmin(app)
  const calls = await guardedCalls(app, tenant)
  const expectRefused = async (stepUp: string[]) => {
    const snapshotState = () => ({ rows: everyRow(app), provider: app.provider.truth() })
    await useSession(app, owner)
    const before = snapshotState()
    for (const guarded of calls)
      for (const { body, status } of await askAll(app, owner, guarded)) {
        const what = guarded.call ?? guarded.route
        expect(body, what).toMatchObject({ error: refusal, stepUp })
        expect(status, what).toBe(403)
      }
    expect(snapshotState()).toEqual(before)
  }
  const at = () => app.deps.clock.now().toISOString()

  app.advance(tenMinutes)
  await expectRefused(['password'])
  // Like a session from before step-ups existed.
  await setProof(app, owner, { factorAt: null, stepUpAt: null })
  await expectRefused(['password'])
  // The password is not enough for an account with an authenticator app.
  await addTotp(app, owner)
  await setProof(app, owner, { factorAt: null, stepUpAt: at() })
  await expectRefused(['totp'])
  await setProof(app, owner, { factorAt: at(), stepUpAt: at() })
  app.advance(tenMinutes)
  await expectRefused(['totp'])

  await setProof(app, owner, { factorAt: at(), stepUpAt: at() })
  for (const guarded of calls)
    for (const { status } of await askAll(app, owner, guarded)) expect(status).toBe(200)
})

test('with a stolen session, a wording with a foreign account is not saved; with a proof the owner gets a mail about it [FIX-32]', async () => {
  const app = await testApp({ env: { OWNER_EMAIL: 'olive@condo.example' } })
  const owner = await signUpAdmin(app)
  const save = (kind: string, version: number, body: unknown) =>
    callRest(app.http, 'PUT /api/site/admin/wordings/{kind}', {
      token: owner.token,
      input: { kind, version, body },
    })
  const shipped = shippedMailWordings['lease-ready']
  const mail = { ...shipped, next: theft }
  const lease = { text: `${shippedLeaseWording.text}\n${theft}` }
  app.advance(tenMinutes)
  await useSession(app, owner)
  const before = everyRow(app)
  for (const refused of [await save('lease-ready', 0, mail), await save('lease', 0, lease)])
    expect(refused).toMatchObject({ status: 403, body: { error: refusal, stepUp: ['password'] } })
  expect(everyRow(app)).toEqual(before)
  // The same words are no change.
  expect((await save('lease-ready', 0, shipped)).status).toBe(200)

  await setProof(app, owner, { factorAt: null, stepUpAt: app.deps.clock.now().toISOString() })
  expect((await save('lease-ready', 0, mail)).status).toBe(200)
  expect((await save('lease', 0, lease)).status).toBe(200)
  app.advance(tenMinutes)
  expect((await save('lease-ready', 1, null)).status).toBe(403)
  const mails = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-contact-changed')).all()
  expect(mails.map(({ props, toAddress }) => ({ toAddress, ...props }))).toMatchObject([
    {
      toAddress: 'olive@condo.example',
      where: 'documents?kind=lease-ready',
      changes: [{ label: 'Wording: Lease ready to sign', after: expect.stringContaining(theft) }],
    },
    {
      toAddress: 'olive@condo.example',
      where: 'documents?kind=lease',
      changes: [{ label: 'Wording: Lease', before: '', after: theft }],
    },
  ])
})

test('fields that others read in a booking, rate or calendar require a step-up; other fields do not [FIX-32]', async () => {
  const app = await testApp()
  const owner = await signUpAdmin(app)
  const { id } = await makeBooking(app, await app.makeTenant(), actorOf(owner))
  const entered = await app
    .as(actorOf(owner))
    .manualBookings.create(buildEntry({ email: 'guest@invited.example' }))
  const asOwner = app.as(actorOf(owner))
  const { rate } = await asOwner.rates.create(buildRate())
  app.advance(tenMinutes)
  const { token } = owner
  const edit = (input: object) =>
    callRest(app.http, 'PUT /api/application/admin/{id}/edit', { token, input: { id, ...input } })
  const invite = (input: object) =>
    callRest(app.http, 'POST /api/booking/admin/{applicationId}/invite', {
      token,
      input: { applicationId: entered.application.id, ...input },
    })
  const generate = (extraLines: object[]) =>
    callRest(app.http, 'POST /api/lease/generate/{id}', {
      token,
      input: { id, rentalAmount: 2000, depositAmount: 500, extraLines },
    })
  const ask = (call: string, input: Record<string, unknown>) =>
    callTrpc(app.http, call, 'mutation', { token, input })
  const changeRate = (change: object) => ask('rates.update', { id: rate.id, ...buildRate(change) })
  const block = (reason: string) => ask('availability.setDate', { date, isAvailable: false, reason })
  const blockAll = (reason: string) =>
    ask('availability.setDates', { dates: [date], isAvailable: false, reason })
  const importRows = (dryRun: boolean) => ask('manualBookings.import', { csv: buildCsv(), dryRun })
  const extraLines = [{ kind: 'fee', label: theft, amountCents: 1, taxable: false }]
  await useSession(app, owner)
  const before = everyRow(app)
  const refused = [
    await edit({ email: 'thief@elsewhere.example' }),
    await edit({ notes: theft }),
    await edit({ firstName: theft }),
    await edit({ secondApplicantFirstName: 'Pay to', secondApplicantLastName: theft }),
    await edit({ additionalGuests: [{ firstName: theft, lastName: 'Low', age: 30 }] }),
    await invite({ email: 'thief@elsewhere.example' }),
    await generate(extraLines),
    await ask('manualBookings.create', { ...buildEntry({ startDate: '2028-06-01', endDate: '2028-07-01' }) }),
    await importRows(false),
    await changeRate({ period: theft }),
    await block(theft),
    await blockAll(theft),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
  expect(everyRow(app)).toEqual(before)
  const allowed = [
    await edit({ phone: '850-555-0102' }),
    await invite({}),
    await generate([]),
    await importRows(true),
    await changeRate({ monthly: 3700 }),
    await block(''),
    await blockAll('Unavailable'),
  ]
  expect(allowed.map(({ status }) => status)).toEqual(allowed.map(() => 200))
})

test('removing or replacing a signed lease requires a step-up of the administrator, not of the tenant [FIX-32]', async () => {
  const app = await testApp()
  const owner = await signUpAdmin(app)
  const { id, tenant } = await makeLease(app)
  const scan = { applicationId: id, content: scanPdf(), name: 'lease.pdf' }
  await uploadSignedLease(app.deps, tenant, 'tenant', scan)
  const token = await tokenOf(app, tenant)
  app.advance(tenMinutes)
  await useSession(app, owner)
  const before = everyRow(app)
  for (const [call, input] of [
    ['leases.removeSigned', { applicationId: id }],
    ['leases.adminRemove', { id }],
  ] as const)
    expect(await callTrpc(app.http, call, 'mutation', { token: owner.token, input })).toMatchObject({
      status: 403,
      body: { stepUp: ['password'] },
    })
  expect(everyRow(app)).toEqual(before)
  const ownScan = { token, input: { applicationId: id } }
  expect((await callTrpc(app.http, 'leases.removeSigned', 'mutation', ownScan)).status).toBe(200)
})

test.each([
  ['contact', { directText: 'Pay to DE02 1203 0000 0000 2020 51.' }],
  ['houseRules', { rules: ['Pay to DE02 1203 0000 0000 2020 51.'] }],
  ['terms', { intro: 'Pay to DE02 1203 0000 0000 2020 51.' }],
  ['privacy', { text: 'Pay to DE02 1203 0000 0000 2020 51.' }],
  ['identity', { companyName: 'Thief LLC' }],
  ['identity', { propertyAddress: '1 Thief Road' }],
  ['hero', { text: 'Pay to DE02 1203 0000 0000 2020 51.' }],
] as const)(
  'publishing and restoring other words in %s requires a step-up [SAFE-16, FIX-32]',
  async (section, fields) => {
    const app = await testApp()
    const owner = await signUpAdmin(app)
    const { draft, publish, save } = editorOf(app.as(actorOf(owner)))
    await save('hero', { headline: 'Come and stay' })
    await publish()
    await save(section, fields as object)
    app.advance(tenMinutes)
    const { token } = owner
    const ask = (route: string, input: object) => callRest(app.http, route, { token, input: { ...input } })
    expect((await ask('POST /api/site/admin/publish', { revision: (await draft()).revision })).status).toBe(
      403,
    )
    await publish()
    const again = { version: 1, published: 2 }
    expect((await ask('POST /api/site/admin/versions/{version}/publish', again)).status).toBe(403)
  },
)

test('an administrator without a factor needs no step-up right after login [SAFE-01, SAFE-18]', async () => {
  const app = await testApp()
  const owner = await signUpAdmin(app)
  const csv = () => callRest(app.http, 'GET /api/payment/admin/revenue.csv', { token: owner.token })
  app.advance(tenMinutes - 1)
  expect((await csv()).status).toBe(200)
  app.advance(1)
  expect((await csv()).status).toBe(403)
})

test('a password change requires a step-up only if the account has a factor [SAFE-01, SAFE-16]', async () => {
  const app = await testApp()
  const tenant = await signUp(app)
  const change = (currentPassword: string, newPassword: string) =>
    callRest(app.http, 'POST /api/auth/change-password', {
      token: tenant.token,
      input: { currentPassword, newPassword, confirmPassword: newPassword },
    })
  app.advance(tenMinutes)
  expect((await change(tenantPassword, 'another tide')).status).toBe(200)
  await addTotp(app, tenant)
  const at = app.deps.clock.now().toISOString()
  await setProof(app, tenant, { factorAt: null, stepUpAt: at })
  const before = everyRow(app)
  expect(await change('another tide', 'a third tide')).toMatchObject({
    status: 403,
    body: { error: refusal, stepUp: ['totp'] },
  })
  expect(everyRow(app)).toEqual(before)
  await setProof(app, tenant, { factorAt: at, stepUpAt: at })
  expect((await change('another tide', 'a third tide')).status).toBe(200)
})

test('a session without a step-up cannot add words to decisions and offers, or change the address of offers and calendars [FIX-32, CLAIM-16]', async () => {
  const app = await testApp()
  const owner = await app.makeAdmin()
  const { id } = await makeBooking(app, await app.makeTenant(), owner)
  const { claim } = await app.as(owner).offers.make(buildOffer())
  const feedId = await makeFeed(app)
  const { applications, calendars, offers } = app.as({ ...owner, sessionId: 'without proof' })
  const before = everyRow(app)
  for (const call of [
    () => applications.adminSetStatus({ id, status: 'rejected', message: theft }),
    () => offers.promise({ applicationId: id, rentalAmount: 2000, message: theft }),
    () => offers.change({ claimId: claim.id, version: 1, message: theft }),
    () => offers.resend({ claimId: claim.id, email: 'thief@guest.example' }),
    () => calendars.editFeed({ id: feedId, url: 'https://calendars.example/thief.ics' }),
  ])
    await expect(call(), String(call)).rejects.toThrow(refusal)
  expect(everyRow(app)).toEqual(before)
})
