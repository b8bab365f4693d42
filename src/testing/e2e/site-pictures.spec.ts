import type { Locator, Page } from '@playwright/test'
import { quarters } from '../build-picture.ts'
import { asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

// A separate site, because the published content would show in other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Picture Test Rentals' } })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function jpeg(name: string, width: number, height: number) {
  return { name, mimeType: 'image/jpeg', buffer: await quarters(width, height).jpeg().toBuffer() }
}

/** Limits the browser's upload speed, in bytes per second; -1 for no limit. */
async function limitUploads(page: Page) {
  const session = await page.context().newCDPSession(page)
  return (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
}

test('on a phone the buttons of a selected picture come to rest below the bar [LOOK-51]', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 600 })
  await openAsAdmin(page, site, '/admin/site')
  await card(page, 'Gallery').getByRole('button', { name: 'Gallery', exact: true }).click()
  await card(page, 'Gallery').locator('button[aria-expanded=false]').nth(1).click()
  const words = card(page, 'Gallery').getByRole('group', { name: /^Picture \d+$/ })
  await expect(words).toBeFocused()
  const isCovered = () =>
    words.getByRole('button', { name: /^Remove/ }).evaluate(element => {
      const { height, left, top, width } = element.getBoundingClientRect()
      return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  await expect.poll(isCovered).toBe(false)
})

test('a new picture in the gallery takes four clicks from the dashboard [LOOK-51, LOOK-92]', async ({
  page,
  site,
}) => {
  await openAsAdmin(page, site, '/admin/dashboard')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks++
    await target.click()
  }
  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Site' }))
  const gallery = card(page, 'Gallery')
  const chooser = page.waitForEvent('filechooser')
  await click(gallery.getByRole('button', { name: 'Add pictures' }))
  await (await chooser).setFiles(await jpeg('Pool.jpg', 900, 600))
  await expect(gallery.getByRole('group', { name: 'Picture 13' })).toBeFocused()
  await gallery.getByLabel('Caption').fill('The pool')
  await gallery.getByLabel('Picture description').fill('A pool between palms')
  await expect(gallery.getByText('Preparing...')).toHaveCount(0, { timeout: 30_000 })
  await click(button(page, 'Publish'))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
  await expect(page.getByText('Everything is published.')).toBeVisible()
  expect(clicks).toBe(4)
  await page.goto('/')
  await expect(page.getByRole('img', { name: 'A pool between palms' })).toHaveCount(1)
})

test.describe('in the draft', () => {
  test.use({ viewport: { width: 768, height: 1024 } })
  test.afterEach(async ({ site }) => {
    const { draft } = await asAdmin(site, 'GET', '/api/site/admin/draft')
    await asAdmin(site, 'DELETE', `/api/site/admin/draft?revision=${draft.revision}`)
  })

  test('uploads show their progress and say what is wrong, and are chosen [PIC-03, PIC-05]', async ({
    page,
    site,
  }) => {
    await openAsAdmin(page, site, '/admin/site#overview')
    const overview = card(page, 'Overview')
    await overview.getByRole('button', { name: 'Choose from your pictures' }).click()
    const dialog = page.getByRole('dialog')
    const picture = await jpeg('Sunset.jpg', 900, 600)
    // Bytes after the end of the picture are ignored, and only slow down the upload.
    const slow = { ...picture, buffer: Buffer.concat([picture.buffer, Buffer.alloc(600_000)]) }
    const limit = await limitUploads(page)
    await limit(150_000)
    await dialog.getByLabel('Upload pictures').setInputFiles([slow, await jpeg('Stamp.jpg', 300, 200)])
    const progress = page.getByRole('progressbar', { name: 'Uploading Sunset.jpg' })
    await expect(progress).toHaveAttribute('aria-valuenow', /^[1-9]\d?$/)
    const question = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    expect((await question).type()).toBe('beforeunload')
    await (await question).dismiss()
    await limit(-1)
    const uploads = dialog.getByRole('list', { name: 'Uploads' })
    await expect(uploads).toContainText('A picture needs at least 800 × 500 pixels.')
    await button(page, 'Try Again: Stamp.jpg').click()
    await expect(uploads).toContainText('A picture needs at least 800 × 500 pixels.')
    await button(page, 'Remove Stamp.jpg from the list').click()
    await expect(uploads).toHaveCount(0)
    await expect(dialog.getByRole('radio', { name: /Sunset/ })).toBeChecked()
    await dialog.getByRole('button', { name: 'Use picture' }).click()
    await expect(overview.getByLabel('Picture description')).toHaveValue('')
  })

  test('a picture is dropped where it stands, and an unused one can be removed [LOOK-51, PIC-18]', async ({
    page,
    site,
  }) => {
    await openAsAdmin(page, site, '/admin/site#overview')
    const overview = card(page, 'Overview')
    for (const name of ['Dune.jpg', 'Pier.jpg']) {
      const picture = await jpeg(name, name === 'Pier.jpg' ? 800 : 1000, 600)
      await overview.getByLabel('Upload another').setInputFiles(picture)
      await expect(overview.getByRole('list', { name: 'Uploads' })).toHaveCount(0)
      await expect(overview.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
    }
    await overview.getByRole('button', { name: 'Choose from your pictures' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Pier.jpg' })).toContainText(
      'Used in: Overview',
    )
    await expectAccessible(page)
    await button(page, 'Remove: Dune.jpg').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(notifications(page).getByText('Picture removed')).toBeVisible()
    await expect(dialog.getByText('Dune.jpg')).toHaveCount(0)
  })
})
