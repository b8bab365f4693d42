import type { Page } from '@playwright/test'
import { formatMomentDate } from '../../domain/common/dates.ts'
import { formatStay } from '../../domain/common/stay.ts'
import { adminToken, call, makeTenant, signIn } from './accounts.ts'
import { freeStay, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

type Status = Parameters<typeof makeApplication>[2]

async function openApplication(
  page: Page,
  site: Site,
  status: Status = 'pending',
  values: Parameters<typeof makeApplication>[3] = {},
) {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  const id = await makeApplication(site, token, status, values)
  await page.goto(`/application/${id}`)
  await expect(block(page, 'Personal Information')).toBeVisible()
  return { id, token, account }
}

const block = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const personal = (page: Page) => block(page, 'Personal Information')
const progress = (page: Page) => block(page, 'Application Progress')
const statusCard = (page: Page) => block(page, 'Application Status')

test('the details show the applicants, the guests and the status [DETAIL-01, DETAIL-02, DETAIL-13, DETAIL-19, DETAIL-20, DETAIL-22]', async ({
  page,
  site,
}) => {
  const dates = freeStay()
  const { id, account } = await openApplication(page, site, 'pending', {
    ...dates,
    phone: '(850) 555 0142',
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Rivers',
    additionalGuests: [
      { firstName: 'Lina', lastName: 'Rivers', isAdult: false },
      { firstName: 'Ana', lastName: 'Lee', isAdult: true },
    ],
  })
  const stay = formatStay({ start: dates.requestedStartDate, end: dates.requestedEndDate })
  const texts = [
    'NameMaya Rivers',
    'Co-applicantNoah Rivers',
    `Email${account.email}`,
    'Phone850-555-0142',
    'Address12 Pine StreetMobile, AL 36602',
    `Requested dates${stay}`,
    'Total guests4',
  ]
  for (const text of texts) await expect(personal(page)).toContainText(text)
  const guests = block(page, 'Additional Guests').getByRole('listitem')
  await expect(guests).toHaveText(['Guest 1Lina RiversMinor', 'Guest 2Ana LeeAdult (18+)'])

  const owner = await adminToken(site)
  await call(site, 'PUT', `/api/application/admin/${id}/edit`, {
    token: owner,
    body: { notes: 'Keys at the desk.' },
  })
  await page.reload()
  await expect(statusCard(page).locator('header').getByText('Submitted')).toHaveCSS(
    'color',
    'rgb(34, 80, 143)',
  )
  await expect(statusCard(page)).toContainText(formatMomentDate(new Date().toISOString(), 'America/New_York'))
  await expect(statusCard(page)).toContainText('Keys at the desk.')
  await expect(progress(page).getByRole('listitem')).toHaveText([
    /^Application Submitted/,
    /^2Application Approved.*1-2 business days/,
    /^3Lease Generated/,
    /^4Lease Uploaded.*Sign the lease online, or print it, sign it by hand and upload a scan/,
    /^5Payment Made/,
    /^6Admin Verification/,
  ])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(personal(page).getByLabel('City')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'New Application' }).click()
  await expect(page).toHaveURL('/application')
  await page.goBack()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('an application that is not approved yet can be withdrawn after confirmation', async ({
  page,
  site,
}) => {
  const { id, token } = await openApplication(page, site)
  const withdraw = page.getByRole('button', { name: 'Withdraw Application' })
  await withdraw.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(withdraw).toBeFocused()
  await withdraw.click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByText('Application withdrawn', { exact: true })).toBeVisible()
  await expect(statusCard(page)).toContainText('Declined')
  await expect(withdraw).toHaveCount(0)
  expect((await call(site, 'GET', `/api/application/${id}`, { token })).application.status).toBe('rejected')

  await openApplication(page, site, 'approved')
  await expect(withdraw).toHaveCount(0)
})
