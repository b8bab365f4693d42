import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sealedSettings } from '../../../../../db/schema.ts'
import { hourMs } from '../../../../domain/common/durations.ts'
import { productionEnv } from '../../../../testing/production-env.ts'
import { testApp } from '../../../../testing/test-app.ts'
import { restoreCommand } from './recovery-sheet.ts'
import { isElsewhereDue } from './state.ts'

test('a target that was saved 26 hours ago and has no backup is a danger [INST-27]', async () => {
  const app = await testApp({ env: productionEnv })
  const owner = app.as(await app.makeAdmin())
  await owner.backups.save({ version: 0, body: { kind: 'folder', address: '/mnt/backups', user: '' } })
  const ids = async () => (await owner.notices.list()).notices.map(({ id }) => id)
  app.advance(25 * hourMs)
  expect(await ids()).not.toContain('elsewhere-old')
  app.advance(hourMs)
  expect(await ids()).toContain('elsewhere-old')
})

test('a target whose secrets cannot be read is never due: there is a notice instead [INST-24]', async () => {
  const app = await testApp({ env: productionEnv })
  const owner = app.as(await app.makeAdmin())
  await owner.backups.save({ version: 0, body: { kind: 'folder', address: '/mnt/backups', user: '' } })
  expect(await isElsewhereDue(app.deps)).toBe(true)
  const isKey = eq(sealedSettings.name, 'backup.key')
  await app.deps.write(tx => tx.update(sealedSettings).set({ sealed: 's1.other.key' }).where(isKey).run())
  expect(await isElsewhereDue(app.deps)).toBe(false)
  expect((await owner.notices.list()).notices.map(({ id }) => id)).toContain('elsewhere-lost')
})

test('the recovery sheet of a site that install.sh made names install.sh, and of others the command line [INST-21]', async () => {
  const { config } = (await testApp({ env: productionEnv })).deps
  expect(restoreCommand({ config })).toBe('npm run cli -- restore')
  expect(restoreCommand({ config: { ...config, machineFile: '/run/machine.json' } })).toBe(
    'sudo sh install.sh condo.example --restore',
  )
})
