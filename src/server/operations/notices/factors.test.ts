import { randomUUID } from 'node:crypto'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { userFactors } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { afterThisTest } from '../../../testing/cleanups.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { createDeps } from '../../create-deps.ts'
import { keyPathOf } from '../../lib/installation-key.ts'
import { seal } from '../../lib/sealed.ts'
import { listNotices } from './list-notices.ts'

const advice = { id: 'admin-without-factor' as const }

async function site(env = {}) {
  const app = await testApp({ env })
  const addFactor = async ({ userId }: SignedIn, confirmedAt: string | null) => {
    if (app.deps.key.state !== 'ready') throw new Error('no key')
    const [id, createdAt] = [randomUUID(), app.deps.clock.now().toISOString()]
    const secretEnc = seal(app.deps.key.key, id, Buffer.alloc(20, 7))
    const row = { id, userId, kind: 'totp' as const, label: 'App', secretEnc, createdAt, confirmedAt }
    await app.deps.write(tx => tx.insert(userFactors).values(row).run())
  }
  return { app, addFactor }
}

/** The key notices on the board after a restart. */
async function afterRestart({ deps }: TestApp) {
  const restarted = await createDeps(deps.config, { log: deps.log, mail: deps.mail })
  afterThisTest(restarted.close)
  return (await listNotices(restarted.deps)).filter(({ id }) => id.startsWith('key-'))
}

test('urges administrators to add a second factor until one has it, postponable for 30 days, but never tenants [SAFE-02]', async () => {
  const { addFactor, app } = await site({ ...productionEnv, BACKUPS: 'off' })
  const owner = await app.makeAdmin()
  const tenant = await app.makeTenant()
  const found = async () =>
    (await app.as(owner).notices.list()).notices.filter(({ action }) => action?.kind === 'two_step')
  const ids = async () => (await found()).map(({ id }) => id)
  expect(await found()).toMatchObject([
    {
      ...advice,
      tone: 'warning',
      title: 'Protect your account with two-step verification',
      action: { kind: 'two_step', ...advice },
    },
  ])
  await app.as(owner).notices.putOff(advice)
  expect(await ids()).toEqual([])
  app.advance(30 * dayMs - 1)
  expect(await ids()).toEqual([])
  app.advance(1)
  expect(await ids()).toEqual([advice.id])

  const at = app.deps.clock.now().toISOString()
  await addFactor(tenant, at)
  await addFactor(owner, null)
  expect(await ids()).toEqual([advice.id])
  await app.deps.write(tx => tx.update(userFactors).set({ confirmedAt: at }).run())
  expect(await ids()).toEqual([])
})

test('reports a key that is lost, damaged or was readable by others, and a lost key only if it encrypted something [SAFE-15]', async () => {
  const { addFactor, app } = await site()
  const path = keyPathOf(app.deps.config.databaseFile)
  const setUp = app.deps.clock.now().toISOString()
  await addFactor(await app.makeTenant(), null)
  chmodSync(path, 0o644)
  expect(await afterRestart(app)).toMatchObject([{ id: 'key-exposed', tone: 'warning' }])
  expect(await afterRestart(app)).toEqual([])
  rmSync(path)
  expect(await afterRestart(app)).toEqual([])
  await addFactor(await app.makeTenant(), setUp)
  expect(await afterRestart(app)).toMatchObject([
    { tone: 'danger', detail: expect.stringContaining('Authenticator codes of 1 person do not work.') },
  ])
  writeFileSync(path, 'short', { mode: 0o600 })
  expect(await afterRestart(app)).toMatchObject([
    { id: 'key-damaged', detail: expect.stringContaining('it has 5 bytes instead of 32') },
  ])
})
