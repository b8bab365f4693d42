// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { rootRouter } from '../../server/root-router.ts'
import { makeLease, signLease } from '../../testing/build-lease.ts'
import { appOfFile, button, onCall, openScreen, refusal } from '../../testing/component.tsx'

const site = appOfFile()
let made: ReturnType<typeof makeLease> | undefined
/** The only booking, with an unsigned lease. */
const booking = () => {
  made ??= makeLease(site.app)
  return made
}

type Screen = { path: string; procedure: string; loading?: string; error: string; loaded: string | RegExp }

/** Opens a screen whose data first take a moment, then fail, and load with the next try. */
async function expectRetry({ path, procedure, loading, error, loaded }: Screen, as: 'admin' | 'tenant') {
  const { tenant, admin, id } = await booking()
  const late = Promise.withResolvers<void>()
  onCall(procedure, async () => {
    await late.promise
    return refusal({ status: 500, message: 'Something went wrong. Please try again.' })
  })
  const address = path.replace(':application', id).replace(':tenant', tenant.userId)
  const { user } = await openScreen(site.app, address, as === 'admin' ? admin : tenant)
  if (loading) await screen.findByText(loading)
  late.resolve()
  await screen.findByText(error)
  onCall(procedure, send => send())
  await user.click(button('Try Again'))
  await screen.findAllByText(loaded)
  await waitFor(() => expect(screen.queryByText(error)).toBeNull())
}

const ownerLists: Screen[] = [
  {
    path: '/admin/rates',
    procedure: 'rates.listAll',
    loading: 'Loading rates...',
    error: 'Failed to load rates',
    loaded: 'No rates found',
  },
  {
    path: '/admin/availability',
    procedure: 'availability.adminRange',
    loading: 'Loading availability...',
    error: 'Failed to fetch availability',
    loaded: 'March 2026',
  },
  {
    path: '/admin/availability/other-platforms',
    procedure: 'calendars.overview',
    loading: 'Loading calendars...',
    error: 'Failed to load calendars',
    loaded: 'No calendar is read yet.',
  },
]

test.each(ownerLists)(
  '$path shows that it is loading, then that it has failed to load, and tries again [AVAIL-14, AVAIL-15, RATES-03, RATES-04]',
  item => expectRetry(item, 'admin'),
)

const ownerScreens: Screen[] = [
  {
    path: '/admin/revenue',
    procedure: 'payments.revenueSummary',
    error: 'Failed to fetch revenue data',
    loaded: 'Total Revenue',
  },
  {
    path: '/admin/payment/history/:tenant',
    procedure: 'payments.adminHistory',
    error: 'Failed to load payment history',
    loaded: 'No payments found',
  },
  {
    path: '/admin/application/:application',
    procedure: 'applications.adminGet',
    error: 'Failed to load application data',
    loaded: 'Personal Information',
  },
  {
    path: '/admin/dashboard',
    procedure: 'applications.adminList',
    error: 'Failed to fetch applications',
    loaded: /^Maya Rivers/,
  },
]

test.each(ownerScreens)(
  '$path shows that it has failed to load, and tries again [REV-15, ADMAPP-06, ADMDASH-18, ADMHIST-05]',
  item => expectRetry(item, 'admin'),
)

const tenantScreens: Screen[] = [
  {
    path: '/dashboard',
    procedure: 'applications.status',
    error: 'Your applications could not be loaded.',
    loaded: 'Approved',
  },
  {
    path: '/payment?applicationId=:application',
    procedure: 'payments.history',
    error: 'Failed to load payment history',
    loaded: 'Zelle',
  },
  {
    path: '/payment/history',
    procedure: 'payments.history',
    error: 'Failed to load payment history',
    loaded: 'No payments found',
  },
  {
    path: '/application/:application',
    procedure: 'charges.list',
    error: 'Your balance could not be loaded.',
    loaded: 'Amount owed',
  },
  {
    path: '/lease',
    procedure: 'leases.status',
    error: 'Your lease could not be loaded.',
    loaded: 'Available to Sign',
  },
]

test.each(tenantScreens)(
  '$path shows that it has failed to load, and tries again [DASH-11, PAY-22, HIST-05, HIST-07]',
  item => expectRetry(item, 'tenant'),
)

test.each([
  ['/admin/dashboard', 'admin', 'Total revenue'],
  ['/payment', 'tenant', 'Other ways to pay'],
] as const)(
  '%s, whose calls all failed, shows one message, and then everything [LOOK-76]',
  async (path, role, part) => {
    const failing = Object.keys(rootRouter._def.procedures).filter(name => name !== 'accounts.verify')
    for (const name of failing) onCall(name, () => refusal({ status: 500 }))
    const { user } = await openScreen(site.app, path, (await booking())[role])
    await screen.findByText(/^This page could not be loaded\./)
    const seen = () => screen.queryAllByRole('alert').filter(each => each.closest('.hidden') === null)
    await waitFor(() => expect(seen()).toHaveLength(1))
    const [alert] = seen() as [HTMLElement]
    for (const name of failing) onCall(name, send => send())
    await user.click(within(alert).getByRole('button', { name: 'Try Again' }))
    await screen.findAllByText(part)
    await waitFor(() => expect(seen()).toEqual([]))
  },
)

test('a signed lease says that it has no addenda yet, or that they could not be loaded [CHANGE-18]', async () => {
  const { id, tenant } = await booking()
  await signLease(site.app, tenant, id)
  const list = { procedure: 'addenda.list', error: 'Failed to load the addenda' }
  await expectRetry({ ...list, path: '/application/:application', loaded: 'Lease Agreement' }, 'tenant')
  await expectRetry({ ...list, path: '/admin/application/:application', loaded: 'New Addendum' }, 'admin')
})

test('lists without entries say so, and a failed card leaves the list usable [ADMDASH-17, ADMDASH-19, ADMHIST-04]', async () => {
  const { tenant, admin } = await booking()
  onCall('payments.revenueSummary', () => refusal({ status: 500 }))
  const { user } = await openScreen(site.app, '/admin/dashboard?search=nobody', admin)
  await screen.findByText('No applications found')
  expect(screen.getByText('No application fits the search and the filter.')).toBeDefined()
  await user.click(button('Show all applications'))
  await screen.findAllByText(/^Maya Rivers/)
  await screen.findByText('Failed to fetch revenue data')

  window.history.pushState(null, '', `/admin/payment/history/${tenant.userId}`)
  await screen.findByText('No payments found')
  expect(screen.getByRole('region', { name: 'Tenant' }).textContent).toContain('Maya Rivers')
})

test.each([
  { path: '/payment', procedure: 'payments.options', message: 'Please log in to access payments' },
  { path: '/lease', procedure: 'leases.status', message: 'Please log in to access your lease' },
])('$path reports an ended session in place of the screen [PAY-01, LEASE-01]', async item => {
  const tenant = await site.app.makeTenant()
  onCall(item.procedure, () => refusal({ status: 401, message: 'Please log in' }))
  const { user } = await openScreen(site.app, item.path, tenant)
  await screen.findByText(item.message)
  await user.click(screen.getByRole('link', { name: 'Go to Login' }))
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
})
