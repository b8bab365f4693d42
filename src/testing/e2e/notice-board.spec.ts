import type { Page } from '@playwright/test'
import { Stripe } from 'stripe'
import { failCall } from './accounts.ts'
import { apply, failOnly, notifications, openAsAdmin } from './admin-pages.ts'
import { day } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

const webhookSecret = 'whsec_of_the_notice_board'
test.use({ siteEnv: { STRIPE_WEBHOOK_SECRET: webhookSecret } })

const board = (page: Page) => page.getByRole('region', { name: 'Notices' })

/** Delivers a card provider event about a charge that this site does not know. */
async function deliverStrangeEvent(site: Site, id: string) {
  const charge = { id: 'ch_1', object: 'charge', payment_intent: 'pi_of_nobody', currency: 'usd' }
  const payload = JSON.stringify({
    id,
    object: 'event',
    type: 'charge.refunded',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: charge },
  })
  const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
  })
  const response = await fetch(`${site.url}/api/payment/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  expect(response.status).toBe(200)
}

const needs = (page: Page) => page.getByRole('region', { name: 'Needs you' })

test('the notices and tasks of the dashboard', async ({ page, site }) => {
  await test.step('without notices one line says so; a quarantined payment event shows until the owner dismisses it', async () => {
    await openAsAdmin(page, site, '/admin/dashboard')
    await expect(page.getByText('Nothing needs you today.')).toBeVisible()
    await expect(needs(page)).toHaveCount(0)
    await expect(page.getByText('Total applications')).toBeVisible()
    await expect(page.getByText('Loading...')).toHaveCount(0)
    await expect(board(page)).toHaveCount(0)

    await deliverStrangeEvent(site, 'evt_strange')
    await page.reload()
    await expect(board(page)).toContainText('A payment event did not fit and was set aside (charge.refunded)')
    await expect(board(page)).toContainText('No payment here belongs to this charge. Look up evt_strange')
    await expectAccessible(page)
    await failCall(page, 'payments.dismissQuarantined', { status: 500 })
    await board(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(notifications(page).getByText('Failed to dismiss')).toBeVisible()
    await page.unrouteAll()
    await board(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(board(page)).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('Total applications')).toBeVisible()
    await expect(board(page)).toHaveCount(0)
  })
  await test.step('on a small phone several buttons leave the title room', async () => {
    await deliverStrangeEvent(site, 'evt_other')
    await page.route(/notices\.list/, async route => {
      const answer = await (await route.fetch()).text()
      const twoButtons = '"kind":"failed_mail","canRetry":true,"outboxId":"evt_other"'
      await route.fulfill({
        body: answer.replace(/"kind":"dismiss_event","eventId":"evt_other"/, twoButtons),
      })
    })
    await page.setViewportSize({ width: 320, height: 700 })
    await page.reload()
    await expect(board(page).getByRole('button', { name: 'Send Again' })).toBeVisible()
    const title = board(page).getByText('A payment event did not fit')
    expect((await title.boundingBox())?.width).toBeGreaterThan(200)
    await page.unrouteAll()
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.reload()
    await board(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(board(page)).toHaveCount(0)
  })
  await test.step("lists what needs the owner's attention with one action each, and the arrivals", async () => {
    await failOnly(page, 'notices.ownerDay')
    const soon = { requestedStartDate: day(2), requestedEndDate: day(9) }
    const pending = await apply(site, 'pending', { lastName: 'Answerme' })
    await apply(site, 'approved', { lastName: 'Arriving', ...soon })
    await openAsAdmin(page, site, '/admin/dashboard')
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to load today’s tasks' })
    await expect(failure).toBeVisible()
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try Again' }).click()
    await expect(
      needs(page).getByRole('listitem').filter({ hasText: 'Arriving needs a lease' }),
    ).toBeVisible()
    const arrivals = page.getByRole('region', { name: 'Arrivals and departures' })
    await expect(arrivals).toContainText('Maya Arriving arrives')
    await expectAccessible(page)
    const first = needs(page).getByRole('listitem').first()
    await expect(first).toContainText('is waiting for your answer')
    await needs(page).getByRole('link', { name: 'Decide: Maya Answerme is waiting for your answer' }).click()
    await expect(page).toHaveURL(`/admin/application/${pending.id}`)
  })
})
