import { expect, test } from 'vitest'
import { productionEnv } from '../../../testing/production-env.ts'
import { testApp } from '../../../testing/test-app.ts'
import { hourMs } from './state.ts'

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
