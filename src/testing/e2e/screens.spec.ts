import { gzipSync } from 'node:zlib'
import type { Browser, Page, Response } from '@playwright/test'
import { type Guard, screens } from '../../web/app/routing/screen-table.ts'
import { isTooHeavy } from '../bench/page-weight.ts'
import { buildRate } from '../build-rate.ts'
import { type DemoLogin, inKib } from '../screens.ts'
import { call, makeTenant, tokenOf } from './accounts.ts'
import { makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, openCheckout, payCheckout, uploadScan } from './leases.ts'
import { changeResponse } from './responses.ts'
import { admin, expect, type Site, test, withMotion } from './site.ts'

const maxShift = 0.02

/** The screens for these people whose paths have no ids. */
const pathsFor = (...guards: Guard[]) =>
  Object.entries(screens).flatMap(([path, { guard }]) =>
    guard && guards.includes(guard) && !path.includes(':') ? [path] : [],
  )
const guestPaths = [
  ...['/', '/contact', '/privacy', '/terms', '/no-such-screen', '/reset-password?token=some-token'],
  ...pathsFor('signedOut', 'adminLogin'),
]
const formPaths = [
  '/contact',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=some-token',
  '/admin/login',
  '/application',
  '/admin/booking/new',
]

// The longest tests: one after the other they would still run when all others have ended.
test.describe.configure({ mode: 'parallel' })

test('at 390 px no screen shifts while it loads, is wider than the window or violates axe, with or without data [LOOK-32]', async ({
  browser,
  site,
}) => visitScreens(browser, site, 390))

test('at 1440 px the same, and each screen stays within its budget, and its document preloads its page alone [LOOK-32, STAY-32]', async ({
  browser,
  site,
}) => visitScreens(browser, site, 1440))

async function visitScreens(browser: Browser, site: Site, width: 390 | 1440) {
  test.setTimeout(300_000)
  const { token, id, session, userId } = await bookedTenant(site)
  const stranger = await tokenOf(site, await makeTenant(site))
  const pending = await makeApplication(site, stranger, 'pending')
  const owner = await tokenOf(site, admin)
  const { rate } = await call(site, 'POST', '/api/rates/admin', { token: owner, body: buildRate() })
  await watchDeposits(site, owner, true)
  const visits: Visit[] = [
    { login: 'guest', paths: guestPaths },
    { login: 'sam', token, paths: tenantPaths(id, session) },
    {
      login: 'sam',
      token: await tokenOf(site, await makeTenant(site)),
      paths: ['/dashboard', '/lease', '/payment', '/payment/history'],
    },
    { login: 'sam', token: stranger, paths: [`/application/${pending}`] },
    { login: 'owner', token: owner, paths: [...ownerPaths(id, userId), `/admin/application/${pending}`] },
  ]
  const viewport = { width, height: width < 600 ? 844 : 900 }
  const open = () => browser.newPage({ ...withMotion.contextOptions, baseURL: site.url, viewport })
  // Side by side, because they spend most of their time waiting for the slow network.
  const found = await Promise.all([
    shiftBetweenScreens(await open()),
    ...visits.map(async visit => wrongScreens(await open(), visit, width === 1440 ? site.url : undefined)),
  ])
  expect(found).toEqual([undefined, ...visits.map(() => ({}))])
  await call(site, 'DELETE', `/api/rates/admin/${rate.id}`, { token: owner })
  await watchDeposits(site, owner, false)
}

/** Then applications have one card more. */
async function watchDeposits(site: Site, token: string, enabled: boolean) {
  const { body, version } = await call(site, 'GET', '/api/setup/admin/deposit', { token })
  await call(site, 'PUT', '/api/setup/admin/deposit', {
    token,
    body: { version, body: { ...body, enabled } },
  })
}

const tenantPaths = (id: string, session: string) => [
  ...pathsFor('tenant', 'signedIn').map(path =>
    path === '/payment/success' ? `${path}?session_id=${session}` : path,
  ),
  `/application/${id}`,
  `/stay/${id}`,
  `/messages/${id}`,
  `/review/${id}`,
  `/payment?applicationId=${id}`,
]

const ownerPaths = (id: string, userId: string) => [
  ...pathsFor('admin'),
  `/admin/arrival/${id}`,
  `/admin/messages/${id}`,
  `/admin/application/${id}`,
  `/admin/payment/history/${userId}`,
]

/** Makes a tenant with a signed lease and a card payment. */
async function bookedTenant(site: Site) {
  const token = await tokenOf(site, await makeTenant(site))
  const { id } = await makeLease(site, token)
  await uploadScan(site, token, id)
  const url = await openCheckout(site, token, { id, cents: 50_000, type: 'deposit' })
  const session = await payCheckout(site, token, url)
  const { user } = await call(site, 'GET', '/api/auth/verify', { token })
  return { token, id, session, userId: user.id as string }
}

async function holdSession(page: Page, token: string) {
  await page.addInitScript(value => {
    localStorage.setItem('token', value)
    localStorage.setItem('lastActivity', String(Date.now()))
  }, token)
}

