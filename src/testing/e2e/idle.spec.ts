import type { Page } from '@playwright/test'
import { makeTenant, signIn, signInAsAdmin } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

const minutes = (count: number) => count * 60_000
const warning = (page: Page) => page.getByRole('dialog', { name: 'Session expiring soon' })
const idleMessage = 'You were signed out after 20 minutes of inactivity.'

/** Opens a screen as a signed-in user who is idle, with a clock that the test moves. */
async function openIdle(
  page: Page,
  site: Parameters<typeof signIn>[1],
  who: 'tenant' | 'admin' = 'tenant',
  path = '/terms',
) {
  await page.clock.install()
  if (who === 'admin') await signInAsAdmin(page, site)
  else await signIn(page, site, await makeTenant(site))
  await page.goto(path)
  await expect(page.getByRole('banner').getByText('Welcome')).toBeVisible()
  await waitForIdleTimer(page)
}

/** Waits for the idle timer, which loads after the screen, until a mouse move counts as activity. */
async function waitForIdleTimer(page: Page) {
  const lastActivity = () => page.evaluate(() => Number(localStorage.getItem('lastActivity')))
  const before = await lastActivity()
  let step = 0
  await expect
    .poll(async () => {
      await page.mouse.move(400 + (step++ % 50), 500)
      return lastActivity()
    })
    .toBeGreaterThan(before)
}
const advance = (page: Page, ms: number) => page.clock.runFor(ms)

test('after 18 minutes the warning shows and counts down from 120 seconds [IDLE-01, IDLE-02, IDLE-03]', async ({
  page,
  site,
}) => {
  await openIdle(page, site)
  await advance(page, minutes(18) - 3_000)
  await expect(warning(page)).toHaveCount(0)
  await advance(page, 3_000)
  await expect(warning(page)).toBeVisible()
  const seconds = async () => Number(/(\d+) seconds?/.exec((await warning(page).textContent()) ?? '')?.[1])
  const first = await seconds()
  expect(first).toBeGreaterThan(117)
  expect(first).toBeLessThanOrEqual(120)
  await advance(page, 1_000)
  expect(await seconds()).toBe(first - 1)
  await advance(page, 30_000)
  expect(await seconds()).toBe(first - 31)
  await expect(warning(page).getByRole('button', { name: 'Sign out now' })).toBeVisible()
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeVisible()
})

test('the warning is accessible', async ({ page, site }) => {
  await openIdle(page, site)
  await advance(page, minutes(18) + 2_000)
  await expect(warning(page)).toBeVisible()
  await page.clock.resume()
  await expectAccessible(page)
})

for (const [who, path, login] of [
  ['tenant', '/application', '/login'],
  ['admin', '/admin/rates', '/admin/login'],
] as const) {
  test(`after 20 minutes the ${who} is signed out, with the reason shown [IDLE-04, IDLE-11, TOAST-04]`, async ({
    page,
    site,
  }) => {
    await openIdle(page, site, who, path)
    await advance(page, minutes(20) + 2_000)
    await expect(page).toHaveURL(login)
    await expect(page.getByRole('main').getByText(idleMessage)).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })
}

const activities: Record<string, (page: Page) => Promise<unknown>> = {
  'mouse move': page => page.mouse.move(300, 400),
  'mouse down': page =>
    page.evaluate(() => document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))),
  'key down': page =>
    page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })),
    ),
  'touch start': page =>
    page.evaluate(() => document.body.dispatchEvent(new Event('touchstart', { bubbles: true }))),
  scroll: page => page.evaluate(() => window.dispatchEvent(new Event('scroll'))),
  'window focus': page => page.evaluate(() => window.dispatchEvent(new Event('focus'))),
  'the tab becoming visible': page =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
}
test(`${Object.keys(activities).join(', ')}: each one restarts the timers and hides the warning [IDLE-05, IDLE-06]`, async ({
  page,
  site,
}) => {
  test.slow()
  await openIdle(page, site)
  await advance(page, minutes(17))
  // Each activity starts after 17 idle minutes, where the previous one left the timers.
  for (const [name, act] of Object.entries(activities)) {
    await act(page)
    await advance(page, minutes(17))
    await expect(warning(page), name).toHaveCount(0)
    await advance(page, minutes(1) + 2_000)
    await expect(warning(page), name).toBeVisible()
    await act(page)
    await advance(page, 1_000)
    await expect(warning(page), name).toHaveCount(0)
    await advance(page, minutes(17))
    await expect(page.getByRole('banner').getByText('Welcome'), name).toBeVisible()
  }
})

