import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import {
  demoScreens,
  formScreens,
  inKib,
  isApplication,
  logIn,
  measurePageLoad,
  type Screen,
} from '../screens.ts'
import { expect, type Site, test } from './site.ts'

test.use({ siteEnv: { DEMO_SEED: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })
test.setTimeout(180_000)

const maxScriptBytes = 130 * 1024
const maxRequests = 20
/** Limit for the scripts that a public page loads before it is rendered. */
const maxEarlyScriptBytes = 6 * 1024

type Choose = (screens: Screen[]) => readonly Screen[]

/** The screens that exceed their budget for scripts or requests. */
async function tooHeavy(browser: Browser, { url }: Site, choose: Choose) {
  const tokens = await logIn(url)
  const found: string[] = []
  for (const { name, login, path } of choose(await demoScreens(url, tokens))) {
    const { requests, scriptBytes } = await measurePageLoad(browser, url + path, tokens[login])
    if (scriptBytes > maxScriptBytes || requests > maxRequests)
      found.push(`${name}: ${inKib(scriptBytes)} KiB of script, ${requests} requests`)
  }
  return found
}

test('the account screens and the tenant’s screens stay within their budget', async ({ browser, site }) => {
  const choose: Choose = all => all.filter(screen => screen.login !== 'owner' && !isApplication(screen))
  expect(await tooHeavy(browser, site, choose)).toEqual([])
})

test('the owner’s screens stay within their budget', async ({ browser, site }) => {
  const choose: Choose = all => all.filter(screen => screen.login === 'owner' && !isApplication(screen))
  expect(await tooHeavy(browser, site, choose)).toEqual([])
})

test('an application of each status, signed or not, stays within its budget', async ({ browser, site }) => {
  expect(await tooHeavy(browser, site, all => all.filter(isApplication))).toEqual([])
})

test('contact, new password, application form and new booking stay within their budget', async ({
  browser,
  site,
}) => {
  expect(await tooHeavy(browser, site, () => formScreens)).toEqual([])
})

/** The scripts that a document loads or preloads. */
async function namedScripts(url: string, path: string): Promise<string[]> {
  const html = await (await fetch(url + path)).text()
  return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '')
}

test('a public page loads little script before it is rendered', async ({ site: { url } }) => {
  for (const path of ['/', '/contact', '/privacy', '/terms']) {
    const files = await namedScripts(url, path)
    const sizes = await Promise.all(
      files.map(async file => gzipSync(await (await fetch(url + file)).arrayBuffer()).length),
    )
    expect(files.length, path).toBeGreaterThan(0)
    expect(
      sizes.reduce((sum, size) => sum + size, 0),
      path,
    ).toBeLessThanOrEqual(maxEarlyScriptBytes)
  }
})

test('the document of every other screen preloads the script of its page', async ({
  browser,
  site: { url },
}) => {
  const tokens = await logIn(url)
  const isPage = (file: string) => /-page-[^/]+\.js$/.test(file)
  const screens = [...(await demoScreens(url, tokens)), ...formScreens].filter(
    ({ path }) => path !== '/contact',
  )
  for (const { name, login, path } of screens) {
    const named = await namedScripts(url, path)
    expect(named.filter(isPage), name).toHaveLength(1)
    const { scripts } = await measurePageLoad(browser, url + path, tokens[login])
    expect(scripts.filter(isPage), name).toEqual(named.filter(isPage))
  }
})
