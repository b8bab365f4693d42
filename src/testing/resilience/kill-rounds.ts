import { expect } from 'vitest'
import type { Disk } from '../install/disk.ts'
import { testRandom } from '../random.ts'
import { openPortal } from '../security/portal.ts'
import { type Journal, missingWrites, paymentDifferences, startWriters, verifyErrors } from './writers.ts'

/**
 * Repeatedly kills the site at a random moment under load, restarts it and checks that every acknowledged write is
 * there, nothing is half-written, and money agrees with the provider. With a disk, its power is cut, too.
 */
export async function killRounds(rounds: number, power?: { disk: Disk; folder: string }) {
  const portal = await openPortal(power && { folder: power.folder })
  const journal: Journal = []
  const random = testRandom()
  portal.providerServer.provider.start()
  for (let round = 1; round <= rounds; round += 1) {
    const before = journal.length
    // A login counts as a proof of identity for ten minutes.
    const owner = await portal.admin()
    const writers = startWriters(portal, owner, journal)
    // Mostly early, sometimes late enough for users to have reached payment.
    await new Promise(resolve => setTimeout(resolve, 200 + random.unit() ** 2 * 4000))
    const pid = portal.site.pid() ?? 0
    // Nothing is answered or synced between the cut and the end of the process.
    if (power) process.kill(pid, 'SIGSTOP')
    power?.disk.cutPower()
    process.kill(pid, 'SIGKILL')
    await writers.stop()
    await expect.poll(portal.site.hasEnded).toBe(true)
    power?.disk.mountAgain()
    await portal.site.restart()
    expect(writers.refusals, `round ${round}`).toEqual([])
    expect(missingWrites(portal, journal.slice(before)), `round ${round}`).toEqual([])
    if (power) expect(await verifyErrors(portal), `round ${round}`).toEqual([])
  }
  expect(missingWrites(portal, journal)).toEqual([])
  const never = { description: 'nothing', sql: 'select 1 from users where id = ?', id: 'nobody' }
  expect(missingWrites(portal, [never])).toEqual([never])
  expect(await verifyErrors(portal)).toEqual([])
  expect(await paymentDifferences(portal)).toEqual([])
  await portal.close()
  const kinds = Object.groupBy(journal, ({ description }) => description)
  return {
    rounds,
    acknowledged: journal.length,
    kinds: Object.fromEntries(
      Object.entries(kinds).map(([description, writes]) => [description, writes?.length]),
    ),
  }
}
