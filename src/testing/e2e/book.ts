import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { addDays, addMonths, startOfMonth } from '../../domain/common/dates.ts'

/**
 * Books in the browser: a visitor registers and applies, the owner, who is logged in, approves and generates the lease,
 * the tenant signs it and pays the deposit by card at the sandbox.
 */
export async function bookInBrowser(page: Page, office: Page) {
  const email = `maya-${randomUUID().slice(0, 8)}@guest.example`
  const today = new Date().toISOString().slice(0, 10)
  const arrival = startOfMonth(addMonths(today, 3))
  const departure = addDays(arrival, 30)

  // A visitor registers, logs in and applies.
  await page.goto('/')
  await page.getByRole('link', { name: 'APPLY NOW' }).first().click()
  await page.getByLabel('First name').fill('Maya')
  await page.getByLabel('Last name').fill('Rivers')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill('sandcastle')
  await page.getByLabel('Confirm password').fill('sandcastle')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill('sandcastle')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Create Application' }).click()

  const form = page.getByRole('main')
  await form
    .getByLabel(/^First name/i)
    .first()
    .fill('Maya')
  await form
    .getByLabel(/^Last name/i)
    .first()
    .fill('Rivers')
  await form.getByLabel(/phone/i).fill('(850) 555-0123')
  await form.getByLabel(/lease start/i).fill(arrival)
  await form.getByLabel(/lease end/i).fill(departure)
  await form.getByLabel(/street/i).fill('4 Dune Road')
  await form.getByLabel(/city/i).fill('Tallahassee')
  await form.getByLabel(/state/i).selectOption('FL')
  await form.getByLabel(/zip/i).fill('32301')
  await form.getByLabel("Co-applicant's first name").fill('Iván')
  await form.getByLabel("Co-applicant's last name").fill('Σωτήρης')
  for (const [index, name] of ['Lea', 'Sol'].entries()) {
    await form.getByRole('button', { name: /add.*guest/i }).click()
    const guest = form.getByRole('group', { name: new RegExp(`guest ${index + 1}`, 'i') })
    await guest.getByLabel(/first name/i).fill(name)
    await guest.getByLabel(/last name/i).fill('Rivers')
  }
  await page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('Application submitted successfully!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('link', { name: 'View Details' }).click()
  const applicationUrl = page.url()

  // The owner approves the application, sets the terms and generates the lease.
  await office.goto('/admin/dashboard')
  await office
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('link')
    .first()
    .click()
  await office.getByRole('button', { name: 'Approve' }).click()
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /approve/i })
    .click()
  await expect(office.getByText('Application status updated')).toBeVisible()
  await office
    .getByRole('button', { name: /generate lease/i })
    .first()
    .click()
  const terms = office.getByRole('dialog')
  await terms.getByLabel(/rent/i).fill('2750.50')
  await terms.getByLabel(/deposit/i).fill('500')
  await terms.getByRole('button', { name: /generate/i }).click()
  await expect(office.getByRole('dialog')).toHaveCount(0)

  // The tenant reads, downloads and signs the lease with both signatures.
  await page.goto(applicationUrl)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('$2,750.50')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /download/i }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('lease-agreement-Maya-Rivers.pdf')
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.getByRole('region', { name: 'Next step' }).getByRole('button', { name: 'Sign Lease' }).click()
  const signing = page.getByRole('dialog')
  await signing
    .getByLabel(/your full name|^full name|typed name/i)
    .first()
    .fill('Maya Rivers')
  await signing
    .getByLabel(/co-applicant/i)
    .first()
    .fill('Iván Σωτήρης')
  for (const consent of await signing.getByRole('checkbox').all()) await consent.check()
  await signing.getByRole('button', { name: /sign lease/i }).click()
  await expect(page.getByText('Lease signed successfully')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Lease Signed & Uploaded')).toBeVisible()

  // The tenant pays the $500.00 deposit by card, $515.00 with the fee.
  const id = applicationUrl.split('/').at(-1) ?? ''
  await page.goto(`/payment?applicationId=${id}`)
  await page.getByLabel(/^Deposit(?! and)/).check()
  await expect(page.getByText('$515.00').first()).toBeVisible()
  await page.getByRole('button', { name: /^Proceed to Payment/ }).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await expect(page.getByText('$515.00').first()).toBeVisible()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page).toHaveURL(/\/payment\/success\?session_id=/)
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  return { applicationUrl, email, id }
}
