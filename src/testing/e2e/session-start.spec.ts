import type { Page } from '@playwright/test'
import { failCall, makeTenant, signIn, signInAsAdmin } from './accounts.ts'
import { expect, test } from './site.ts'

test('leaving a page while the session is being checked does not end the session', async ({ page, site }) => {
  await signInAsAdmin(page, site)
  await page.route(/\/trpc\/[^?]*accounts\.verify/, async route => {
    await new Promise(resolve => setTimeout(resolve, 300))
    // The page that sent the request may already be gone.
    await route.continue().catch(() => undefined)
  })
  for (const path of ['/admin/rates', '/admin/revenue', '/privacy']) {
    const asked = page.waitForRequest(/accounts\.verify/)
    await page.goto(path, { waitUntil: 'commit' })
    await asked
  }
  await page.unroute(/\/trpc\/[^?]*accounts\.verify/)
  await page.goto('/admin/rates')
  await expect(page.getByRole('heading', { name: 'Rates Management' })).toBeVisible()
})

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))
const noConnection = (page: Page) => page.getByRole('main').getByText('No connection')
const dashboard = (page: Page) => page.getByText('Ready to Get Started?')

for (const failure of ['no answer', { status: 500 }, { status: 503 }] as const)
  test(`a session survives a start without the server (${JSON.stringify(failure)}) and comes back by itself [LOOK-55]`, async ({
    context,
    page,
    site,
  }) => {
    const token = await signIn(page, site, await makeTenant(site))
    const other = await context.newPage()
    for (const tab of [page, other]) {
      await failCall(tab, 'accounts.verify', failure)
      await tab.goto('/dashboard')
      await expect(noConnection(tab)).toBeVisible()
      await expect(tab).toHaveURL('/dashboard')
    }
    expect(await storedToken(page)).toBe(token)
    for (const tab of [page, other]) {
      await tab.unrouteAll()
      await expect(dashboard(tab)).toBeVisible()
      await expect(noConnection(tab)).toHaveCount(0)
    }
    expect(await storedToken(page)).toBe(token)
  })

test('a session that could not be checked is checked again on a press and on reconnecting [LOOK-55]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  await page.clock.install()
  await failCall(page, 'accounts.verify', { status: 503 })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(noConnection(page)).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(dashboard(page)).toBeVisible()

  await failCall(page, 'accounts.verify', 'no answer')
  await page.reload()
  await expect(noConnection(page)).toBeVisible()
  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(dashboard(page)).toBeVisible()
})
