import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { formatLongDate, formatMomentDate } from '../../domain/common/dates.ts'
import { signaturePng } from '../png.ts'
import { call, makeTenant, signIn } from './accounts.ts'
import { decide, freeStay, makeApplication } from './applications.ts'
import { expectAccessible } from './axe.ts'
import { makeLease, scan } from './leases.ts'
import { recordRequests } from './responses.ts'
import { expect, type Site, test } from './site.ts'

const notifications = (page: Page) => page.getByLabel('Notifications')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const today = () => formatMomentDate(new Date().toISOString(), 'America/New_York')
const signedLease = (page: Page) =>
  page.getByLabel('Signed lease', { exact: true }).and(page.locator('input'))
const chooseFile = (page: Page, file: Parameters<Locator['setInputFiles']>[0]) =>
  signedLease(page).setInputFiles(file)

/** Signs in a new tenant with a generated lease. */
async function withLease(page: Page, site: Site, values: Parameters<typeof makeLease>[2] = {}) {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  return { account, token, ...(await makeLease(site, token, values)) }
}

test.describe('the lease page', () => {
  test('a lease is read, downloaded and opened', async ({ page, site }) => {
    await test.step('a lease shows its terms, can be previewed and saved as a PDF, and leads to signing [LEASE-11, LEASE-12, LEASE-18, LEASE-25, LEASE-48]', async () => {
      const stay = freeStay()
      const { id, leaseAgreement } = await withLease(page, site, {
        ...stay,
        firstName: 'Zoë',
        lastName: 'O’Hara',
      })
      await page.goto('/lease')
      const facts = page.getByRole('region', { name: 'Your lease' })
      await expect(facts).toContainText(
        `Lease period${formatLongDate(stay.requestedStartDate)} to ${formatLongDate(stay.requestedEndDate)}`,
      )
      await expect(facts).toContainText('Rent for the stay$2,500.00')

      const dialog = page.getByRole('dialog', { name: 'Lease Agreement' })
      // Until the text has arrived the button says so instead.
      await expect(async () => {
        await button(page, 'Preview Lease').click()
        await expect(dialog).toBeVisible({ timeout: 1_000 })
      }).toPass()
      await expect(dialog).toContainText(leaseAgreement.slice(0, 200).trim().split('\n')[0] ?? '')
      await expect(dialog).toContainText('Zoë O’Hara')
      await expectAccessible(page)
      const downloading = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download' }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe('lease-agreement-Zoë-O’Hara.pdf')
      expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
      await expect(notifications(page)).toContainText('Lease agreement downloaded successfully as PDF!')
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(dialog).toBeHidden()

      const again = page.waitForEvent('download')
      await button(page, 'Download Lease').click()
      await again
      await page.getByRole('link', { name: 'Sign Lease' }).click()
      await expect(page.getByRole('dialog', { name: 'Sign Lease' })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`/application/${id}(#sign)?$`))
    })
    await test.step('shows the newest application with a lease; its signed file opens in a new tab whose URL is revoked after a second, and leaves no empty tab if it fails [LEASE-17, LOOK-21, LOOK-42, LEASE-42, LEASE-43, LEASE-44]', async () => {
      await page.addInitScript(() => {
        const times: Record<string, number> = {}
        const [create, revoke] = [URL.createObjectURL, URL.revokeObjectURL]
        URL.createObjectURL = file => {
          times.made = performance.now()
          return create(file)
        }
        URL.revokeObjectURL = url => {
          document.documentElement.dataset.livedMs = String(performance.now() - (times.made ?? 0))
          revoke(url)
        }
      })
      const { token, id } = await withLease(page, site, { firstName: 'First' })
      await makeApplication(site, token, 'pending')
      const declined = await makeLease(site, token)
      await decide(site, declined.id, 'rejected')
      await page.goto(`/application/${declined.id}`)
      await expect(page.getByText('its lease can no longer be signed')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Open the lease page' })).toHaveCount(0)

      await page.goto('/dashboard')
      await page.getByRole('main').getByRole('link', { name: 'Lease', exact: true }).click()
      await expect(page).toHaveURL('/lease')
      await expect(page.getByRole('link', { name: 'Sign Lease' })).toHaveAttribute(
        'href',
        `/application/${id}#sign`,
      )
      await page.getByRole('link', { name: 'Back to Dashboard' }).click()
      const lead = page.getByRole('region', { name: 'Next step' })
      await expect(lead).toContainText('Sign your lease')
      await lead.getByRole('link', { name: 'Sign Lease' }).click()
      await expect(page.getByRole('dialog', { name: 'Sign Lease' })).toContainText('RENT')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(page).toHaveURL(`/application/${id}`)
      await page.goto('/lease')

      await page.getByText('Prefer paper?').click()
      await chooseFile(page, { name: 'photo.png', mimeType: 'image/png', buffer: signaturePng() })
      await button(page, 'Upload Signed Lease').click()
      const asked = recordRequests(page)
      const opening = page.waitForEvent('popup')
      await button(page, 'View Lease').click()
      const tab = await opening
      await expect(tab.locator('img')).toBeVisible()
      expect(tab.url()).toMatch(/^blob:/)
      expect(asked.filter(url => url.includes('view-signed'))).toHaveLength(1)
      await expect(page.locator('html')).toHaveAttribute('data-lived-ms', /./)
      const lived = Number(await page.locator('html').getAttribute('data-lived-ms'))
      expect(lived).toBeGreaterThan(950)
      expect(lived).toBeLessThan(1800)

      await page.route('**/api/lease/view-signed/*', route =>
        route.fulfill({ status: 500, json: { error: 'x' } }),
      )
      const failing = page.waitForEvent('popup')
      await button(page, 'View Lease').click()
      const empty = await failing
      await expect(notifications(page)).toContainText('Unable to open signed lease')
      await expect.poll(() => empty.isClosed()).toBe(true)
    })
  })
})

