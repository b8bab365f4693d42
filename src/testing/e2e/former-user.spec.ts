import type { BrowserContext, Page } from '@playwright/test'
import { call, makeTenant, signIn, tokenOf } from './accounts.ts'
import { apply } from './admin-pages.ts'
import { recordRequests } from './responses.ts'
import { admin, expect, type Site, test } from './site.ts'

const street = '12 Former Lane'
const verifying = /\/trpc\/[^?]*accounts\.verify/

type Screen = { path: string; secret: string; home: string }

/** A screen of the tenant and one of the owner, each with data that nobody else may see. */
const screens: Record<string, (page: Page, site: Site) => Promise<Screen>> = {
  tenant: async (page, site) => {
    const address = { street, city: 'Elsewhere', state: 'FL', zipCode: '32000' }
    const { id, account, number } = await apply(site, 'pending', { address })
    await signIn(page, site, account)
    return { path: `/application/${id}`, secret: number, home: '/' }
  },
  admin: async (page, site) => {
    const address = { street, city: 'Elsewhere', state: 'FL', zipCode: '32000' }
    const { id, number } = await apply(site, 'pending', { address })
    await signIn(page, site, admin)
    return { path: `/admin/application/${id}`, secret: number, home: '/admin/login' }
  },
}

/** Hides changes in other tabs from the page, as in the back/forward cache or in a frozen tab. */
async function ignoreStorageEvents(page: Page) {
  await page.addInitScript(() => {
    window.addEventListener('storage', event => event.stopImmediatePropagation(), true)
  })
}

const returnToPage: Record<string, (page: Page) => Promise<unknown>> = {
  'from the back/forward cache': page =>
    page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
  'as a tab that becomes visible again': page =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  'as a frozen tab that resumes': page => page.evaluate(() => document.dispatchEvent(new Event('resume'))),
}

/** The text of the document immediately after `act` and its event handlers have run. */
async function textRightAfter(page: Page, act: (page: Page) => Promise<unknown>): Promise<string> {
  await act(page)
  return page.evaluate(() => document.body.textContent ?? '')
}

/** Holds every request that verifies the session until `release` is called. */
async function holdVerify(page: Page) {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let asked = 0
  await page.route(verifying, async route => {
    asked++
    await held
    await route.continue().catch(() => undefined)
  })
  return { release, asked: () => asked }
}

async function open(page: Page, site: Site, who: string, asleep = true): Promise<Screen> {
  const screen = await (screens[who] ?? screens.tenant)?.(page, site)
  if (!screen) throw new Error('no such screen')
  if (asleep) await ignoreStorageEvents(page)
  await page.goto(screen.path)
  await expect(page.getByRole('main').getByText(street).first()).toBeVisible()
  await expect(page.getByRole('banner').getByText('Welcome')).toBeVisible()
  return screen
}

/** Types a phone number in the settings without saving it. */
async function typePhone(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Profile' }).click()
  const phone = page.getByRole('dialog').getByLabel(/Phone/)
  await phone.fill('850-555-0177')
  return phone
}

/** A second page of the same browser, to sign out or in there. */
async function openOtherTab(context: BrowserContext, site: Site) {
  const page = await context.newPage()
  // The smallest file of the site; only its local storage is needed.
  await page.goto(`${site.url}/favicon.svg`)
  return {
    signOut: () => page.evaluate(() => localStorage.removeItem('token')),
    signIn: async (account: { email: string; password: string }) => {
      const token = await tokenOf(site, account)
      await page.evaluate(value => localStorage.setItem('token', value), token)
    },
  }
}

