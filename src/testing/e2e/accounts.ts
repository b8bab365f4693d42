import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { admin, expect, type Site } from './site.ts'

export type Account = { email: string; password: string; firstName: string; lastName: string }

/** Calls a documented path. @throws with the response if the request fails */
export async function call(
  site: Pick<Site, 'url'>,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
) {
  const response = await fetch(`${site.url}${path}`, {
    method,
    headers: {
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/** Unused sessions from registrations, by site and email. Each one saves the password hash of a login. */
const unused = new Map<string, string>()

/** Registers a new tenant over REST. */
export async function makeTenant(site: Site, overrides: Partial<Account> = {}): Promise<Account> {
  const account = {
    firstName: 'Maya',
    lastName: 'Rivers',
    email: `maya-${randomUUID().slice(0, 8)}@guest.example`,
    password: 'sandcastle',
    ...overrides,
  }
  const { token } = await call(site, 'POST', '/api/auth/register', { body: account })
  unused.set(`${site.url} ${account.email}`, token)
  return account
}

/** The token of a session that no other caller uses. */
export async function tokenOf(
  site: Site,
  { email, password }: Pick<Account, 'email' | 'password'>,
): Promise<string> {
  const key = `${site.url} ${email}`
  const known = unused.get(key)
  if (known && unused.delete(key)) return known
  return (await call(site, 'POST', '/api/auth/login', { body: { email, password } })).token
}

/** The code in the newest mail to this address in the demo's mailbox, which proves that the address is the account's. */
export async function mailedCode(site: Site, email: string): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    const list = await (await fetch(`${site.url}/sandbox/mailbox`)).text()
    const row = list.split('<li').find(part => part.includes(email) && part.includes('Your code'))
    const href = /href="(\/sandbox\/mailbox\/[^"]+)"/.exec(row ?? '')?.[1]
    const mail = await (await fetch(`${site.url}${href}`)).text()
    code = /(?:>|&gt;)(\d{6})(?:<|&lt;)/.exec(mail)?.[1]
    expect(code).toBeDefined()
  }).toPass({ timeout: 15_000 })
  return code ?? ''
}

/** The newest link with this start in the mails to an address in the demo's mailbox. */
export async function mailedLink({ url }: Site, email: string, start: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const list = await (await fetch(`${url}/sandbox/mailbox`)).text()
    const rows = list.split('<li').filter(part => part.includes(email))
    for (const href of rows.map(row => /href="(\/sandbox\/mailbox\/[^"]+)"/.exec(row)?.[1]))
      link ??= new RegExp(`${start}[\\w-]+`).exec(await (await fetch(`${url}${href}`)).text())?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 30_000 })
  return link ?? ''
}

/** Proves the account's mailbox over REST, which setting up a factor requires. */
export async function confirmMailbox(site: Site, { email }: Pick<Account, 'email'>, token: string) {
  await call(site, 'POST', '/api/person/email/code', { token })
  await call(site, 'POST', '/api/person/email/code/confirm', {
    token,
    body: { code: await mailedCode(site, email) },
  })
}

const adminTokens = new Map<string, { token: Promise<string>; at: number }>()
/** A login counts as a proof of identity for ten minutes. */
const freshMs = 5 * 60_000

/** The owner's session for REST calls: one per site for five minutes, because each login hashes a password. */
export function adminToken(site: Site): Promise<string> {
  const known = adminTokens.get(site.url)
  if (known && Date.now() - known.at < freshMs) return known.token
  const token = tokenOf(site, admin)
  adminTokens.set(site.url, { token, at: Date.now() })
  return token
}

/** Puts a new session into the browser, as if this user had logged in before. */
export async function signIn(
  page: Page,
  site: Site,
  account: Pick<Account, 'email' | 'password'>,
): Promise<string> {
  const token = await tokenOf(site, account)
  // The smallest file of the site; only its local storage is needed.
  await page.goto('/favicon.svg')
  await page.evaluate(value => {
    localStorage.setItem('token', value)
    localStorage.setItem('lastActivity', String(Date.now()))
  }, token)
  return token
}

export const signInAsAdmin = (page: Page, site: Site) => signIn(page, site, admin)

/** Makes a procedure fail with this status and message, or without a response. */
export async function failCall(
  page: Page,
  procedure: string,
  failure: { status: number; message?: string } | 'no answer',
) {
  await page.route(
    url =>
      url.pathname.startsWith('/trpc/') && url.pathname.slice('/trpc/'.length).split(',').includes(procedure),
    route => {
      if (failure === 'no answer') return route.abort('connectionfailed')
      const error = {
        error: {
          message: failure.message ?? 'Something went wrong. Please try again.',
          code: -32603,
          data: { code: 'X', httpStatus: failure.status },
        },
      }
      const count = new URL(route.request().url()).pathname.slice('/trpc/'.length).split(',').length
      return route.fulfill({
        status: failure.status,
        contentType: 'application/json',
        body: JSON.stringify(Array(count).fill(error)),
      })
    },
  )
}
