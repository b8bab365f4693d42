import type { Page } from '@playwright/test'
import { failCall, signInAsAdmin } from './accounts.ts'
import { asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

const api = '/api/site/admin/wordings'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const saved = (page: Page) => page.getByText('Saved', { exact: true })
const versions = (page: Page) => page.getByRole('region', { name: 'Earlier versions' }).getByRole('listitem')

test('editing the lease wording shows each error with its line, keeps unsaved text across a reload, and asks which version to keep in a conflict [LTEXT-01, LTEXT-02]', async ({
  page,
  site,
}) => {
  await openAsAdmin(page, site, '/admin/site/lease')
  const text = page.getByLabel('Text of the lease')
  await expect(page.getByText('Used for leases that are generated from now on.')).toBeVisible()
  await expect(page.getByText('Nothing has been saved yet.')).toBeVisible()
  const shipped = await text.inputValue()

  await text.fill(`Pets: none.\nLease of \n\n${shipped.replaceAll('{{deposit}}', 'a deposit')}`)
  await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(21, 21))
  await button(page, 'propertyName').click()
  await expect(text).toHaveValue(/^Pets: none\.\nLease of \{\{propertyName\}\}\n/)
  await page.keyboard.type(' {{')
  await button(page, 'Save wording').click()
  const faults = page.getByRole('alert')
  await expect(faults).toContainText('2 errors to fix before this can be saved:')
  await expect(faults).toContainText('The lease template lacks the placeholder {{deposit}}.')
  await expect(faults).toContainText('Line 2 of the lease template has double braces')
  await expect(faults).toBeFocused()
  await expectAccessible(page)
  await button(page, 'Go to line 2').click()
  await expect(page.getByText(/^Line 2 of \d+$/)).toBeVisible()
  await page.keyboard.type('Lease.')
  await expect(text).toHaveValue(/^Pets: none\.\nLease\.\n\n/)

  await page.reload()
  await expect(page.getByText('These words are not saved yet')).toBeVisible()
  await expect(text).toHaveValue(/^Pets: none\.\nLease\.\n/)
  await text.fill(`Pets: none.\n\n${shipped}`)
  await page.getByLabel('Note (optional)').fill('No pets')
  await button(page, 'Save wording').click()
  await expect(saved(page)).toBeVisible()
  await expect(versions(page)).toHaveCount(1)
  await expect(versions(page)).toContainText('No pets')
  await page.reload()
  await expect(text).toHaveValue(/^Pets: none\.\n/)
  await expect(page.getByText('These words are not saved yet')).toHaveCount(0)

  const { wording } = await asAdmin(site, 'GET', `${api}/lease`)
  await asAdmin(site, 'PUT', `${api}/lease`, {
    version: wording.version,
    body: { text: `Cats: none.\n\n${shipped}` },
  })
  await text.fill(`Dogs: none.\n\n${shipped}`)
  await button(page, 'Save wording').click()
  const clash = page.getByRole('alert')
  await expect(clash).toContainText('This wording was changed by somebody else meanwhile.')
  await expect(clash).toBeFocused()
  const both = page.getByRole('region', { name: 'Both wordings' })
  await expect(both.getByText('Cats', { exact: true })).toBeVisible()
  await expect(both.getByText('Dogs', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Keep mine').click()
  await expect(saved(page)).toBeVisible()
  await expect(versions(page)).toHaveCount(3)
  expect((await asAdmin(site, 'GET', `${api}/lease`)).wording).toMatchObject({ version: 3, shipped: false })

  await button(page, 'Put into the text: version 1').click()
  await expect(text).toHaveValue(/^Pets: none\./)
  await button(page, 'Back to the original').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Back to the original' }).click()
  await expect(saved(page)).toBeVisible()
  await expect(text).toHaveValue(shipped)
  await expect(versions(page).first()).toContainText('The original wording')
})

test('the lease preview opens as a PDF in a new tab, or shows the error in the text [LTEXT-06]', async ({
  page,
  site,
}) => {
  await openAsAdmin(page, site, '/admin/site/lease')
  // The first PDF can take a while on a busy machine.
  const answer = page.waitForResponse('**/api/site/admin/lease-preview', { timeout: 25_000 })
  const popup = page.waitForEvent('popup')
  await button(page, 'Preview as PDF').click()
  expect((await answer).headers()['content-type']).toBe('application/pdf')
  await (await popup).close()
  await page.getByLabel('Text of the lease').fill('{{nothing}}')
  await button(page, 'Preview as PDF').click()
  await expect(page.getByRole('alert')).toContainText('unknown placeholder {{nothing}}')
  expect(page.context().pages()).toHaveLength(1)
})

test('editing a mail wording shows a preview and can send a sample [LTEXT-02, LTEXT-07, LTEXT-10]', async ({
  page,
  site,
}) => {
  // Scripts cannot run in the preview frame, so the session cannot be set by an init script.
  await signInAsAdmin(page, site)
  await page.goto('/admin/site/mails')
  await page.getByLabel('Mail', { exact: true }).selectOption('Lease ready to sign')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Lease ready to sign' })).toBeVisible()
  const title = page.getByLabel(/^Title/)
  const mail = page.frameLocator('iframe[title="The mail"]')
  await expect(mail.getByRole('heading', { name: 'Your lease is ready' })).toBeVisible()
  await expectAccessible(page)

  await title.fill('Welcome, ')
  await button(page, 'firstName').click()
  await expect(title).toHaveValue('Welcome, {{firstName}}')
  await expect(mail.getByRole('heading', { name: 'Welcome, Anna' })).toBeVisible()
  await title.fill(`${'x'.repeat(121)}`)
  await expect(page.getByText('121 of 120 characters')).toBeVisible()
  await button(page, 'Save wording').click()
  await expect(title).toBeFocused()
  await expect(title).toHaveAccessibleDescription(/Title can be at most 120 characters long/)
  await expect(mail.getByRole('heading', { name: 'Welcome, Anna' })).toBeVisible()

  await title.fill('Come in, {{firstName}}')
  await button(page, 'Send it to me').click()
  await expect(notifications(page).getByText(/The sample is on its way to/)).toBeVisible()
  await failCall(page, 'wordings.sendSample', { status: 503, message: 'Mail is not set up.' })
  await button(page, 'Send it to me').click()
  await expect(notifications(page).getByText('Mail is not set up.')).toBeVisible()
  await button(page, 'Save wording').click()
  await expect(saved(page)).toBeVisible()
  await expect(versions(page)).toHaveCount(1)
  expect((await asAdmin(site, 'GET', `${api}/lease-ready`)).wording.body.title).toBe('Come in, {{firstName}}')
})
