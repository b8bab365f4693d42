import type { Browser, Page } from '@playwright/test'
import { formatShortStay } from '../../domain/common/stay.ts'
import { buildOffer } from '../build-offer.ts'
import { adminToken, call, mailedLink, makeTenant, tokenOf } from './accounts.ts'
import { chooseIn, failOnly, openAsAdmin } from './admin-pages.ts'
import { day, freeStay, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease } from './leases.ts'
import { admin, expect, type Site, test } from './site.ts'

test.setTimeout(120_000)
// A worker of its own: the stays of a worker’s other tests can pass the three years within which an offer arrives.
test.use({ headless: true })

const phone = { width: 390, height: 844 }

async function onPhone(browser: Browser, site: Site): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, viewport: phone, reducedMotion: 'reduce' })
  return context.newPage()
}

async function visit(page: Page, token: string, path: string) {
  await page.goto('/')
  await page.evaluate(token => localStorage.setItem('token', token), token)
  await page.goto(path)
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** No axe violation, and nothing wider than the window. */
async function expectCalm(page: Page, name: string) {
  await expectAccessible(page)
  expect(await overflow(page), name).toBeLessThanOrEqual(0)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

async function makeOffer(site: Site, overrides: Parameters<typeof buildOffer>[0] = {}) {
  const { requestedEndDate: endDate, requestedStartDate: startDate } = freeStay(14)
  const body = buildOffer({ startDate, endDate, ...overrides })
  const { claim } = await call(site, 'POST', '/api/offer/admin', { token: await adminToken(site), body })
  return claim
}

test('the guest of an offer accepts it on a phone, and a dead link leads to the owner', async ({
  browser,
  site,
}) => {
  const email = 'anna-one@guest.example'
  await makeOffer(site, { email, message: 'We would love to have you back.', guests: 2 })
  const mobile = await onPhone(browser, site)
  await mobile.goto(await mailedLink(site, email, '/offer#'))
  await expect(mobile.getByText(/^This offer ends on /)).toBeVisible()
  await expect(mobile.getByRole('img').first()).toBeVisible()
  await expectCalm(mobile, 'offer-phone')
  await mobile.setViewportSize({ width: 1440, height: 900 })
  await expectCalm(mobile, 'offer-wide')
  await mobile.setViewportSize(phone)
  await mobile.getByRole('button', { name: 'Accept' }).click()
  // The page already says so.
  await expect(mobile.getByRole('dialog')).not.toContainText('After accepting')
  await expectCalm(mobile, 'offer-accept')
  await mobile.getByRole('button', { name: 'Accept and continue' }).click()
  await expect(mobile.getByText('Please type your full name to accept.')).toBeVisible()
  await expectCalm(mobile, 'offer-accept-errors')
  await mobile.getByLabel('Type your full name to accept').fill('Anna Miller')
  await mobile.getByLabel('Phone').fill('(850) 555-0142')
  await mobile.getByLabel('Street address').fill('12 Pine Street')
  await mobile.getByLabel('City').fill('Mobile')
  await mobile.getByLabel('State').selectOption('AL')
  await mobile.getByLabel('ZIP code').fill('36602')
  await mobile.getByRole('button', { name: 'Accept and continue' }).click()
  await expect(mobile.getByText('The dates are yours.')).toBeVisible()
  await expectCalm(mobile, 'offer-accepted')
  await mobile.getByRole('link', { name: 'Set Your Password' }).click()
  await expect(mobile.getByText('Welcome, Anna')).toBeVisible()
  await mobile.getByLabel('New password').fill('sea and sand')
  await mobile.getByLabel('Confirm password').fill('sea and sand')
  await mobile.getByRole('button', { name: 'Set password and continue' }).click()
  await expect(mobile.getByRole('dialog')).toContainText('Lease')
  await expectCalm(mobile, 'offer-lease')
  await mobile.goto('/dashboard')
  const step = mobile.getByRole('region', { name: 'Next step' })
  await expect(step).toContainText(
    /Please sign it and pay the \$500\.00 deposit by .+, or the booking lapses\./,
  )
  await expectCalm(mobile, 'offer-dashboard')
  await mobile.goto('/')
  await mobile.goto('/offer#unknown')
  await expect(mobile.getByText('This link is no longer valid')).toBeVisible()
  await expectCalm(mobile, 'offer-dead')
  await mobile.context().close()
})

const arrival = () => freeStay(14)

/** Fills in the dialog of a new offer. */
async function fillOffer(page: Page, email: string, start: string, end: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Arrival').fill(start)
  await dialog.getByLabel(/^Departure/).fill(end)
  await dialog.getByLabel('First name').fill('Anna')
  await dialog.getByLabel('Last name').fill('Miller')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel(/^Rent/).fill('2000')
  return dialog
}

test('the owner makes an offer, extends it, changes its price, sends it again and withdraws it', async ({
  page,
  site,
}) => {
  const email = 'anna-two@guest.example'
  const { requestedEndDate: end, requestedStartDate: start } = arrival()
  await openAsAdmin(page, site, '/admin/availability')
  await page.getByRole('link', { name: 'Offers' }).click()
  await expect(page.getByRole('region', { name: 'Open', exact: true })).toBeVisible()
  await expectCalm(page, 'offers-first')
  await page.goto('/admin/booking/new')
  await page.getByRole('link', { name: 'Make an Offer' }).click()
  const dialog = await fillOffer(page, email, start, end)
  await expect(dialog.getByText('Total', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Add a line' }).click()
  await dialog.getByLabel('Label').fill('Beach chairs')
  await dialog.getByLabel('Amount').fill('50')
  await expect(dialog.getByText('$2,550.00')).toBeVisible()
  await dialog.getByLabel('A sentence to the guest').fill('See you in the sun')
  await dialog.getByText(/^The email: An offer for you/).click()
  await expect(dialog.getByText(/Hello Anna[\s\S]*See you in the sun[\s\S]*Beach chairs/)).toBeVisible()
  await expectCalm(page, 'make-wide')
  await page.setViewportSize(phone)
  await expectCalm(page, 'make-phone')
  await dialog.getByText('The calendar').click()
  await expectCalm(page, 'make-calendar')
  const made = page.waitForRequest(/offers\.make/)
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  // The sums that were shown.
  expect((await made).postData()).toContain('"totalCents":205000,"depositCents":50000')
  await expect(page.getByText('Offer sent')).toBeVisible()
  await expect(page.getByText(/^Ends in 3 days/)).toBeVisible()
  await expectCalm(page, 'offers-phone')
  await page.setViewportSize({ width: 768, height: 1024 })
  await expectCalm(page, 'offers-768')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectCalm(page, 'offers-wide')

  await page.getByRole('button', { name: 'Extend: Anna Miller' }).first().click()
  await expectCalm(page, 'extend')
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect(page.getByText('Offer extended')).toBeVisible()
  for (const [action, done] of [
    ['Change Price', 'Offer changed'],
    ['Send Again', 'Offer sent'],
    ['Withdraw', 'Offer withdrawn'],
  ] as const) {
    const row = page.getByRole('listitem').filter({ hasText: formatShortStay({ start, end }) })
    await row.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
    if (action === 'Change Price') await page.getByLabel(/^Rent/).fill('1800')
    if (action === 'Withdraw') await page.getByLabel('Reason').fill('The roof leaks')
    await expectCalm(page, action)
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
    await expect(page.getByText(done).first()).toBeVisible()
    if (action === 'Change Price') await expect(row).toContainText('$1,850.00')
  }
  await page.getByRole('link', { name: 'Ended' }).click()
  await expect(page.getByText(/^Withdrawn, /).first()).toBeVisible()
  await expectCalm(page, 'offers-ended')
})

test('a stay is promised from its menu, its tenant is asked and accepts in two', async ({
  browser,
  page,
  site,
}) => {
  const token = await tokenOf(site, await makeTenant(site))
  const { id } = await makeLease(site, token, {}, { rentalAmount: 2500 })
  await openAsAdmin(page, site, `/admin/application/${id}`)
  const status = page.getByRole('region', { name: 'Application Status' })
  await expect(status).toBeVisible()
  await expectCalm(page, 'booking')
  await chooseIn(status, 'Same Again Next Year')
  await expect(page.getByText('As in the last lease: there is no rate yet.')).toBeVisible()
  await expectCalm(page, 'same-again')
  await page.getByRole('button', { name: 'Promise These Dates' }).click()
  await expect(page.getByText('Dates promised')).toBeVisible()
  await expect(page).toHaveURL('/admin/offers?show=promised')
  await expect(page.getByText(/^Promised until /)).toBeVisible()
  await page.goBack()
  await chooseIn(status, 'Same Again Next Year')
  await expect(page.getByText(/^These dates are promised to Maya Rivers until /)).toBeVisible()
  await page.goto('/admin/offers?show=promised')
  await expect(page.getByText(/^Promised until /)).toBeVisible()
  await expectCalm(page, 'promised')
  await page.getByRole('button', { name: 'Ask Now: Maya Rivers' }).click()
  await page.getByRole('button', { name: 'Ask Now', exact: true }).click()
  await expect(page.getByText('Asked for an answer')).toBeVisible()
  await expectCalm(page, 'asked')

  const mobile = await onPhone(browser, site)
  await visit(mobile, token, '/dashboard')
  await expect(mobile.getByText(/^Please answer by /)).toBeVisible()
  await expectCalm(mobile, 'tenant-phone')
  await mobile.setViewportSize({ width: 1440, height: 900 })
  await expectCalm(mobile, 'tenant-wide')
  await mobile.setViewportSize(phone)
  await mobile.getByRole('button', { name: 'Accept', exact: true }).click()
  await expectCalm(mobile, 'tenant-accept')
  await mobile.getByRole('button', { name: 'Accept and Go to the Lease' }).click()
  await expect(mobile).toHaveURL(/\/application\/[\w-]+/)
  await expect(mobile.getByRole('dialog')).toContainText('Lease')
  await mobile.context().close()
})

test('held and promised nights stand in the calendar, needs are told, and the hours of an offer are saved', async ({
  page,
  site,
}) => {
  const owner = await adminToken(site)
  const token = await tokenOf(site, await makeTenant(site))
  const { id } = await makeLease(site, token)
  const [start, end] = [day(20), day(27)]
  const dates = { startDate: start, endDate: end, until: day(10) }
  await call(site, 'POST', `/api/offer/admin/again/${id}`, { token: owner, body: dates })
  const held = await makeOffer(site, { startDate: day(12), endDate: day(18), email: 'ann@guest.example' })
  const other = await tokenOf(site, await makeTenant(site, { firstName: 'Ben', lastName: 'Lee' }))
  const asked = { firstName: 'Ben', lastName: 'Lee', requestedStartDate: start, requestedEndDate: end }
  await makeApplication(site, other, 'pending', asked)
  await openAsAdmin(page, site, '/admin/availability')
  const bar = page.getByRole('link', { name: /^Held for Anna Miller/ }).first()
  await expect(bar).toHaveAttribute('title', /^Held for Anna Miller until .* [AP]M$/)
  await expect(page.getByText('Held for a guest')).toBeVisible()
  for (const [width, name] of [
    [1440, 'wide'],
    [768, '768'],
    [390, 'phone'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expectCalm(page, `availability-${name}`)
  }
  await expect(page.getByRole('link', { name: /^Promised to/ }).first()).toHaveAttribute(
    'title',
    /, to answer$/,
  )
  await bar.click()
  await expect(page).toHaveURL('/admin/offers')
  await call(site, 'POST', `/api/offer/admin/${held.id}/withdraw`, { token: owner, body: {} })

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/admin/dashboard')
  const needs = page.getByRole('region', { name: 'Needs you' })
  await expect(needs).toBeVisible()
  const more = needs.getByRole('button', { name: /^Show \d+ more/ })
  if (await more.isVisible()) await more.click()
  await expect(needs).toContainText('Ben Lee asks for dates promised to Maya Rivers')
  await page.goto('/admin/rates/stay-rules')
  await page.getByRole('button', { name: 'Edit: Offers' }).click()
  await page.getByLabel('Hours of an offer').fill('0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Please enter a whole number from 1 to 720')).toBeVisible()
  await expectCalm(page, 'settings')
  await page.getByLabel('Hours of an offer').fill('48')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('48 hours')).toBeVisible()
})

test('the owner reads why the offers are not there, and tries again', async ({ page, site }) => {
  await failOnly(page, 'offers.adminList')
  await openAsAdmin(page, site, '/admin/offers')
  await expect(page.getByText('Failed to load offers')).toBeVisible()
  await expectCalm(page, 'offers-failed')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('link', { name: /^Promised/ }).click()
  await expect(page.getByRole('region', { name: 'Promised' })).toBeVisible()
})

test.describe('on a clock that goes on', () => {
  test.use({ siteEnv: { CLOCK_OFFSET: '1m' } })

  test('an offer to a former tenant is made from the booking, extended, accepted with two presses and a typed name, lapses, and is booked all the same when money comes too late [CLAIM-16, CLAIM-18, CLAIM-26, CLAIM-27]', async ({
    browser,
    page,
    site,
  }) => {
    const account = await makeTenant(site)
    const token = await tokenOf(site, account)
    const { id } = await makeLease(site, token)
    const { requestedEndDate: end, requestedStartDate: start } = freeStay(14)
    await openAsAdmin(page, site, `/admin/application/${id}`)
    const status = page.getByRole('region', { name: 'Application Status' })
    await status.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Make an Offer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Arrival').fill(start)
    await dialog.getByLabel(/^Departure/).fill(end)
    await dialog.getByLabel(/^Rent/).fill('2000')
    await expect(dialog.getByText('Total', { exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: 'Send Offer' }).click()
    await expect(page.getByText('Offer sent')).toBeVisible()
    await page.getByRole('button', { name: 'Extend: Maya Rivers' }).click()
    await page.getByRole('button', { name: 'Extend', exact: true }).click()
    await expect(page.getByText('Offer extended')).toBeVisible()

    const mobile = await onPhone(browser, site)
    const link = await mailedLink(site, account.email, '/offer#')
    await mobile.goto(link)
    await mobile.getByRole('button', { name: 'Accept' }).click()
    await mobile.getByLabel('Type your full name to accept').fill('Maya Rivers')
    await mobile.getByRole('button', { name: 'Accept and continue' }).click()
    await expect(mobile.getByText('The dates are yours.')).toBeVisible()
    await page.goto('/admin/dashboard')
    await expect(page.getByRole('region', { name: 'Needs you' })).toContainText(
      'Maya Rivers accepted your offer',
    )
    await expectCalm(page, 'needs-you')

    await site.restart({ CLOCK_OFFSET: '5d' })
    await mobile.goto('/')
    await mobile.goto(link)
    await expect(
      mobile.getByText('The time to sign and pay is over, and the booking has lapsed.'),
    ).toBeVisible()
    await expectCalm(mobile, 'offer-lapsed')
    await mobile.context().close()
    const { claims } = await call(site, 'GET', '/api/offer/admin', { token: await tokenOf(site, admin) })
    const applicationId = claims[0].acceptedApplicationId
    // The deposit comes by check, after the lapse.
    const body = { amount: 50_000, paymentType: 'deposit', paymentDate: day(5), applicationId }
    await call(site, 'POST', '/api/payment/admin/manual-payment', { token: await tokenOf(site, admin), body })
    await openAsAdmin(page, site, '/admin/dashboard')
    const notices = page.getByRole('region', { name: 'Notices' })
    await expect(notices).toContainText('Paid after the offer ended: $500.00')
    await expect(notices.getByRole('link', { name: 'Give It Back' })).toHaveAttribute('href', /#give-back$/)
    await expectCalm(page, 'paid-late')
    await notices.getByRole('link', { name: 'Book All the Same' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve/ })
      .click()
    await expect(page.getByText('Application status updated')).toBeVisible()
    await page.goto('/admin/offers?show=ended')
    await expect(page.getByText(/^Lapsed, /)).toBeVisible()
  })
})
