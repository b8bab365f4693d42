import { gzipSync } from 'node:zlib'
import type { Browser, Response } from '@playwright/test'
import { call } from './accounts.ts'
import { expect, type Site, test } from './site.ts'

test.use({ siteEnv: { DEMO_SEED: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })

const maxScriptBytes = 130 * 1024
const maxRequests = 20

const people = {
  guest: undefined,
  sam: { email: 'sam@guest.example', password: 'sandcastle' },
  owner: { email: 'owner@condo.example', password: 'Seaglass.Demo.1' },
}

type Person = keyof typeof people
type Weight = { requests: number; scriptBytes: number }

/** What a browser loads that has nothing of the site yet, until it has gone quiet and before anybody touches it. */
async function weigh(browser: Browser, url: string, token: string | undefined): Promise<Weight> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.addInitScript(token => token && localStorage.setItem('token', token), token)
    const responses: Response[] = []
    page.on('response', response => responses.push(response))
    await page.goto(url)
    await page.locator('main :is(h1, h2)').first().waitFor()
    await page.waitForLoadState('networkidle')
    const scripts = responses.filter(response => response.request().resourceType() === 'script')
    const bodies = await Promise.all(scripts.map(response => response.body()))
    const scriptBytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
    return { requests: responses.length, scriptBytes }
  } finally {
    await context.close()
  }
}

/** The screens that are heavier than they may be, or ask more often. */
async function tooHeavy(browser: Browser, site: Site, person: Person, screens: readonly string[]) {
  const body = people[person]
  const token = body && (await call(site, 'POST', '/api/auth/login', { body })).token
  const found: string[] = []
  for (const screen of screens) {
    const { requests, scriptBytes } = await weigh(browser, site.url + screen, token)
    if (scriptBytes > maxScriptBytes || requests > maxRequests)
      found.push(`${screen}: ${(scriptBytes / 1024).toFixed(1)} KiB of script, ${requests} requests`)
  }
  return found
}

test('the account screens and the tenant’s screens stay within their budget', async ({ browser, site }) => {
  const forms = ['/login', '/register', '/forgot-password', '/admin/login']
  expect(await tooHeavy(browser, site, 'guest', forms)).toEqual([])
  const screens = ['/dashboard', '/payment/history']
  expect(await tooHeavy(browser, site, 'sam', screens)).toEqual([])
})

test('the owner’s screens stay within their budget', async ({ browser, site }) => {
  const screens = ['/admin/dashboard', '/admin/rates', '/admin/availability', '/admin/calendars']
  expect(await tooHeavy(browser, site, 'owner', screens)).toEqual([])
})
