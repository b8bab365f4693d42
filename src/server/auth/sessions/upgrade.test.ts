import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, logInAs } from '../../../testing/build-account.ts'
import { plainHash, plainPassword } from '../../../testing/build-factor.ts'
import { databaseBefore } from '../../../testing/old-database.ts'
import { testApp, testNow } from '../../../testing/test-app.ts'
import { sha256 } from '../../lib/sha256.ts'

test('sessions from before the upgrade stay signed in, are listed, can be ended, and have no step-up [SAFE-01, SAFE-18, SAFE-20]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'condo-sessions-'))
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0014_account_safety', file)
  old
    .prepare(
      `insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
       values ('owner', 'owner@condo.example', 'owner@condo.example', ?, 'Olive', 'Shore', 'admin', ?, ?)`,
    )
    .run(plainHash, testNow, testNow)
  const [token, phone] = ['desk'.repeat(10), 'phone'.repeat(8)] as const
  for (const known of [token, phone])
    old.prepare(`insert into sessions values (?, 'owner', ?, ?)`).run(sha256(known), testNow, testNow)
  old.close()

  const app = await testApp({
    env: { DATABASE_FILE: file },
    alsoRemove: folder,
  })
  const { body } = await call(app, 'GET', '/api/session', { token })
  const row = { browser: 'Unknown browser', address: '', createdAt: testNow, lastUsedAt: testNow }
  expect(body).toMatchObject({ sessions: [row, row] })
  const other = body.sessions.find((session: { current: boolean }) => !session.current)
  const end = () => call(app, 'DELETE', `/api/session/${other.id}`, { token })
  expect(await end()).toMatchObject({ status: 403, body: { stepUp: ['password'] } })
  const proof = { token, body: { password: plainPassword } }
  expect((await call(app, 'POST', '/api/factor/step-up', proof)).status).toBe(200)
  expect((await end()).status).toBe(200)
  expect(await call(app, 'GET', '/api/auth/verify', { token: phone })).toMatchObject({
    status: 401,
    body: { valid: false, error: 'Your session has ended.' },
  })
  expect((await logInAs(app, 'owner@condo.example', plainPassword)).body).toHaveProperty('token')
})
