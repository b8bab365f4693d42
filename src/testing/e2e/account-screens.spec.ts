import { call, makeTenant } from './accounts.ts'
import { apply } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { admin, expect, test } from './site.ts'

test('a login ignores case and spaces in the email and continues to the requested page, but not to a page that another user had open [LOGIN-09, LOGIN-13, GUARD-18, GUARD-19, LOOK-43]', async ({
  page,
  site,
}) => {
  const logIn = async ({ email, password }: { email: string; password: string }) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  }
  const account = await makeTenant(site)
  await page.goto('/payment/history?applicationId=none')
  await expect(page).toHaveURL('/login')
  await logIn({ ...account, email: ` ${account.email.toUpperCase()} ` })
  await expect(page.getByText('Login successful!')).toBeVisible()
  await expect(page).toHaveURL('/payment/history?applicationId=none')
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  expect(token).toMatch(/^[\w-]{40,}$/)
  const request = page.waitForRequest(/\/trpc\//)
  await page.reload()
  expect((await request).headers().authorization).toBe(`Bearer ${token}`)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()

  await call(site, 'POST', '/api/auth/logout', { token })
  // A page restored from the back/forward cache verifies its session.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
  await logIn(await makeTenant(site))
  await expect(page).toHaveURL('/dashboard')

  await page.getByRole('button', { name: 'Logout' }).click()
  // Else the page is opened as the tenant.
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  await page.goto('/admin/rates')
  await logIn(admin)
  await expect(page).toHaveURL('/admin/rates')
})

test('the mailed link resets a forgotten password, lists the previous activity, and works once [RESET-01, RESET-08, RESET-09, RESET-10, MAIL-02, FIX-22]', async ({
  page,
  site,
}) => {
  const { account, number } = await apply(site)
  const { email, password } = account
  const { token } = await call(site, 'POST', '/api/auth/login', { body: { email, password } })
  await call(site, 'PUT', '/api/auth/profile', { token, body: { phone: '850-555-0199' } })
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText('Check Your Email')).toBeVisible()

  await expect.poll(() => linkMailedTo(site.url, email), { timeout: 15_000 }).toBeTruthy()
  const link = await linkMailedTo(site.url, email)
  expect(link).toMatch(new RegExp(`^${site.url}/reset-password\\?token=`))
  await page.goto(link ?? '')
  await page.getByLabel('New password').fill('driftwood')
  await page.getByLabel('Confirm password').fill('driftwood')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('heading', { name: 'Password Reset Successful' })).toBeVisible()
  await expect(page.getByText('Password reset successfully!')).toBeVisible()
  const before = page.getByRole('region', { name: 'In this account before your new password' })
  await expect(before.getByRole('listitem')).toHaveText([
    /^Account created on \w{3} \d+, \d{4}$/,
    /^Last login on \w{3} \d+, \d{4}$/,
    `1 application: ${number}`,
    /^Profile changed on \w{3} \d+, \d{4}$/,
  ])
  await expect(before).toContainText('If any of this was not you, please contact us. Nothing was removed.')
  await expect(before.getByRole('link', { name: 'contact us' })).toHaveAttribute('href', '/contact')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill('driftwood')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.evaluate(() => localStorage.clear())
  await page.goto(link ?? '')
  await page.getByLabel('New password').fill('flotsam1')
  await page.getByLabel('Confirm password').fill('flotsam1')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.locator('[role=alert]')).toHaveText(
    'This password reset link is invalid or has expired. Please request a new one.',
  )
  await expect(page.locator('[role=alert]')).toBeFocused()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

/** The newest reset link for this address in the demo's mailbox. */
async function linkMailedTo(url: string, email: string): Promise<string | undefined> {
  const list = await (await fetch(`${url}/sandbox/mailbox`)).text()
  const row = list.split('<li').find(part => part.includes(email) && /password/i.test(part))
  const href = /href="(\/sandbox\/mailbox\/[^"]+)"/.exec(row ?? '')?.[1]
  if (!href) return undefined
  const mail = await (await fetch(`${url}${href}`)).text()
  return /https?:\/\/[^\s"<&]+\/reset-password\?token=[\w-]+/.exec(mail.replaceAll('&amp;', '&'))?.[0]
}
