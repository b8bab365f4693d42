import { failCall, makeTenant, signIn } from './accounts.ts'
import { decide, makeApplication, watchCalls } from './applications.ts'
import { expect, test } from './site.ts'

test('the list refreshes every 10 seconds [DASH-07]', async ({ page, site }) => {
  await page.clock.install()
  const token = await signIn(page, site, await makeTenant(site))
  const id = await makeApplication(site, token, 'pending')
  await page.goto('/dashboard')
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible()
  await decide(site, id, 'approved')
  const calls = watchCalls(page, 'applications.status')
  await page.clock.runFor(8_000)
  expect(calls).toHaveLength(0)
  await page.clock.runFor(2_000)
  await expect(page.getByText('Approved', { exact: true })).toBeVisible()
  for (const count of [2, 3]) {
    await page.clock.runFor(10_000)
    await expect.poll(() => calls.length).toBe(count)
    await page.waitForTimeout(200)
  }
})

test('the list refreshes with the window’s focus and once after a payment, and a failed refresh is only logged [DASH-08, DASH-09, DASH-10]', async ({
  page,
  site,
}) => {
  const token = await signIn(page, site, await makeTenant(site))
  await page.goto('/dashboard')
  await expect(page.getByText('Ready to Get Started?')).toBeVisible()
  const calls = watchCalls(page, 'applications.status')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(() => calls.length).toBe(1)
  await page.waitForTimeout(300)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => calls.length).toBe(2)

  // Once more after a payment.
  const calledAt: number[] = []
  page.on('request', request => {
    if (request.url().includes('applications.status')) calledAt.push(Date.now())
  })
  await page.evaluate(() => sessionStorage.setItem('paymentSuccessReturn', 'true'))
  await page.goto('/dashboard')
  await expect.poll(() => calledAt.length).toBe(2)
  const [opened = 0, refreshed = 0] = calledAt
  expect(refreshed - opened).toBeGreaterThan(300)
  expect(refreshed - opened).toBeLessThan(2_000)
  await page.waitForTimeout(1_500)
  expect(calledAt).toHaveLength(2)
  expect(await page.evaluate(() => sessionStorage.getItem('paymentSuccessReturn'))).toBeNull()

  // A failed refresh is only logged.
  await makeApplication(site, token, 'pending')
  await page.reload()
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible()
  const logged = page.waitForEvent('console', message => /could not be refreshed/.test(message.text()))
  await failCall(page, 'applications.status', { status: 500 })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await logged
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Notifications')).toHaveText('')
})
