import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { adminToken, call, mailedLink, makeTenant, tokenOf } from './accounts.ts'
import { chooseIn } from './admin-pages.ts'
import { expectFine } from './axe.ts'
import { makeLease } from './leases.ts'
import { expect, type Site, test } from './site.ts'

test.setTimeout(120_000)

const phone = { width: 390, height: 844 }
const people = { secondApplicantFirstName: 'Zoë', secondApplicantLastName: 'Müller' }
const olaf = { firstName: 'Olaf', lastName: 'Adams', isAdult: true }

async function visit(page: Page, token: string, path: string) {
  await page.goto('/')
  await page.evaluate(token => localStorage.setItem('token', token), token)
  await page.goto(path)
}

const signLink = (site: Site, email: string) => mailedLink(site, email, '/sign#')

async function onPhone(browser: Browser, site: Site): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, viewport: phone, reducedMotion: 'reduce' })
  return context.newPage()
}

/** Reads, types a name, ticks and signs. */
async function sign(page: Page, name: string, button = 'Sign') {
  await page.getByLabel('Your full name').fill(name)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: button, exact: true }).last().click()
}

test('four people sign on four phones, and each gets the same file [SIGNER-02, SIGNER-05, SIGNER-07, SIGNER-11, SIGNER-12]', async ({
  browser,
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const guest = await tokenOf(site, account)
  const owner = await adminToken(site)
  const { id } = await makeLease(site, guest, { ...people, additionalGuests: [olaf] })
  const emails = ['zoe', 'olaf', 'gus'].map(name => `${name}-${id.slice(0, 8)}@guest.example`)
  const [zoe = '', olafs = '', gus = ''] = emails

  await page.setViewportSize(phone)
  await visit(page, owner, `/admin/application/${id}`)
  await page
    .getByRole('region', { name: 'Lease Information' })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Invite Signers' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').nth(0).fill(zoe)
  await dialog.getByLabel('Email').nth(1).fill(olafs)
  await dialog.getByRole('button', { name: 'Add a guarantor' }).click()
  await dialog.getByLabel('First name').fill('Gus')
  await dialog.getByLabel('Last name').fill('Grant')
  await dialog.getByLabel('Email').nth(2).fill(gus)
  await expectFine(page, 'invite')
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await expect(page.getByText('Signed by 0 of 4')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave Out: Gus Grant' })).toBeVisible()
  await expectFine(page, 'panel')

  for (const [email, name, done] of [
    [zoe, 'Zoë Müller', '1 of 4 has signed.'],
    [gus, 'Gus Grant', '2 of 4 have signed.'],
    [olafs, 'Olaf Adams', '3 of 4 have signed.'],
  ] as const) {
    const mobile = await onPhone(browser, site)
    await mobile.goto(await signLink(site, email))
    const terms = mobile.getByRole('region', { name: 'Lease Agreement' })
    await expect(terms).toContainText(/Stay.+\d nights.*Security deposit\$/)
    expect(await mobile.getByText('What you guarantee').count()).toBe(email === gus ? 1 : 0)
    if (email === gus) await expectFine(mobile, 'sign')
    await sign(mobile, name)
    await expect(mobile.getByText(done)).toBeVisible()
    await expect(mobile.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await expectFine(mobile, `signed-${name.slice(0, 3)}`)
    await mobile.context().close()
  }

  const tenants = await onPhone(browser, site)
  await visit(tenants, guest, `/application/${id}`)
  await expect(tenants.getByText('Everybody signs by an own link. 3 of 4 have signed.')).toBeVisible()
  await expectFine(tenants, 'tenant')
  await tenants.getByRole('button', { name: 'Sign Lease' }).click()
  await sign(tenants, 'Maya Rivers', 'Sign Lease')
  await expect(tenants.getByText('Lease signed successfully').first()).toBeVisible()
  await tenants.context().close()

  const files = new Set<string>()
  for (const email of [zoe, gus, olafs]) {
    const mobile = await onPhone(browser, site)
    await mobile.goto(await signLink(site, email))
    await expect(mobile.getByText('Everybody has signed. Your copy is on its way.')).toBeVisible()
    const download = mobile.waitForEvent('download')
    await mobile.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('lease-agreement-signed.pdf')
    files.add((await readFile(await file.path())).toString('base64'))
    await mobile.context().close()
  }
  expect(files.size).toBe(1)
  const { application } = await call(site, 'GET', `/api/application/${id}`, { token: guest })
  expect(application).toMatchObject({ leaseSigned: true, signedBy: 'signature' })
})

test('the tenant invites the co-applicant, a dead link leads to the owner, and the settings are saved [SIGNER-01, SIGNER-02, SIGNER-04, SIGNER-10]', async ({
  browser,
  page,
  site,
}) => {
  const guest = await tokenOf(site, await makeTenant(site))
  const owner = await adminToken(site)
  const { id } = await makeLease(site, guest, people)
  const email = `zoe-${id.slice(0, 8)}@guest.example`
  await page.setViewportSize(phone)
  await visit(page, guest, `/application/${id}`)
  await page.getByRole('button', { name: 'Invite Zoë Müller' }).click()
  await page.getByLabel('Email of Zoë Müller').fill(email)
  await expectFine(page, 'tenant-invite')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Everybody signs by an own link. 0 of 2 have signed.')).toBeVisible()
  const link = await signLink(site, email)

  await visit(page, owner, `/admin/application/${id}`)
  await chooseIn(page.getByRole('region', { name: 'Lease Information' }), 'Take invitations back')
  await page.getByLabel('Reason').fill('The dates change')
  await expectFine(page, 'take-back')
  await page.getByRole('dialog').getByRole('button', { name: 'Take Back' }).click()
  await expect(page.getByRole('button', { name: 'Upload Signed Lease' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Signers' })).toHaveCount(0)
  const mobile = await onPhone(browser, site)
  await mobile.goto(link)
  await expect(mobile.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await expectFine(mobile, 'dead')
  await mobile.context().close()

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/admin/site/documents?kind=signing')
  await page.getByRole('button', { name: 'Edit: Signing' }).click()
  await page.getByText('More', { exact: true }).click()
  await page.getByLabel('Links are valid for (days)').fill('5')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await expect(page.getByText('Please enter a whole number from 7 to 90')).toBeVisible()
  await expectFine(page, 'settings')
  await page.getByLabel('Links are valid for (days)').fill('45')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await expect(page.getByText('Valid for 45 days')).toBeVisible()
})

test('the tenant signs first and waits, and signs an addendum alone while the co-applicant has an own link [SIGNER-07, SIGNER-08, SIGNER-18]', async ({
  browser,
  page,
  site,
}) => {
  const guest = await tokenOf(site, await makeTenant(site))
  const owner = await adminToken(site)
  const { id } = await makeLease(site, guest, people)
  const email = `zoe-${id.slice(0, 8)}@guest.example`
  const body = { signers: [{ role: 'co_tenant', email }] }
  await call(site, 'POST', `/api/signer/admin/${id}/invite`, { token: owner, body })
  await visit(page, guest, `/application/${id}`)
  await page.getByRole('button', { name: 'Sign Lease' }).click()
  await sign(page, 'Maya Rivers', 'Sign Lease')
  await expect(page.getByText('Lease signed successfully').first()).toBeVisible()
  await expect(page.getByText('1 of 2 has signed. We write to you when everybody has.')).toBeVisible()
  await expectFine(page, 'tenant-waits')
  await page.goto('/dashboard')
  const next = page.getByRole('region', { name: 'Next step' })
  await expect(next).toContainText('Waiting for the other signatures')
  await expect(page.getByRole('main')).not.toContainText(/sign your lease/i)
  await expectFine(page, 'dashboard-waits')
  await page.goto('/lease')
  await expectFine(page, 'lease-waits')
  const mobile = await onPhone(browser, site)
  await mobile.goto(await signLink(site, email))
  await sign(mobile, 'Zoë Müller')
  await expect(mobile.getByText('Everybody has signed. Your copy is on its way.')).toBeVisible()
  await mobile.context().close()
  await call(site, 'POST', `/api/change/admin/addendum/${id}`, { token: owner, body: { rentalAmount: 2600 } })
  await page.goto(`/application/${id}`)
  await page.getByRole('button', { name: 'Read and Sign' }).first().click()
  await expect(page.getByLabel('Your full name')).toBeVisible()
  await expect(page.getByLabel(/Co-applicant/)).toHaveCount(0)
  await page.getByLabel('Your full name').fill('Maya Rivers')
  await page.getByRole('dialog').getByRole('checkbox').check()
  await page.getByRole('dialog').getByRole('button', { name: /^Sign/ }).last().click()
  await expect(page.getByText('Addendum signed').first()).toBeVisible()
})