for (const who of ['tenant', 'admin']) {
  for (const [how, act] of Object.entries(returnToPage)) {
    test(`after a sign-out elsewhere, the ${who}'s page that returns ${how} is cleared immediately [FIX-11]`, async ({
      context,
      page,
      site,
    }) => {
      const { secret, home } = await open(page, site, who)
      await (await openOtherTab(context, site)).signOut()
      const text = await textRightAfter(page, act)
      expect(text).not.toContain(street)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('Welcome, ')
      await expect(page).toHaveURL(home)
    })

    test(`after another user's login elsewhere, the ${who}'s page that returns ${how} is cleared before any request [FIX-11]`, async ({
      context,
      page,
      site,
    }) => {
      const { secret } = await open(page, site, who)
      const other = await makeTenant(site, { firstName: 'Zelda' })
      await (await openOtherTab(context, site)).signIn(other)
      const verify = await holdVerify(page)
      const text = await textRightAfter(page, act)
      expect(text).not.toContain(street)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('Welcome, ')
      await expect.poll(verify.asked).toBe(1)
      verify.release()
      // A tenant may not open the owner's screens, and sees the tenant screens without the other tenant's application.
      if (who === 'admin') await expect(page).toHaveURL('/admin/login')
      else await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
      await expect(page.getByText(street)).toHaveCount(0)
      await expect(page.getByText(secret)).toHaveCount(0)
    })
  }

  test(`after the session has expired, the ${who}'s page that returns is cleared once the server reports it [FIX-11]`, async ({
    page,
    site,
  }) => {
    const { secret } = await open(page, site, who)
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
    await call(site, 'POST', '/api/auth/logout', { token })
    await returnToPage['from the back/forward cache']?.(page)
    await expect(page).toHaveURL(who === 'admin' ? '/admin/login' : '/login')
    await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
    await expect(page.getByText(secret)).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test(`for the same user, the ${who}'s page that returns keeps everything and only verifies the session [FIX-11]`, async ({
    page,
    site,
  }) => {
    await open(page, site, who)
    const phone = await typePhone(page)
    const asked = recordRequests(page)
    for (const act of Object.values(returnToPage)) {
      expect(await textRightAfter(page, act)).toContain(street)
      await expect(phone).toHaveValue('850-555-0177')
    }
    await expect.poll(() => asked.filter(url => verifying.test(url)).length).toBeGreaterThan(0)
    await page.waitForLoadState('networkidle')
    await expect(phone).toHaveValue('850-555-0177')
    expect(asked.filter(url => url.includes('/trpc/applications.get'))).toEqual([])
  })

  test(`on another user's login elsewhere, the ${who}'s visible page is cleared before it verifies the session [FIX-11]`, async ({
    context,
    page,
    site,
  }) => {
    const { secret } = await open(page, site, who, false)
    const verify = await holdVerify(page)
    await (await openOtherTab(context, site)).signIn(await makeTenant(site, { firstName: 'Zelda' }))
    await expect.poll(verify.asked).toBe(1)
    const text = (await page.textContent('body')) ?? ''
    expect(text).not.toContain(street)
    expect(text).not.toContain(secret)
    verify.release()
    if (who === 'admin') await expect(page).toHaveURL('/admin/login')
    else await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
    await expect(page.getByText(secret)).toHaveCount(0)
  })
}

test('without a network, a page that returns for the same user stays [FIX-11]', async ({ page, site }) => {
  await open(page, site, 'tenant')
  await page.route(verifying, route => route.abort('connectionfailed'))
  const asked = page.waitForRequest(verifying)
  await returnToPage['from the back/forward cache']?.(page)
  await asked
  await expect(page.getByRole('main').getByText(street).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
})

test('a request from the previous user’s page is not sent as the user who has signed in since [FIX-11]', async ({
  context,
  page,
  site,
}) => {
  await open(page, site, 'tenant')
  await typePhone(page)
  const other = await makeTenant(site, { firstName: 'Zelda' })
  await (await openOtherTab(context, site)).signIn(other)
  await page.getByRole('dialog').getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
  const { user } = await call(site, 'GET', '/api/auth/profile', { token: await tokenOf(site, other) })
  expect(user).toMatchObject({ firstName: 'Zelda', phone: '' })
})

test('a response for the previous user is not shown [FIX-11]', async ({ context, page, site }) => {
  const { secret, path } = await open(page, site, 'tenant')
  let answered = () => {}
  const sent = new Promise<void>(resolve => {
    answered = resolve
  })
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/\/trpc\/[^?]*applications\.status/, async route => {
    const response = await route.fetch().catch(() => undefined)
    answered()
    await held
    if (response) await route.fulfill({ response }).catch(() => undefined)
  })
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
  await sent
  const other = await makeTenant(site, { firstName: 'Zelda' })
  await (await openOtherTab(context, site)).signIn(other)
  await returnToPage['from the back/forward cache']?.(page)
  release()
  await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)
  await page.goto(path)
  await expect(page.getByText(secret)).toHaveCount(0)
})
