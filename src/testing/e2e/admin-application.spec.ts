import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { addDays } from '../../domain/common/dates.ts'
import { formatNights, formatStay } from '../../domain/common/stay.ts'
import { failCall } from './accounts.ts'
import { apply, asAdmin, chooseIn, notifications, openAsAdmin } from './admin-pages.ts'
import { freeStay, watchCalls } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const personal = (page: Page) => card(page, 'Personal Information')
const status = (page: Page) => card(page, 'Application Status')
const lease = (page: Page) => card(page, 'Lease Information')
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const stayOf = (stay: { requestedStartDate: string; requestedEndDate: string }) =>
  formatStay({ start: stay.requestedStartDate, end: stay.requestedEndDate })

async function openApplication(page: Page, site: Site, id: string) {
  await openAsAdmin(page, site, `/admin/application/${id}`)
  await expect(personal(page)).toBeVisible()
}

/** The distinct top positions of these elements. */
async function topsOf(all: readonly Locator[]): Promise<number[]> {
  const boxes = await Promise.all(all.map(one => one.boundingBox()))
  return [...new Set(boxes.map(box => Math.round(box?.y ?? 0)))]
}

test('the sections of an application are shown, edited and refreshed', async ({ page, site }) => {
  await test.step('edit mode has every field that the edit call accepts, and Cancel discards the changes [ADMAPP-07, ADMAPP-08, ADMAPP-09, ADMAPP-10, ADMAPP-11, LOOK-27]', async () => {
    const { id } = await apply(site)
    await openApplication(page, site, id)
    // The labels of the co-applicant's and the guests' fields have the same endings.
    const field = (label: string) =>
      personal(page)
        .getByLabel(new RegExp(`^${label}`))
        .first()
    await button(personal(page), 'Edit').click()
    await expect(field('First name')).toBeFocused()
    await expect(card(page, 'Additional Guests')).toHaveCount(0)
    for (const name of ['Save', 'Cancel'])
      await expect(button(personal(page), name)).toBeInViewport({ ratio: 1 })
    expect(await topsOf(['City', 'State', 'ZIP code'].map(field))).toHaveLength(1)
    await field('City').fill('Nowhere')
    await expectAccessible(page)
    await button(personal(page), 'Cancel').click()
    await expect(button(personal(page), 'Edit')).toBeFocused()
    await expect(personal(page)).not.toContainText('Nowhere')

    await button(personal(page), 'Edit').click()
    for (const label of ['Rent for the stay', 'Deposit']) {
      await expect(field(label)).toHaveAttribute('step', '0.01')
      await expect(field(label)).toHaveAttribute('min', '0')
    }
    const stay = freeStay()
    const values: [string, string][] = [
      ['First name', 'Mia'],
      ['Last name', 'Rivera'],
      ["Co-applicant's first name", 'Noah'],
      ["Co-applicant's last name", 'Lee'],
      ['Email', 'mia@guest.example'],
      ['Phone', '850 555 0177'],
      ['Street address', '1 Gulf Road'],
      ['City', 'Destin'],
      ['ZIP code', '32541'],
      ['Requested start date', stay.requestedStartDate],
      ['Requested end date', stay.requestedEndDate],
      ['Rent for the stay', '1999.99'],
      ['Deposit', '650.5'],
      ['Notes', 'Keys are at the desk.'],
    ]
    for (const [label, value] of values) await field(label).fill(value)
    await field('State').selectOption('FL')
    await button(personal(page), 'Add guest').click()
    const guest = personal(page).getByRole('group', { name: 'Guest 1' })
    await guest.getByLabel('First name').fill('Ana')
    expect(await topsOf(['First name', 'Last name'].map(name => guest.getByLabel(name)))).toHaveLength(1)
    await button(personal(page), 'Save').click()
    await expect(guest.getByText('Last name is required for additional guest')).toBeVisible()
    await guest.getByLabel('Last name').fill('Sousa')
    await guest.getByLabel('Adult (18+ years old)').uncheck()
    await button(personal(page), 'Save').click()
    await expect(notifications(page).getByText('Application updated successfully!')).toBeVisible()
    await expect(personal(page)).toContainText('Mia Rivera')
    await expect(card(page, 'Additional Guests')).toContainText('Ana SousaMinor')
    expect((await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application).toMatchObject({
      firstName: 'Mia',
      lastName: 'Rivera',
      secondApplicantFirstName: 'Noah',
      secondApplicantLastName: 'Lee',
      email: 'mia@guest.example',
      phone: '850 555 0177',
      address: { street: '1 Gulf Road', city: 'Destin', state: 'FL', zipCode: '32541' },
      ...stay,
      rentalAmount: 1999.99,
      depositAmount: 650.5,
      additionalGuests: [{ firstName: 'Ana', lastName: 'Sousa', isAdult: false }],
      notes: 'Keys are at the desk.',
    })
  })
  await test.step('shows all sections, and Refresh reloads the application and its payments [ADMAPP-01, ADMAPP-02, ADMAPP-14, DETAIL-14, STATUS-04, LOOK-97]', async () => {
    const { id, number, account, lastName } = await apply(site, 'pending', {
      secondApplicantFirstName: 'Noah',
      secondApplicantLastName: 'Rivers',
      additionalGuests: [
        { firstName: 'Lina', lastName: 'Rivers', isAdult: false },
        { firstName: 'Ana', lastName: 'Lee', isAdult: true },
      ],
    })
    await openApplication(page, site, id)
    await expect(page.getByRole('heading', { level: 1, name: 'Application Details' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`Maya ${lastName} ${number}`)
    await expect(personal(page)).toContainText(account.email)
    await expect(personal(page)).toContainText('Total guests4')
    await expect(card(page, 'Additional Guests').getByRole('listitem')).toHaveText([
      'Guest 1Lina RiversMinor',
      'Guest 2Ana LeeAdult (18+)',
    ])
    for (const name of ['Payment Information', 'Lease Information'])
      await expect(card(page, name)).toBeVisible()
    await expect(card(page, 'Lease history')).toBeHidden()
    const colour = () =>
      status(page)
        .locator('header')
        .getByText(/Submitted|Approved|Declined|Complete/)
        .evaluate(badge => getComputedStyle(badge).color)
    expect(await colour()).toBe('rgb(34, 80, 143)')
    for (const width of [390, 768]) {
      await page.setViewportSize({ width, height: 844 })
      const order = ['Application Status', 'Lease Information', 'Personal Information', 'Payment Information']
      const tops = await Promise.all(order.map(async name => (await card(page, name).boundingBox())?.y ?? 0))
      expect(tops).toEqual(tops.toSorted((a, b) => a - b))
      for (const name of ['Refresh', 'Delete'])
        await expect(button(page, name)).toHaveCount(width < 768 ? 0 : 1)
    }

    const applicationCalls = watchCalls(page, 'applications.adminGet')
    const paymentCalls = watchCalls(page, 'payments.adminHistory')
    await asAdmin(site, 'PUT', `/api/application/admin/${id}/status`, { status: 'rejected' })
    await page.setViewportSize({ width: 390, height: 844 })
    await button(page, 'More actions').first().click()
    await page.getByRole('menuitem', { name: 'Refresh' }).click()
    await expect(status(page)).toContainText('Declined')
    expect(await colour()).toBe('rgb(163, 38, 31)')
    expect([applicationCalls.length, paymentCalls.length]).toEqual([1, 1])

    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await expect(page).toHaveURL('/admin/dashboard')
  })
})

test('an application goes through its statuses, and gets a lease', async ({ page, site, context }) => {
  await test.step('each status can be set from any other, and the dialog shows its effects first [ADMAPP-17, ADMAPP-18, ADMAPP-19, STATUS-01, STATUS-04, LOOK-19]', async () => {
    const stay = freeStay()
    const { id } = await apply(site, 'pending', stay)
    const blocked = [1, 2, 5].map(night => addDays(stay.requestedStartDate, night))
    await asAdmin(site, 'PUT', '/api/availability/admin/bulk', {
      dates: blocked,
      isAvailable: false,
      reason: 'Repairs',
    })
    await openApplication(page, site, id)
    const set = async (verb: string, expected: string[], label: string) => {
      const isShown = (await button(status(page), verb).count()) > 0
      await (isShown ? button(status(page), verb).click() : chooseIn(status(page), verb))
      for (const text of expected) await expect(dialog(page)).toContainText(text)
      await button(dialog(page), verb).click()
      await expect(notifications(page).getByText('Application status updated').last()).toBeVisible()
      await expect(dialog(page)).toHaveCount(0)
      await expect(status(page)).toContainText(label)
      await expect(status(page).getByText(verb, { exact: true })).toHaveCount(0)
    }
    expect(await primaryButtons(page)).toEqual(['Approve'])
    await expect(status(page)).toContainText('Next stepDecide')
    await button(status(page), 'Approve').click()
    await expect(dialog(page)).toContainText('You blocked nights of this stay')
    await expect(dialog(page)).toContainText(formatNights(blocked))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(button(status(page), 'Approve')).toBeFocused()

    await set('Approve', [`The stay from ${stayOf(stay)} is booked`], 'Approved')
    await expect(status(page)).toContainText('Next stepThe tenant can sign the lease')
    expect(await primaryButtons(page)).toEqual(['Generate lease'])
    await expect(button(status(page), 'Generate lease')).toBeVisible()
    await expect(button(lease(page), 'Generate lease')).toHaveCount(0)
    await set(
      'Confirm booking',
      ['The lease is not signed yet.', 'No payment has been received yet.'],
      'Complete',
    )
    await set('Decline', [`The nights from ${stayOf(stay)} become free at once.`], 'Declined')
    expect(await primaryButtons(page)).toEqual([])
    await set('Confirm booking', ['You blocked nights of this stay'], 'Complete')
    await set('Approve', [`The stay from ${stayOf(stay)} stays booked.`], 'Approved')
  })
  await test.step('a lease is generated from its defaults, and the dialog shows the total for the term [ADMAPP-23, ADMAPP-24, LOOK-29]', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const start = freeStay(31).requestedStartDate
    const stay = { requestedStartDate: start, requestedEndDate: addDays(start, 28) }
    const { id } = await apply(site, 'pending', stay)
    await openApplication(page, site, id)
    await expect(lease(page).getByRole('button')).toHaveCount(0)
    await expect(lease(page)).toContainText('The lease can be generated once the application is approved.')
    await asAdmin(site, 'PUT', `/api/application/admin/${id}/status`, { status: 'approved' })
    await button(page, 'Refresh').click()
    await button(status(page), 'Generate lease').click()
    const field = (label: string) => dialog(page).getByLabel(label)
    await expect(field('Lease start date')).toHaveValue(stay.requestedStartDate)
    await expect(field('Lease end date')).toHaveValue(stay.requestedEndDate)
    await expect(field('Rent for the stay')).toHaveValue('2500')
    await expect(field('Deposit')).toHaveValue('500')
    await expect(dialog(page).getByRole('status')).toContainText('28 nights: one month’s rent$2,500.00')
    await expectAccessible(page)

    await field('Lease end date').fill(start)
    await button(dialog(page), 'Generate lease').click()
    await expect(dialog(page).getByText('End date must be after start date')).toBeVisible()
    await field('Lease end date').fill(addDays(start, 31))
    await field('Rent for the stay').fill('3000')
    await field('Deposit').fill('400.50')
    await expect(dialog(page).getByRole('status')).toContainText('Total in the lease$3,400.50')

    await failCall(page, 'leases.generate', { status: 500 })
    await button(dialog(page), 'Generate lease').click()
    await expect(notifications(page).getByText('Failed to generate lease')).toBeVisible()
    await page.unrouteAll()
    await button(dialog(page), 'Generate lease').click()
    await expect(notifications(page).getByText('Lease generated')).toBeVisible()
    await expect(lease(page)).toContainText('Available to Sign')
    await expect(lease(page)).toContainText('Total in the lease$3,400.50')
    await expect(card(page, 'Lease history')).toContainText('Lease generated')

    await button(lease(page), 'Lease text').click()
    await expect(dialog(page)).toContainText('SHA-256 of this text')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button(card(page, 'Lease history'), 'Show all 2').click()
    await expect(card(page, 'Lease history').getByRole('listitem')).toContainText([
      'Lease text viewed',
      'Lease generated',
    ])

    await button(lease(page), 'More actions').click()
    await page.getByRole('menuitem', { name: 'Regenerate' }).click()
    await expect(field('Rent for the stay')).toHaveValue('3000')
    await field('Rent for the stay').fill('2900')
    await button(dialog(page), 'Generate lease').click()
    await expect(lease(page)).toContainText('Total in the lease$3,300.50')

    // While a signature is pending.
    await expect(status(page)).toContainText('Waiting for signature')
    expect(await primaryButtons(page)).toEqual(['Copy link to lease'])
    await button(status(page), 'Copy link to lease').click()
    await expect(notifications(page).getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${site.url}/application/${id}#sign`,
    )
  })
})

/** The texts of the page's primary buttons. */
const primaryButtons = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll(all =>
      all.filter(one => getComputedStyle(one).color === 'rgb(255, 255, 255)').map(one => one.textContent),
    )

const pdf = (name: string, bytes = 2000) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes, 32)]),
})

