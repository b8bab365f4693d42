import { failCall, makeTenant, signIn, signInAsAdmin } from './accounts.ts'
import { expect, test } from './site.ts'

const userPaths = [
  '/dashboard',
  '/application',
  '/application/some-id',
  '/payment/success?session_id=x',
  '/payment/cancel',
  '/payment/history',
]
const adminPaths = [
  '/admin/dashboard',
  '/admin/revenue',
  '/admin/rates',
  '/admin/availability',
  '/admin/setup',
  '/admin/application/some-id',
  '/admin/payment/history/some-id',
]

test('without a session, the tenant screens redirect to the login [GUARD-02, GUARD-03, GUARD-06]', async ({
  page,
}) => {
  for (const path of userPaths) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/login')
  }
})

test('the login shows why the lease or the payment page redirected to it [GUARD-04, GUARD-05]', async ({
  page,
}) => {
  await page.goto('/lease')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Please log in to access your lease')).toBeVisible()
  await page.goto('/payment')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Please log in to access payments')).toBeVisible()
})

test('without a session, and for a tenant, the admin screens redirect to the admin login [GUARD-07, GUARD-08]', async ({
  page,
  site,
}) => {
  for (const path of adminPaths) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/admin/login')
  }
  await signIn(page, site, await makeTenant(site))
  for (const path of adminPaths) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/admin/login')
  }
})

test('the login screens redirect a signed-in tenant [GUARD-09]', async ({ page, site }) => {
  await signIn(page, site, await makeTenant(site))
  for (const path of ['/login', '/register', '/forgot-password', '/reset-password?token=x']) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/dashboard')
  }
})

test('an admin may open the tenant screens; only the dashboard redirects [GUARD-11, GUARD-14]', async ({
  page,
  site,
}) => {
  await signInAsAdmin(page, site)
  for (const path of ['/application', '/lease', '/payment', '/payment/history', '/payment/cancel']) {
    await page.goto(path)
    await expect(
      page.getByRole('heading', { level: 1 }).or(page.getByRole('main').getByText(/./)).first(),
    ).toBeVisible()
    await expect(page, path).toHaveURL(path)
  }
})

test('while the user loads, a guarded screen shows a spinner, does not redirect and hides its content [GUARD-01, GUARD-15]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/accounts\.verify/, async route => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading...')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test('removes an invalid token without a message [GUARD-16]', async ({ page }) => {
  await page.goto('/privacy')
  await page.evaluate(() => localStorage.setItem('token', 'a-token-that-nobody-gave-out-0123456789'))
  await page.goto('/contact')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page.getByText(/session|expired|error/i)).toHaveCount(0)
})

test('removes an expired token without a message, even if another call fails first [GUARD-16]', async ({
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/accounts\.verify/, async route => {
    await released
    await route.continue()
  })
  await page.goto('/privacy')
  await page.evaluate(() => localStorage.setItem('token', 'a-token-that-nobody-gave-out-0123456789'))
  const refused = page.waitForResponse(/applications\.status/)
  await page.goto('/dashboard')
  expect((await refused).status()).toBe(401)
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  release()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(/session|expired|error/i)).toHaveCount(0)
})

test('without a token, no session is verified [GUARD-17]', async ({ page }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.goto('/privacy')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked.filter(url => url.includes('verify'))).toEqual([])
})

test('a login stores the token, waits 100 ms, and only then sets the user [GUARD-20]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel(/^Password/).fill(account.password)
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByRole('button', { name: 'Log In' }).click()
  const stored = () => page.evaluate(() => localStorage.getItem('token'))
  // The request is sent at the next tick of the clock.
  await expect
    .poll(async () => {
      await page.clock.runFor(1)
      return stored()
    })
    .not.toBeNull()
  await page.clock.runFor(80)
  await expect(page.getByRole('banner').getByText('Welcome')).toHaveCount(0)
  await expect(page).toHaveURL('/login')
  await page.clock.runFor(40)
  await expect(page).toHaveURL('/dashboard')
})

test('logging out calls the server only with a token, and ignores its failure [GUARD-21, GUARD-22]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  await page.goto('/contact')
  await failCall(page, 'accounts.logout', { status: 500 })
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()

  await page.unroute(/./).catch(() => {})
  await signIn(page, site, await makeTenant(site))
  await page.goto('/contact')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(asked.filter(url => url.includes('logout'))).toEqual([])
})

test('a session that has ended on the server leads to the login with a message [IDLE-15]', async ({
  page,
  site,
}) => {
  const token = await signIn(page, site, await makeTenant(site))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await fetch(`${site.url}/api/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page).toHaveURL('/login', { timeout: 20_000 })
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
})
