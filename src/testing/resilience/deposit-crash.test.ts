import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, charges, files, outbox } from '../../../db/schema.ts'
import { sweepFiles } from '../../server/kernel/files/stored-file.ts'
import { tickDeposits } from '../../server/money/deposits/watch.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { depositApp } from '../build-deposit.ts'
import { testRandom } from '../random.ts'
import { provenPrefix } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

/** A deposit that goes back in three legs: two cards and by hand. */
async function threeLegs() {
  const site = await depositApp()
  const { app, payByCard, payByHand } = site
  await app.deps.write(tx => {
    tx.update(charges).set({ amountCents: 700_00 }).where(eq(charges.kind, 'deposit')).run()
    tx.update(applications).set({ totalCents: 3200_00 }).run()
  })
  await payByCard(200_00)
  await payByHand(50_00)
  return site
}

const run = (
  { admin, app, deposit, id }: Awaited<ReturnType<typeof depositApp>>,
  action: 'return' | 'statement',
  requestId: string,
  env: { FAILPOINT: string; KILL_AFTER?: string },
) =>
  // The proof is of this moment.
  deposit().then(() =>
    runUntilKilled(
      app,
      'deposit-process.ts',
      [action, id, admin.userId, provenPrefix + admin.userId, requestId],
      {
        NOW: app.deps.clock.now().toISOString(),
        PROVIDER_URL: app.providerUrl,
        ...env,
      },
    ),
  )

const refundedAtProvider = ({ app }: Awaited<ReturnType<typeof depositApp>>) =>
  Object.values(app.provider.truth()).reduce((sum, { refunded }) => sum + refunded, 0)

/** Goes on as the next start does: every leg is paid once. */
async function expectPaidOnce(site: Awaited<ReturnType<typeof depositApp>>, requestId: string) {
  const { app, deposit, giveBack } = site
  await giveBack({ requestId, hand: {} })
  await tickDeposits(app.deps)
  await app.provider.deliverDue()
  const { legs, returnedCents, state } = await deposit()
  expect([state, returnedCents, legs.map(leg => leg.state)]).toEqual([
    'closed',
    750_00,
    ['done', 'done', 'done'],
  ])
  expect(refundedAtProvider(site)).toBe(515_00 + 206_00)
  expect(app.deps.db.select().from(outbox).where(eq(outbox.kind, 'deposit-returned')).all()).toHaveLength(1)
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
}

test.each(['in-return-write', 'return-written', 'leg-answered', 'leg-stored'])(
  'killed at %s, twice, in a return of three legs: no leg is paid twice or forgotten [DEP-33, DEP-34]',
  async point => {
    const site = await threeLegs()
    const requestId = randomUUID()
    for (let i = 0; i < 2; i++)
      expect(await run(site, 'return', requestId, { FAILPOINT: point })).toBe('SIGKILL')
    await expectPaidOnce(site, requestId)
  },
)

const rounds = Number(process.env.KILLS ?? (process.env.LONG === undefined ? 5 : 200))
test(
  'killed at random moments of a return, no leg is paid twice or forgotten [DEP-34, DEP-36]',
  async () => {
    const random = testRandom()
    for (let round = 0; round < rounds; round++) {
      const site = await threeLegs()
      const requestId = randomUUID()
      const env = { FAILPOINT: '', KILL_AFTER: String(random.below(120)) }
      await run(site, 'return', requestId, env)
      await expectPaidOnce(site, requestId)
    }
  },
  60_000 + rounds * 20_000,
)

test.each([
  ['before-deposit-statement-commit', 1],
  ['in-deposit-statement-write', 1],
  ['after-deposit-statement-commit', 0],
] as const)(
  'killed at %s: a statement has its file, row and mail, or none of them; the same request then is one [DEP-20, DEP-23]',
  async (point, orphaned) => {
    const site = await depositApp()
    const { addItem, app, deposit, sendStatement } = site
    await addItem(40_00)
    const requestId = randomUUID()
    expect(await run(site, 'statement', requestId, { FAILPOINT: point })).toBe('SIGKILL')
    expect(await sweepFiles(app.deps)).toEqual({ orphaned, missing: 0 })
    await sendStatement({ requestId })
    expect((await deposit()).statements).toHaveLength(1)
    expect(app.deps.db.select().from(files).all()).toHaveLength(1)
    expect(app.deps.db.select().from(outbox).where(eq(outbox.kind, 'deposit-statement')).all()).toHaveLength(
      1,
    )
  },
)
