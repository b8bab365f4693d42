import type { Page } from '@playwright/test'
import { quarters } from '../build-picture.ts'
import { asAdmin, failOnly, notifications, openAsAdmin } from './admin-pages.ts'
import { expect, test } from './site.ts'

const own = (page: Page) => page.getByRole('list', { name: 'Your pictures' }).getByRole('listitem')
const uploads = (page: Page) => page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function jpeg(name: string, width: number, height: number) {
  return { name, mimeType: 'image/jpeg', buffer: await quarters(width, height).jpeg().toBuffer() }
}

/** Limits the browser's upload speed, in bytes per second; -1 for no limit. */
async function limitUploads(page: Page) {
  const session = await page.context().newCDPSession(page)
  return (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput,
    })
}

/** The sum of layout shifts without recent input. */
const shiftSoFar = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[])
            if (!entry.hadRecentInput) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 300)
      }),
  )

test('uploads show their progress, and a duplicate picture is reported [PIC-03, PIC-05]', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await openAsAdmin(page, site, '/admin/site/pictures')
  await expect(page.getByText('No pictures of your own yet.')).toBeVisible()
  await expect(
    page.getByRole('list', { name: 'Included with the site' }).getByRole('listitem'),
  ).not.toHaveCount(0)

  const picture = await jpeg('Sunset.jpg', 900, 600)
  // Bytes after the end of the picture are ignored, and only slow down the upload.
  const slow = { ...picture, buffer: Buffer.concat([picture.buffer, Buffer.alloc(600_000)]) }
  const limit = await limitUploads(page)
  await limit(150_000)
  await page.getByLabel('Choose pictures').setInputFiles([slow, await jpeg('Stamp.jpg', 300, 200)])
  await expect(page.getByRole('progressbar', { name: 'Uploading Sunset.jpg' })).toHaveAttribute(
    'aria-valuenow',
    /^[1-9]\d?$/,
  )
  const moved = await shiftSoFar(page)
  const question = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await question).type()).toBe('beforeunload')
  await (await question).dismiss()
  await limit(-1)
  await expect(uploads(page)).toContainText(['A picture needs at least 800 × 500 pixels.'])
  await button(page, 'Try Again: Stamp.jpg').click()
  await expect(uploads(page)).toContainText(['A picture needs at least 800 × 500 pixels.'])
  await button(page, 'Remove Stamp.jpg from the list').click()
  await expect(uploads(page)).toHaveCount(0)

  await expect(own(page)).toContainText(['900 × 600'])
  await expect(own(page)).toContainText(['Preparing...'])
  await expect(own(page)).toContainText(['Ready'], { timeout: 30_000 })
  await expect(own(page).locator('img')).toHaveJSProperty('naturalWidth', 400)
  await expect(page.getByText('Sunset.jpg is ready.')).toBeAttached()
  expect((await shiftSoFar(page)) - moved).toBeLessThan(0.02)
  await page.getByLabel('Choose pictures').setInputFiles(slow)
  await expect(uploads(page)).toContainText(['This picture is already here.'])
  await expect(own(page)).toHaveCount(1)
})

test('a picture in use by the draft cannot be removed, an unused one can [PIC-18]', async ({
  page,
  site,
}) => {
  await failOnly(page, 'media.list')
  await openAsAdmin(page, site, '/admin/site/pictures')
  await expect(page.getByText('Failed to load pictures')).toBeVisible()
  await page.unroute(/\/trpc\//)
  await button(page, 'Try Again').click()
  await page.getByLabel('Choose pictures').setInputFiles(await jpeg('Pier.jpg', 800, 500))
  const pier = own(page).filter({ hasText: 'Pier.jpg' })
  await expect(pier).toHaveCount(1)

  const { pictures } = await asAdmin(site, 'GET', '/api/picture/admin/all')
  const { id } = pictures.find(({ name }: { name: string }) => name === 'Pier.jpg')
  const draft = '/api/site/admin/draft'
  const { overview } = (await asAdmin(site, 'GET', draft)).draft.sections
  const body = { ...overview.body, picture: id, alt: 'The pier' }
  const { section } = await asAdmin(site, 'PUT', `${draft}/overview`, { version: overview.version, body })
  const remove = async () => {
    await button(page, 'Remove: Pier.jpg').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  }
  await remove()
  await expect(notifications(page).getByText('This picture is in use: Overview.')).toBeVisible()
  await expect(pier).toContainText('Used in: Overview')
  await asAdmin(site, 'DELETE', `${draft}/overview?version=${section.version}`)
  await remove()
  await expect(notifications(page).getByText('Picture removed')).toBeVisible()
  await expect(pier).toHaveCount(0)
})
