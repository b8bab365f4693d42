import { makeTenant, signIn } from './accounts.ts'
import { test as base, expect } from './site.ts'

// These tests break the screen on purpose, so errors in the console are allowed.
const test = base.extend({ strictConsole: async ({ page: _ }, use) => use(undefined) })

test('code that fails to load is reported, and loads with the next try', async ({ page, site }) => {
  await test.step('Try Again shows a screen whose code failed to load as soon as the server is back [SHELL-20]', async () => {
    await page.goto('/privacy')
    await expect(page.locator('[data-waiting]')).toHaveCount(0)
    await page.route('**/*', route => route.abort())
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    const crashed = page.getByText('Something went wrong on this page.')
    await expect(crashed).toBeVisible()
    const refused = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await refused
    await expect(crashed).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  })
  await test.step('the session is kept if the API client fails to load, and works again after a reload [SHELL-20]', async () => {
    const account = await makeTenant(site)
    await signIn(page, site, account)
    await page.route(/\/assets\/public-/, route => route.abort())
    const refused = page.waitForEvent('requestfailed')
    await page.goto('/privacy')
    await refused
    const banner = page.getByRole('banner')
    await expect(banner.getByRole('link', { name: 'Login' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
    await page.unrouteAll()
    await page.reload()
    await expect(banner.getByText(`Welcome, ${account.firstName}`)).toBeVisible()
  })
  await test.step('settings that fail to load are reported, and the screen stays [SHELL-20]', async () => {
    await signIn(page, site, await makeTenant(site))
    await page.goto('/dashboard')
    await expect(page.getByText('Ready to Get Started?')).toBeVisible()
    await page.route(/\/assets\/settings/, route => route.abort())
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByText(/could not be loaded/)).toBeVisible()
    await expect(page.getByText('Ready to Get Started?')).toBeVisible()
  })
})
