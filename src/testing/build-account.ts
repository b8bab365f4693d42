import type { UserView } from '../domain/accounts/account.ts'
import { createAdmin } from '../server/auth/accounts/admins.ts'
import type { Passwords } from '../server/kernel/passwords.ts'
import { queuedTokens } from './queued-tokens.ts'
import { quickPasswords, type TestApp } from './test-app.ts'

export const tenantPassword = 'sand between toes'
export const adminPassword = 'Tides.and.dunes.9'

export type Account = { email: string; password: string; token: string; user: UserView }
type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> }

/** Sends one request to a documented path. */
export async function call(
  app: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { token, body, headers }: Call = {},
) {
  const response = await app.http.inject({
    method,
    url,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

/** Registers a tenant over REST, and returns the account with its session token. */
export async function signUp(
  app: TestApp,
  overrides: Partial<Record<string, unknown>> = {},
): Promise<Account> {
  const form = {
    firstName: 'Maya',
    lastName: 'Rivers',
    email: 'maya@guest.example',
    password: tenantPassword,
    ...overrides,
  }
  const { status, body } = await call(app, 'POST', '/api/auth/register', { body: form })
  if (status !== 201) throw new Error(`no account: ${JSON.stringify(body)}`)
  return { email: form.email, password: form.password, ...body }
}

/** A logged-in administrator, created as the command line does. */
export async function signUpAdmin(app: TestApp, email = 'owner@condo.example'): Promise<Account> {
  await createAdmin(app.deps, { email, firstName: 'Olive', lastName: 'Shore' }, adminPassword)
  return { email, password: adminPassword, ...(await logInAs(app, email, adminPassword)).body }
}

export function logInAs(app: TestApp, email: string, password: string, headers: Record<string, string> = {}) {
  return call(app, 'POST', '/api/auth/login', { body: { email, password }, headers })
}

/** Whether the token belongs to a valid session. */
export async function isSessionValid(app: TestApp, token: string): Promise<boolean> {
  return (await call(app, 'GET', '/api/auth/verify', { token })).status === 200
}

/** Password hashing that records its calls. */
export function recordingPasswords() {
  const calls: string[] = []
  const passwords: Passwords = {
    hash: password => {
      calls.push('hash')
      return quickPasswords.hash(password)
    },
    verify: (hash, password) => {
      calls.push('verify')
      return quickPasswords.verify(hash, password)
    },
  }
  return { passwords, calls }
}

/** The tokens in the queued password reset mails for this address, newest first. */
export function resetTokens(app: TestApp, to: string): string[] {
  return queuedTokens(app, ['password-reset'], to)
}
