import type { Page } from '@playwright/test'
import { makeTenant, signIn } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

const minutes = (count: number) => count * 60_000
const warning = (page: Page) => page.getByRole('dialog', { name: 'Session expiring soon' })

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
  await context.clock.runFor(minutes(14))
  await expect(warning(other)).toBeVisible()
  await expectAccessible(other)
  await warning(other).getByRole('button', { name: 'Stay signed in' }).press('Enter')
  await expect(warning(other)).toHaveCount(0)

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await context.clock.runFor(1_000)
  await expect(other).toHaveURL('/')
})