test.describe('the signed file', () => {
  test('a rejected upload keeps the file, an upload shows its progress, and the lease counts as signed [LEASE-04, LEASE-16, LEASE-31, LEASE-38, LEASE-39, LEASE-40]', async ({
    page,
    site,
  }) => {
    const { token, id } = await withLease(page, site)
    await page.goto('/lease')
    await page.getByText('Prefer paper?').click()
    const box = page.getByRole('region', { name: 'Signed lease' })
    // The name ends in .pdf, but the content is not a PDF.
    await chooseFile(page, { name: 'lease.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no pdf') })
    await button(page, 'Upload Signed Lease').click()
    await expect(notifications(page)).toContainText('Failed to upload signed lease')
    await expect(notifications(page)).toContainText('Please upload a PDF, JPEG, or PNG file')
    await expect(box).toContainText('lease.pdf')
    await page.route('**/api/lease/upload-signed', route => route.abort('connectionfailed'))
    await button(page, 'Upload Signed Lease').click()
    await expect(notifications(page)).toContainText('Error uploading signed lease')
    await expect(box).toContainText('lease.pdf')
    await page.unrouteAll()

    await chooseFile(page, scan('my scan.pdf', 3_000_000))
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 2_000_000,
    })
    await button(page, 'Upload Signed Lease').click()
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[1-9]\d$/)
    await expect(button(page, 'Uploading...')).toBeDisabled()
    await expect(notifications(page)).toContainText('Signed lease uploaded successfully!')
    await expect(page.getByText('Signed', { exact: true })).toBeVisible()
    await expect(box).toContainText('my scan.pdf')
    await expect(box).toContainText(today())
    await expect(button(page, 'Upload Signed Lease')).toBeHidden()
    const { application } = await call(site, 'GET', `/api/application/${id}`, { token })
    expect(application).toMatchObject({ leaseSigned: true })
  })
})

