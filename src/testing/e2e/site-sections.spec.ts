import type { Locator, Page } from '@playwright/test'
import { asAdmin, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { changeSite } from './responses.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because its draft would affect other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Section Test Rentals' } })

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Opens the site editor at a section. */
const openSection = (page: Page, site: Site, name: string) => openAsAdmin(page, site, `/admin/site#${name}`)
/** The content of a section in the draft. */
const stored = async (site: Site, name: string) =>
  (await asAdmin(site, 'GET', '/api/site/admin/draft')).draft.sections[name].body
const factsOf = async (site: Site) =>
  (await stored(site, 'facts')).items.map(({ text }: { text: string }) => text)
const captionsOf = async (site: Site) =>
  (await stored(site, 'gallery')).pictures.map(({ picture }: { picture: string }) => picture.slice(0, 2))

async function discardAll(site: Site) {
  const { draft } = await asAdmin(site, 'GET', '/api/site/admin/draft')
  await asAdmin(site, 'DELETE', `/api/site/admin/draft?revision=${draft.revision}`)
}
test.afterEach(({ site }) => discardAll(site))

/** Drags a handle with the pointer and drops it on another element. */
async function drag(page: Page, handle: Locator, onto: Locator) {
  await handle.scrollIntoViewIfNeeded()
  await handle.hover()
  await page.mouse.down()
  const target = await onto.boundingBox()
  if (!target) throw new Error('not on the screen')
  const [x, y] = [target.x + target.width / 2, target.y + target.height / 2]
  await page.mouse.move(x, y - 8, { steps: 8 })
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

test('on a phone the buttons for the whole page stay in their card, and a second badge is below the title', async ({
  page,
  site,
}) => {
  await changeSite(page, data => Object.assign(data, { opening: 'never' }))
  await page.setViewportSize({ width: 390, height: 844 })
  await openSection(page, site, 'overview')
  const overview = card(page, 'Overview')
  await overview.getByLabel('Intro').fill('')
  const bar = card(page, 'Publishing')
  await expect(overview.getByText('Incomplete')).toBeVisible()
  await overview.getByRole('button', { name: 'Overview', exact: true }).click()
  await expect(bar.getByRole('button')).toHaveText(['Discard all', 'Preview', 'Go to Overview'])
  for (const width of [320, 360, 375, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const edges = await bar.evaluate(element => {
      const rightOf = (selector: string) =>
        [...element.querySelectorAll(selector)].map(found => found.getBoundingClientRect().right)
      return {
        buttons: Math.max(...rightOf('button')),
        card: Math.max(...rightOf(':scope > section')),
        page: document.documentElement.scrollWidth,
      }
    })
    expect(edges.buttons, `${width} px`).toBeLessThan(edges.card)
    expect(edges.page).toBe(width)
  }
  const [button = 0, second] = await overview
    .getByRole('heading')
    .evaluate(heading =>
      [...heading.querySelectorAll('button, button ~ :last-child')].map(
        found => found.getBoundingClientRect().left,
      ),
    )
  // The chevron is 20 px wide, with a gap of 8 px.
  expect(second).toBe(button + 28)
})

test('a list is reordered, and a focal point set', async ({ page, site }) => {
  await test.step('a list can be reordered by buttons, keyboard and pointer, and each move is announced [SITE-04]', async () => {
    await openSection(page, site, 'facts')
    const facts = card(page, 'Facts')
    const announcement = facts.getByRole('status').filter({ hasText: /place|Added|Removed/i })
    const handle = (name: string) => facts.getByRole('button', { name: `Move ${name}` })

    await facts.getByRole('button', { name: 'Later: 2 bedrooms' }).click()
    await expect(announcement).toHaveText('Moved to place 2 of 7: 2 bedrooms')
    await expect(facts.getByRole('button', { name: 'Later: 2 bedrooms' })).toBeFocused()
    await facts.getByRole('button', { name: 'Earlier: 2 bedrooms' }).press('Enter')
    await expect(announcement).toHaveText('Moved to place 1 of 7: 2 bedrooms')
    // The item is first again and its Earlier button is disabled, so Later gets the focus.
    await expect(facts.getByRole('button', { name: 'Later: 2 bedrooms' })).toBeFocused()

    await handle('2 bathrooms').focus()
    await page.keyboard.press('Space')
    await expect(announcement).toHaveText('Picked up: 2 bathrooms, place 2 of 7')
    await page.keyboard.press('ArrowDown')
    await expect(announcement).toHaveText('Place 3 of 7')
    await page.keyboard.press('Space')
    await expect(announcement).toHaveText('Moved to place 3 of 7: 2 bathrooms')
    await expect(handle('2 bathrooms')).toBeFocused()

    await drag(page, handle('2 bathrooms'), handle('2 bedrooms'))
    await expect(announcement).toHaveText('Moved to place 1 of 7: 2 bathrooms')
    await expect
      .poll(async () => (await factsOf(site)).slice(0, 3))
      .toEqual(['2 bathrooms', '2 bedrooms', 'Sleeps 4'])

    await facts.getByRole('button', { name: 'Remove: 2 bathrooms' }).click()
    await expect(announcement).toHaveText('Removed: 2 bathrooms. 6 left.')
    await expect(handle('2 bedrooms')).toBeFocused()
    await facts.getByRole('button', { name: 'Add fact' }).click()
    await page.keyboard.type('Garden')
    await expect.poll(async () => (await factsOf(site)).at(-1)).toBe('Garden')
  })
  // Another part of the same address alone would load no document.
  await page.goto('/favicon.svg')
  await test.step('a click on the picture and arrow keys set the focal point of all its crops [PIC-10]', async () => {
    await openSection(page, site, 'hero')
    const hero = card(page, 'Welcome')
    await expect(hero.getByText('its own crop')).toBeVisible()
    await hero.getByRole('button', { name: 'Choose from your pictures' }).click()
    const chooser = page.getByRole('dialog', { name: 'Choose a picture' })
    await chooser.getByRole('radio', { name: /05-kitchen/ }).check()
    await chooser.getByRole('button', { name: 'Use picture' }).click()

    const focal = hero.getByRole('slider', { name: 'What stays in view' })
    await expect(focal).toBeVisible()
    const box = await focal.boundingBox()
    if (!box) throw new Error('not on the screen')
    await focal.click({ position: { x: box.width * 0.79, y: box.height * 0.52 } })
    await expect(focal).toHaveAttribute('aria-valuetext', '80% from the left, 50% from the top')
    await focal.press('ArrowLeft')
    await focal.press('ArrowUp')
    await expect(focal).toHaveAttribute('aria-valuetext', '75% from the left, 45% from the top')
    await expect.poll(async () => (await stored(site, 'hero')).focal).toEqual({ x: 0.75, y: 0.45 })
    const phone = hero.getByRole('figure', { name: 'Phone' }).getByRole('presentation')
    const before = await phone.evaluate(image => getComputedStyle(image).objectPosition)
    await focal.press('ArrowRight')
    await expect(phone).not.toHaveCSS('object-position', before)
    // Wait for the save, which would otherwise come between the two cleanup calls.
    await expect.poll(async () => (await stored(site, 'hero')).focal).toEqual({ x: 0.8, y: 0.45 })
  })
})

test('several pictures can be added to the gallery at a time and reordered by dragging on a tablet [PIC-14]', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await openSection(page, site, 'gallery')
  const gallery = card(page, 'Gallery')
  await gallery.getByRole('button', { name: 'Choose from your pictures' }).click()
  const chooser = page.getByRole('dialog', { name: 'Choose pictures' })
  await expect(chooser.getByRole('checkbox', { name: /Already in the gallery/, disabled: true })).toHaveCount(
    12,
  )
  await expectAccessible(page)
  const free = chooser.locator('input[type=checkbox]:not(:disabled)')
  const count = await free.count()
  for (let index = 0; index < count; index++) await free.nth(index).check()
  await chooser.getByRole('button', { name: /^Add \d/ }).click()
  await expect.poll(async () => (await captionsOf(site)).length).toBe(12 + count)

  const handle = (name: string) => gallery.getByRole('button', { name: `Move ${name}` })
  await drag(page, handle('Evening on the balcony'), handle('The building from the sand at golden hour'))
  await expect.poll(async () => (await captionsOf(site)).slice(0, 3)).toEqual(['12', '01', '02'])

  const first = gallery.getByRole('button', { name: /^1 Evening on the balcony/ })
  await first.press('Enter')
  // The text fields come after all pictures in the document, so the focus moves there, and Escape moves it back.
  await expect(gallery.getByRole('group', { name: 'Picture 1' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(first).toBeFocused()
  await expect(gallery.getByLabel('Caption')).toBeHidden()
  await first.click()
  await gallery.getByLabel('Caption').fill('Sunset')
  await gallery.getByRole('button', { name: 'Later: Sunset' }).click()
  await expect.poll(async () => (await stored(site, 'gallery')).pictures[1].caption).toBe('Sunset')
})