test("'Stay signed in' verifies the session and restarts the timers [IDLE-07]", async ({ page, site }) => {
  await openIdle(page, site)
  await advance(page, minutes(18) + 2_000)
  const verified = page.waitForResponse(/accounts\.verify/)
  await warning(page).getByRole('button', { name: 'Stay signed in' }).press('Enter')
  // Without a valid session the status would be 401, even for a conditional request.
  expect([200, 304]).toContain((await verified).status())
  await expect(warning(page)).toHaveCount(0)
  await advance(page, minutes(17))
  await expect(warning(page)).toHaveCount(0)
  await expect(page.getByRole('banner').getByText('Welcome')).toBeVisible()
})

test("'Stay signed in' signs the user out as idle if the session cannot be verified [IDLE-08]", async ({
  page,
  site,
}) => {
  await openIdle(page, site, 'tenant', '/application')
  await advance(page, minutes(18) + 2_000)
  await page.route(/accounts\.verify/, route => route.abort('connectionfailed'))
  await warning(page).getByRole('button', { name: 'Stay signed in' }).press('Enter')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('main').getByText(idleMessage)).toBeVisible()
})

for (const [who, path, target] of [
  ['tenant', '/application', '/'],
  ['admin', '/admin/rates', '/admin/login'],
] as const) {
  test(`'Sign out now' signs the ${who} out immediately [IDLE-09]`, async ({ page, site }) => {
    await openIdle(page, site, who, path)
    await advance(page, minutes(18) + 2_000)
    await warning(page).getByRole('button', { name: 'Sign out now' }).press('Enter')
    await expect(page.getByText('Logged out successfully')).toBeVisible()
    await expect(page).toHaveURL(target)
  })
}

test('the timers do not run while nobody is signed in [IDLE-10]', async ({ page }) => {
  await page.clock.install()
  await page.goto('/terms')
  await advance(page, minutes(25))
  await expect(warning(page)).toHaveCount(0)
  await expect(page.getByText(idleMessage)).toHaveCount(0)
})

test('a computer that sleeps past the limit signs the user out on waking [IDLE-12]', async ({
  page,
  site,
}) => {
  await openIdle(page, site, 'tenant', '/application')
  await page.clock.fastForward(minutes(45))
  await page.mouse.move(200, 300)
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('main').getByText(idleMessage)).toBeVisible()
})

test('activity in one tab counts for all tabs, and a sign-out in one tab signs out all tabs [IDLE-13]', async ({
  context,
  page,
  site,
}) => {
  await context.clock.install()
  await signIn(page, site, await makeTenant(site))
  await page.goto('/terms')
  const other = await context.newPage()
  await other.goto('/application')
  await expect(other.getByRole('banner').getByText('Welcome')).toBeVisible()
  await waitForIdleTimer(other)
  await context.clock.runFor(minutes(17))
  await page.mouse.move(100, 200)
  await context.clock.runFor(minutes(5))
  await expect(warning(other)).toHaveCount(0)
  await expect(other.getByRole('banner').getByText('Welcome')).toBeVisible()

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await context.clock.runFor(1_000)
  await expect(other).toHaveURL('/')
})

test('an active browser verifies the session at least every 10 minutes [IDLE-14]', async ({ page, site }) => {
  await openIdle(page, site)
  let verified = 0
  page.on('request', request => {
    if (request.url().includes('accounts.verify')) verified++
  })
  for (let step = 0; step < 6; step++) {
    await advance(page, minutes(5))
    await page.mouse.move(100 + step, 200)
  }
  expect(verified).toBeGreaterThanOrEqual(3)
})
