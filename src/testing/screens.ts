import { gzipSync } from 'node:zlib'
import type { Browser, Response } from '@playwright/test'
import { type Guard, screens } from '../web/app/routing/screen-table.ts'

/** The demo's logins that open the screens; a guest is not signed in. */
export const demoLogins = {
  guest: undefined,
  sam: { email: 'sam@guest.example', password: 'sandcastle' },
  ruth: { email: 'ruth@guest.example', password: 'sandcastle' },
  owner: { email: 'owner@condo.example', password: 'Seaglass.Demo.1' },
}
export type DemoLogin = keyof typeof demoLogins
export type Screen = { name: string; login: DemoLogin; path: string }
/** The number of requests, and the scripts' paths and total gzip size. */
export type Weight = { requests: number; scripts: string[]; scriptBytes: number }

type Application = { id: string; status: string; userId: string | { id: string } }
type Ask = (path: string, token: string | undefined) => Promise<{ applications: Application[] }>

const logins: Record<Guard, DemoLogin> = {
  signedOut: 'guest',
  adminLogin: 'guest',
  signedIn: 'sam',
  tenant: 'sam',
  admin: 'owner',
}
/** The screens with the heaviest forms. */
export const formScreens: readonly Screen[] = [
  { name: '/contact', login: 'guest', path: '/contact' },
  { name: '/reset-password', login: 'guest', path: '/reset-password' },
  { name: 'application form', login: 'sam', path: '/application' },
  { name: 'new booking', login: 'owner', path: '/admin/booking/new' },
]

/** The demo's screens that have forms or need a session, except those in `formScreens`. */
export async function demoScreens(url: string, tokens: Tokens): Promise<Screen[]> {
  const ask: Ask = async (path, token) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json()
  const tenants = await Promise.all(
    (['sam', 'ruth'] as const).map(async login => {
      const [application] = (await ask('/api/application/status', tokens[login])).applications
      if (!application) throw new Error(`${login} has no application`)
      return { name: `application of ${login}`, login, path: `/application/${application.id}` }
    }),
  )
  const { applications } = await ask('/api/application/admin/all', tokens.owner)
  const statuses = [...new Set(applications.map(({ status }) => status))]
  const perStatus = statuses.flatMap(status => applications.find(each => each.status === status) ?? [])
  const { userId } = perStatus[0] ?? {}
  const user = typeof userId === 'object' ? userId.id : userId
  return [
    ...guarded,
    ...tenants,
    { name: 'payments of a tenant', login: 'owner', path: `/admin/payment/history/${user}` },
    ...perStatus.map(({ id, status }) => ({
      name: `owner: ${status} application`,
      login: 'owner' as const,
      path: `/admin/application/${id}`,
    })),
  ]
}

/** The screens for one group of people whose paths have no ids. */
const guarded = Object.entries(screens).flatMap(([path, { guard }]) => {
  const isListed = guard && !path.includes(':') && !formScreens.some(screen => screen.path === path)
  return isListed ? [{ name: path, login: logins[guard], path }] : []
})

export type Tokens = Record<DemoLogin, string | undefined>

/** Logs everybody in and returns the session tokens. */
export async function logIn(url: string): Promise<Tokens> {
  const entries = Object.entries(demoLogins).map(async ([login, body]) => {
    if (!body) return [login, undefined]
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return [login, ((await answer.json()) as { token: string }).token]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Measures what a browser with an empty cache loads until the network is idle, without any interaction. */
export async function measurePageLoad(
  browser: Browser,
  url: string,
  token: string | undefined,
): Promise<Weight> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.addInitScript(token => token && localStorage.setItem('token', token), token)
    const responses: Response[] = []
    // A picture that was fetched is shown by a `blob:` URL, which is no request.
    page.on('response', response => response.url().startsWith('http') && responses.push(response))
    await page.goto(url)
    await page.locator('main :is(h1, h2)').first().waitFor()
    await page.waitForLoadState('networkidle')
    const scripts = responses.filter(response => response.request().resourceType() === 'script')
    const bodies = await Promise.all(scripts.map(response => response.body()))
    const scriptBytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
    const paths = scripts.map(response => new URL(response.url()).pathname)
    return { requests: responses.length, scripts: paths, scriptBytes }
  } finally {
    await context.close()
  }
}

export const inKib = (bytes: number) => (bytes / 1024).toFixed(1)
