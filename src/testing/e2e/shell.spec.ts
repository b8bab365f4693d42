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

test('a visitor sees the public bar and the footer on public pages [SHELL-01, SHELL-03, SHELL-14, SHELL-15, SHELL-16, SHELL-17]', async ({
  page,
}) => {
  for (const path of ['/', '/contact', '/privacy', '/terms', '/login', '/register']) {
    await page.goto(path)
    const links = bar(page).getByRole('navigation').getByRole('link')
    await expect(links).toHaveText(['Home', 'Apply', 'Login', 'Contact'])
    expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
      '/',
      '/register',
      '/login',
      '/contact',
    ])
    const footer = page.getByRole('contentinfo')
    const quick = footer.getByRole('navigation').getByRole('link')
    await expect(quick).toHaveText([
      'Home',
      'Apply Now',
      'Tenant Portal',
      'Contact Us',
      'Admin Login',
      'Privacy Policy',
      'Terms of Service',
    ])
    expect(await quick.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
      '/',
      '/register',
      '/login',
      '/contact',
      '/admin/login',
      '/privacy',
      '/terms',
    ])
    await expect(footer.getByRole('link', { name: owner.email })).toHaveAttribute(
      'href',
      `mailto:${owner.email}`,
    )
    await expect(footer.getByRole('link', { name: owner.phone })).toHaveAttribute(
      'href',
      `tel:${owner.phone.replaceAll('-', '')}`,
    )
  }
})

test('the bar stays at the top while the page scrolls [SHELL-02]', async ({ page }) => {
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.mouse.wheel(0, 900)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  await expect(bar(page)).toBeInViewport()
})

test('a tenant sees the signed-in bar on public pages, too [SHELL-04, SHELL-05, SHELL-07, SHELL-08]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site, { firstName: 'Noor' }))
  await page.goto('/contact')
  const links = bar(page).getByRole('navigation').getByRole('link')
  await expect(links).toHaveText(['Dashboard', 'Application', 'Contact'])
  expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
    '/dashboard',
    '/application',
    '/contact',
  ])
  await expect(bar(page).getByText('Welcome, Noor')).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Apply Now' })).toHaveAttribute(
    'href',
    '/application',
  )
  await page.getByRole('contentinfo').getByRole('link', { name: 'Tenant Portal' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a tenant opens the settings, sees a one-line footer, and logs out to the home page [SHELL-09, SHELL-10, SHELL-11, GUARD-23]', async ({
  page,
  site,
}) => {
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
  await expect(page.getByText('Logged out successfully')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(links).toHaveText(['Home', 'Apply', 'Login', 'Contact'])
})

test('outside the back office, an admin sees only a link back to it [SHELL-13]', async ({ page, site }) => {
  await signInAsAdmin(page, site)
  await page.goto('/contact')
  await expect(bar(page).getByRole('navigation').getByRole('link')).toHaveText(['Admin Dashboard'])
  await expect(bar(page).getByRole('link', { name: 'Admin Dashboard' })).toHaveAttribute(
    'href',
    '/admin/dashboard',
  )
  await expect(bar(page).getByRole('button', { name: 'Settings' })).toBeVisible()
  await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('the back office has its own bar [SHELL-06, ADMNAV-01, ADMNAV-02, ADMNAV-05]', async ({
  page,
  site,
}) => {
  await page.goto('/admin/login')
  await expect(bar(page).getByRole('navigation').getByRole('link')).toHaveText(['Admin Login'])
  await signInAsAdmin(page, site)
  await page.goto('/admin/rates')
  const links = bar(page).getByRole('navigation').getByRole('link')
  await expect(links).toHaveText(['Dashboard', 'Revenue', 'Rates', 'Availability', 'Site', 'Setup'])
  expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
    '/admin/dashboard',
    '/admin/revenue',
    '/admin/rates',
    '/admin/availability',
    '/admin/site',
    '/admin/setup',
  ])
  // This administrator comes from the environment variables, without a name.
  await expect(bar(page).getByText('Welcome, keeper@condo.example')).toBeVisible()
  await expect(page.getByText('This is the demo: no real money moves.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open the mailbox' })).toHaveAttribute(
    'href',
    '/sandbox/mailbox',
  )
})

test('the back office has a one-line footer, number fields without arrows, settings and a logout [LOOK-12, SHELL-11, ADMNAV-03, ADMNAV-04]', async ({
  page,
  site,
}) => {
  await signInAsAdmin(page, site)
  await page.goto('/admin/rates')
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
  await page.keyboard.press('Escape')
  await bar(page).getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/admin/login')
})

test('on a phone the bars collapse into a menu that opens and closes [SHELL-12, ADMNAV-06]', async ({
  page,
  site,
}) => {
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
})

test('toasts appear at the top right [SHELL-18]', async ({ page, site }) => {
  await signIn(page, site, await makeTenant(site))
  await page.goto('/contact')
  await bar(page).getByRole('button', { name: 'Logout' }).click()
  const box = await page.getByText('Logged out successfully').boundingBox()
  const width = page.viewportSize()?.width ?? 0
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width * 0.85)
  expect(box?.y).toBeLessThan(160)
})

test('an unknown path shows a friendly screen with a way back [SHELL-19]', async ({ page }) => {
  await page.goto('/no/such/place')
  await expect(page.getByText('This page went out with the tide')).toBeVisible()
  await expect(page.getByText('Unexpected Application Error')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the home page' }).click()
  await expect(page).toHaveURL('/')
})

test('the public pages require no login [SHELL-21]', async ({ page }) => {
  for (const path of ['/', '/contact', '/privacy', '/terms']) {
    await page.goto(path)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
