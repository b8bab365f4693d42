import { expect, test } from 'vitest'
import { call, logInAs } from '../../../testing/build-account.ts'
import { plainHash, plainPassword } from '../../../testing/build-factor.ts'
import { oldSite } from '../../../testing/old-database.ts'
import { testApp, testNow } from '../../../testing/test-app.ts'
import { sha256 } from '../../lib/sha256.ts'

test('sessions from before the upgrade stay signed in, are listed, can be ended, and have no step-up [SAFE-01, SAFE-18, SAFE-20]', async () => {
  const { insert, old, store } = oldSite('0014_account_safety')
  const made = { created_at: testNow, updated_at: testNow }
  const email = 'owner@condo.example'
  insert('users', { id: 'owner', email, email_key: email, password_hash: plainHash, role: 'admin', ...made })
  const [token, phone] = ['desk'.repeat(10), 'phone'.repeat(8)] as const
  for (const known of [token, phone])
    insert('sessions', { id: sha256(known), user_id: 'owner', created_at: testNow, last_used_at: testNow })
  old.close()

  const app = await testApp({ env: { DATABASE_FILE: store.databaseFile } })
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
  expect((await logInAs(app, email, plainPassword)).body).toHaveProperty('token')
})
