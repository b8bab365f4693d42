import { bookInBrowser } from './book.ts'
import { admin, expect, test, withMotion } from './site.ts'

test.setTimeout(120_000)
// A separate site, so that its revenue comes only from this booking.
test.use({ siteEnv: { COMPANY_NAME: 'Journey Test Rentals' }, ...withMotion })

test('a visitor can complete a booking in the browser, from the first visit to Booking Complete', async ({
  browser,
  page,
  site,
}) => {
  const office = await browser.newPage({ baseURL: site.url })
  await office.goto('/admin/login')
  await office.getByLabel('Email').fill(admin.email)
  await office.getByLabel(/^Password/).fill(admin.password)
  await office.getByRole('button', { name: 'Log in' }).click()
  await expect(office).toHaveURL('/admin/dashboard')
  const { applicationUrl, email, id } = await bookInBrowser(page, office)
  await expect(page.getByText('Payment receipt sent to your email!')).toBeVisible()
  const mailbox = await browser.newPage({ baseURL: site.url })
  await expect(async () => {
    await mailbox.goto('/sandbox/mailbox')
    const mine = mailbox
      .getByRole('link')
      .filter({ hasText: email })
      .filter({ hasText: /receipt/i })
    await expect(mine).toHaveCount(1)
  }).toPass({ timeout: 20_000 })

  // The owner records the rent as a check, sees it to the cent, and completes the booking.
  await office.reload()
  await office.getByRole('button', { name: /manual payment/i }).click()
  const manual = office.getByRole('dialog')
  await manual.getByLabel(/amount/i).fill('2750.50')
  await manual.getByLabel(/type/i).selectOption('rent')
  await manual.getByLabel(/check number/i).fill('1042')
  await manual.getByRole('button', { name: /add payment|save|record/i }).click()
  await expect(office.getByText('Manual payment added successfully!')).toBeVisible()
  await office.getByRole('link', { name: 'Revenue' }).click()
  await expect(office.getByRole('main')).toContainText('$3,265.50')
  await expect(office.getByRole('main')).toContainText('$3,250.50')
  await office.goto(`/admin/application/${id}`)
  await office.getByRole('button', { name: 'Confirm booking' }).click()
  await office.getByRole('dialog').getByRole('button', { name: 'Confirm booking' }).click()
  await expect(office.getByText('Application status updated')).toBeVisible()

  await page.goto(applicationUrl)
  await expect(page.getByText('Booking Complete')).toBeVisible()
  await expect(page.getByText('6 of 6 steps · 100%')).toBeVisible()

  // A restart keeps every record, file and session.
  await site.restart()
  await page.goto(applicationUrl)
  await expect(page.getByText('Booking Complete')).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const signed = await fetch(`${site.url}/api/lease/view-signed/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(
    Buffer.from(await signed.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})
