import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { importColumns } from '../../domain/bookings/booking-import.ts'
import { addDays } from '../../domain/common/dates.ts'
import { makeTenant } from './accounts.ts'
import { asAdmin, failOnly, newSurname, notifications, openAsAdmin } from './admin-pages.ts'
import { day, freeStay } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, owner, type Site, test } from './site.ts'

const newPassword = 'sea and sand'

/** The link in the newest invitation to this address in the demo's mailbox. */
async function invitationFor(site: Site, email: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const list = await (await fetch(`${site.url}/sandbox/mailbox`)).text()
    const row = list.split('<li').find(part => part.includes(email))
    const href = /href="(\/sandbox\/mailbox\/[^"]+)"/.exec(row ?? '')?.[1]
    const mail = await (await fetch(`${site.url}${href}`)).text()
    link = /http:[^"&<\s]+\/invitation#[\w/-]+/.exec(mail)?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 15_000 })
  return link ?? ''
}

const person = () => ({ lastName: newSurname(), email: `jon-${randomUUID().slice(0, 8)}@guest.example` })

async function fillEntry(page: Page, { email, lastName }: ReturnType<typeof person>) {
  const stay = freeStay()
  await page.getByLabel('First name', { exact: false }).first().fill('Jon')
  await page.getByLabel('Last name', { exact: false }).first().fill(lastName)
  await page.getByLabel('Invite the guest').check()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Arrival').fill(stay.requestedStartDate)
  await page.getByLabel(/^Departure/).fill(stay.requestedEndDate)
  return stay
}

