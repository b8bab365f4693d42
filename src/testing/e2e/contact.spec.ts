import type { Page } from '@playwright/test'
import { failCall } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { expect, owner, type Site, test } from './site.ts'

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label)
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' })

const mailbox = async (site: Site) => (await fetch(`${site.url}/sandbox/mailbox`)).text()

async function fill(page: Page) {
  await field(page, 'Full Name').fill('Wanda Wave')
  await field(page, 'Email Address').fill('wanda@guest.example')
  await field(page, 'Message').fill('Is there a parking space?')
}

async function expectKept(page: Page) {
  await expect(field(page, 'Full Name')).toHaveValue('Wanda Wave')
  await expect(field(page, 'Email Address')).toHaveValue('wanda@guest.example')
  await expect(field(page, 'Message')).toHaveValue('Is there a parking space?')
}

/** Records the messages that the form sends. */
function watchMessages(page: Page): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = []
  page.on('request', request => {
    const names = new URL(request.url()).pathname.slice('/trpc/'.length).split(',')
    const index = names.indexOf('contact.send')
    if (index >= 0) sent.push(request.postDataJSON()[index])
  })
  return sent
}

test('the screen shows the form and the owner’s contact, and checks whether mail works [CONTACT-01, CONTACT-02, CONTACT-04, CONTACT-06, CONTACT-11]', async ({
  page,
}) => {
  const asked = page.waitForRequest(request => request.url().includes('/trpc/contact.ready'))
  await page.goto('/contact')
  await asked
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
  await expect(page.locator('video')).toBeVisible()
  for (const label of ['Full Name', 'Email Address', 'Message'])
    await expect(field(page, label)).toHaveAttribute('aria-required', 'true')
  for (const label of ['Phone Number', 'Subject'])
    await expect(field(page, label)).not.toHaveAttribute('aria-required', 'true')
  await expect(field(page, 'Email Address')).toHaveAttribute('type', 'email')
  await expect(field(page, 'Message')).toHaveAttribute('rows', '5')
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: owner.email })).toBeVisible()
  await expect(main.getByRole('link', { name: owner.phone })).toBeVisible()
  await expectAccessible(page)
})

test('missing fields are reported and nothing is sent [CONTACT-05]', async ({ page }) => {
  await page.goto('/contact')
  const sent = watchMessages(page)
  await field(page, 'Full Name').fill('Wanda Wave')
  await send(page).click()
  await expect(page.getByText('Please fill in all required fields')).toBeVisible()
  await expect(field(page, 'Email Address')).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'Email Address')).toBeFocused()
  await expectAccessible(page)
  expect(sent).toEqual([])
})

test('a message is sent to the owner once, and the form is cleared [CONTACT-03, CONTACT-07, CONTACT-08, CONTACT-09, CONTACT-10]', async ({
  page,
  site,
}) => {
  await page.goto('/contact')
  const sent = watchMessages(page)
  await fill(page)
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/contact\.send/, async route => {
    await held
    await route.continue()
  })
  await send(page).click()
  const busy = page.getByRole('button', { name: 'Sending...' })
  await expect(busy).toBeDisabled()
  release()
  await expect(page.getByText("Message sent successfully! We'll get back to you soon.")).toBeVisible()
  for (const label of ['Full Name', 'Email Address', 'Phone Number', 'Subject', 'Message'])
    await expect(field(page, label)).toHaveValue('')
  await expect(send(page)).toBeEnabled()
  expect(sent).toEqual([
    expect.objectContaining({ phone: 'Not provided', subject: 'Contact Form Submission' }),
  ])
  await expectAccessible(page)
  await expect.poll(() => mailbox(site), { timeout: 20_000 }).toContain('Wanda Wave')
})

test('a failed message shows the reason and stays in the form [CONTACT-10, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15]', async ({
  page,
}) => {
  for (const [failure, message] of [
    [{ status: 503 }, 'Email service is not ready. Please try again in a moment.'],
    [{ status: 400 }, `Contact service temporarily unavailable. Please email us directly at ${owner.email}`],
    [{ status: 429 }, 'Failed to send message. Please try again or contact us directly.'],
    [{ status: 500 }, 'Failed to send message. Please try again or contact us directly.'],
    ['no answer', 'An error occurred while sending your message. Please try again.'],
  ] as const) {
    await page.goto('/contact')
    await failCall(page, 'contact.send', failure)
    await fill(page)
    await send(page).click()
    await expect(page.getByText(message)).toBeVisible()
    await expectKept(page)
    await expectAccessible(page)
    await page.unrouteAll()
    await send(page).click()
    await expect(page.getByText("Message sent successfully! We'll get back to you soon.")).toBeVisible()
    await expect(page.getByText(message)).toHaveCount(0)
  }
})

const sentNotice = (page: Page) => page.getByText("Message sent successfully! We'll get back to you soon.")
test.describe('before the script has loaded', () => {
  // Scripts that do not load are errors in the console.
  test.use({ strictConsole: async ({ page: _ }, use) => use(undefined) })

  for (const [which, scripts] of [
    ['the first script', /\/assets\/.*\.js/],
    ['the rest of the app', /\/assets\/core-.*\.js/],
    ['the script of the page', /\/assets\/contact-page-.*\.js/],
  ] as const)
    for (const [what, answer] of [
      ['comes 1.5 s late', 'late'],
      ['does not come', 'never'],
    ] as const)
      test(`a message is sent while ${which} ${what}, and no word of it gets into an address [LOOK-93]`, async ({
        page,
        site,
      }) => {
        const name = `Wanda ${which} ${answer}`
        const addresses: string[] = []
        page.on('request', request => addresses.push(request.url()))
        await page.route(scripts, async route => {
          if (answer === 'never') return route.abort()
          await new Promise(resolve => setTimeout(resolve, 1500))
          return route.continue().catch(() => undefined)
        })
        await page.goto('/contact', { waitUntil: 'commit' })
        await fill(page)
        await field(page, 'Full Name').fill(name)
        await send(page).click()
        await expect(sentNotice(page)).toBeVisible()
        await expect(page).toHaveURL('/contact')
        expect(addresses.filter(url => /wanda|parking/i.test(url))).toEqual([])
        await expect.poll(() => mailbox(site), { timeout: 20_000 }).toContain(name)
        await page.unrouteAll()
      })

  test('a refused message stays in the form, and can be sent again with the script [LOOK-93]', async ({
    page,
  }) => {
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
    await expectAccessible(page)
  })
})

test('the video plays and can be paused [CONTACT-01, CONTACT-16]', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/contact')
  const isPaused = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)
  await expect.poll(isPaused).toBe(false)
  await page.getByRole('button', { name: 'Pause video' }).click()
  await expect.poll(isPaused).toBe(true)
  await page.getByRole('button', { name: 'Play video' }).click()
  await expect.poll(isPaused).toBe(false)
})

test('with reduced motion the video shows its poster and loads only on request [CONTACT-16]', async ({
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
})
