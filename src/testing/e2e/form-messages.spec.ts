import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { call, makeTenant, signIn } from './accounts.ts'
import { makeLease, scan } from './leases.ts'
import { expect, type Site, test } from './site.ts'

const notifications = (page: Page) => page.getByLabel('Notifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const endSession = (site: Site, token: string) => call(site, 'POST', '/api/auth/logout', { token })
const chooseScan = (page: Page, file: string | ReturnType<typeof scan> = scan()) =>
  page.getByLabel('Signed lease', { exact: true }).and(page.locator('input')).setInputFiles(file)

/** Checks immediately, because a toast would disappear shortly afterwards. */
async function expectNoToast(page: Page) {
  expect(await notifications(page).textContent()).toBe('')
}

/** Signs in a new tenant with a generated lease. */
async function withLease(page: Page, site: Site) {
  const token = await signIn(page, site, await makeTenant(site))
  return { token, ...(await makeLease(site, token)) }
}

test('signing a lease in an ended session shows one message, on the login screen [LOOK-35]', async ({
  page,
  site,
}) => {
  const { token, id } = await withLease(page, site)
  await page.goto(`/application/${id}`)
  await page
    .getByRole('region', { name: 'Lease Agreement', exact: true })
    .getByRole('button', { name: 'Sign Lease' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Sign Lease' })
  await dialog.getByLabel('Your full name').fill('Maya Rivers')
  await dialog.getByRole('checkbox').check()
  await endSession(site, token)
  await dialog.getByRole('button', { name: 'Sign Lease' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your session has ended. Please log in again.')).toHaveCount(1)
  await expectNoToast(page)
  await expect(page.locator('[role=alert]')).toHaveCount(0)
})

test('an upload shows one message for an invalid file, an unreadable response and an ended session [LOOK-33, LOOK-35]', async ({
  page,
  site,
}, testInfo) => {
  const { token } = await withLease(page, site)
  await page.goto('/lease')
  const box = page.getByRole('region', { name: 'Signed lease' })
  // As a file on disk, because passing this many bytes to the browser is slow.
  const tooLarge = testInfo.outputPath('long.pdf')
  await writeFile(tooLarge, Buffer.alloc(10_485_761))
  const wrongs = [
    [undefined, 'Please select a file to upload'],
    [
      { name: 'lease.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
      'Please upload a PDF, JPEG, or PNG file',
    ],
    [tooLarge, 'File size must be less than 10MB'],
  ] as const
  for (const [file, sentence] of wrongs) {
    if (file) await chooseScan(page, file)
    else await button(page, 'Upload Signed Lease').click()
    await expect(box.getByText(sentence)).toHaveCount(1)
    await expectNoToast(page)
  }
  for (const body of ['null', '{"error":""}', '{"error":7}', '<html>', '']) {
    await page.route('**/api/lease/upload-signed', route => route.fulfill({ status: 400, body }))
    await chooseScan(page)
    await button(page, 'Upload Signed Lease').click()
    await expect(box).toContainText('Failed to upload signed lease')
    await button(page, 'Cancel').click()
    await page.unrouteAll()
  }
  await page.reload()
  await chooseScan(page)
  await expect(notifications(page)).toHaveText('File selected successfully')
  await expect(notifications(page)).toHaveText('')
  await endSession(site, token)
  await button(page, 'Upload Signed Lease').click()
  await expect(page.getByText('Please log in to access your lease')).toBeVisible()
  await expectNoToast(page)
})
