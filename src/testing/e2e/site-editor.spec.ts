import type { Page } from '@playwright/test'
import { asAdmin, notifications, openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, type Site, test } from './site.ts'

// A separate site, because the published content would show in other tests.
test.use({ siteEnv: { COMPANY_NAME: 'Site Test Rentals' } })

const rest = '/api/site/admin'
const draftOf = async (site: Site) => (await asAdmin(site, 'GET', `${rest}/draft`)).draft
const headlineOf = async (site: Site) => (await draftOf(site)).sections.hero.body.headline

/** Changes the hero as somebody else. */
async function saveHero(site: Site, change: object) {
  const { body, version } = (await draftOf(site)).sections.hero
  await asAdmin(site, 'PUT', `${rest}/draft/hero`, { version, body: { ...body, ...change } })
}
const discardDraft = async (site: Site) =>
  asAdmin(site, 'DELETE', `${rest}/draft?revision=${(await draftOf(site)).revision}`)

const card = (page: Page, name = 'Welcome') => page.getByRole('region', { name, exact: true })
/** Opens or closes a section. */
const toggle = (page: Page, name = 'Welcome') =>
  card(page, name).getByRole('button', { name, exact: true }).click()
const headline = (page: Page) => card(page).getByLabel('Headline')
const state = (page: Page) => card(page).getByRole('status')
const bar = (page: Page) => card(page, 'Publishing')
const button = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })

test('conflicts are settled, and the draft is published', async ({ page, site }) => {
  await test.step('an edit conflict shows both versions, and either can be kept [SITE-17]', async () => {
    await openAsAdmin(page, site, '/admin/site')
    await toggle(page)
    await headline(page).waitFor()
    await saveHero(site, { headline: 'Theirs by the sea' })
    await headline(page).fill('Mine by the sea')
    const clash = card(page).getByRole('alert')
    await expect(clash).toContainText('This part was changed by somebody else meanwhile.')
    await expect(card(page)).toContainText('TheirsTheirs by the seaMineMine by the sea')
    await expectAccessible(page)
    await card(page).getByRole('button', { name: 'Keep mine' }).click()
    await expect(state(page)).toHaveText('Saved')
    await expect(clash).toBeHidden()
    expect(await headlineOf(site)).toBe('Mine by the sea')

    await saveHero(site, { headline: 'Theirs again' })
    await headline(page).fill('Mine again')
    await card(page).getByRole('button', { name: 'Take theirs' }).click()
    await expect(headline(page)).toHaveValue('Theirs again')
    await page.reload()
    await toggle(page)
    await expect(headline(page)).toHaveValue('Theirs again')
  })
  await discardDraft(site)
  await test.step('publishing links to missing fields, publishes only what was reviewed, and can be undone [SITE-20, SITE-26]', async () => {
    await openAsAdmin(page, site, '/admin/site')
    await toggle(page)
    await toggle(page, 'House rules')
    const before = await headline(page).inputValue()
    const { version } = (await draftOf(site)).published
    await headline(page).fill('')
    await card(page, 'House rules').getByLabel('Rule 1').first().fill('Leave the sand at the beach.')
    await toggle(page)
    await expect(card(page).getByText('Incomplete')).toBeVisible()
    await button(page, 'Publish').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('New leases will carry these house rules.')
    await expectAccessible(page)
    await expect(dialog.getByRole('button', { name: 'Publish' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Welcome: Headline is required' }).click()
    await expect(headline(page)).toBeFocused()
    await page.keyboard.type('Sand between your toes')

    await button(page, 'Publish').click()
    await expect(dialog.getByRole('deletion')).not.toHaveCount(0)
    await saveHero(site, { headline: 'Sand between your fingers' })
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'The draft has changed since you looked. Check it and publish again.',
    )
    await expect(dialog).toContainText('Sand between your fingers')
    await dialog.getByLabel('Note').fill('Sand')
    await page.keyboard.press('Enter')
    await expect(bar(page)).toContainText('Everything is published.')
    await expect(bar(page).getByText('Everything is published.')).toBeFocused()
    await expect(headline(page)).toHaveValue('Sand between your fingers')
    // F8 moves the focus to the notifications; Tab would have to cross the whole page.
    await page.keyboard.press('F8')
    await expect(notifications(page).getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(
      notifications(page).getByText(`Version ${version} is back, as version ${version + 2}.`),
    ).toBeVisible()
    await expect(headline(page)).toHaveValue(before)
    expect((await draftOf(site)).published.version).toBe(version + 2)
  })
})
