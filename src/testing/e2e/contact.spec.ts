import type { Page } from '@playwright/test'
import { expect, type Site, test } from './site.ts'

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label)
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' })

const mailbox = async (site: Site) => (await fetch(`${site.url}/sandbox/mailbox`)).text()

async function fill(page: Page) {
  await field(page, 'Full Name').fill('Wanda Wave')
  await field(page, 'Email Address').fill('wanda@guest.example')
  await field(page, 'Message').fill('Is there a parking space?')
}

const sentNotice = (page: Page) => page.getByText("Message sent successfully! We'll get back to you soon.")
test.describe('before the script has loaded', () => {
  // Scripts that do not load are errors in the console.
  test.use({ strictConsole: async ({ page: _ }, use) => use(undefined) })

  const scripts = {
    'the first script': /\/assets\/.*\.js/,
    'the rest of the app': /\/assets\/core-.*\.js/,
    'the script of the page': /\/assets\/contact-page-.*\.js/,
  }
  test('messages are sent and refused without scripts', async ({ page, site }) => {
    await test.step('a message is sent while any script comes 1.5 s late or not at all, and no word of it gets into an address [LOOK-93]', async () => {
      const addresses: string[] = []
      page.on('request', request => addresses.push(request.url()))
      for (const lateMs of [1500, Number.POSITIVE_INFINITY])
        for (const [which, files] of Object.entries(scripts)) {
          const name = `Wanda ${which} ${lateMs}`
          await page.route(files, async route => {
            if (!Number.isFinite(lateMs)) return route.abort()
            await new Promise(resolve => setTimeout(resolve, lateMs))
            return route.continue().catch(() => undefined)
          })
          await page.goto('/contact', { waitUntil: 'commit' })
          await fill(page)
          await field(page, 'Full Name').fill(name)
          await send(page).click()
          await expect(sentNotice(page), which).toBeVisible()
          await expect(page).toHaveURL('/contact')
          await expect.poll(() => mailbox(site), { timeout: 20_000 }).toContain(name)
          await page.unrouteAll()
        }
      expect(addresses.filter(url => /wanda|parking/i.test(url))).toEqual([])
    })
    await test.step('a refused message stays in the form, and can be sent again with the script [LOOK-93]', async () => {
      await page.route(/\/assets\/.*\.js/, route => route.abort())
      await page.goto('/contact')
      await fill(page)
      await field(page, 'Email Address').fill('')
      await send(page).click()
      await expect(page.getByText('Please fill in all required fields')).toBeVisible()
      await page.unrouteAll()
      await field(page, 'Email Address').fill('wanda@guest.example')
      await send(page).click()
      await expect(sentNotice(page)).toBeVisible()
      await page.route(/\/assets\/.*\.js/, route => route.continue())
      await expect(page.locator('[data-waiting]')).toHaveCount(0)
    })
  })
})

test('the video plays and can be paused; with reduced motion it shows its poster and loads only on request [CONTACT-01, CONTACT-16]', async ({
  page,
}) => {
  const videos: string[] = []
  page.on('request', request => {
    if (/contact-loop/.test(request.url())) videos.push(request.url())
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/contact')
  await expect(page.getByRole('button', { name: 'Play video' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const video = page.locator('video')
  expect(await video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true)
  const poster = page.getByRole('main').locator('img[src*="contact-poster"]')
  await expect(poster).toBeVisible()
  expect(await poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(600)
  expect(videos).toEqual([])

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.reload()
  const isPaused = () => video.evaluate((element: HTMLVideoElement) => element.paused)
  await expect.poll(isPaused).toBe(false)
  await page.getByRole('button', { name: 'Pause video' }).click()
  await expect.poll(isPaused).toBe(true)
  await page.getByRole('button', { name: 'Play video' }).click()
  await expect.poll(isPaused).toBe(false)
})