test.describe('the lease on the application details', () => {
  const block = (page: Page) => page.getByRole('region', { name: 'Lease Agreement', exact: true })

  test('shows the state of the lease from submission to signature [DETAIL-15, DETAIL-27, DETAIL-28, DETAIL-29, DETAIL-30]', async ({
    page,
    site,
  }) => {
    const token = await signIn(page, site, await makeTenant(site))
    const waiting = await makeApplication(site, token, 'pending')
    await page.goto(`/application/${waiting}`)
    await expect(block(page)).toContainText('generated once your application is approved')
    await expect(block(page)).toContainText('Not Started')
    await expect(button(page, 'Sign Lease')).toBeHidden()

    const { id } = await makeLease(site, token)
    await page.goto(`/application/${id}`)
    await expect(block(page)).toContainText('Available to Sign')
    await block(page).getByText('Prefer paper?').click()
    for (const name of ['Open', 'Download', 'Upload Signed Lease'])
      await expect(block(page).getByRole('button', { name, exact: true })).toBeVisible()
    await expect(button(page, 'Sign Lease')).toHaveCount(1)
    await expectAccessible(page)

    await chooseFile(page, scan())
    await button(page, 'Upload Signed Lease').click()
    await expect(block(page)).toContainText('Lease Signed & Uploaded')
    await expect(block(page)).toContainText('You signed it on paper')
    for (const name of ['Sign Lease', 'Upload Signed Lease']) await expect(button(page, name)).toBeHidden()
  })

  test('Download saves the PDF from the server, the preview shows the text as a document, and toasts are at the top right, on a phone one at a time [DETAIL-31, DETAIL-32, DETAIL-39, LOOK-24, LOOK-10, LOOK-74]', async ({
    browser,
    page,
    site,
  }) => {
    const stay = freeStay()
    const { account, id, leaseAgreement } = await withLease(page, site, stay)
    await page.goto(`/application/${id}`)
    const asked = recordRequests(page)
    const downloading = page.waitForEvent('download')
    await button(page, 'Download').click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('lease-agreement-Maya-Rivers.pdf')
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
    await expect(notifications(page)).toContainText('Lease agreement downloaded successfully!')
    const url = new URL(asked.find(address => address.includes('/api/lease/download')) ?? '')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      applicationId: id,
      leaseStartDate: stay.requestedStartDate,
      leaseEndDate: stay.requestedEndDate,
      rentalAmount: '2500',
      depositAmount: '500',
    })

    await button(page, 'Open').click()
    const dialog = page.getByRole('dialog', { name: 'Lease Agreement' })
    await expect(dialog).toContainText('APP-')
    const text = await dialog.textContent()
    const lines = leaseAgreement.split('\n').filter(line => line.trim())
    for (const line of lines) expect(text).toContain(line.trim().replace(/^- /, ''))
    await expect(dialog.getByRole('heading', { name: '4. RENT' })).toHaveCSS('font-weight', '600')
    const longest = dialog.locator('p').filter({ hasText: 'Nobody has to sign electronically' })
    const perLine = await longest.evaluate(paragraph => {
      const range = document.createRange()
      range.selectNodeContents(paragraph)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      return (paragraph.textContent?.length ?? 0) / tops.size
    })
    expect(perLine).toBeGreaterThan(58)
    expect(perLine).toBeLessThan(72)

    // Toasts are at the top right; on a phone one at a time over the bar, gone with a tap.
    const toasts = (on: Page) => notifications(on).locator('[role=status]')
    /** Shows this many toasts, whose time does not run out. */
    const raise = async (on: Page, count: number) => {
      await on.clock.install()
      await on.goto('/lease')
      await on.getByText('Prefer paper?').click()
      await on.clock.pauseAt(Date.now() + 60_000)
      for (let n = 1; n <= count; n++) {
        await chooseFile(on, scan(`scan ${n}.pdf`))
        await expect(toasts(on)).toHaveCount(n)
      }
    }
    await raise(page, 3)
    const box = await toasts(page).first().boundingBox()
    expect(box?.x).toBeGreaterThan((page.viewportSize()?.width ?? 0) / 2)
    expect(box?.y).toBeLessThan(20)

    const phone = await browser.newPage({
      baseURL: new URL(page.url()).origin,
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    })
    await signIn(phone, site, account)
    await raise(phone, 2)
    await expect(toasts(phone).filter({ visible: true })).toHaveCount(1)
    const [bar, shown] = [
      await phone.getByRole('banner').boundingBox(),
      await toasts(phone).first().boundingBox(),
    ]
    expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(bar?.height ?? 0)
    await toasts(phone).first().tap()
    await expect(toasts(phone)).toHaveCount(1)
    await phone.close()
  })
})
