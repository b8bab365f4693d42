import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { projectRoot } from '../../../db/project-root.ts'
import { paragraphsOf } from '../../domain/content/content-text.ts'
import { publicPages } from '../../domain/content/public-pages.ts'
import { shippedContent } from '../../server/site/content/shipped-content.ts'
import { buildRate } from '../build-rate.ts'
import { adminToken, call, makeTenant, signIn } from './accounts.ts'
import { day } from './applications.ts'
import { recordRequests } from './responses.ts'
import { expect, owner, type Site, test, withMotion } from './site.ts'

test.use(withMotion)

const { overview, privacy } = shippedContent
const { reviews } = shippedContent.reviews
const paths = ['/', '/contact', '/privacy', '/terms']

/** Records all console output and errors, where React reports hydration mismatches. */
function recordConsole(page: Page): string[] {
  const messages: string[] = []
  page.on('console', message => messages.push(message.text()))
  page.on('pageerror', error => messages.push(String(error)))
  return messages
}

const waitForHydration = (page: Page, selector: string) =>
  page.waitForFunction(
    name => Object.keys(document.querySelector(name) ?? {}).some(key => key.startsWith('__reactProps')),
    selector,
  )

/** The visible text, including noscript elements, which Playwright's own selectors ignore. */
function seenText(element: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text
  return element.innerText()
}

/** Scrolls to the end in steps, so that every lazy part loads. */
async function scrollThrough(page: Page) {
  for (let y = 0; y < (await page.evaluate(() => document.body.scrollHeight)); y += 600) {
    await page.evaluate(top => window.scrollTo({ top, behavior: 'instant' }), y)
    await page.waitForTimeout(60)
  }
}

/** Holds the scripts back until the returned function is called. */
async function holdScripts(page: Page, url: RegExp): Promise<() => Promise<void>> {
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(url, async route => {
    await held
    await route.continue()
  })
  return async () => {
    release()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

async function makeRate(site: Site, period: string) {
  const token = await adminToken(site)
  const body = buildRate({ period, startDate: day(0), endDate: day(300), monthly: 2750 })
  const { rate } = await call(site, 'POST', '/api/rates/admin', { token, body })
  return async () => call(site, 'DELETE', `/api/rates/admin/${rate.id}`, { token })
}

test('each public page hydrates without console output, layout shifts or replaced elements', async ({
  page,
  site,
}) => {
  // The calendar then opens on a later month than this one.
  const dates = Array.from({ length: 32 }, (_, ahead) => day(ahead))
  const setFree = async (isAvailable: boolean) =>
    call(site, 'PUT', '/api/availability/admin/bulk', {
      token: await adminToken(site),
      body: { dates, isAvailable },
    })
  await setFree(false)
  const messages = recordConsole(page)
  await page.addInitScript(() => {
    const shifts: number[] = []
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
          shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
  for (const path of paths) {
    const release = await holdScripts(page, /\/assets\/.*\.js$/)
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    const words = () => seenText(page.locator('#root'))
    const before = await words()
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('#root *')) element.setAttribute('data-served', '')
    })
    const served = await page.locator('[data-served]').count()
    const days = await page.locator('td[data-served]').count()
    expect(days > 80).toBe(path === '/')
    await release()
    await waitForHydration(page, 'h1')
    await page.waitForLoadState('networkidle')
    // The button may already show 'Pause video'.
    const known = (text: string) => text.replace(/(Play|Pause) video/, '')
    expect(known(await words())).toBe(known(before))

    await scrollThrough(page)
    if (days > 0) await waitForHydration(page, '#availability table button')
    await page.waitForLoadState('networkidle')
    // Hydration may replace at most two server-rendered elements, but no day of the calendar.
    expect(await page.locator('[data-served]').count()).toBeGreaterThanOrEqual(served - 2)
    expect(await page.locator('td[data-served]').count()).toBe(days)
    const shift = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    )
    expect(shift).toBeLessThan(0.02)
    expect(messages).toEqual([])
  }
  await setFree(true)
})

