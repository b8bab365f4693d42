import { expect } from 'vitest'
import { testRandom } from '../random.ts'
import { openPortal } from '../security/portal.ts'
import { disagreements, faults, type Journal, lost, startWriters } from './writers.ts'

/**
 * Kills the site at a random moment of a crowd's work, starts it on what is left, and judges, so many times: every
 * write that had been answered is there, nothing is half there, and money agrees with the provider's.
 */
export async function killRounds(rounds: number) {
  const portal = await openPortal()
  const owner = await portal.admin()
  const journal: Journal = []
  const random = testRandom()
  portal.far.provider.start()
  for (let round = 1; round <= rounds; round += 1) {
    const before = journal.length
    const writers = startWriters(portal, owner, journal)
    // Mostly soon, now and then late enough for people to have come as far as paying.
    await new Promise(resolve => setTimeout(resolve, 200 + random.unit() ** 2 * 4000))
    process.kill(portal.site.pid() ?? 0, 'SIGKILL')
    await writers.stop()
    await portal.site.restart()
    expect(writers.refusals, `round ${round}`).toEqual([])
    expect(lost(portal, journal.slice(before)), `round ${round}`).toEqual([])
  }
  expect(lost(portal, journal)).toEqual([])
  const never = { what: 'nothing', sql: 'select 1 from users where id = ?', id: 'nobody' }
  expect(lost(portal, [never])).toEqual([never])
  expect(await faults(portal)).toEqual([])
  expect(await disagreements(portal)).toEqual([])
  await portal.close()
  const kinds = Object.groupBy(journal, ({ what }) => what)
  return {
    rounds,
    acknowledged: journal.length,
    kinds: Object.fromEntries(Object.entries(kinds).map(([what, writes]) => [what, writes?.length])),
  }
}
