import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { mailSources } from '../server/mail-sources.ts'
import { startMailWorker } from '../server/messages/worker.ts'
import { makeBackup } from '../server/operations/backup/make-backup.ts'
import { createAuthenticator, passkeyResponse } from './authenticator.ts'
import { call, logInAs } from './build-account.ts'
import { codeOf, plainHash, plainPassword, readBase32 } from './build-factor.ts'
import { everyRow } from './every-row.ts'
import { type TestApp, testApp } from './test-app.ts'

const newPassword = 'Gulls.over.piers.4'

/** The app with everything that it logs at the most verbose level. */
async function loggedApp() {
  const lines: Buffer[] = []
  const stream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(line)
      done()
    },
  })
  const log = pino({ level: 'trace' }, stream)
  const app = await testApp({ env: { LOG_LEVEL: 'trace' }, replace: { log } })
  return { app, log, logged: () => Buffer.concat(lines) }
}

/** The secret as raw bytes and in every encoding in which it could be stored. */
function encodings(secret: string | Buffer): Buffer[] {
  const bytes = Buffer.from(secret)
  const written = (['hex', 'base64', 'base64url'] as const).map(as => Buffer.from(bytes.toString(as)))
  return [bytes, ...written]
}

/** Exercises all features of an owner's two-step verification, and returns every secret that occurred, by kind. */
async function exerciseAccount(app: TestApp) {
  const { user } = await app.makeUser({ role: 'admin', passwordHash: plainHash })
  const secrets: Record<string, (string | Buffer)[]> = { passwords: [plainPassword, newPassword] }
  const codes: string[] = []
  const keep = (name: string, ...found: (string | Buffer)[]) => {
    secrets[name] = [...(secrets[name] ?? []), ...found]
  }
  const post = async (path: string, body?: object, token?: string, expected = 200) => {
    const answer = await call(app, 'POST', path, { body, token })
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(expected)
    if (answer.body.token) keep('session tokens', answer.body.token)
    return answer.body
  }
  const nextCode = (secret: string) => {
    app.advance(30_000)
    codes.push(codeOf(app, secret))
    return codes.at(-1) ?? ''
  }
  const challenge = async () => {
    const { body } = await logInAs(app, user.email, plainPassword)
    keep('challenges', body.challenge)
    return body.challenge as string
  }

  const { body: first } = await logInAs(app, user.email, plainPassword)
  keep('session tokens', first.token)
  const { otpauthUrl, secret } = await post('/api/factor/totp', { password: plainPassword }, first.token)
  keep('secret', secret, readBase32(secret), otpauthUrl)
  await post('/api/factor/totp/confirm', { code: 'nine' }, first.token, 400)
  const confirmed = await post('/api/factor/totp/confirm', { code: nextCode(secret) }, first.token)
  const step = { challenge: await challenge(), code: nextCode(secret) }
  const { token } = await post('/api/factor/challenge', step)
  await post('/api/factor/challenge', { ...step, challenge: await challenge() }, undefined, 400)
  const [recoveryCode] = confirmed.recoveryCodes
  await post('/api/factor/challenge', { challenge: await challenge(), recoveryCode })
  await post('/api/factor/challenge', { challenge: await challenge(), recoveryCode }, undefined, 400)
  await post('/api/factor/step-up', { code: nextCode(secret) }, token)
  const renewed = await post('/api/factor/recovery-codes', undefined, token)
  for (const code of [...confirmed.recoveryCodes, ...renewed.recoveryCodes])
    keep('recovery codes', code, code.replaceAll('-', ''))
  await brokenBody(app, JSON.stringify({ ...step, recoveryCode, secret, password: plainPassword }))

  const device = createAuthenticator()
  const { options } = await post('/api/factor/passkey/options', undefined, token)
  await post('/api/factor/passkey', { name: 'Phone', credential: device.register(options) }, token, 201)
  await post('/api/factor/passkey/login', { credential: await passkeyResponse(app, device) })
  await post('/api/person/email', { newEmail: 'new-owner@condo.example' }, token)
  await post('/api/auth/forgot-password', { email: user.email })

  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  const links = app.sentMails.flatMap(({ text }) => [...text.matchAll(/(?:#|token=)([\w-]{43})/g)])
  keep('links', ...links.map(([, found = '']) => found))
  const reset = app.sentMails.map(({ text }) => /reset-password\?token=([\w-]{43})/.exec(text)?.[1])
  await post('/api/auth/reset-password', {
    token: reset.find(Boolean),
    newPassword,
    confirmPassword: newPassword,
  })
  return { user, secrets, codes }
}

/** Sends a truncated JSON body, which the error must not quote. */
async function brokenBody(app: TestApp, body: string): Promise<void> {
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: '/api/factor/challenge',
    headers: { 'content-type': 'application/json' },
    payload: body.slice(0, -1),
  })
  expect(statusCode).toBe(400)
}

test('no secret of an account is in the log, a row, the bytes of the database or a backup [SAFE-15]', async () => {
  const { app, log, logged } = await loggedApp()
  const { codes, secrets, user } = await exerciseAccount(app)
  const { databaseFile } = app.deps.config
  const file = join(app.folder, 'backups/one.tar.gz')
  await makeBackup(app.deps.config, file, app.deps.clock.now(), line => log.info(line))
  const wal = `${databaseFile}-wal`
  const places = {
    log: logged(),
    rows: Buffer.from(JSON.stringify(everyRow(app))),
    backup: gunzipSync(readFileSync(file)),
    database: readFileSync(databaseFile),
    wal: existsSync(wal) ? readFileSync(wal) : Buffer.alloc(0),
  }
  // Proves that the search finds what is there.
  expect(places.log.includes('/api/factor/challenge')).toBe(true)
  expect(places.rows.includes('account.recovery_code_used')).toBe(true)
  expect(Buffer.concat([places.database, places.wal]).includes(user.email)).toBe(true)
  expect(places.backup.includes(user.email)).toBe(true)
  const counts = Object.fromEntries(Object.entries(secrets).map(([name, found]) => [name, found.length]))
  expect(counts).toMatchObject({ 'recovery codes': 40, challenges: 4, secret: 3 })
  expect(counts.links).toBeGreaterThan(2)
  expect(codes).toHaveLength(3)

  const found: string[] = []
  for (const [place, bytes] of Object.entries(places))
    for (const [name, texts] of Object.entries(secrets)) {
      if (texts.some(text => encodings(text).some(spelling => bytes.includes(spelling))))
        found.push(`${name} in ${place}`)
    }
  // Six digits also occur inside longer numbers.
  for (const [place, bytes] of Object.entries(places))
    for (const code of codes)
      if (new RegExp(`(?<![\\da-f])${code}(?![\\da-f])`).test(bytes.toString('latin1')))
        found.push(`a code in ${place}`)
  expect(found).toEqual([])
})
