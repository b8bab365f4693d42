import { randomUUID } from 'node:crypto'
import { call, failCall, makeTenant, signIn, signInAsAdmin } from './accounts.ts'
import { apply } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { admin, expect, test } from './site.ts'

const alert = '[role=alert]'

test('the login screen has its fields, links and messages [LOGIN-01, LOGIN-02, LOGIN-03, LOGIN-04, LOGIN-07, LOGIN-08]', async ({
  page,
}) => {
  await page.goto('/login')
  const [email, password] = [page.getByLabel('Email'), page.getByLabel(/^Password/)]
  const submit = page.getByRole('button', { name: 'Log In' })
  await submit.click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(email).toBeFocused()

  await email.fill('not an address')
  await password.fill('12345')
  await submit.click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()

  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await expectAccessible(page)

  await email.fill('nobody@guest.example')
  await password.fill('123456')
  const sent = page.waitForRequest(/accounts\.login/)
  await submit.click()
  await sent

  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await page.goBack()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL('/register')
})

test('a login opens the dashboard, and ignores case and surrounding spaces in the e-mail [LOGIN-09, LOGIN-13, GUARD-18, GUARD-19]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  await page.goto('/login')
  await page.getByLabel('Email').fill(` ${account.email.toUpperCase()} `)
  await page.getByLabel(/^Password/).fill(account.password)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByText('Login successful!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  const token = await page.evaluate(() => localStorage.getItem('token'))
  expect(token).toMatch(/^[\w-]{40,}$/)
  const request = page.waitForRequest(/\/trpc\//)
  await page.reload()
  expect((await request).headers().authorization).toBe(`Bearer ${token}`)
})

test('an admin who logs in at /login lands in the back office [LOGIN-14, GUARD-11]', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel(/^Password/).fill(admin.password)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page).toHaveURL('/admin/dashboard')
})

test('a login continues to the requested page, but not to a page that another user had open [LOOK-43]', async ({
  page,
  site,
}) => {
  const logIn = async ({ email, password }: { email: string; password: string }) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Log In' }).click()
  }
  const account = await makeTenant(site)
  await page.goto('/payment/history?applicationId=none')
  await expect(page).toHaveURL('/login')
  await logIn(account)
  await expect(page).toHaveURL('/payment/history?applicationId=none')

  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await call(site, 'POST', '/api/auth/logout', { token })
  // A page restored from the back/forward cache verifies its session.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
  await logIn(await makeTenant(site))
  await expect(page).toHaveURL('/dashboard')

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.goto('/admin/rates')
  await logIn(admin)
  await expect(page).toHaveURL('/admin/rates')
})

test('a rejected login shows one message above the form [LOGIN-10]', async ({ page, site }) => {
  const { email } = await makeTenant(site)
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill('not the password')
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.locator(alert)).toHaveText('Invalid email or password')
  await expect(page.getByText('Invalid email or password')).toHaveCount(1)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a failed login shows the server’s message, or a default message without one or without a response [LOGIN-11, LOGIN-12, TOAST-08]', async ({
  page,
}) => {
  await page.goto('/login')
  for (const [failure, message] of [
    [
      { status: 429, message: 'Too many attempts. Please wait a while and try again.' },
      'Too many attempts. Please wait a while and try again.',
    ],
    [{ status: 500 }, 'Login failed. Please try again.'],
    ['no answer', 'Something went wrong. Please try again.'],
  ] as const) {
    await failCall(page, 'accounts.login', failure)
    await page.getByLabel('Email').fill('maya@guest.example')
    await page.getByLabel(/^Password/).fill('sandcastle')
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect(page.locator(alert)).toHaveText(message)
  }
})

test('the register screen validates its fields and sends nothing invalid [REG-01, REG-02, REG-03, REG-04, REG-05, REG-06]', async ({
  page,
}) => {
  await page.goto('/register')
  let sent = 0
  page.on('request', request => {
    if (request.url().includes('accounts.register')) sent++
  })
  const submit = page.getByRole('button', { name: 'Create Account' })
  await submit.click()
  for (const text of ['First name is required', 'Last name is required', 'Email is required']) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await page.getByLabel('Email').fill('maya@')
  await page.getByLabel(/^Password/).fill('12345')
  await page.getByLabel('Confirm password').fill('54321')
  await submit.click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
  await page.getByLabel('First name').fill('Maya')
  await page.getByLabel('Last name').fill('Rivers')
  await page.getByLabel('Email').fill('maya@guest.example')
  await page.getByLabel(/^Password/).fill('123456')
  await submit.click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expectAccessible(page)
  expect(sent).toBe(0)
})

