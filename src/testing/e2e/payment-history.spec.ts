import type { Page } from '@playwright/test'
import { formatMomentDate } from '../../domain/common/dates.ts'
import { call, makeTenant, signIn } from './accounts.ts'
import { day } from './applications.ts'
import { makeLease, openCheckout, payByCard, recordPayment } from './leases.ts'
import { expect, type Site, test } from './site.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Payment history' })
const rows = (page: Page) => table(page).getByRole('row')
const main = (page: Page) => page.locator('main')
const shown = (iso: string) => formatMomentDate(iso, 'America/New_York')

async function signInNew(page: Page, site: Site): Promise<string> {
  return signIn(page, site, await makeTenant(site))
}

test('the history lists and adds up payments, of one application or all, on a phone as cards of a few lines [HIST-01, HIST-02, HIST-03, HIST-04, HIST-06, HIST-09]', async ({
  page,
  site,
}) => {
  const token = await signInNew(page, site)
  const { id } = await makeLease(site, token)
  await payByCard(site, token, { id, cents: 50_000, type: 'deposit' })
  await recordPayment(site, id, { amount: 123_456, paymentDate: day(-40), checkNumber: '1042' })
  await openCheckout(site, token, { id, cents: 99_900, type: 'rent' })
  const { payments } = await call(site, 'GET', '/api/payment/history', { token })
  const card = payments.find(
    ({ method, status }: Record<string, string>) => method === 'card' && status === 'succeeded',
  )
  await page.goto('/payment/history')
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Payment Type',
    'Date',
    'Amount',
    'Status',
    'Transaction ID',
    'Receipt',
  ])
  await expect(rows(page)).toHaveCount(4)
  const reference = card.stripePaymentIntentId.slice(-8)
  await expect(rows(page).filter({ hasText: 'Deposit' })).toContainText(
    new RegExp(`${shown(card.paidAt)}.*\\$500\\.00.*Succeeded.*${reference}`),
  )
  await expect(rows(page).filter({ hasText: 'Check 1042' })).toContainText(
    new RegExp(`${shown(`${day(-40)}T17:00:00Z`)}.*\\$1,234\\.56.*Succeeded.*N/A`),
  )
  await expect(rows(page).filter({ hasText: 'Pending' })).toContainText(
    /\$999\.00.*Started, not finished\..*N\/A/,
  )
  for (const text of ['Total payments2', 'Total amount$1,734.56', 'Successful2'])
    await expect(main(page)).toContainText(text)

  const downloading = page.waitForEvent('download')
  await rows(page)
    .filter({ hasText: 'Deposit' })
    .getByRole('button', { name: /^Download receipt/ })
    .click()
  expect((await downloading).suggestedFilename()).toBe(`receipt-${card.paidAt.slice(0, 10)}.pdf`)
  await expect(rows(page).filter({ hasText: 'Pending' }).getByRole('button')).toHaveCount(0)

  const second = await makeLease(site, token)
  await recordPayment(site, second.id, { amount: 22_200, checkNumber: '77' })
  await page.goto(`/payment/history?applicationId=${second.id}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(table(page)).toContainText('$222.00')
  await expect(main(page)).toContainText('Total amount$222.00')

  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/payment/history')
  await expect(rows(page)).toHaveCount(4)
  const topOf = async (text: string) => (await main(page).getByText(text, { exact: true }).boundingBox())?.y
  expect(await topOf('Total payments')).toBe(await topOf('Successful'))
  const check77 = rows(page).filter({ hasText: 'Check 77' })
  expect((await check77.boundingBox())?.height).toBeLessThan(170)
})
