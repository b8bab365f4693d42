import type { Page } from '@playwright/test'
import { type RunningProvider, startProvider } from '../provider.ts'
import { freePort } from '../site-process.ts'
import { call, makeTenant, tokenOf } from './accounts.ts'
import { apply, asAdmin, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, uploadScan } from './leases.ts'
import { test as base, expect, type Site } from './site.ts'

/** A site with a card provider that the test controls, so that it can also act as the payer's bank. */
const test = base.extend<object, { sitePort: number; providerServer: RunningProvider }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  sitePort: [async ({}, use) => use(await freePort()), { scope: 'worker' }],
  providerServer: [
    async ({ sitePort }, use) => {
      const providerServer = await startProvider({
        now: () => new Date(),
        webhookUrl: () => `http://localhost:${sitePort}/api/payment/webhook`,
        webhookSecret: 'whsec_of_the_disputes',
      })
      await use(providerServer)
      await providerServer.close()
    },
    { scope: 'worker' },
  ],
  siteEnv: [
    async ({ sitePort, providerServer }, use) =>
      use({
        PORT: String(sitePort),
        STRIPE_API_BASE: providerServer.url,
        STRIPE_SECRET_KEY: 'sk_test_of_the_disputes',
        STRIPE_WEBHOOK_SECRET: 'whsec_of_the_disputes',
      }),
    { scope: 'worker' },
  ],
})

async function payByCard(
  site: Site,
  { provider }: RunningProvider,
  of?: { id: string; token: string },
): Promise<string> {
  const { id, token } = of ?? (await apply(site, 'approved'))
  const before = new Set(Object.keys(provider.truth()))
  await call(site, 'POST', '/api/payment/create-checkout-session', {
    token,
    body: {
      applicationId: id,
      paymentType: 'rent',
      amount: 500_00,
      creditCardFee: 15_00,
      totalAmount: 515_00,
      description: '',
      successUrl: `${site.url}/payment/success`,
      cancelUrl: `${site.url}/payment/cancel`,
    },
  })
  const session = Object.keys(provider.truth()).find(key => !before.has(key)) ?? ''
  provider.pay(session)
  await provider.deliverDue()
  const paid = provider.events().findLast(({ type }) => type === 'charge.succeeded')
  return String(paid && 'id' in paid.data.object && paid.data.object.id)
}

const total = (page: Page) =>
  page.locator('dl').filter({ has: page.getByText('Total Revenue', { exact: true }) })
const note = (page: Page) => page.getByText(/dispute/)

test('revenue shows which amounts are not counted because of disputes, and the notice board the response deadline [LOOK-08]', async ({
  page,
  site,
  providerServer,
}) => {
  const { provider } = providerServer
  const charges = [
    await payByCard(site, providerServer),
    await payByCard(site, providerServer),
    await payByCard(site, providerServer),
  ]
  await openAsAdmin(page, site, '/admin/revenue')
  await expect(total(page)).toContainText('$1,545.00')
  await expect(note(page)).toHaveCount(0)

  const dispute = provider.openDispute(charges[0] ?? '')
  await provider.deliverDue()
  await page.reload()
  await expect(total(page)).toContainText('$1,030.00')
  await expect(note(page)).toHaveText(['1 payment in dispute: $515.00 not counted'])

  provider.closeDispute(dispute.id, 'lost')
  for (const charge of charges.slice(1)) provider.openDispute(charge)
  await provider.deliverDue()
  await page.reload()
  await expect(total(page)).toContainText('$0.00')
  await expect(note(page)).toHaveText([
    '2 payments in dispute: $1,030.00 not counted',
    '1 payment lost in a dispute: $515.00 not counted',
  ])
  await expectAccessible(page)
  await page.getByLabel('Period', { exact: true }).selectOption('Year')
  await page
    .getByLabel('Year', { exact: true })
    .selectOption(String(Number(new Date().toISOString().slice(0, 4)) - 2))
  await expect(note(page)).toHaveCount(0)

  await page.goto('/admin/dashboard')
  const board = page.getByRole('region', { name: 'Notices' })
  await expect(board.getByText(/^A card payment of \$515\.00 is disputed \(APP-/)).toHaveCount(2)
  await expect(board).toContainText('Respond at the card provider by')
})

test('a dispute shows its own amount beside the payment, and the plan what was returned beyond what was paid [FIX-33, FIX-38]', async ({
  page,
  site,
  providerServer,
}) => {
  const { provider } = providerServer
  const { version } = await asAdmin(site, 'GET', '/api/setup/admin/plan')
  await asAdmin(site, 'PUT', '/api/setup/admin/plan', { version, body: { kind: 'split', splitPercent: 50 } })
  const token = await tokenOf(site, await makeTenant(site))
  const { id } = await makeLease(site, token)
  await uploadScan(site, token, id)
  const charge = await payByCard(site, providerServer, { id, token })
  const dispute = provider.openDispute(charge, { amount: 206_00 })
  await provider.deliverDue()
  await openAsAdmin(page, site, `/admin/application/${id}`)
  const payment = page.getByRole('table', { name: 'Recent payments' }).locator('tbody tr')
  await expect(payment).toContainText('$206.00 disputed')

  provider.closeDispute(dispute.id, 'won')
  await provider.deliverDue()
  const returned = { applicationId: id, kind: 'refund', amount: 300_00, reason: 'A gift' }
  await asAdmin(site, 'POST', '/trpc/payments.recordReturn', returned)
  provider.closeDispute(provider.openDispute(charge).id, 'lost')
  await provider.deliverDue()
  await page.reload()
  const plan = page.getByRole('table', { name: 'Payment plan' }).locator('tbody tr')
  await expect(plan.nth(1)).toContainText('+ $300.00 returned')
  await expect(page.getByText('$3,300.00 is open')).toBeVisible()
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})
