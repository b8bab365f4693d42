// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeBooking } from '../../../../testing/build-application.ts'
import { buildManualPayment } from '../../../../testing/build-payment.ts'
import { appOfFile, fill, openScreen, says } from '../../../../testing/component.tsx'

const site = appOfFile()

// Today is March 4, 2026.
test('shows the deposits held, the months of the chosen year, and no year without revenue [LOOK-86]', async () => {
  const admin = await site.app.makeAdmin()
  const { id } = await makeBooking(site.app, await site.app.makeTenant(), admin)
  const pay = (amount: number, paymentType: 'deposit' | 'rent', paymentDate: string) =>
    site.app.as(admin).payments.addManual({ ...buildManualPayment(id), amount, paymentType, paymentDate })
  await pay(500_00, 'deposit', '2024-02-01')
  await pay(1000_00, 'rent', '2024-03-01')
  await openScreen(site.app, '/admin/revenue', admin)
  await says('Held deposits$500.00')
  const months = () =>
    within(screen.getByRole('table', { name: /^Monthly revenue/ })).getAllByRole('rowheader')
  await waitFor(() => expect(months()[0]?.textContent).toBe('April 2025'))

  fill({ Period: 'year' })
  await says('Monthly Revenue (2026)')
  const years = screen.getByLabelText<HTMLSelectElement>('Year').options
  expect([...years].map(({ disabled, text }) => [text, disabled])).toEqual([
    ['2026', false],
    ['2025', true],
    ['2024', false],
    ['2023', true],
    ['2022', true],
    ['2021', true],
  ])
  fill({ Year: '2024' })
  await says('Monthly Revenue (2024)')
  expect(
    months()
      .map(({ textContent }) => textContent)
      .at(0),
  ).toBe('January 2024')
  expect(months()).toHaveLength(12)
  expect(screen.queryByText('2024', { selector: 'span' })).toBeNull()
  await says('March 2024$1,000.00')
})
