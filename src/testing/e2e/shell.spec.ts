import type { Locator, Page } from '@playwright/test'
import { makeTenant, signIn, signInAsAdmin } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { expect, owner, test } from './site.ts'

const bar = (page: Page) => page.getByRole('banner')

/** The left or right edge of an element's content box, in px. */
const edge = (locator: Locator, side: 'Left' | 'Right') =>
  locator.evaluate((element, at) => {
    const inside = Number.parseFloat(getComputedStyle(element)[`padding${at}`])
    const box = element.getBoundingClientRect()
    return at === 'Left' ? box.left + inside : box.right - inside
  }, side)
const middle = (locator: Locator) =>
  locator.evaluate(element => element.getBoundingClientRect().top + element.clientHeight / 2)

test('the bars, the footer and the logout', async ({ page, site }) => {
  await test.step('a tenant opens the settings, sees a one-line footer, and logs out to the home page with a toast at the top right [SHELL-02, SHELL-09, SHELL-10, SHELL-11, SHELL-18, GUARD-23]', async () => {
    await signIn(page, site, await makeTenant(site))
    await page.goto('/dashboard')
    const links = bar(page).getByRole('navigation').getByRole('link')
    await bar(page).getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByRole('navigation').getByRole('link')).toHaveText([
      'Contact Us',
      'Privacy Policy',
      'Terms of Service',
    ])
    await expect(footer.getByRole('link', { name: owner.email })).toBeVisible()
    expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(56)
    // Links and buttons are on one line that ends at the same edge as the footer.
    const logout = bar(page).getByRole('button', { name: 'Logout' })
    expect(await middle(logout)).toBeCloseTo(await middle(links.first()), 0)
    expect(await edge(logout, 'Right')).toBeCloseTo(await edge(footer.locator('> div'), 'Right'), 0)
    await logout.click()
    const box = await page.getByText('Logged out successfully').boundingBox()
    const width = page.viewportSize()?.width ?? 0
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width * 0.85)
    expect(box?.y).toBeLessThan(160)
    await expect(page).toHaveURL('/')
    await page.mouse.wheel(0, 900)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
    await expect(bar(page)).toBeInViewport()
    await footer.getByRole('link', { name: 'Terms of Service' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of Service')
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await expect(links).toHaveText(['Home', 'Apply', 'Login', 'Contact'])
  })
  await test.step('on a phone the bars collapse into a menu; the back office has a one-line footer, number fields without arrows, settings and a logout [SHELL-12, ADMNAV-06, LOOK-12, SHELL-11, ADMNAV-03, ADMNAV-04]', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/privacy')
    const menu = bar(page).getByRole('button', { name: 'Menu' })
    const login = bar(page).getByRole('link', { name: 'Login' })
    await expect(login).toBeHidden()
    await menu.click()
    await expect(login).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(login).toBeHidden()
    await menu.click()
    await login.click()
    await expect(page).toHaveURL('/login')
    await expect(bar(page).getByRole('link', { name: 'Contact' })).toBeHidden()

    await signInAsAdmin(page, site)
    await page.goto('/admin/rates')
    await expect(bar(page).getByRole('link', { name: 'Revenue' })).toBeHidden()
    await menu.click()
    await bar(page).getByRole('link', { name: 'Revenue' }).click()
    await expect(page).toHaveURL('/admin/revenue')

    await page.setViewportSize({ width: 1280, height: 900 })
    await expect(bar(page).getByRole('button', { name: 'Settings' })).toBeVisible()
    expect((await page.getByRole('contentinfo').boundingBox())?.height).toBeLessThanOrEqual(56)
    const arrows = await page.evaluate(() => {
      const field = Object.assign(document.createElement('input'), { type: 'number' })
      document.body.append(field)
      const { appearance } = getComputedStyle(field)
      field.remove()
      return appearance
    })
    expect(arrows).toBe('textfield')
    await bar(page).getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('dialog').getByRole('list', { name: 'Password rules' })).toBeVisible()
    await page.getByLabel('New password').fill('abcDEF12')
    await page.getByLabel('Confirm password').fill('abc')
    await page.getByLabel('Current password').focus()
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await bar(page).getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/admin/login')
  })
})
