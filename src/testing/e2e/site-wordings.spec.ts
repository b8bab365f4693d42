import type { Page } from '@playwright/test'
import { signInAsAdmin } from './accounts.ts'
import { openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
test('emails and the lease are previewed', async ({ page, site }) => {
  await test.step('an email is previewed while it is typed, with placeholders at the cursor [LTEXT-07, LOOK-54]', async () => {
    // Scripts cannot run in the preview frame, so the session cannot be set by an init script.
    await signInAsAdmin(page, site)
    await page.goto('/admin/site/documents')
    await page.getByLabel('Document or email').selectOption('Lease ready to sign')
    await page.reload()
    const title = page.getByLabel(/^Title/)
    const mail = page.frameLocator('iframe[title="The mail"]')
    await expect(mail.getByRole('heading', { name: 'Your lease is ready' })).toBeVisible()
    await expectAccessible(page)

    await title.fill('Welcome, ')
    await button(page, 'First name').click()
    await expect(title).toHaveValue('Welcome, {{firstName}}')
    await expect(title).toBeFocused()
    await expect(mail.getByRole('heading', { name: 'Welcome, Anna' })).toBeVisible()
    await title.fill(`${'x'.repeat(121)}`)
    await expect(page.getByText('As it was before: Title can be at most 120')).toBeVisible()
    await expect(mail.getByRole('heading', { name: 'Welcome, Anna' })).toBeVisible()
  })
  await test.step('the lease preview opens as a PDF in a new tab, or shows the error in the text [LTEXT-06]', async () => {
    await openAsAdmin(page, site, '/admin/site/documents')
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
})
