// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'
import { appOfFile, openScreen, says } from '../../../../testing/component.tsx'

const site = appOfFile<PaymentApp>({}, paymentApp)

/** Pays $500.00 by card and the fee of $15.00, and returns the id of the charge. */
async function payByCard(tenant: SignedIn, applicationId: string): Promise<string> {
  const { checkoutSessionId } = await site.app.checkout(tenant, { applicationId })
  site.app.provider.pay(checkoutSessionId)
  await site.app.provider.deliverDue()
  const charge = site.app.provider.events().findLast(({ type }) => type === 'charge.succeeded')?.data.object
  return charge && 'id' in charge ? String(charge.id) : ''
}

test('disputed amounts show beside the payment, and in the revenue what is not counted because of them [LOOK-08, FIX-33]', async () => {
  const { provider } = site.app
  const admin = await site.app.makeAdmin()
  const tenant = await site.app.makeTenant()
  const submitted = { submittedAt: '2026-03-04T17:00:00.000Z' }
  const lost = await site.app.makeApplication(tenant, submitted)
  const open = await site.app.makeApplication(tenant, submitted)
  const charges = [await payByCard(tenant, lost.id), await payByCard(tenant, open.id)]
  const notes = () => [...document.querySelectorAll('p, span')].map(note => note.textContent)
  await openScreen(site.app, '/admin/revenue', admin)
  await says('$1,030.00')
  expect(notes().filter(note => note.includes('dispute'))).toEqual([])

  provider.closeDispute(provider.openDispute(charges[0] ?? '').id, 'lost')
  provider.openDispute(charges[1] ?? '', { amount: 206_00 })
  await provider.deliverDue()
  await openScreen(site.app, '/admin/revenue', admin)
  await says('1 payment in dispute: $206.00 not counted')
  await says('1 payment lost in a dispute: $515.00 not counted')
  await openScreen(site.app, '/admin/dashboard', admin)
  const board = await screen.findByRole('region', { name: 'Notices' })
  expect(board.textContent).toMatch(
    /A card payment of \$[\d.]+ is disputed \(APP-.*Respond at the card provider by/,
  )

  await openScreen(site.app, `/admin/application/${open.id}`, admin)
  const recent = await screen.findByRole('table', { name: 'Recent payments' })
  await waitFor(() =>
    expect(within(recent).getAllByRole('row')[1]?.textContent).toContain('$206.00 disputed'),
  )
})
