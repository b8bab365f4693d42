import { expect, test } from 'vitest'
import { planMessages, planRefusals } from '../../domain/money/payment-plan.ts'
import { call, signUpAdmin } from '../../testing/build-account.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { makeLease, snapshotState, storedLease, typedSignature } from '../../testing/build-lease.ts'
import { testRandom } from '../../testing/random.ts'
import { testApp } from '../../testing/test-app.ts'

/** A booking for June at $2,500 with a deposit of $500; its lease has no plan and is not signed. */
async function setUpJuneLease() {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { token } = await signUpAdmin(app, 'desk@condo.example')
  const { admin, id, tenant } = await makeLease(app)
  const owner = app.as(admin)
  const put = (body: unknown, path = id) => call(app, 'PUT', `/api/plan/admin/${path}`, { token, body })
  const plan = () => owner.plans.show({ applicationId: id })
  return {
    app,
    owner,
    tenant,
    id,
    put,
    plan,
    version: async () => (await plan()).plan?.version ?? 0,
    text: () => storedLease(app, id).lease?.text ?? '',
  }
}
const rows = (...amounts: number[]) =>
  amounts.map(amountCents => ({ amountCents, dueDate: null as string | null }))

test('reports an invalid plan at its field, and changes nothing [PLAN-15, PLAN-16]', async () => {
  const { app, put } = await setUpJuneLease()
  await put({ version: 0, kind: 'full' })
  const before = snapshotState(app)
  const [due] = rows(2500_00)
  const refused = async (body: object) => {
    const answer = await put({ version: 1, ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(400)
    return answer.body.fields
  }
  for (const [instalments, words] of [
    [rows(2499_00), 'The payments add up to $2,499.00; $2,500.00 is needed.'],
    [rows(2500_00, 0), /at least \$0\.01/],
    [rows(2499_99.5, 0.5), /at least \$0\.01/],
    [[], /1 to 60 payments/],
    [rows(...Array(61).fill(1_00)), /1 to 60 payments/],
    [[{ ...due, dueDate: '2026-02-30' }], /a valid date/],
    [[{ ...due, dueDate: '2026-03-03' }], 'Please choose today or later dates'],
    [[{ ...due, dueDate: '2026-07-02' }], 'Please choose dates up to the departure on Jul 1, 2026'],
  ] as const)
    expect(await refused({ instalments })).toEqual({
      instalments: typeof words === 'string' ? words : expect.stringMatching(words),
    })
  expect(Object.keys(await refused({}))).toEqual(['kind'])
  expect(Object.keys(await refused({ kind: 'full', instalments: rows(2500_00) }))).toEqual(['kind'])
  expect(Object.keys(await refused({ kind: 'custom' }))).toEqual(['kind'])
  expect(snapshotState(app)).toEqual(before)
  // Today and the departure day are the first and last valid dates.
  const ends = [
    { amountCents: 1, dueDate: '2026-03-04' },
    { amountCents: 2499_99, dueDate: '2026-07-01' },
  ]
  expect(await put({ version: 1, instalments: ends })).toMatchObject({
    status: 200,
    body: {
      plan: { kind: 'custom', version: 2 },
      instalments: [{ label: 'Security deposit' }, { dueDate: null }, { dueDate: '2026-07-01' }],
    },
  })
})

test('rejects a change before the lease is generated, and for a declined or unknown booking [PLAN-19]', async () => {
  const { app, id, owner, put, tenant } = await setUpJuneLease()
  const admin = await app.makeAdmin()
  const bare = await makeBooking(app, tenant, admin, dates('2027-06-01', '2027-07-01'))
  const change = { version: 0, kind: 'full' }
  expect(await put(change, bare.id)).toMatchObject({
    status: 404,
    body: { error: planRefusals.notGenerated },
  })
  expect(await put(change, 'nobody')).toMatchObject({ status: 404, body: { error: 'Application not found' } })
  await owner.applications.adminSetStatus({ id, status: 'rejected' })
  expect(await put(change)).toMatchObject({ status: 409 })
})

test('rejects a change to an outdated version, and applies one of several concurrent changes [PLAN-17]', async () => {
  const { app, plan, put, version } = await setUpJuneLease()
  const stale = { status: 409, body: { error: planMessages.stale } }
  expect(await put({ version: 1, kind: 'full' })).toMatchObject(stale)
  expect(await put({ version: 0, kind: 'full' })).toMatchObject({ status: 200 })
  const before = snapshotState(app)
  for (const old of [0, 2]) expect(await put({ version: old, kind: 'split' })).toMatchObject(stale)
  expect(snapshotState(app)).toEqual(before)

  // Removing the plan and creating another also makes earlier versions stale.
  await put({ version: 1, kind: 'off' })
  await put({ version: 0, kind: 'split' })
  expect(await version()).toBe(2)
  expect(await put({ version: 1, kind: 'full' })).toMatchObject(stale)

  for (const seen of [2, 3, 4]) {
    // Two of them request the same change.
    const wanted = [{ kind: 'full' }, { kind: 'full' }, { kind: 'monthly' }, { instalments: rows(2500_00) }]
    const answers = await Promise.all(wanted.map(change => put({ version: seen, ...change })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect((await plan()).plan?.version).toBe(seen + 1)
  }
})

test('if a change and a signature of the previous text are concurrent, exactly one succeeds [PLAN-19, PLAN-20]', async () => {
  const { app, id, owner, plan, tenant, text, version } = await setUpJuneLease()
  const random = testRandom()
  const wins = { change: 0, signature: 0 }
  for (let round = 0; round < 4; round++) {
    const shown = await app.as(tenant).leases.preview({ id })
    const seen = await version()
    // Amounts that differ from every earlier text.
    const instalments = [
      { amountCents: 100_00 + round, dueDate: '2026-05-01' },
      { amountCents: 2400_00 - round, dueDate: '2026-05-02' },
    ]
    const signing = app.as(tenant).leases.sign(typedSignature(id, shown.leaseTextSha256))
    // Rendering the signed PDF takes part of this time.
    const pauseMs = round === 0 ? 0 : random.below(250)
    const changing = new Promise(resolve => setTimeout(resolve, pauseMs)).then(() =>
      owner.leases.changePlan({ applicationId: id, version: seen, instalments }),
    )
    const [signed, changed] = await Promise.allSettled([signing, changing])
    expect([signed.status, changed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const { plan: after } = await plan()
    const isSigned = signed.status === 'fulfilled'
    wins[isSigned ? 'signature' : 'change']++
    expect(after?.frozen ?? isSigned).toBe(isSigned)
    expect(text() === shown.leaseText).toBe(isSigned)
    if (changed.status === 'rejected')
      expect(changed.reason).toMatchObject({ code: 'CONFLICT', message: planRefusals.signed })
    if (signed.status === 'rejected')
      expect(signed.reason).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/has changed since/),
      })
    if (isSigned) await owner.leases.removeSigned({ applicationId: id })
  }
  expect(wins.change).toBeGreaterThan(0)
}, 60_000)