test('a lease signed on paper can be uploaded, voided, viewed and deleted [ADMAPP-25, ADMAPP-26, ADMAPP-28, ADMAPP-29, ADMAPP-30, ADMAPP-32]', async ({
  page,
  site,
}, testInfo) => {
  const { id } = await apply(site, 'approved')
  await asAdmin(site, 'POST', `/api/lease/generate/${id}`, {})
  await openApplication(page, site, id)
  await expect(lease(page)).toContainText('No signed lease available to view')
  await expect(button(lease(page), 'View signed lease')).toHaveCount(0)

  const upload = button(lease(page), 'Upload Signed Lease')
  const picker = lease(page).locator('input[type=file]')
  await upload.click()
  await expect(picker).toBeFocused()
  await button(lease(page), 'Cancel').click()
  await expect(upload).toBeFocused()
  await upload.click()
  await upload.click()
  await expect(lease(page).getByText('Please select a file to upload')).toBeVisible()
  await picker.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expect(lease(page).getByText('Please upload a PDF, JPEG, or PNG file')).toBeVisible()
  await writeFile(testInfo.outputPath('long.pdf'), pdf('long.pdf', 10_485_760).buffer)
  await picker.setInputFiles(testInfo.outputPath('long.pdf'))
  await expect(lease(page).getByText('File size must be less than 10MB')).toBeVisible()

  const path = '**/api/application/admin/upload-lease'
  await picker.setInputFiles({ ...pdf('scan.pdf'), buffer: Buffer.from('no PDF at all') })
  await upload.click()
  await expect(notifications(page).getByText('Failed to upload signed lease')).toBeVisible()
  await page.route(path, route => route.abort('connectionfailed'))
  await picker.setInputFiles(pdf('scan.pdf'))
  await upload.click()
  await expect(notifications(page).getByText('Error uploading signed lease')).toBeVisible()
  await page.unroute(path)
  await page.route(path, async route => {
    await new Promise(resolve => setTimeout(resolve, 700))
    await route.continue()
  })
  await upload.click()
  await expect(lease(page).getByRole('progressbar')).toBeVisible()
  await expect(notifications(page)).toContainText('Uploading...')
  await expect(button(lease(page), 'Uploading...')).toBeDisabled()
  await expect(notifications(page).getByText('Signed lease uploaded successfully!')).toBeVisible()
  await expect(lease(page)).toContainText('Scan uploaded by the administrator')
  await expect(lease(page)).toContainText('scan.pdf')
  await expect(upload).toHaveCount(0)
  await expect(lease(page).getByRole('menuitem', { name: 'Regenerate', includeHidden: true })).toHaveCount(0)
  expect((await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application).toMatchObject({
    leaseSigned: true,
    signedLeaseFile: { uploadedBy: 'admin' },
  })

  // Voiding the signature keeps the lease.
  await chooseIn(lease(page), 'Void signature')
  await button(page.getByRole('alertdialog'), 'Void signature').click()
  await expect(notifications(page).getByText('Signed lease removed successfully')).toBeVisible()
  await expect(lease(page)).toContainText('Available to Sign')
  await page.unroute(path)
  await upload.click()
  await picker.setInputFiles(pdf('scan.pdf'))
  await upload.click()
  await expect(lease(page)).toContainText('Scan uploaded by the administrator')

  // Confirming is the primary button once the lease is signed and the money has arrived.
  await expect(status(page)).toContainText(/Next step\$[\d,.]+ owed/)
  expect(await primaryButtons(page)).toEqual(['Send reminder'])
  const { nextStep } = (await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application
  await asAdmin(site, 'POST', '/api/payment/admin/manual-payment', {
    amount: nextStep.amountCents,
    paymentType: 'rent',
    applicationId: id,
  })
  await button(page, 'Refresh').click()
  await expect(status(page)).toContainText('Next stepConfirm booking')
  expect(await primaryButtons(page)).toEqual(['Confirm booking'])

  await button(personal(page), 'Edit').click()
  await expect(personal(page)).toContainText('Delete the lease to change its terms.')
  for (const label of ['First name', 'Requested start date', 'Rent for the stay', 'Deposit'])
    await expect(personal(page).getByLabel(label).first()).toHaveAttribute('readonly', '')
  await expect(button(personal(page), 'Add guest')).toHaveCount(0)
  await personal(page).getByLabel('Notes').fill('See you soon')
  await button(personal(page), 'Save').click()
  await expect(notifications(page).getByText('Application updated successfully!')).toBeVisible()

  const shown = page.waitForEvent('popup')
  await button(lease(page), 'View signed lease').click()
  await (await shown).close()
  await page.route('**/api/lease/view-signed/*', route => route.fulfill({ status: 500, body: '{}' }))
  await button(lease(page), 'View signed lease').click()
  await expect(notifications(page).getByText('Failed to load lease document')).toBeVisible()

  await failCall(page, 'leases.adminRemove', { status: 500 })
  const question = page.getByRole('alertdialog')
  await chooseIn(lease(page), 'Delete lease')
  await button(question, 'Delete lease').click()
  await expect(notifications(page).getByText('Failed to delete lease')).toBeVisible()
  await page.unrouteAll()
  await chooseIn(lease(page), 'Delete lease')
  await button(question, 'Delete lease').click()
  await expect(notifications(page).getByText('Lease deleted successfully!')).toBeVisible()
  await expect(lease(page)).toContainText('Not Started')
  await expect(card(page, 'Lease history')).toContainText('Lease deleted')
  expect((await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application).toMatchObject({
    leaseGenerated: false,
    leaseSigned: false,
    signedLeaseFile: null,
  })
})