test('a guest with an account, and one with a mistyped email, are invited', async ({
  browser,
  page,
  site,
}) => {
  await test.step('a booking for an email that somebody registered tells the owner so, and the guest takes the account over [FIX-27, OWN-04]', async () => {
    const { email } = await makeTenant(site, { firstName: 'Eve' })
    const stay = freeStay()
    const { application } = await asAdmin(site, 'POST', '/api/booking/admin', {
      firstName: 'Jon',
      lastName: newSurname(),
      email,
      startDate: stay.requestedStartDate,
      endDate: stay.requestedEndDate,
    })
    await openAsAdmin(page, site, `/admin/application/${application.id}`)
    await expect(page.getByText('Closed to the account of this email')).toBeVisible()
    await page.getByRole('button', { name: 'Send invitation again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send invitation again' })
    await expect(dialog.getByLabel('Email')).toHaveAttribute('readonly')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    const guest = await browser.newPage({ baseURL: site.url })
    await guest.goto(await invitationFor(site, email))
    await expect(guest.getByText('This address has an account')).toBeVisible()
    await expectAccessible(guest)
    await guest.getByLabel('New password').fill(newPassword)
    await guest.getByLabel('Confirm password').fill(newPassword)
    await guest.keyboard.press('Enter')
    await expect(guest.getByRole('heading', { name: 'The account is yours' })).toBeVisible()
    await expect(guest.getByText('Account created on')).toBeVisible()
    await guest.getByRole('link', { name: 'Continue' }).click()
    await expect(guest).toHaveURL(`/application/${application.id}#sign`)
    await expect(guest.getByText(application.applicationNumber).first()).toBeVisible()
    await guest.close()
    await page.reload()
    await expect(page.getByText('Invitation used')).toBeVisible()
    await expect(page.getByText('Closed to the account of this email')).toHaveCount(0)
  })
  await test.step('an invitation can be sent again to a corrected email, and the old link stops working [OWN-15, OWN-16]', async () => {
    const guest = person()
    const { application } = await asAdmin(site, 'POST', '/api/booking/admin', {
      firstName: 'Jon',
      ...guest,
      ...entryStay(),
    })
    const older = await invitationFor(site, guest.email)
    await openAsAdmin(page, site, `/admin/application/${application.id}`)
    await page.getByRole('button', { name: 'Send invitation again' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Email')).toHaveValue(guest.email)
    await dialog.getByLabel('Email').fill(`new-${guest.email}`)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect(notifications(page).getByText('Invitation sent')).toBeVisible()
    await invitationFor(site, `new-${guest.email}`)

    const other = await browser.newPage({ baseURL: site.url })
    for (const address of [older, '/invitation']) {
      await other.goto(address)
      await expect(other.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
      await expect(other.getByRole('link', { name: owner.email }).first()).toBeVisible()
    }
    await other.getByRole('link', { name: 'Forgot password' }).click()
    await expect(other).toHaveURL('/forgot-password')
    await other.close()
  })
})

test('the owner enters a booking, and the invited guest sets a password and sees the booking [OWN-01, OWN-11, OWN-13, OWN-14]', async ({
  browser,
  page,
  site,
}) => {
  const guest = person()
  await openAsAdmin(page, site, '/admin/availability')
  await page.getByRole('banner').getByRole('link', { name: 'New booking' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New booking' })).toBeVisible()

  await page.getByRole('button', { name: 'Add booking' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(page.getByText('Please enter the day of arrival')).toBeVisible()

  await fillEntry(page, guest)
  await page.getByLabel('Rent for the stay').fill('2000')
  await page.getByLabel('Deposit').fill('400')
  await page.getByText('More details').click()
  await page.getByRole('button', { name: 'Add payment' }).click()
  await page.getByRole('group', { name: 'Payment 1' }).getByLabel('Amount').fill('400')
  await page.getByRole('group', { name: 'Payment 1' }).getByLabel('Payment type').selectOption('deposit')
  await page.getByLabel('Note', { exact: true }).fill('Came by phone')
  await page.getByRole('button', { name: 'Add booking' }).click()
  await expect(notifications(page).getByText('Booking entered')).toBeVisible()

  const status = page.getByRole('region', { name: 'Application Status' })
  await expect(status).toContainText('SourceEntered by the owner')
  await expect(status.getByText('Came by phone')).toBeVisible()
  await expect(status).toContainText(/Invited.*, not used yet/)
  await expect(status).toContainText('The invitation leads to the lease. You can send it again')

  const link = await invitationFor(site, guest.email)
  expect(link).toMatch(new RegExp(`^${site.url}/invitation#[\\w-]{43}/application/[\\w-]+$`))
  const context = await browser.newContext({ baseURL: site.url })
  const other = await context.newPage()
  const asked: string[] = []
  other.on('request', request => asked.push(request.url()))
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Welcome, Jon' })).toBeVisible()
  await expectAccessible(other)
  await other.getByLabel(/^New password/).fill(newPassword)
  await other.getByLabel(/^Confirm password/).fill('something else')
  await other.getByRole('button', { name: 'Set password and continue' }).click()
  await expect(other.getByText('Passwords do not match')).toBeVisible()
  await other.getByLabel(/^Confirm password/).fill(newPassword)
  await other.getByRole('button', { name: 'Set password and continue' }).click()
  await expect(other).toHaveURL(/\/application\/[\w-]+/)
  const token = link.split('#')[1]?.slice(0, 43) ?? ''
  expect(asked.filter(url => url.includes(token))).toEqual([])
  await expect(other.getByText('Please add your phone number and your address.')).toBeVisible()
  await other.goto('/')
  await other.goto(link)
  await expect(other).toHaveURL(/\/application\/[\w-]+/)
  await other.evaluate(() => localStorage.removeItem('token'))
  await other.goto('/')
  await other.goto(link)
  await expect(other.getByText('Your password is set already. Please log in.')).toBeVisible()
  await other.getByLabel('Email').fill(guest.email)
  await other.getByLabel(/^Password/).fill(newPassword)
  await other.getByRole('button', { name: 'Log in' }).click()
  await expect(other).toHaveURL(/\/application\/[\w-]+/)
  await context.close()

  await page.reload()
  await expect(status.getByText('Invitation used', { exact: true })).toBeVisible()
  await expect(status.getByRole('button', { name: 'Send invitation again' })).toHaveCount(0)
})

const entryStay = () => {
  const { requestedEndDate: endDate, requestedStartDate: startDate } = freeStay()
  return { startDate, endDate }
}
type Row = Partial<Record<(typeof importColumns)[number], string>>
const csvOf = (rows: Row[]) =>
  [
    importColumns.join(','),
    ...rows.map(row => importColumns.map(column => row[column] ?? '').join(',')),
  ].join('\n')
const chooseFile = (page: Page, csv: string | Buffer) =>
  page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'bookings.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

test('an error in a file shows in its row, the corrected file is imported, and a failure keeps the input [OWN-17, OWN-19, OWN-22]', async ({
  page,
  site,
}) => {
  const known = await makeTenant(site)
  const [one, two] = [person(), person()]
  const stays = [entryStay(), entryStay(), entryStay()] as const
  const row = ({ email, lastName }: ReturnType<typeof person>, at: number, more: Row = {}): Row => ({
    first_name: 'Ada',
    last_name: lastName,
    email,
    start_date: stays[at]?.startDate ?? '',
    end_date: stays[at]?.endDate ?? '',
    ...more,
  })
  await asAdmin(site, 'POST', '/api/booking/admin', {
    firstName: known.firstName,
    lastName: known.lastName,
    email: known.email,
    ...stays[2],
  })
  const rows = (end?: string) =>
    csvOf([
      row(one, 0, { monthly_rent: '1250', deposit: '300', deposit_paid: '300' }),
      row(two, 1, end ? { end_date: end } : {}),
      row({ ...known }, 2),
    ])

  await openAsAdmin(page, site, '/admin/availability')
  await page.getByRole('link', { name: 'Import bookings' }).click()
  const template = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download template' }).click()
  expect((await template).suggestedFilename()).toBe('bookings.csv')

  await chooseFile(page, Buffer.from([0xff, 0xfe, 0x41]))
  await expect(page.getByText('Please save the file as UTF-8.')).toBeVisible()
  await chooseFile(page, 'name,email\nAda,ada@guest.example')
  await expect(page.getByText('The column name is not known here.')).toBeVisible()

  await chooseFile(page, rows(stays[1].startDate))
  const second = page.getByRole('row', { name: new RegExp(two.lastName) })
  await expect(second.getByText('end_date: End date must be after start date')).toBeVisible()
  await expect(page.getByText('1 ready, 1 row with errors, 1 already entered')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 1 Booking' })).toBeDisabled()
  await expectAccessible(page)

  await chooseFile(page, rows())
  const importButton = page.getByRole('button', { name: 'Import 2 Bookings' })
  await expect(importButton).toBeDisabled()
  const first = page.getByRole('row', { name: new RegExp(one.lastName) })
  await expect(first).toContainText('$1,550.00')
  await expect(first).toContainText('$300.00')
  await page.getByLabel('Skip bookings that are there already').check()
  await importButton.click()
  await expect(notifications(page).getByText('2 bookings imported')).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/dashboard/)
  await expect(page.getByRole('row', { name: new RegExp(one.email) })).toBeVisible()

  // A failure keeps the input.
  await page.goto('/admin/booking/new')
  const guest = person()
  await fillEntry(page, guest)
  await page.getByRole('textbox', { name: 'Arrival' }).fill(day(-20))
  await page.getByRole('textbox', { name: 'Departure' }).fill(addDays(day(-20), 10))
  await failOnly(page, 'manualBookings.create')
  await page.getByRole('button', { name: 'Add booking' }).click()
  await expect(notifications(page).getByText('Failed to enter the booking')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(guest.email)
  await page.goto('/admin/booking/import')
  await failOnly(page, 'manualBookings.import')
  await chooseFile(page, csvOf([{ first_name: 'Ada' }]))
  await expect(page.getByText('Failed to check the file. Please choose it again.')).toBeVisible()
})
