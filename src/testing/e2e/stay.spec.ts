import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { adminToken, call, makeTenant, tokenOf } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { makeLease } from './leases.ts'
import { expect, type Site, test } from './site.ts'

// Switching arrival information on changes other screens.
test.use({ siteEnv: { LOG_LEVEL: 'error' } })
test.setTimeout(120_000)

async function openStay(site: Site) {
  const [guest, owner] = [await tokenOf(site, await makeTenant(site)), await adminToken(site)]
  const { id } = await makeLease(site, guest)
  const ask = (method: string, path: string, body: unknown) =>
    call(site, method, path, { token: owner, body })
  const { body, version } = await call(site, 'GET', '/api/setup/admin/stay', { token: owner })
  await ask('PUT', '/api/setup/admin/stay', { version, body: { ...body, enabled: true } })
  const save = (section: string, body: object, more = {}) =>
    ask('PUT', `/api/stay/admin/arrival/${section}`, { version: 0, body, ...more })
  const lockId = randomUUID()
  const hint = 'The keypad is below the handle'
  await save('entry', {
    text: '',
    locks: [{ id: lockId, name: 'Front door', kind: 'standing', digits: 4, hint }],
  })
  await ask('POST', `/api/stay/admin/locks/${lockId}/code`, { code: '4711' })
  await save('directions', { mapLink: 'https://map.example/condo', text: 'Take the second entrance.' })
  await save('wifi', { network: 'Seabreeze' }, { password: 'sea-and-sand' })
  await save('manual', { entries: [{ title: 'Trash', text: 'Behind the garage.' }] })
  await save('checkout', { items: ['Close the windows'] })
  await save('contacts', { people: [{ name: 'Ben Harper', role: 'Host', phone: '850-555-0142' }] })
  await ask('PUT', `/api/stay/admin/${id}/gate`, { hold: 'open', reason: 'Arrives early' })
  return { id, guest, owner }
}

async function visit(page: Page, token: string, path: string) {
  await page.goto('/')
  await page.evaluate(token => localStorage.setItem('token', token), token)
  await page.goto(path)
}

test('on a phone the code of an open stay is on the first screen, and its screens pass axe, a guest’s too [STAY-26, STAY-29, STAY-31]', async ({
  page,
  site,
}) => {
  const { guest, id, owner } = await openStay(site)
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, guest, `/stay/${id}`)
  const show = page.getByRole('button', { name: 'Show code' })
  await expect(show).toBeInViewport({ ratio: 1 })
  await show.click()
  await expect(page.getByText('4711')).toBeVisible()
  await page.getByRole('button', { name: 'Show Wi-Fi' }).click()
  await expect(page.getByText('sea-and-sand')).toBeVisible()
  await expectAccessible(page)
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.getByLabel('Who is it for?').fill('Ben')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessible(page)
  const link = await page.getByText('/stay#').textContent()
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto(link ?? '')
  await page.reload()
  await expect(page.getByText('Please ask the person who booked for the code.').first()).toBeVisible()
  await expectAccessible(page)
  expect(await overflow()).toBeLessThanOrEqual(0)
  const loaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Add to calendar' }).click()
  expect((await loaded).suggestedFilename()).toBe('stay.ics')
  await visit(page, owner, '/admin/arrival')
  await page.getByRole('heading', { name: 'Information' }).waitFor()
  for (const summary of await page.locator('main summary').all()) await summary.click()
  await expect(page.getByLabel('Wi-Fi password')).toBeVisible()
  await expectAccessible(page)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await visit(page, owner, `/admin/arrival/${id}`)
  await page.getByRole('button', { name: 'Remove the link of Ben' }).click()
  await expect(page.getByText('Link removed')).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('Left early')
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByRole('heading', { name: 'Closed' })).toBeVisible()
  await expectAccessible(page)
})