test('a registration starts no session, shows a welcome and asks for a login [REG-07, REG-08, REG-09, REG-10]', async ({
  page,
}) => {
  await page.goto('/register')
  await page.getByLabel('First name').fill('Maya')
  await page.getByLabel('Last name').fill('Rivers')
  await page.getByLabel('Email').fill(`maya-${randomUUID().slice(0, 8)}@guest.example`)
  await page.getByLabel(/^Password/).fill('123456')
  await page.getByLabel('Confirm password').fill('123456')
  const request = page.waitForRequest(/accounts\.register/)
  await page.getByRole('button', { name: 'Create Account' }).click()
  expect(Object.keys(Object.values((await request).postDataJSON())[0] as object).toSorted()).toEqual([
    'email',
    'firstName',
    'lastName',
    'password',
  ])
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Registration successful! Please log in.')).toBeVisible()
  await expect(page.getByText('Registration successful! Welcome to Seaglass Shore Rentals.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a failed registration shows the server’s message, or a default message without one or without a response [REG-11, REG-12, REG-13]', async ({
  page,
}) => {
  await page.goto('/register')
  for (const [failure, message] of [
    [
      { status: 409, message: 'An account with this email exists already.' },
      'An account with this email exists already.',
    ],
    [{ status: 500 }, 'Registration failed'],
    ['no answer', 'Registration failed. Please try again.'],
  ] as const) {
    await failCall(page, 'accounts.register', failure)
    await page.getByLabel('First name').fill('Maya')
    await page.getByLabel('Last name').fill('Rivers')
    await page.getByLabel('Email').fill('maya@guest.example')
    await page.getByLabel(/^Password/).fill('123456')
    await page.getByLabel('Confirm password').fill('123456')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.locator(alert)).toHaveText(message)
  }
})

test('the forgot password screen sends the request, confirms it, and accepts another address [FORGOT-01, FORGOT-03, FORGOT-04, FORGOT-05, FORGOT-06, FORGOT-08]', async ({
  page,
}) => {
  await page.goto('/forgot-password')
  const submit = page.getByRole('button', { name: 'Send Reset Link' })
  await submit.click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await page.getByLabel('Email').fill('maya at home')
  await submit.click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Email').fill('maya@guest.example')
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(
    page.getByText('If an account with that email exists, a password reset link has been sent.'),
  ).toBeVisible()
  await expect(page.getByText('Password reset instructions sent to your email!')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try Different Email' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('')
  await page.getByLabel('Email').fill('maya@guest.example')
  await submit.click()
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await expect(page).toHaveURL('/login')
})

test('a failed reset request shows the server’s message, or a default message without one or without a response [FORGOT-10, FORGOT-11]', async ({
  page,
}) => {
  await page.goto('/forgot-password')
  // Each message differs from the previous one, which is still visible.
  for (const [failure, message] of [
    [{ status: 500 }, 'Failed to send reset email. Please try again.'],
    [
      { status: 503, message: 'Email service not configured. Please contact support.' },
      'Email service not configured. Please contact support.',
    ],
    ['no answer', 'Failed to send reset email. Please try again.'],
  ] as const) {
    await failCall(page, 'accounts.forgotPassword', failure)
    await page.getByLabel('Email').fill('maya@guest.example')
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.locator(alert)).toHaveText(message)
    await expect(page.getByText('Check Your Email')).toHaveCount(0)
  }
})

test('the mailed link resets a forgotten password, and works once [RESET-01, RESET-08, RESET-09, RESET-10, MAIL-02]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(page.getByText('Check Your Email')).toBeVisible()

  const link = await expect
    .poll(() => linkMailedTo(site.url, account.email), { timeout: 15_000 })
    .toBeTruthy()
    .then(() => linkMailedTo(site.url, account.email))
  expect(link).toMatch(new RegExp(`^${site.url}/reset-password\\?token=`))
  await page.goto(link ?? '')
  await page.getByLabel('New password').fill('driftwood')
  await page.getByLabel('Confirm password').fill('driftwood')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('heading', { name: 'Password Reset Successful' })).toBeVisible()
  await expect(page.getByText('Password reset successfully!')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel(/^Password/).fill('driftwood')
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.evaluate(() => localStorage.clear())
  await page.goto(link ?? '')
  await page.getByLabel('New password').fill('flotsam1')
  await page.getByLabel('Confirm password').fill('flotsam1')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.locator(alert)).toHaveText(
    'This password reset link is invalid or has expired. Please request a new one.',
  )
  await expect(page.locator(alert)).toBeFocused()
  await page.getByRole('link', { name: 'Request a New Link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('after a reset, the screen lists the previous activity in the account [FIX-22]', async ({
  page,
  site,
}) => {
  const { account, number } = await apply(site)
  const { email, password } = account
  const { token } = await call(site, 'POST', '/api/auth/login', { body: { email, password } })
  await call(site, 'PUT', '/api/auth/profile', { token, body: { phone: '850-555-0199' } })
  await call(site, 'POST', '/api/auth/forgot-password', { body: { email: account.email } })
  await expect.poll(() => linkMailedTo(site.url, account.email), { timeout: 15_000 }).toBeTruthy()
  await page.goto((await linkMailedTo(site.url, account.email)) ?? '')
  await page.getByLabel('New password').fill('driftwood')
  await page.getByLabel('Confirm password').fill('driftwood')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  const before = page.getByRole('region', { name: 'In this account before your new password' })
  await expect(before.getByRole('listitem')).toHaveText([
    /^Account created on \w{3} \d+, \d{4}$/,
    /^Last login on \w{3} \d+, \d{4}$/,
    `1 application: ${number}`,
    /^Profile changed on \w{3} \d+, \d{4}$/,
  ])
  await expect(before).toContainText('If any of this was not you, please contact us. Nothing was removed.')
  await expectAccessible(page)
  await before.getByRole('link', { name: 'contact us' }).click()
  await expect(page).toHaveURL('/contact')
})

test('a registration with an existing address suggests a login or a password reset [FIX-22]', async ({
  page,
  site,
}) => {
  const { email } = await makeTenant(site)
  await page.goto('/register')
  await page.getByLabel('First name').fill('Vic')
  await page.getByLabel('Last name').fill('Tim')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill('driftwood')
  await page.getByLabel('Confirm password').fill('driftwood')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.locator(alert).first()).toHaveText(
    'An account with this email already exists. Please log in.',
  )
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('the reset screen validates its fields [RESET-04, RESET-05, RESET-06, RESET-07]', async ({ page }) => {
  await page.goto('/reset-password?token=some-token')
  const submit = page.getByRole('button', { name: 'Reset Password' })
  await submit.click()
  await expect(page.getByText('New password is required')).toBeVisible()
  await expect(page.getByText('Please confirm your password')).toBeVisible()
  await page.getByLabel('New password').fill('12345')
  await page.getByLabel('Confirm password').fill('54321')
  await submit.click()
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
  await page.getByLabel('New password').fill('123456')
  await submit.click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expectAccessible(page)
})

test('a reset link without a token shows an error and offers a new link [RESET-02, RESET-03]', async ({
  page,
}) => {
  await page.goto('/reset-password')
  await expect(page.getByRole('heading', { name: 'Invalid Reset Link' })).toBeVisible()
  await expect(
    page.getByText('This password reset link is invalid or has expired. Please request a new one.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Request a New Link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('a failed reset shows a banner [RESET-11]', async ({ page }) => {
  await page.goto('/reset-password?token=some-token')
  await failCall(page, 'accounts.resetPassword', { status: 500 })
  await page.getByLabel('New password').fill('123456')
  await page.getByLabel('Confirm password').fill('123456')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.locator(alert)).toHaveText('Failed to reset password. Please try again.')
})

test('the admin portal logs an administrator in [ADMLOGIN-01, ADMLOGIN-02, ADMLOGIN-03, ADMLOGIN-04, ADMLOGIN-05]', async ({
  page,
}) => {
  await page.goto('/admin/login')
  await expect(page.getByRole('heading', { name: 'Admin Portal' })).toBeVisible()
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByText('Please fill in all fields').first()).toBeVisible()
  await expectAccessible(page)
  const password = page.getByLabel(/^Password/)
  await page.getByLabel('Email').fill(admin.email)
  await password.fill(admin.password)
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(page.getByRole('link', { name: 'Tenant login' })).toHaveAttribute('href', '/login')
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByText('Admin login successful!')).toBeVisible()
  await expect(page).toHaveURL('/admin/dashboard')
})

test('the admin portal rejects a tenant and ends the session on the server [ADMLOGIN-06, ADMLOGIN-07, GUARD-13]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  await signIn(page, site, account)
  await page.goto('/admin/login')
  await expect(page.getByRole('heading', { name: 'Admin Portal' })).toBeVisible()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel(/^Password/).fill(account.password)
  const answered = page.waitForResponse(/accounts\.login/)
  await page.getByRole('button', { name: 'Log In' }).click()
  const token = (await (await answered).json())[0].result.data.token
  await expect(page.locator(alert)).toHaveText('Access denied. Admin credentials required.')
  await expect(page).toHaveURL('/admin/login')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  const verify = await fetch(`${site.url}/api/auth/verify`, { headers: { authorization: `Bearer ${token}` } })
  expect(verify.status).toBe(401)
})

test('a failed admin login shows the server’s message, or a default message without one or without a response [ADMLOGIN-08, ADMLOGIN-09]', async ({
  page,
}) => {
  await page.goto('/admin/login')
  for (const [failure, message] of [
    [{ status: 401, message: 'Invalid email or password' }, 'Invalid email or password'],
    [{ status: 500 }, 'Login failed'],
    ['no answer', 'Login failed. Please try again.'],
  ] as const) {
    await failCall(page, 'accounts.login', failure)
    await page.getByLabel('Email').fill(admin.email)
    await page.getByLabel(/^Password/).fill('Some-Password-1!')
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect(page.locator(alert)).toHaveText(message)
  }
})

test('a signed-in admin does not have to log in again [GUARD-10, GUARD-12]', async ({ page, site }) => {
  await signInAsAdmin(page, site)
  for (const path of [
    '/admin/login',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password?token=x',
    '/dashboard',
  ]) {
    await page.goto(path)
    await expect(page).toHaveURL('/admin/dashboard')
  }
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
