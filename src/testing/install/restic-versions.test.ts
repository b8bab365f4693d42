import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSnapshots } from '../../server/operations/backup/elsewhere/restic.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { afterThisTest } from '../cleanups.ts'
import { quiet, restoreBy, site, withSheet } from './backup-site.ts'
import { baseOf, requirePrograms, type Suite, suites } from './machine.ts'

const work = mkdtempSync('/var/tmp/condo-test-restic-')
beforeAll(() => {
  requirePrograms('debootstrap', 'dpkg')
  for (const suite of suites) {
    const [archive = ''] = globSync(join(baseOf(suite), 'var/cache/apt/archives/restic_*.deb'))
    execFileSync('dpkg', ['-x', archive, join(work, suite)])
    const version = execFileSync(join(work, suite, 'usr/bin/restic'), ['version'], { encoding: 'utf8' })
    console.warn(`${suite}: ${version.trim()}`)
  }
}, 900_000)
afterAll(() => rmSync(work, { recursive: true, force: true }))

const machinesPath = process.env.PATH
const use = (suite: Suite) => {
  process.env.PATH = `${join(work, suite, 'usr/bin')}:${machinesPath}`
}

const pairs = suites.flatMap(first =>
  suites.filter(each => each !== first).map(then => [first, then] as const),
)

test.each(pairs)(
  'a repository of the restic of %s is restored, tested and continued by that of %s [INST-30]',
  async (first, then) => {
    afterThisTest(() => {
      process.env.PATH = machinesPath
    })
    const made = await site()
    const { app, backUp, backups, folder, repository, save } = made
    use(first)
    await save('folder', folder)
    await backups.try()
    await backUp()
    const sheet = await withSheet(made)
    await sheet.confirm()

    use(then)
    const { code, place } = await restoreBy(app, [folder], [sheet.phrase])
    expect([code, (await verifyStore(place, quiet)).faults]).toEqual([0, []])
    await backups.try()
    await backUp({ test: true })
    expect(await backups.get()).toMatchObject({ failed: null, test: { fault: null, isWhole: true } })
    expect(await listSnapshots(repository())).toHaveLength(2)
    const newer = await withSheet(made)
    await newer.confirm()

    use(first)
    const again = await restoreBy(app, [folder], [newer.phrase], 'again')
    expect([again.code, (await verifyStore(again.place, quiet)).faults]).toEqual([0, []])
  },
)
