import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bareServer } from '../testing/bare-server.ts'
import { paths, releaseFolder } from './site.ts'
import { rollback, upgrade } from './upgrade.ts'

const versions = (journal: object) => ({ entries: [{ tag: 'first' }, ...Object.values(journal)] })

test('the release that was fetched does the upgrade, whatever else lies here [INST-32]', () => {
  const { calls, machine, put, root } = bareServer(line => {
    if (line.includes('--fetch')) put('/run/condo.fetched', '0.2.1\n')
    return undefined
  })
  put('/opt/condo/sites/x', '')
  put(`${releaseFolder('0.3.0')}/x`, '')
  symlinkSync(releaseFolder('0.2.0'), join(root, paths.current))
  expect(upgrade(machine, undefined, {})).toBe(0)
  expect(calls.at(-1)).toBe('/opt/condo/releases/0.2.1/bin/condo upgrade --switch')
})

test('going back without what was entered keeps a list of it before the copy returns, and no command line shows it [INST-38]', async () => {
  const csv = 'kind,at,what\napplication,2026-11-03T14:00:00Z,APP-2026-0001 Maya Rivers\n'
  const kept: string[] = []
  const { calls, machine, put, root, site } = bareServer((line, { input }) => {
    if (line.includes(' entered ')) return { out: csv }
    if (line.includes('entered.csv')) kept.push(input ?? '')
    if (line.includes('mark-copy')) {
      expect(kept).toEqual([csv])
      return { code: 1, err: 'far enough' }
    }
    return undefined
  })
  put('/opt/condo/sites/x', '')
  symlinkSync(releaseFolder('2.0.0'), join(root, paths.current))
  for (const [version, more] of Object.entries({ '1.0.0': {}, '2.0.0': { new: { tag: 'second' } } }))
    put(`${releaseFolder(version)}/db/migrations/meta/_journal.json`, JSON.stringify(versions(more)))
  put(paths.database, '')
  put(
    paths.lastChange,
    JSON.stringify({ from: '1.0.0', to: '2.0.0', at: '2026-11-03T13:00:00Z', copy: '/x' }),
  )
  site.status = 200
  const back = (leaveNewer: boolean) => rollback(machine, { leaveNewer }, new Date('2026-11-03T15:00:00Z'))
  await expect(back(false)).rejects.toThrow(
    /^Since .*, 1 application were entered that 1\.0\.0 cannot read\./,
  )
  expect(kept).toEqual([])
  await expect(back(true)).rejects.toThrow('far enough')
  expect(kept).toEqual([csv])
  expect(calls.join('\n')).not.toContain('Maya')
})
