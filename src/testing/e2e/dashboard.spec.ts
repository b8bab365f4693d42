import { formatMomentDate } from '../../domain/common/dates.ts'
import { formatBriefStay, formatShortStay } from '../../domain/common/stay.ts'
import { failCall, makeTenant, signIn, tokenOf } from './accounts.ts'
import { day, decide, freeStay, makeApplication, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

test('a new tenant gets a welcome and a link to the form with the dates chosen earlier [DASH-01, DASH-02, DASH-05, LOOK-44]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site, { firstName: 'Ondine' }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ondine')
  await expect(page.getByText('Ready to Get Started?')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Create Application' }).click()
  await expect(page).toHaveURL('/application')
  await page.goBack()
  await page.getByRole('link', { name: 'New Application' }).click()
  await expect(page).toHaveURL('/application')

  const stay = { start: day(6), end: day(16) }
  await page.evaluate(chosen => sessionStorage.setItem('stay', JSON.stringify(chosen)), stay)
  await page.goto('/dashboard')
  const lead = page.getByRole('region', { name: 'Next step' })
  await expect(lead).toContainText(`Your dates ${formatBriefStay(stay, day(0))} are waiting`)
  await expectAccessible(page)
  await lead.getByRole('link', { name: 'Continue With These Dates' }).click()
  await expect(page).toHaveURL('/application')
  await expect(page.getByLabel('Desired lease start date')).toHaveValue(stay.start)
})

test('the list shows the tenant’s own applications with their status, newest first [DASH-03, DASH-04, DASH-06, DASH-12, STATUS-01, STATUS-03]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  const stranger = await tokenOf(site, await makeTenant(site))
  const states = ['draft', 'pending', 'approved', 'rejected', 'completed'] as const
  const stays = states.map(status => ({ status, ...freeStay() }))
  for (const { status, ...dates } of stays) {
    await makeApplication(site, token, status, dates)
    await makeApplication(site, stranger, 'pending')
  }

  await page.goto('/dashboard')
  const items = page.getByRole('main').getByRole('listitem')
  await expect(items).toHaveCount(5)
  const shown = await items.evaluateAll(list =>
    list.map(item => ({
      title: item.querySelector('h3')?.textContent,
      bar: item.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow'),
    })),
  )
  const titleOf = (stay: (typeof stays)[number]) =>
    formatShortStay({ start: stay.requestedStartDate, end: stay.requestedEndDate })
  expect(shown.map(({ title }) => title)).toEqual(stays.map(titleOf).toReversed())
  expect(shown.map(({ bar }) => bar)).toEqual(['50', '0', '33', '17', '0'])
  const labels = ['Complete', 'Declined', 'Approved', 'Submitted', 'Start']
  for (const [index, label] of labels.entries())
    await expect(items.nth(index).getByText(label, { exact: true })).toBeVisible()
  await expect(items.nth(0).getByText('Complete', { exact: true })).toHaveCSS('color', 'rgb(34, 80, 143)')
  await expect(items.nth(1).getByText('Declined', { exact: true })).toHaveCSS('color', 'rgb(163, 38, 31)')
  for (const [index, label] of [
    [2, 'Approved'],
    [3, 'Submitted'],
  ] as const)
    await expect(items.nth(index).getByText(label, { exact: true })).toHaveCSS('color', 'rgb(29, 100, 68)')
  const today = formatMomentDate(new Date().toISOString(), 'America/New_York')
  await expect(items.nth(3)).toContainText(`Submitted ${today}`)
  await expect(items.nth(4)).toContainText('Not submitted yet')
  await expectAccessible(page)

  await items.nth(3).getByRole('link', { name: 'View Details' }).click()
  await expect(page).toHaveURL(/\/application\/[\w-]{36}$/)
  await expect(page.getByRole('main').getByText(String(shown[3]?.title)).first()).toBeVisible()
})

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
