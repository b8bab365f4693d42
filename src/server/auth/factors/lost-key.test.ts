import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addPasskey, createAuthenticator, passkeyResponse } from '../../../testing/authenticator.ts'
import { call, logInAs } from '../../../testing/build-account.ts'
import { codeOf, makeTwoStepUser, plainPassword } from '../../../testing/build-factor.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { runCli } from '../../cli/run-cli.ts'
import { keyPathOf } from '../../lib/installation-key.ts'
import { makeBackup } from '../../operations/backup/make-backup.ts'

/** Runs the command line on the storage of an app. */
async function cli({ deps: { config } }: TestApp, ...args: string[]) {
  const printed: string[] = []
  const code = await runCli(args, {
    print: line => void printed.push(line),
    readSecret: async () => '',
    isInteractive: false,
    environment: { DATABASE_FILE: config.databaseFile, UPLOADS_DIR: config.uploadsDir },
  })
  return { code, text: printed.join('\n') }
}

test('after a restore without the key codes do not work, which is reported; recovery codes, passkeys and reset-factor do [SAFE-11, SAFE-15]', async () => {
  const before = await testApp()
  const { actor, recoveryCodes, secret, user } = await makeTwoStepUser(before)
  const device = createAuthenticator()
  await addPasskey(before, actor, device)
  const key = readFileSync(keyPathOf(before.deps.config.databaseFile))
  const file = join(before.folder, 'backups/one.tar.gz')
  await makeBackup(before.deps.config, file, before.deps.clock.now(), () => {})

  const store = {
    DATABASE_FILE: join(before.folder, 'new/db/portal.sqlite'),
    UPLOADS_DIR: join(before.folder, 'new/uploads'),
  }
  const restored = await runRestore(file, store)
  expect(restored).toContain('There is no secret.key beside the database.')
  const open = async () => {
    const app = await testApp({ env: store })
    app.setNow(new Date(before.deps.clock.now().getTime() + 5 * 60_000).toISOString())
    return app
  }
  const app = await open()
  const logIn = async () => (await logInAs(app, user.email, plainPassword)).body
  const pass = async (step: object) => {
    const { challenge } = await logIn()
    return (await call(app, 'POST', '/api/factor/challenge', { body: { challenge, ...step } })).status
  }
  expect((await logIn()).methods).toEqual(['passkey', 'recovery'])
  expect(await pass({ code: codeOf(app, secret) })).toBe(400)
  expect(await pass({ recoveryCode: recoveryCodes[0] })).toBe(200)
  const credential = await passkeyResponse(app, device)
  expect((await app.as(visitor).factors.passkeyLogin({ credential })).user.id).toBe(user.id)
  const aboutKey = async (of: TestApp) =>
    (await of.as(actor).notices.list()).notices.filter(({ id }) => id.startsWith('key-'))
  expect(await aboutKey(app)).toMatchObject([
    { tone: 'danger', detail: expect.stringMatching(/^Authenticator codes of 1 person do not work\./) },
  ])
  const verdict = await cli(app, 'verify')
  expect(verdict).toMatchObject({
    code: 0,
    text: expect.stringContaining('is not the former one'),
  })

  // With the copy of the key everything works again.
  writeFileSync(keyPathOf(store.DATABASE_FILE), key)
  const whole = await open()
  const { challenge, methods } = (await logInAs(whole, user.email, plainPassword)).body
  expect(methods).toEqual(['totp', 'passkey', 'recovery'])
  const step = { body: { challenge, code: codeOf(whole, secret) } }
  expect((await call(whole, 'POST', '/api/factor/challenge', step)).status).toBe(200)
  expect(await aboutKey(whole)).toEqual([])
  expect((await cli(whole, 'verify')).text).not.toContain('secret.key')

  expect(await cli(app, 'admin', 'reset-factor', '--email', user.email)).toMatchObject({ code: 0 })
  expect(await logIn()).toMatchObject({ token: expect.any(String) })
})

async function runRestore(file: string, environment: Record<string, string>): Promise<string> {
  const printed: string[] = []
  const terminal = { readSecret: async () => '', isInteractive: false, environment }
  expect(await runCli(['restore', file], { ...terminal, print: line => void printed.push(line) })).toBe(0)
  return printed.join('\n')
}
