import type { Browser } from '@playwright/test'
import { demoScreens, formScreens, inKib, isApplication, logIn, type Screen, weigh } from '../screens.ts'
import { expect, type Site, test } from './site.ts'

test.use({ siteEnv: { DEMO_SEED: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })
test.setTimeout(180_000)

const maxScriptBytes = 130 * 1024
const maxRequests = 20

type Choose = (screens: Screen[]) => readonly Screen[]

/** The screens that are heavier than they may be, or ask more often. */
async function tooHeavy(browser: Browser, { url }: Site, choose: Choose) {
  const tokens = await logIn(url)
  const found: string[] = []
  for (const { name, person, path } of choose(await demoScreens(url, tokens))) {
    const { requests, scriptBytes } = await weigh(browser, url + path, tokens[person])
    if (scriptBytes > maxScriptBytes || requests > maxRequests)
      found.push(`${name}: ${inKib(scriptBytes)} KiB of script, ${requests} requests`)
  }
  return found
}

test('the account screens and the tenant’s screens stay within their budget', async ({ browser, site }) => {
  const choose: Choose = all => all.filter(screen => screen.person !== 'owner' && !isApplication(screen))
  expect(await tooHeavy(browser, site, choose)).toEqual([])
})

test('the owner’s screens stay within their budget', async ({ browser, site }) => {
  const choose: Choose = all => all.filter(screen => screen.person === 'owner' && !isApplication(screen))
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
