import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, type Route, test } from '@playwright/test'
import { projectRoot } from '../../../db/project-root.ts'
import { totpCode, totpStepAt } from '../../server/lib/totp.ts'
import { readBase32 } from '../build-factor.ts'
import { type RunningSite, startSite } from '../site-process.ts'
import { expectAccessible } from './axe.ts'

test.use({ viewport: { width: 390, height: 844 } })

const folder = mkdtempSync(join(tmpdir(), 'condo-install-'))
let site: RunningSite
test.beforeAll(async () => {
  site = await startSite(folder, { NODE_ENV: 'production' })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Like a power cut, at the end of a step. */
async function cutPower() {
  process.kill(site.pid() ?? 0, 'SIGKILL')
  await expect.poll(site.hasEnded).toBe(true)
  await site.restart()
}

function printLink(): string {
  const env = {
    NODE_ENV: 'production',
    PORT: new URL(site.url).port,
    DATABASE_FILE: join(folder, 'portal.sqlite'),
    UPLOADS_DIR: join(folder, 'uploads'),
  }
  const args = [join(projectRoot, 'dist/server/cli.js'), 'link']
  const printed = execFileSync(process.execPath, args, { env, encoding: 'utf8' })
  return /http\S+\/install#\S+/.exec(printed)?.[0] ?? ''
}

const isAtStep = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const nothingHere = 'This page went out with the tide'

/** No axe violations, and nothing wider than the phone. */
async function looksRight(page: Page) {
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
}

test('an empty folder becomes a site in the browser, with a power cut after each step [INST-14, INST-15, INST-16, INST-17]', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const answer = await page.goto(site.url)
  expect(answer?.status()).toBe(503)
  await expect(page.locator('body')).toHaveText('This site is being set up.')
  await page.goto(`${site.url}/install`)
  await isAtStep(page, nothingHere)
  await page.goto(`${site.url}/install#${'x'.repeat(43)}`)
  await page.reload()
  await isAtStep(page, 'This link no longer works')

  await page.goto('about:blank')
  const link = printLink()
  await page.goto(link)
  await isAtStep(page, 'Account')
  await page.getByLabel('First name').fill('Olive')
  await page.getByLabel('Last name').fill('Shore')
  await page.getByLabel('Email').fill('olive@condo.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('tides')
  await button(page, 'Create account').click()
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription(/at least 8/)
  await looksRight(page)
  await page.getByRole('textbox', { name: 'Password' }).fill('Tides.and.dunes.9')
  await button(page, 'Create account').press('Enter')
  await isAtStep(page, 'Second step')
  // The password was typed just now.
  await page.getByRole('region', { name: 'Two-step verification' }).getByRole('button').click()
  await expect(page.getByLabel('6-digit code')).toBeVisible()
  await button(page, 'Cancel').click()
  await cutPower()

  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await isAtStep(other, 'This link no longer works')
  await other.goto(`${site.url}/admin/login`)
  await other.getByLabel('Email').fill('olive@condo.example')
  await other.getByRole('textbox', { name: 'Password' }).fill('Tides.and.dunes.9')
  await button(other, 'Log in').click()
  await isAtStep(other, 'Second step')
  await expect(other).toHaveURL(`${site.url}/install`)
  await other.context().close()

  await page.reload()
  await isAtStep(page, 'Second step')
  await expect(button(page, 'Next')).toHaveCount(0)
  await looksRight(page)
  await page.getByRole('region', { name: 'Two-step verification' }).getByRole('button').click()
  const setup = page.getByRole('dialog', { name: 'Set up two-step verification' })
  await setup.getByRole('textbox', { name: 'Your password' }).fill('Tides.and.dunes.9')
  await button(page, 'Continue').click()
  const key = (await setup.getByRole('definition').textContent())?.replaceAll(/\s/g, '') ?? ''
  await setup.getByLabel('6-digit code').fill(totpCode(readBase32(key), totpStepAt(Date.now())))
  await button(page, 'Turn on').click()
  await button(page, 'I have kept them').click()
  await button(page, 'Next').click()
  await isAtStep(page, 'Your condo')
  await cutPower()

  await page.reload()
  await isAtStep(page, 'Your condo')
  await expect(page.getByLabel('Time zone')).toHaveValue('America/New_York')
  await button(page, 'Next').click()
  await expect(page.getByLabel('Company name')).toBeFocused()
  await looksRight(page)
  await page.getByLabel('Company name').fill('Dune Rentals')
  await page.getByLabel('Property name').fill('Dune Condo')
  await page.getByLabel('Property address').fill('1 Beach Road, Seabright Beach, FL 32000')
  await expect(page.getByLabel('Owner email')).toHaveValue('olive@condo.example')
  await page.getByLabel('Owner email').fill('hello@dune')
  await page.getByLabel('Owner phone').fill('12')
  await button(page, 'Next').click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Please enter a valid phone number')).toBeVisible()
  await page.getByLabel('Owner email').fill('hello@dune.example')
  await page.getByLabel('Owner phone').fill('850-555-0199')
  await page.getByLabel('Time zone').selectOption('America/Chicago')
  await button(page, 'Back').click()
  await isAtStep(page, 'Second step')
  await button(page, 'Next').click()
  await expect(page.getByLabel('Company name')).toHaveValue('Dune Rentals')
  const whileLeaving = async (route: Route) => {
    await expect(button(page, 'Saving...')).toBeDisabled()
    await route.continue()
  }
  await page.route('**/trpc/install.leave*', whileLeaving, { times: 1 })
  await button(page, 'Next').click()
  for (const step of ['Mail', 'Card payments', 'Backups elsewhere']) {
    await isAtStep(page, step)
    await cutPower()
    await page.reload()
    await isAtStep(page, step)
    await looksRight(page)
    await button(page, 'Later').click()
  }
  await isAtStep(page, 'Done')
  await cutPower()

  await page.reload()
  await isAtStep(page, 'Done')
  await looksRight(page)
  for (const step of ['Backups elsewhere', 'Card payments', 'Mail', 'Your condo']) {
    await button(page, 'Back').click()
    await isAtStep(page, step)
  }
  await expect(page.getByLabel('Time zone')).toHaveValue('America/Chicago')
  await page.reload()
  await isAtStep(page, 'Done')
  await button(page, 'Go to the dashboard').click()
  await expect(page.getByRole('region', { name: 'Open your site' })).toBeVisible()
  await cutPower()

  await page.goto(`${site.url}/install`)
  await isAtStep(page, nothingHere)
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(site.url)
  await isAtStep(visitor, 'Dune Condo')
  await expect(visitor.getByText('Opening soon')).toBeVisible()
  await visitor.context().close()
  expect(site.output()).not.toContain(link.split('#')[1])
})
