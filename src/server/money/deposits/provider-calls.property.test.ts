import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, charges } from '../../../../db/schema.ts'
import { minuteMs } from '../../../domain/common/durations.ts'
import { depositApp } from '../../../testing/build-deposit.ts'
import { testRandom } from '../../../testing/random.ts'
import { tickDeposits } from './watch.ts'

/** Returns $700.00 in three legs to cards, while the n-th call to the provider fails; answers how many calls there were. */
async function returnWithFault(n: number, fault: { status?: number; hangUp?: true }): Promise<number> {
  const { app, deposit, giveBack, payByCard } = await depositApp()
  for (const [depositCents, added] of [
    [650_00, 150_00],
    [700_00, 50_00],
  ] as const) {
    await app.deps.write(tx => {
      tx.update(charges).set({ amountCents: depositCents }).where(eq(charges.kind, 'deposit')).run()
      tx.update(applications)
        .set({ depositCents, totalCents: 2500_00 + depositCents })
        .run()
    })
    await payByCard(added)
  }
  const { handle } = app.provider
  let calls = 0
  app.provider.handle = request => {
    calls += 1
    // The SDK itself tries again once when a connection is closed.
    if (calls === n) app.provider.setFault({ ...fault, failNext: fault.hangUp ? 2 : 1 })
    return handle(request)
  }
  const goOn = async () => {
    app.advance(2 * minuteMs)
    await tickDeposits(app.deps)
    await app.provider.deliverDue()
  }
  await giveBack({ requestId: randomUUID() })
  for (let i = 0; i < 3; i++) await goOn()
  const failed = (await deposit()).legs.filter(({ state }) => state === 'failed')
  expect(failed.length).toBeLessThanOrEqual(fault.status === 402 ? 1 : 0)
  expect((await deposit()).freeCents).toBe(failed[0]?.amountCents ?? 0)
  if (failed.length > 0) await giveBack()
  await goOn()
  const { heldCents, legs, returnedCents, state } = await deposit()
  expect([state, heldCents, returnedCents]).toEqual(['closed', 0, 700_00])
  const done = legs.filter(leg => leg.state === 'done').map(({ amountCents }) => amountCents)
  expect(done.toSorted((a, b) => a - b)).toEqual([50_00, 150_00, 500_00])
  const refunded = Object.values(app.provider.truth()).map(each => each.refunded)
  expect(refunded.toSorted((a, b) => a - b)).toEqual([51_50, 154_50, 515_00])
  return calls
}

const isLong = process.env.LONG !== undefined
test(
  'whichever call to the provider fails in a return of three legs, and however, each leg is paid once, or its money is free again [DEP-33, DEP-34, DEP-35]',
  async () => {
    const random = testRandom()
    const faults = [
      { status: 500 },
      { status: 402 },
      { failurePoint: 'before-work' as const },
      { failurePoint: 'after-work' as const },
      { hangUp: true as const },
      { hangUp: true as const, answerAfterTimeout: true },
    ]
    const run = async (n: number, fault: (typeof faults)[number]) => {
      try {
        return await returnWithFault(n, fault)
      } catch (cause) {
        throw new Error(`call ${n} with ${JSON.stringify(fault)}`, { cause })
      }
    }
    if (!isLong)
      for (const n of [1, 2, 3]) expect(await run(n, random.pick(faults))).toBeGreaterThanOrEqual(n)
    else for (const fault of faults) for (let n = 1; (await run(n, fault)) >= n; n++);
  },
  isLong ? 30 * 60_000 : 90_000,
)
