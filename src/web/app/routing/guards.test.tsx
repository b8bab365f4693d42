// @vitest-environment dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { call, signUp, tenantPassword } from '../../../testing/build-account.ts'
import {
  appOfFile,
  fill,
  isAt,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../testing/component.tsx'

const site = appOfFile()
const main = () => screen.getByRole('main').textContent ?? ''
const adminPaths = [
  '/admin/dashboard',
  '/admin/revenue',
  '/admin/rates',
  '/admin/availability',
  '/admin/rates/fees',
  '/admin/application/some-id',
  '/admin/payment/history/some-id',
]

test.each([
  '/dashboard',
  '/application',
  '/application/some-id',
  '/payment/success?session_id=x',
  '/payment/cancel',
  '/payment/history',
])('without a session, %s redirects to the login [GUARD-02, GUARD-03, GUARD-06]', async path => {
  await openScreen(site.app, path)
  await isAt('/login')
})

test.each([
  ['/lease', 'Please log in to access your lease'],
  ['/payment', 'Please log in to access payments'],
])('the login shows why %s redirected to it [GUARD-04, GUARD-05]', async (path, reason) => {
  await openScreen(site.app, path)
  await isAt('/login')
  await says(reason)
})

test.each(adminPaths)(
  'without a session, and for a tenant, %s redirects to the admin login [GUARD-07, GUARD-08]',
  async path => {
    await openScreen(site.app, path)
    await isAt('/admin/login')
    await openScreen(site.app, path, await site.app.makeTenant())
    await isAt('/admin/login')
  },
)

test.each(['/login', '/register', '/forgot-password', '/reset-password?token=x'])(
  '%s redirects a signed-in tenant [GUARD-09]',
  async path => {
    await openScreen(site.app, path, await site.app.makeTenant())
    await isAt('/dashboard')
  },
)

test.each(['/application', '/lease', '/payment', '/payment/history', '/payment/cancel'])(
  'an admin may open %s of the tenants; only the dashboard redirects [GUARD-11, GUARD-14]',
  async path => {
    await openScreen(site.app, path, await site.app.makeAdmin())
    await waitFor(() => expect(main()).not.toMatch(/^(Loading...)?$/))
    await isAt(path)
  },
)

test('while the user loads, a guarded screen shows a spinner, does not redirect and hides its content [GUARD-01, GUARD-15]', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  onCall('accounts.verify', async send => {
    await held
    return send()
  })
  await openScreen(site.app, '/dashboard', await site.app.makeTenant())
  const spinner = await within(screen.getByRole('main')).findByRole('status')
  expect(spinner.textContent).toBe('Loading...')
  await isAt('/dashboard')
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  release()
  await screen.findByRole('heading', { level: 1 })
  await isAt('/dashboard')
})

const unknownToken = 'a-token-that-nobody-gave-out-0123456789'

test('removes an invalid token without a message [GUARD-16]', async () => {
  localStorage.setItem('token', unknownToken)
  await openScreen(site.app, '/contact')
  await screen.findAllByRole('link', { name: 'Login' })
  await waitFor(() => expect(localStorage.getItem('token')).toBeNull())
  expect(document.body.textContent).not.toMatch(/session|expired|error/i)
})

test('removes an expired token without a message, even if another call fails first [GUARD-16]', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: refused, resolve: refuse } = Promise.withResolvers<number>()
  onCall('accounts.verify', async send => {
    await held
    return send()
  })
  onCall('applications.status', async send => {
    const response = await send()
    refuse(response.status)
    return response
  })
  localStorage.setItem('token', unknownToken)
  await openScreen(site.app, '/dashboard')
  expect(await refused).toBeGreaterThan(199)
  expect(main()).toContain('Loading...')
  await isAt('/dashboard')
  release()
  await isAt('/login')
  expect(document.body.textContent).not.toMatch(/session|expired|error/i)
})

test('without a token, no session is verified [GUARD-17]', async () => {
  const asked = recordInputs('accounts.verify')
  await openScreen(site.app, '/privacy')
  await screen.findAllByRole('link', { name: 'Login' })
  await says('Information We Collect')
  expect(asked).toEqual([])
})

test('a login stores the token, waits 100 ms, and only then sets the user [GUARD-20]', async () => {
  const { email } = await signUp(site.app)
  await openScreen(site.app, '/login')
  await screen.findByRole('button', { name: 'Log in' })
  fill({ Email: email, Password: tenantPassword })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  screen.getByRole('button', { name: 'Log in' }).click()
  const until = async (isDone: () => boolean) => {
    const start = performance.now()
    while (!isDone() && performance.now() - start < 8_000) {
      await act(() => vi.advanceTimersByTimeAsync(0))
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(isDone()).toBe(true)
  }
  await until(() => localStorage.getItem('token') !== null)
  await act(() => vi.advanceTimersByTimeAsync(95))
  expect(window.location.pathname).toBe('/login')
  expect(document.body.textContent).not.toContain('Welcome, ')
  await act(() => vi.advanceTimersByTimeAsync(10))
  await until(() => window.location.pathname === '/dashboard')
})

test('logging out calls the server only with a token, and ignores its failure [GUARD-21, GUARD-22]', async () => {
  await openScreen(site.app, '/contact', await site.app.makeTenant())
  onCall('accounts.logout', () => refusal({ status: 500 }))
  await press('Logout')
  await isAt('/')
  expect(localStorage.getItem('token')).toBeNull()

  await openScreen(site.app, '/contact', await site.app.makeTenant())
  await screen.findByRole('button', { name: 'Logout' })
  const asked = recordInputs('accounts.logout')
  localStorage.removeItem('token')
  await press('Logout')
  await isAt('/')
  expect(asked).toEqual([])
})

test('a session that has ended on the server leads to the login with a message [IDLE-15]', async () => {
  const { token } = await openScreen(site.app, '/dashboard', await site.app.makeTenant())
  await says('Ready to Get Started?')
  await call(site.app, 'POST', '/api/auth/logout', { token })
  // The dashboard refreshes when it gets the focus again, once its data are a few seconds old.
  vi.setSystemTime(Date.now() + 60_000)
  window.dispatchEvent(new Event('focus'))
  document.dispatchEvent(new Event('visibilitychange'))
  await isAt('/login')
  await says('Your session has ended. Please log in again.')
})

const unreachable: [string, () => Response | Promise<Response>][] = [
  ['no answer', noAnswer],
  ['500', () => refusal({ status: 500 })],
  ['503', () => refusal({ status: 503 })],
]

test.each(unreachable)(
  'a session survives a start without the server (%s), and is checked again by itself, on a press and on reconnecting [LOOK-55]',
  async (_, fail) => {
    const tenant = await site.app.makeTenant()
    const again = {
      'by itself': (advance: (ms: number) => Promise<unknown>) => advance(5_000),
      'on a press': () => press('Try Again'),
      'on reconnecting': async () => window.dispatchEvent(new Event('online')),
    }
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    })
    const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    for (const retry of Object.values(again)) {
      onCall('accounts.verify', fail)
      const { token } = await openScreen(site.app, '/dashboard', tenant)
      await screen.findByRole('heading', { level: 1, name: 'No connection' })
      await isAt('/dashboard')
      expect(localStorage.getItem('token')).toBe(token)
      onCall('accounts.verify', send => send())
      await retry(advance)
      // Sooner than the next check by itself.
      await screen.findByText('Ready to Get Started?', undefined, { timeout: 2_500 })
      expect(document.body.textContent).not.toContain('No connection')
    }
  },
)
