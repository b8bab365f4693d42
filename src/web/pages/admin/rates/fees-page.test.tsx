// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { appOfFile, fill, onCall, openScreen, press, refusal, says } from '../../../../testing/component.tsx'

const site = appOfFile()
const card = (name: string) => screen.getByRole('region', { name })

test.each([
  ['/admin/revenue', 'Revenue', ['Revenue', 'Due', 'Books', 'How guests pay']],
  ['/admin/setup', 'Rates', ['Seasons', 'Deposit and fees', 'Taxes', 'Stay rules']],
  ['/admin/calendars', 'Availability', ['Nights', 'Other platforms']],
])('%s opens a tab of the area %s [LOOK-48, LOOK-49, LOOK-50]', async (from, area, tabs) => {
  const admin = await site.app.makeAdmin()
  await openScreen(site.app, from, admin)
  const nav = await screen.findByRole('navigation', { name: new RegExp(`^${area} (Dashboard|Management)$`) })
  const links = within(nav).getAllByRole('link')
  expect(links.map(link => link.textContent)).toEqual(tabs)
  expect(links.filter(link => link.getAttribute('aria-current') === 'page')).toHaveLength(1)
  const [link] = await screen.findAllByRole('link', { name: area })
  expect(link?.getAttribute('aria-current')).toBe('page')
})

test.each([
  ['/admin/offers', 'Availability'],
  ['/admin/booking/import', 'Availability'],
  ['/admin/reviews', 'Site'],
  ['/admin/arrival', 'Site'],
])('%s marks the item %s of the header', async (path, item) => {
  await openScreen(site.app, path, await site.app.makeAdmin())
  const [link] = await screen.findAllByRole('link', { name: item })
  expect(link?.getAttribute('aria-current')).toBe('page')
})

test('lists of fees that fail to load can be retried, and a rule is removed after confirmation', async () => {
  const admin = await site.app.makeAdmin()
  const fee = { kind: 'fee', name: 'Pet fee', per: 'stay', amountCents: 200_00 } as const
  await site.app.as(admin).chargeRules.createFee(fee)
  onCall('chargeRules.listFees', () => refusal({ status: 500 }))
  await openScreen(site.app, '/admin/rates/fees', admin)
  await says('Failed to load fees')
  onCall('chargeRules.listFees', send => send())
  const fees = within(card('Fees and discounts'))
  await press('Try Again', fees)
  await press('Remove Pet fee', fees)
  await press('Remove', within(await screen.findByRole('alertdialog')))
  await says('Fee removed')
  await fees.findByText('No fees yet')
})

test('the deposit is an amount or a month’s rent [LOOK-56]', async () => {
  const admin = await site.app.makeAdmin()
  const { user } = await openScreen(site.app, '/admin/rates/fees', admin)
  await screen.findByRole('region', { name: 'Security deposit' })
  const deposit = () => within(card('Security deposit'))
  await deposit().findByText('$500.00')
  await press('Edit: Security deposit', deposit())
  const amount = () => deposit().getByLabelText<HTMLInputElement>(/^Amount/)
  await waitFor(() => expect(amount().value).toBe('500'))
  fill({ Amount: '12.345' }, deposit())
  await press('Save', deposit())
  await deposit().findByText('Please enter an amount from $0 to $10,000,000')
  fill({ Amount: '750.50' }, deposit())
  await press('Save', deposit())
  await deposit().findByText('$750.50')
  await press('Edit: Security deposit', deposit())
  await user.click(await deposit().findByLabelText(/^A month’s rent/))
  await press('Save', deposit())
  await waitFor(async () =>
    expect((await site.app.as(admin).settings.deposit.get()).body).toMatchObject({ amountCents: null }),
  )
})

test('the owner chooses the card fee, or none', async () => {
  const admin = await site.app.makeAdmin()
  await openScreen(site.app, '/admin/revenue/how-guests-pay', admin)
  await screen.findByRole('region', { name: 'Card fee' })
  const fee = () => within(card('Card fee'))
  await fee().findByText('3%')
  await press('Edit: Card fee', fee())
  fill({ 'Percent of the payment': '12' }, fee())
  await press('Save', fee())
  await fee().findByText('Please enter a percentage from 0 to 10')
  fill({ 'Percent of the payment': '0' }, fee())
  await press('Save', fee())
  await fee().findByText('None')
  expect((await site.app.as(admin).settings.cardFee.get()).body).toEqual({ basisPoints: 0 })
})
