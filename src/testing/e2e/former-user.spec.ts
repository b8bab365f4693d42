import type { BrowserContext, Page } from '@playwright/test'
import { call, makeTenant, signIn, tokenOf } from './accounts.ts'
import { apply } from './admin-pages.ts'
import { recordRequests } from './answers.ts'
import { admin, expect, type Site, test } from './site.ts'

const street = '12 Former Lane'
const verifying = /\/trpc\/[^?]*accounts\.verify/

type Screen = { path: string; secret: string; home: string }

/** A tenant's screen and the owner's, each with something on it that nobody else may see. */
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

/** A page that learns nothing of other tabs until it comes back, as one in the back/forward cache or a frozen tab. */
async function sleepThroughStorageEvents(page: Page) {
  await page.addInitScript(() => {
    window.addEventListener('storage', event => event.stopImmediatePropagation(), true)
  })
}

const comeBack: Record<string, (page: Page) => Promise<unknown>> = {
  'from the back/forward cache': page =>
    page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
  'as a tab that is looked at again': page =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  'as a frozen tab that goes on': page => page.evaluate(() => document.dispatchEvent(new Event('resume'))),
}

/** What is in the document at this very moment, right after what `act` sets off has run. */
async function textRightAfter(page: Page, act: (page: Page) => Promise<unknown>): Promise<string> {
  await act(page)
  return page.evaluate(() => document.body.textContent ?? '')
}

/** Holds every question about the session until it is let go. */
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
  if (asleep) await sleepThroughStorageEvents(page)
  await page.goto(screen.path)
  await expect(page.getByRole('main').getByText(street).first()).toBeVisible()
  await expect(page.getByRole('banner').getByText('Welcome')).toBeVisible()
  return screen
}

/** Something typed and not yet saved, in the settings. */
async function typePhone(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Profile' }).click()
  const phone = page.getByRole('dialog').getByLabel(/Phone/)
  await phone.fill('850-555-0177')
  return phone
}

/** A second document of the same browser, where somebody signs out or in. */
async function elsewhere(context: BrowserContext, site: Site) {
  const page = await context.newPage()
  // The lightest document of the site: only its storage is needed.
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
  for (const [how, act] of Object.entries(comeBack)) {
    test(`signed out elsewhere: the ${who}'s page that comes back ${how} is gone at once [FIX-11]`, async ({
      context,
      page,
      site,
    }) => {
      const { secret, home } = await open(page, site, who)
      await (await elsewhere(context, site)).signOut()
      const text = await textRightAfter(page, act)
      expect(text).not.toContain(street)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('Welcome, ')
      await expect(page).toHaveURL(home)
    })

    test(`another user signed in elsewhere: the ${who}'s page that comes back ${how} is forgotten before anybody is asked [FIX-11]`, async ({
      context,
      page,
      site,
    }) => {
      const { secret } = await open(page, site, who)
      const other = await makeTenant(site, { firstName: 'Zelda' })
      await (await elsewhere(context, site)).signIn(other)
      const verify = await holdVerify(page)
      const text = await textRightAfter(page, act)
      expect(text).not.toContain(street)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('Welcome, ')
      await expect.poll(verify.asked).toBe(1)
      verify.release()
      // The owner's screens are not for a tenant; a tenant's own are, but not with the other's application.
      if (who === 'admin') await expect(page).toHaveURL('/admin/login')
      else await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
      await expect(page.getByText(street)).toHaveCount(0)
      await expect(page.getByText(secret)).toHaveCount(0)
    })
  }

  test(`expired: the ${who}'s page that comes back is gone once the server says so [FIX-11]`, async ({
    page,
    site,
  }) => {
    const { secret } = await open(page, site, who)
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
    await call(site, 'POST', '/api/auth/logout', { token })
    await comeBack['from the back/forward cache']?.(page)
    await expect(page).toHaveURL(who === 'admin' ? '/admin/login' : '/login')
    await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
    await expect(page.getByText(secret)).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test(`the same user: the ${who}'s page that comes back keeps everything and asks for the session alone [FIX-11]`, async ({
    page,
    site,
  }) => {
    await open(page, site, who)
    const phone = await typePhone(page)
    const asked = recordRequests(page)
    for (const act of Object.values(comeBack)) {
      expect(await textRightAfter(page, act)).toContain(street)
      await expect(phone).toHaveValue('850-555-0177')
    }
    await expect.poll(() => asked.filter(url => verifying.test(url)).length).toBeGreaterThan(0)
    await page.waitForLoadState('networkidle')
    await expect(phone).toHaveValue('850-555-0177')
    expect(asked.filter(url => url.includes('/trpc/applications.get'))).toEqual([])
  })

  test(`another user signed in elsewhere: the ${who}'s page that learns of it forgets first and asks then [FIX-11]`, async ({
    context,
    page,
    site,
  }) => {
    const { secret } = await open(page, site, who, false)
    const verify = await holdVerify(page)
    await (await elsewhere(context, site)).signIn(await makeTenant(site, { firstName: 'Zelda' }))
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

test('without a network a page that comes back to the same user stays [FIX-11]', async ({ page, site }) => {
  await open(page, site, 'tenant')
  await page.route(verifying, route => route.abort('connectionfailed'))
  const asked = page.waitForRequest(verifying)
  await comeBack['from the back/forward cache']?.(page)
  await asked
  await expect(page.getByRole('main').getByText(street).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
})

test('what a former page still sends is not sent in the name of whoever signed in meanwhile [FIX-11]', async ({
  context,
  page,
  site,
}) => {
  await open(page, site, 'tenant')
  await typePhone(page)
  const other = await makeTenant(site, { firstName: 'Zelda' })
  await (await elsewhere(context, site)).signIn(other)
  await page.getByRole('dialog').getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
  const { user } = await call(site, 'GET', '/api/auth/profile', { token: await tokenOf(site, other) })
  expect(user).toMatchObject({ firstName: 'Zelda', phone: '' })
})

test('an answer that comes for a former user is shown to nobody [FIX-11]', async ({
  context,
  page,
  site,
}) => {
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
  await (await elsewhere(context, site)).signIn(other)
  await comeBack['from the back/forward cache']?.(page)
  release()
  await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)
  await page.goto(path)
  await expect(page.getByText(secret)).toHaveCount(0)
})
