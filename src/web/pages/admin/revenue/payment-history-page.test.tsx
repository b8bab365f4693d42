// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dates, makeBooking, makePending } from '../../../../testing/build-application.ts'
import { buildManualPayment } from '../../../../testing/build-payment.ts'
import { appOfFile, isAt, openScreen, recordInputs, says } from '../../../../testing/component.tsx'

const site = appOfFile()
const tenantCard = () => screen.getByRole('region', { name: 'Tenant' })
const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1)

test('shows the payments of a tenant or one application, with the name from the server or from the application [ADMHIST-01, ADMHIST-02, ADMHIST-03, LOOK-28]', async () => {
  const admin = await site.app.makeAdmin()
  const tenant = await site.app.makeTenant()
  const booked = await makeBooking(site.app, tenant, admin)
  const other = await makePending(site.app, tenant, dates('2027-06-01', '2027-07-01'))
  for (const [id, amount] of [
    [booked.id, 1500_00],
    [other.id, 250_25],
  ] as const)
    await site.app.as(admin).payments.addManual({ ...buildManualPayment(id), amount, notes: 'Rang the bell' })

  const path = `/admin/payment/history/${tenant.userId}`
  const { user } = await openScreen(site.app, path, admin)
  await waitFor(() => expect(tenantCard().textContent).toContain('Maya Rivers'))
  expect(tenantCard().textContent).not.toContain(tenant.userId)
  expect(rows()).toHaveLength(2)
  for (const text of [booked.applicationNumber, '$1,500.00', 'Rang the bell'])
    expect(
      rows()
        .map(row => row.textContent)
        .join(),
    ).toContain(text)
  for (const text of ['Total payments2', 'Total amount$1,750.25', 'Successful2']) await says(text)
  expect(screen.getByRole('link', { name: 'Back to Admin Dashboard' }).getAttribute('href')).toBe(
    '/admin/dashboard',
  )

  await openScreen(site.app, `${path}?applicationId=${other.id}`, admin)
  await says('Total amount$250.25')
  await user.click(screen.getByRole('link', { name: 'Show all payments of this tenant' }))
  await says('Total amount$1,750.25')

  const asked = recordInputs('accounts.getUser')
  await user.click(screen.getByRole('link', { name: booked.applicationNumber }))
  await isAt(`/admin/application/${booked.id}`)
  await user.click(await screen.findByRole('link', { name: /View .*payment/ }))
  await isAt(path)
  await waitFor(() => expect(tenantCard().textContent).toContain('Maya Rivers'))
  expect(asked).toEqual([])
})

test('the name that the screen before passed on for another tenant is not shown [ADMHIST-02]', async () => {
  const tenant = await site.app.makeTenant()
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  await screen.findByRole('heading', { name: 'Application Management' })
  window.history.pushState(
    { tenantId: 'somebody else', tenantName: 'Not Them' },
    '',
    `/admin/payment/history/${tenant.userId}`,
  )
  await waitFor(() => expect(tenantCard().textContent).toContain('Maya Rivers'))
  expect(document.body.textContent).not.toContain('Not Them')
})
