import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Admin } from '../../../../domain/accounts/access.ts'
import { hourMs } from '../../../../domain/common/durations.ts'
import { productionEnv } from '../../../../testing/production-env.ts'
import { proven, testApp } from '../../../../testing/test-app.ts'
import { saveTarget } from './save-target.ts'
import { savedRepository } from './target.ts'

async function site() {
  const app = await testApp({ env: productionEnv })
  const { backups } = app.as(await app.makeAdmin())
  const save = async (
    body: { kind: 's3' | 'sftp' | 'folder'; address: string; user: string },
    secretKey?: string,
  ) => {
    const { version } = await backups.get()
    await backups.save({ version, body, secrets: secretKey ? { secretKey } : {} })
    return savedRepository(app.deps)
  }
  return { app, save }
}
const address = 'https://203.0.113.9/bucket'

test('the password of the repository stays with another access key, and at another address and back [INST-20]', async () => {
  const { save } = await site()
  const first = await save({ kind: 's3', address, user: 'A' }, 'one')
  const rotated = await save({ kind: 's3', address, user: 'B' }, 'two')
  expect(rotated).toMatchObject({ password: first?.password, secretKey: 'two' })
  const moved = await save({ kind: 's3', address: `${address}/2`, user: 'B' }, 'two')
  const back = await save({ kind: 's3', address: `${address}//`, user: 'B' }, 'two')
  expect([moved?.password, back?.password]).toEqual([first?.password, first?.password])
  expect(back?.target.address).toBe(address)
})

test('a secret key is asked for again with another user or address, and every address of this machine is refused [INST-20, INST-22]', async () => {
  const { save } = await site()
  await save({ kind: 's3', address, user: 'A' }, 'one')
  expect(await save({ kind: 's3', address, user: 'A' })).toMatchObject({ secretKey: 'one' })
  const needed = 'Please enter the secret key'
  await expect(save({ kind: 's3', address, user: 'B' })).rejects.toThrow(needed)
  await expect(save({ kind: 's3', address: `${address}/2`, user: 'A' })).rejects.toThrow(needed)
  const own = Object.values(networkInterfaces())
    .flatMap(some => some ?? [])
    .map(({ address: ip, family }) => (family === 'IPv6' ? `[${ip}]` : ip))
  for (const host of [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '169.254.1.1',
    '[::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
    ...own,
  ])
    await expect(save({ kind: 's3', address: `https://${host}/b`, user: 'A' }, 'x'), host).rejects.toThrow(
      'this address is on this machine',
    )
})

test('saves nothing if the step-up expires during the address lookup [INST-20, SAFE-16]', async () => {
  const { app } = await site()
  const owner = proven(app.deps, (await app.makeAdmin()) as Admin)
  const body = { kind: 's3', address, user: 'A' } as const
  const saving = saveTarget(app.deps, owner, { version: 0, body, secrets: { secretKey: 'one' } })
  app.advance(hourMs)
  await expect(saving).rejects.toMatchObject({ code: 'forbidden' })
  expect(savedRepository(app.deps)).toBeUndefined()
})

test('a folder in which the site moves and removes files is refused, also by another spelling [INST-20]', async () => {
  const { app, save } = await site()
  const { databaseFile, uploadsDir } = app.deps.config
  const inside = [uploadsDir, join(uploadsDir, 'backups'), join(dirname(databaseFile), 'restic/x')]
  for (const folder of [...inside, inside[1]?.replace('/backups', '/./backups/') ?? ''])
    await expect(save({ kind: 'folder', address: folder, user: '' }), folder).rejects.toThrow(
      'a folder outside of the site’s own',
    )
  await save({ kind: 'folder', address: `${uploadsDir}-elsewhere`, user: '' })
})