test('clicks and input from before the code has loaded, or a page has hydrated, are not lost', async ({
  page,
}) => {
  const messages = recordConsole(page)
  let release = await holdScripts(page, /\/assets\/(main|home|contact)-.*\.js$/)
  await page.goto('/')
  await page.getByRole('button', { name: 'Show More' }).click()
  await page.getByRole('button', { name: 'Show All' }).click()
  await expect(page.locator('#reviews article')).toHaveCount(3)
  await release()
  await expect(page.locator('#reviews article')).toHaveCount(reviews.length)
  await expect(page.getByRole('button', { name: 'Show Less' })).toBeVisible()

  release = await holdScripts(page, /\/assets\/(main|contact)-.*\.js$/)
  await page.goto('/contact')
  await page.getByLabel('Full Name').fill('Early Bird')
  await page.getByLabel('Full Name').press('Enter')
  await release()
  await expect(page.getByText('Please fill in all required fields')).toBeVisible()
  await expect(page.getByLabel('Full Name')).toHaveValue('Early Bird')
  await expect(page).toHaveURL('/contact')

  await page.addInitScript(() => {
    // The layout hydrates before the page inside it. In between, the footer's links work, but the page does not.
    const waits = (selector: string) => document.querySelector(selector)?.closest('[data-waiting]') !== null
    new MutationObserver((_, observer) => {
      if (waits('header') || !waits('h1')) return
      observer.disconnect()
      document.querySelector<HTMLElement>('footer a[href="/contact"]')?.click()
      Object.assign(window, { isPressed: true })
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-waiting'] })
  })
  await page.goto('/')
  await page.waitForFunction(() => 'isPressed' in window)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
  await expect(page).toHaveURL('/contact')
  expect(messages).toEqual([])
})

test('a signed-in tenant gets the signed-in bar, and an ended session leaves the page as served', async ({
  page,
  site,
}) => {
  const token = await signIn(page, site, await makeTenant(site))
  const messages = recordConsole(page)
  await page.goto('/#availability')
  await expect(page.getByText('Welcome, Maya')).toBeVisible()
  await waitForHydration(page, '#availability table button')
  await expect(page.getByLabel('Availability calendar').getByRole('grid')).toHaveCount(3)
  expect(messages).toEqual([])

  await call(site, 'POST', '/api/auth/logout', { token })
  await page.reload()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await waitForHydration(page, '#availability table button')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page.getByRole('contentinfo').getByText(owner.email)).toBeVisible()
  await expect(page.getByText(/Loading/)).toHaveCount(0)
})

test('a visit to the home page stays within its budget, with cached and compressed files, without shipped content in scripts [SITE-33]', async ({
  page,
  site,
}) => {
  const loaded: { url: string; kind: string; body: Promise<Buffer> }[] = []
  page.on('response', response => {
    const kind = response.request().resourceType()
    loaded.push({ url: response.url(), kind, body: response.body() })
  })
  await page.setViewportSize({ width: 412, height: 823 })
  await page.goto('/')
  await waitForHydration(page, 'h1')
  await page.waitForLoadState('networkidle')
  expect(loaded.map(file => file.kind)).toContain('script')
  const zipped = async (kind: string) => {
    const bodies = await Promise.all(loaded.filter(file => file.kind === kind).map(file => file.body))
    return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  }
  expect(await zipped('script')).toBeLessThanOrEqual(95 * 1024)
  for (const path of Object.keys(publicPages)) await expectFewEarlyScripts(site, path)
  const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(await (await fetch(site.url)).text()) ?? []
  expect(styles.length).toBeGreaterThan(10_000)
  expect(await zipped('document')).toBeLessThanOrEqual(40 * 1024)
  expect(gzipSync(styles, { level: 9 }).length).toBeLessThanOrEqual(12 * 1024)
  // Only the two font subsets, not the full fonts.
  expect(loaded.filter(file => file.kind === 'font')).toHaveLength(2)
  expect(await zipped('font')).toBeLessThanOrEqual(26 * 1024)
  expect(loaded.filter(file => file.kind === 'fetch' || !file.url.startsWith(site.url))).toEqual([])
  expect(loaded.filter(file => file.url.endsWith('.jpg') || file.url.endsWith('.webp'))).toEqual([])
  await expectCaching(site)
  await expectNoShippedContentInScripts()
})

/** Before it is rendered, a public page loads 6 KB of scripts at most. */
async function expectFewEarlyScripts(site: Site, path: string) {
  const html = await (await fetch(site.url + path)).text()
  const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file)
  expect(files.length, path).toBeGreaterThan(0)
  const sizes = await Promise.all(
    files.map(async file => gzipSync(await (await fetch(site.url + file)).arrayBuffer()).length),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  expect(bytes, path).toBeLessThanOrEqual(6 * 1024)
}

/** Files with hashed names are cached for a year and served compressed. */
async function expectCaching(site: Site) {
  const html = await (await fetch(site.url)).text()
  const login = await (await fetch(`${site.url}/login`)).text()
  expect(html).toContain('<style>')
  const headersOf = async (path: string) =>
    (await fetch(`${site.url}${path}`, { headers: { 'accept-encoding': 'gzip, br' } })).headers
  for (const path of [/src="(\/assets\/[^"]+\.js)"/, /href="(\/assets\/[^"]+\.css)"/]) {
    const headers = await headersOf(path.exec(login)?.[1] ?? '')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-encoding')).toBe('br')
    expect(headers.get('vary')).toMatch(/accept-encoding/i)
  }
  const picture = await headersOf(/(\/pictures\/hero-[^ "]+\.avif) /.exec(html)?.[1] ?? '')
  expect(picture.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(picture.get('content-type')).toBe('image/avif')
  expect((await headersOf('/')).get('cache-control')).toBe('no-cache')
  for (const path of ['/favicon.svg', '/icon-192.png', '/apple-touch-icon.png', '/og-image.jpg'])
    expect((await fetch(`${site.url}${path}`)).status).toBe(200)
  for (const path of ['/.vite/manifest.json', '/index.html', '/assets/', '/assets/none.js'])
    expect([path, (await fetch(`${site.url}${path}`)).status]).toEqual([path, 404])
}

async function expectNoShippedContentInScripts() {
  const folder = join(projectRoot, 'dist/client/assets')
  const names = (await readdir(folder)).filter(name => name.endsWith('.js'))
  expect(names.length).toBeGreaterThan(20)
  const scripts = (await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))).join('\n')
  const [review] = reviews
  const words = [
    shippedContent.hero.headline,
    shippedContent.rates.intro,
    overview.intro,
    review?.content,
    privacy.intro,
    shippedContent.waysToPay.ways[0]?.instructions,
    shippedContent.gallery.pictures[3]?.alt,
    '02-balcony-ocean',
  ]
  expect(words.filter(text => text === undefined || scripts.includes(text))).toEqual([])
}

test('a preview shows the draft, and neither the page nor its links load published content [SITE-28]', async ({
  page,
  site,
}) => {
  const token = await adminToken(site)
  const hero = { ...shippedContent.hero, headline: 'Only in the draft' }
  const { section } = await call(site, 'PUT', '/api/site/admin/draft/hero', {
    token,
    body: { version: 0, body: hero },
  })
  const { url } = await call(site, 'POST', '/api/site/admin/preview-link', { token })
  const asked = recordRequests(page)
  await page.goto(url)
  await expect(page.getByRole('note')).toHaveText('Preview of the draft. Visitors do not see this.')
  await waitForHydration(page, 'h1')
  await scrollThrough(page)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Only in the draft')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click()
  await expect(page).toHaveURL(/\/terms\?preview=/)
  await expect(page.getByRole('note')).toBeVisible()
  await waitForHydration(page, 'h1')
  expect(asked.filter(address => /\/(trpc|api)\/[^?]*site\.(get|content)/.test(address))).toEqual([])
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL('/login')
  await call(site, 'DELETE', `/api/site/admin/draft/hero?version=${section.version}`, { token })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('all content is readable', async ({ page, site }) => {
    const remove = await Promise.all(
      ['A', 'B', 'C', 'D', 'E', 'F'].map(name => makeRate(site, `Term ${name}`)),
    )
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const words = await seenText(page.locator('#root'))
    for (const text of [overview.intro, overview.more].flatMap(paragraphsOf)) expect(words).toContain(text)
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) expect(words).toContain(`Term ${name}`)
    for (const { title, content } of reviews) {
      expect(words).toContain(title)
      expect(words).toContain(content.slice(-60))
    }
    await expect(page.locator('#availability td button').first()).toBeVisible()
    for (const name of ['Show More', 'Show All', 'View More Periods'])
      await expect(page.getByRole('button', { name })).toBeHidden()
    await expect(page.locator('#gallery img').nth(11)).toBeVisible()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
    await expect(page.getByRole('heading', { level: 2 })).toContainText(
      [...privacy.text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title),
    )
    await page.goto('/contact')
    await expect(page.getByRole('main').getByRole('link', { name: owner.email }).last()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeVisible()
    await expect(page.locator('video')).toBeHidden()
    for (const undo of remove) await undo()
  })
})
