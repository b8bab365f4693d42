import type { Page } from '@playwright/test'
import { makeTenant, signIn } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

const minutes = (count: number) => count * 60_000
const warning = (page: Page) => page.getByRole('dialog', { name: 'Session expiring soon' })

/** Opens a screen as a tenant who is idle, with a clock that the test moves. */
async function openIdle(page: Page, site: Site, path: string) {
  await page.clock.install()
  await signIn(page, site, await makeTenant(site))
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

test('the warning is accessible, keeps the user signed in by keyboard, and a computer that sleeps past the limit signs out on waking [IDLE-07, IDLE-12]', async ({
  page,
  site,
}) => {
  await openIdle(page, site, '/application')
  await page.clock.runFor(minutes(18) + 2_000)
  await expect(warning(page)).toBeVisible()
  await expectAccessible(page)
  await warning(page).getByRole('button', { name: 'Stay signed in' }).press('Enter')
  await expect(warning(page)).toHaveCount(0)
  await page.clock.fastForward(minutes(45))
  await page.mouse.move(200, 300)
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('main').getByText('You were signed out after 20 minutes')).toBeVisible()
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
