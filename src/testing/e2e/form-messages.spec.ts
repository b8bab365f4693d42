import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { call, makeTenant, signIn, signInAsAdmin } from './accounts.ts'
import { freeStay, showApplicationAs } from './applications.ts'
import { makeLease, scan } from './leases.ts'
import { expect, type Site, test } from './site.ts'

const alert = '[role=alert]'
const notifications = (page: Page) => page.getByLabel('Notifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(new RegExp(`^${label}`)).fill(value)
}

async function fillRate(form: Locator) {
  await form.getByLabel('Period Name').fill('Spring')
  await form.getByLabel('Start Date').fill('2030-03-01')
  await form.getByLabel('End Date').fill('2030-04-01')
  await form.getByLabel('Monthly Rate').fill('2000')
}

test('an upload that fails with an unreadable response is reported [LOOK-33]', async ({ page, site }) => {
  await withLease(page, site)
  await page.goto('/lease')
  for (const body of ['null', '{"error":""}', '{"error":7}', '<html>', '']) {
    await page.route('**/api/lease/upload-signed', route => route.fulfill({ status: 400, body }))
    await chooseScan(page)
    await button(page, 'Upload Signed Lease').click()
    await expect(page.getByRole('region', { name: 'Signed lease' })).toContainText(
      'Failed to upload signed lease',
    )
    await button(page, 'Cancel').click()
    await page.unrouteAll()
  }
})

test('an edit in progress keeps the focus when the lease is signed elsewhere [LOOK-34]', async ({
  page,
  site,
}) => {
  await page.clock.install()
  let leaseSigned = false
  await showApplicationAs(page, () => ({ leaseSigned }))
  const { id } = await withLease(page, site)
  await page.goto(`/application/${id}`)
  const personal = page.getByRole('region', { name: 'Personal Information' })
  await personal.getByRole('button', { name: 'Edit' }).click()
  const city = personal.getByLabel('City')
  await page.clock.runFor(100)
  await city.fill('Pensacola')
  leaseSigned = true
  await page.clock.runFor(15_000)
  await expect(personal).toContainText('The lease is signed')
  await page.clock.runFor(100)
  await expect(city).toBeFocused()
})

/** Signs in a new tenant with a generated lease. */
async function withLease(page: Page, site: Site) {
  const token = await signIn(page, site, await makeTenant(site))
  return { token, ...(await makeLease(site, token)) }
}

const chooseScan = (page: Page, file: string | ReturnType<typeof scan> = scan()) =>
  page.getByLabel('Signed lease', { exact: true }).and(page.locator('input')).setInputFiles(file)

const endSession = (site: Site, token: string) => call(site, 'POST', '/api/auth/logout', { token })

const expired = 'Your session has ended. Please log in again.'

/** Checks immediately, because a toast would disappear shortly afterwards. */
async function expectNoToast(page: Page) {
  expect(await notifications(page).textContent()).toBe('')
}

/** Expects the message on the login screen, and nowhere else. */
async function expectShownOnce(page: Page, path: string) {
  await expect(page).toHaveURL(path)
  await expect(page.getByText(expired)).toHaveCount(1)
  await expectNoToast(page)
  await expect(page.locator(alert)).toHaveCount(0)
}

test('saving an edit in an ended session shows one message, on the login screen [LOOK-35]', async ({
  page,
  site,
}) => {
  const { token, id } = await withLease(page, site)
  await page.goto(`/application/${id}`)
  await page
    .getByRole('region', { name: 'Personal Information' })
    .getByRole('button', { name: 'Edit' })
    .click()
  await endSession(site, token)
  await button(page, 'Save').click()
  await expectShownOnce(page, '/login')
})

test('submitting an application in an ended session shows one message and keeps the input for the next login [LOOK-35]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  await page.goto('/application')
  const main = page.getByRole('main')
  const { requestedStartDate, requestedEndDate } = freeStay()
  await main.getByLabel('Desired lease start date').fill(requestedStartDate)
  await main.getByLabel('Desired lease end date').fill(requestedEndDate)
  await main.getByLabel('Phone').fill('(850) 555-0142')
  await main.getByLabel('Street address').fill('12 Pine Street')
  await main.getByLabel('City').fill('Mobile')
  await main.getByLabel('State').selectOption('AL')
  await main.getByLabel('ZIP code').fill('36602')
  await endSession(site, token)
  await button(page, 'Submit Application').click()
  await expectShownOnce(page, '/login')
  await signIn(page, site, account)
  await page.goto('/application')
  await expect(main.getByLabel('Street address')).toHaveValue('12 Pine Street')
})

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
  await expectShownOnce(page, '/login')
})

test('a payment, a rate and a day change in an ended session each show one message [LOOK-35]', async ({
  page,
  site,
}) => {
  const { token, id } = await withLease(page, site)
  await page.goto(`/payment?applicationId=${id}`)
  await expect(page.getByRole('button', { name: /^Proceed to Payment/ })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await endSession(site, token)
  await page.getByRole('button', { name: /^Proceed to Payment/ }).click()
  await expect(page.getByText('Please log in to access payments')).toBeVisible()
  await expectNoToast(page)

  const owner = await signInAsAdmin(page, site)
  await page.goto('/admin/rates')
  await button(page, 'Add Rate').first().click()
  const form = page.getByRole('region', { name: 'Add Rate' })
  await fillRate(form)
  await endSession(site, owner)
  await form.getByRole('button', { name: 'Create Rate' }).click()
  await expectShownOnce(page, '/admin/login')

  const ownerAgain = await signInAsAdmin(page, site)
  await page.goto('/admin/availability')
  const free = page.getByRole('gridcell', { name: /Available$/ }).last()
  await expect(free).toBeVisible()
  await endSession(site, ownerAgain)
  await free.dblclick()
  await expectShownOnce(page, '/admin/login')
})

test('an upload in an ended session shows one message, in place of the screen [LOOK-35]', async ({
  page,
  site,
}) => {
  const { token } = await withLease(page, site)
  await page.goto('/lease')
  await chooseScan(page)
  await expect(notifications(page)).toHaveText('File selected successfully')
  await expect(notifications(page)).toHaveText('')
  await endSession(site, token)
  await button(page, 'Upload Signed Lease').click()
  await expect(page.getByText('Please log in to access your lease')).toBeVisible()
  await expectNoToast(page)
})

for (const [tab, submit] of [
  ['Change Password', 'Change Password'],
  ['Profile', 'Save Profile'],
] as const) {
  test(`saving settings in an ended session on a public page shows one message: ${tab} [LOOK-35]`, async ({
    page,
    site,
  }) => {
    const account = await makeTenant(site)
    const token = await signIn(page, site, account)
    await page.goto('/contact')
    await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    await dialog.getByRole('tab', { name: tab }).click()
    await page.waitForLoadState('networkidle')
    if (tab === 'Change Password')
      await fill(page, {
        'Current password': account.password,
        'New password': 'driftwood',
        'Confirm password': 'driftwood',
      })
    await endSession(site, token)
    await dialog.getByRole('button', { name: submit }).click()
    await expect(notifications(page)).toHaveText(expired)
    await expect(dialog).toBeHidden()
  })
}

test('an invalid file shows its message only at the file field [LOOK-35]', async ({
  page,
  site,
}, testInfo) => {
  await withLease(page, site)
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
})
