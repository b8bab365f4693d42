import type { Browser, Page } from '@playwright/test'
import { buildOffer } from '../build-offer.ts'
import { adminToken, call } from './accounts.ts'
import { freeStay } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

test.setTimeout(120_000)

const phone = { width: 390, height: 844 }

/** The newest link with this start in the mails to an address in the demo's mailbox. */
async function mailedLink({ url }: Site, email: string, start = '/offer#'): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const list = await (await fetch(`${url}/sandbox/mailbox`)).text()
    const rows = list.split('<li').filter(part => part.includes(email))
    for (const href of rows.map(row => /href="(\/sandbox\/mailbox\/[^"]+)"/.exec(row)?.[1]))
      link ??= new RegExp(`${start}[\\w-]+`).exec(await (await fetch(`${url}${href}`)).text())?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 30_000 })
  return link ?? ''
}

async function onPhone(browser: Browser, site: Site): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, viewport: phone, reducedMotion: 'reduce' })
  return context.newPage()
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
  await mobile.goto(await mailedLink(site, email))
  await expect(mobile.getByText(/^This offer ends on /)).toBeVisible()
  await expect(mobile.getByRole('img').first()).toBeVisible()
  await expectCalm(mobile, 'offer-phone')
  await mobile.setViewportSize({ width: 1440, height: 900 })
  await expectCalm(mobile, 'offer-wide')
  await mobile.setViewportSize(phone)
  await mobile.getByRole('button', { name: 'Accept' }).click()
  await expectCalm(mobile, 'offer-accept')
  await mobile.getByRole('button', { name: 'Accept and Go to the Lease' }).click()
  await expect(mobile.getByText('Please type your full name to accept.')).toBeVisible()
  await expectCalm(mobile, 'offer-accept-errors')
  await mobile.getByLabel('Type your full name to accept').fill('Anna Miller')
  await mobile.getByLabel('Phone').fill('(850) 555-0142')
  await mobile.getByLabel('Street address').fill('12 Pine Street')
  await mobile.getByLabel('City').fill('Mobile')
  await mobile.getByLabel('State').selectOption('AL')
  await mobile.getByLabel('ZIP code').fill('36602')
  await mobile.getByRole('button', { name: 'Accept and Go to the Lease' }).click()
  await expect(mobile.getByText('The dates are yours.')).toBeVisible()
  await expectCalm(mobile, 'offer-accepted')
  await mobile.getByRole('link', { name: 'Set Your Password' }).click()
  await expect(mobile.getByText('Welcome, Anna')).toBeVisible()
  await mobile.goto('/')
  await mobile.goto('/offer#unknown')
  await expect(mobile.getByText('This link is no longer valid')).toBeVisible()
  await expectCalm(mobile, 'offer-dead')
  await mobile.context().close()
})
