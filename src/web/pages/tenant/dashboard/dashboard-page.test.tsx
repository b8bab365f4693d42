// @vitest-environment dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildApplication, dates, makePending } from '../../../../testing/build-application.ts'
import { appOfFile, isAt, onCall, openScreen, recordInputs, refusal } from '../../../../testing/component.tsx'

const site = appOfFile()
const soon = { timeout: 8_000 }

test('a new tenant gets a welcome and a link to the form with the dates chosen earlier [DASH-01, DASH-02, DASH-05, LOOK-44]', async () => {
  const tenant = await site.app.makeTenant({ firstName: 'Ondine' })
  const { user } = await openScreen(site.app, '/dashboard', tenant)
  await screen.findByText('Ready to Get Started?')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ondine')
  for (const name of ['Create Application', 'New Application'])
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/application')

  const stay = { start: '2026-03-10', end: '2026-03-20' }
  sessionStorage.setItem('stay', JSON.stringify(stay))
  await openScreen(site.app, '/dashboard', tenant)
  const lead = await screen.findByRole('region', { name: 'Next step' })
  expect(lead.textContent).toContain('Your dates Mar 10 – Mar 20, 2026 are waiting')
  expect(screen.queryByRole('link', { name: /(New|Create) Application/ })).toBeNull()
  await user.click(within(lead).getByRole('link', { name: 'Continue with these dates' }))
  await isAt('/application')
  const start = await screen.findByLabelText<HTMLInputElement>(/^Desired lease start date/)
  expect(start.value).toBe(stay.start)
})

test('the list shows the tenant’s own applications with their status, newest first [DASH-03, DASH-04, DASH-06, DASH-12]', async () => {
  const admin = await site.app.makeAdmin()
  const make = async (tenant: typeof admin, month: string, status: string) => {
    const form = buildApplication(dates(`2027-${month}-01`, `2027-${month}-20`))
    const { id } = (await site.app.as(tenant).applications.create(form)).application
    if (status !== 'draft') await site.app.as(tenant).applications.submit({ id })
    for (const decided of ['approved', 'rejected', 'completed'] as const)
      if (decided === status) await site.app.as(admin).applications.adminSetStatus({ id, status: decided })
    // The list is sorted by time.
    site.app.advance(1000)
  }
  const tenant = await site.app.makeTenant()
  const stranger = await site.app.makeTenant()
  for (const [index, status] of ['draft', 'pending', 'approved', 'rejected', 'completed'].entries()) {
    await make(tenant, `0${index + 1}`, status)
    await make(stranger, '09', 'pending')
  }
  const { user } = await openScreen(site.app, '/dashboard', tenant)
  await waitFor(() => expect(screen.getAllByRole('progressbar')).toHaveLength(5))
  const items = screen.getAllByRole('progressbar').map(bar => bar.closest('li') as HTMLElement)
  const shown = items.map(item => [
    item.querySelector('h3')?.textContent,
    item.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow'),
  ])
  expect(shown.map(([title]) => title?.slice(0, 3))).toEqual(['May', 'Apr', 'Mar', 'Feb', 'Jan'])
  expect(shown.map(([, percent]) => percent)).toEqual(['50', '0', '33', '17', '0'])
  for (const [index, label] of ['Complete', 'Declined', 'Approved', 'Submitted', 'Start'].entries())
    within(items[index] as HTMLElement).getByText(label)
  expect(items[3]?.textContent).toContain('Submitted Mar 4, 2026')
  expect(items[4]?.textContent).toContain('Not submitted yet')
  await user.click(within(items[3] as HTMLElement).getByRole('link', { name: /View Details/ }))
  await waitFor(() => expect(window.location.pathname).toMatch(/^\/application\/[\w-]{36}$/))
})

test('the list refreshes every 10 seconds [DASH-07]', async () => {
  const [admin, tenant] = [await site.app.makeAdmin(), await site.app.makeTenant()]
  const { id } = await makePending(site.app, tenant, dates('2028-01-01', '2028-01-20'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const calls = recordInputs('applications.status')
  await openScreen(site.app, '/dashboard', tenant)
  await screen.findByText('Submitted')
  for (const [status, label] of [
    ['approved', 'Approved'],
    ['rejected', 'Declined'],
  ] as const) {
    await site.app.as(admin).applications.adminSetStatus({ id, status })
    const before = calls.length
    act(() => void vi.advanceTimersByTime(8_000))
    expect(calls).toHaveLength(before)
    act(() => void vi.advanceTimersByTime(2_000))
    await screen.findByText(label)
    expect(calls).toHaveLength(before + 1)
  }
})

test('the list refreshes with the window’s focus and once after a payment, and a failed refresh is only logged [DASH-08, DASH-09, DASH-10]', async () => {
  const tenant = await site.app.makeTenant()
  await makePending(site.app, tenant, dates('2028-02-01', '2028-02-20'))
  const calls = recordInputs('applications.status')
  sessionStorage.setItem('paymentSuccessReturn', 'true')
  await openScreen(site.app, '/dashboard', tenant)
  await screen.findByText('Submitted')
  await expect.poll(() => calls.length, soon).toBe(2)
  expect(sessionStorage.getItem('paymentSuccessReturn')).toBeNull()

  const returns = [
    () => window.dispatchEvent(new Event('focus')),
    () => document.dispatchEvent(new Event('visibilitychange')),
  ] as const
  for (const comeBack of returns) {
    const before = calls.length
    // Nothing is asked again before the last answer is there.
    const asked = () => comeBack() && calls.length
    await expect.poll(asked, soon).toBeGreaterThan(before)
  }

  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onCall('applications.status', () => refusal({ status: 500 }))
  const logged = () => returns[0]() && warned.mock.calls.flat().join()
  await expect.poll(logged, soon).toContain('could not be refreshed')
  warned.mockRestore()
  screen.getByText('Submitted')
  expect(screen.queryByLabelText('Notifications')?.textContent ?? '').toBe('')
})