/** Simulates a slow network: the code and the responses of a screen arrive one by one, with renders in between. */
async function loadSlowly(page: Page, { codeMs = 300, answerMs = 200 } = {}) {
  const delays = [
    [/\/assets\/.*\.js$/, codeMs],
    [/\/trpc\//, answerMs],
  ] as const
  for (const [url, ms] of delays) {
    await page.route(url, async route => {
      await new Promise(resolve => setTimeout(resolve, ms))
      await route.fallback()
    })
  }
}

type Shift = { value: number; moved: string[] }

/** Records layout shifts, except within half a second after an input, because those are expected. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    new PerformanceObserver(list => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue
        const moved = sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : String(node),
        )
        shifts.push({ value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

type Visit = { login: DemoLogin; token?: string; paths: readonly string[] }

/** The screens that shift by more than the limit, or have another fault; also by their weight if there is a URL. */
async function wrongScreens(page: Page, { login, paths, token }: Visit, weighedAt?: string) {
  if (token) await holdSession(page, token)
  await watchShifts(page)
  await changeResponse(page, 'notices.list', data => {
    const notice = { tone: 'warning', detail: 'To maya@guest.example: no such mailbox', action: null }
    data.notices = ['a', 'b'].map(id => ({ ...notice, id, title: 'A mail could not be delivered' }))
  })
  await loadSlowly(page)
  let responses: Response[] = []
  // A picture that was fetched is shown by a `blob:` URL, which is no request.
  page.on('response', response => response.url().startsWith('http') && responses.push(response))
  const found: Record<string, unknown> = {}
  const viewport = page.viewportSize()
  for (const path of paths) {
    responses = []
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const shift = await layoutShift(page)
    if (shift) found[path] = shift
    const excess = weighedAt && (await excessOf(weighedAt, path, login, responses))
    if (excess) found[path] = excess
    if (viewport && viewport.width < 600) await page.setViewportSize({ ...viewport, width: 360 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overflow > 0) found[path] = { overflow }
    if (viewport) await page.setViewportSize(viewport)
    await expectAccessible(page)
    if (formPaths.includes(path)) await expectErrorsAccessible(page)
  }
  await page.context().close()
  return found
}

const zipped = new Map<string, Promise<number>>()
async function zippedBytes(url: string): Promise<number> {
  return gzipSync(await (await fetch(url)).arrayBuffer(), { level: 9 }).length
}
const isPageFile = (path: string) => /-page-[^/]+\.js$/.test(path)

/** What a screen loads beyond its budget, or its document names besides its page. A routed page has no cache. */
async function excessOf(url: string, path: string, login: DemoLogin, responses: Response[]) {
  const guard = screens[path.replace(/\?.*/, '')]?.guard
  if (path !== '/contact' && !guard && !/\/.+\/./.test(path)) return undefined
  const scripts = responses
    .filter(response => response.request().resourceType() === 'script')
    .map(response => response.url())
  for (const script of scripts) zipped.set(script, zipped.get(script) ?? zippedBytes(script))
  const sizes = await Promise.all(scripts.map(script => zipped.get(script) ?? 0))
  const scriptBytes = sizes.reduce((sum, size) => sum + size, 0)
  const paths = scripts.map(script => new URL(script).pathname)
  const isHeavy = isTooHeavy(
    { name: path, login, path },
    { requests: responses.length, scripts: paths, scriptBytes },
  )
  if (isHeavy) return { scripts: `${inKib(scriptBytes)} KiB`, requests: responses.length }
  if (path === '/contact') return undefined
  const html = await (await fetch(url + path)).text()
  const named = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '')
  const pages = paths.filter(isPageFile)
  return named.filter(isPageFile).length === 1 && pages.join() === named.filter(isPageFile).join()
    ? undefined
    : { named, pages }
}

/** Submits the empty form, and checks the errors at its fields. */
async function expectErrorsAccessible(page: Page) {
  await page.getByRole('main').locator('[type=submit]').last().click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeFocused()
  // Otherwise axe would measure the colors of a fading toast.
  await expect(page.getByLabel('Notifications').getByRole('status')).toHaveCount(0)
  await expectAccessible(page)
}

/** The layout shifts on the way from one screen to the next by its links. */
async function shiftBetweenScreens(page: Page) {
  await watchShifts(page)
  // Longer than the time in which layout shifts count as caused by a click.
  await loadSlowly(page, { codeMs: 700 })
  await page.goto('/login')
  for (const [link, heading] of [
    ['Create an account', 'Create your account'],
    ['Log in', 'Welcome back'],
    ['Forgot your password?', 'Forgot your password?'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  const shift = await layoutShift(page)
  await page.context().close()
  return shift
}

/** The layout shifts since the document loaded, once the network is idle, if they exceed the limit. */
async function layoutShift(page: Page) {
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
  const total = shifts.reduce((sum, { value }) => sum + value, 0)
  return total < maxShift ? undefined : { total, shifts }
}
