import type { Page } from '@playwright/test'
import { totpCode, totpStepAt } from '../../server/lib/totp.ts'
import { readBase32 } from '../build-factor.ts'
import { type Account, call, confirmMailbox, makeTenant, signIn, tokenOf } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { addPasskey } from './passkeys.ts'
import { expect, type Site, test } from './site.ts'

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })
const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Please confirm that it is you' })

/** Opens a tab of the Settings dialog. */
async function openTab(page: Page, name: string) {
  await page.goto('/contact')
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  await settings(page).getByRole('tab', { name }).click()
}

test('what is dangerous asks for a proof of identity', async ({ page, site }) => {
  await test.step('signing out all other sessions asks for the password and works by keyboard [SAFE-17, SAFE-20, SAFE-21]', async () => {
    const account = await makeTenant(site)
    await signIn(page, site, account)
    const elsewhere = await tokenOf(site, account)
    await openTab(page, 'Devices')
    const devices = settings(page).getByRole('list', { name: 'Your devices' }).getByRole('listitem')
    await expect(devices).toHaveCount(2)
    await expect(devices.first()).toContainText('This device')
    await expectAccessible(page)

    const button = settings(page).getByRole('button', { name: 'Log out everywhere else' })
    await button.press('Enter')
    await expect(stepUp(page).getByRole('textbox', { name: 'Password' })).toBeFocused()
    await page.keyboard.type('wrong one')
    await page.keyboard.press('Enter')
    await expect(stepUp(page).getByRole('alert')).toHaveText('That password is incorrect.')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByText('Failed to log out')).toBeVisible()
    await expect(button).toBeFocused()
    await call(site, 'GET', '/api/auth/verify', { token: elsewhere })

    await page.keyboard.press('Enter')
    await expect(stepUp(page).getByRole('textbox', { name: 'Password' })).toBeFocused()
    await page.keyboard.type(account.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Logged out on 1 other device')).toBeVisible()
    await expect(page.getByText('Failed to log out')).toBeHidden({ timeout: 500 })
    await expect(devices).toHaveCount(1)
    await expect(button).toHaveCount(0)
    await expect(call(site, 'GET', '/api/auth/verify', { token: elsewhere })).rejects.toThrow(
      'Your session has ended.',
    )
  })
  await test.step('an email change keeps its input while it asks for a code, and shows its progress [SAFE-16, SAFE-25]', async () => {
    const account = await makeTenant(site)
    await signIn(page, site, account)
    const secret = await setUpApp(site, account)
    await openTab(page, 'Profile')
    await settings(page).getByRole('button', { name: 'Change email' }).click()
    const field = settings(page).getByLabel('New email address')
    await field.fill('maya.new@guest.example')
    await page.keyboard.press('Enter')
    await stepUp(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(settings(page).getByRole('alert')).toHaveText('Please confirm that it is you.')
    await expect(field).toHaveValue('maya.new@guest.example')
    await expect(field).toBeFocused()

    await page.keyboard.press('Enter')
    await stepUp(page)
      .getByLabel('Enter the code from your authenticator app')
      .fill(totpCode(secret, totpStepAt(Date.now())))
    await page.keyboard.press('Enter')
    await expect(settings(page).getByText('We have sent a link to both addresses.')).toBeVisible()
    await openTab(page, 'Profile')
    await expect(settings(page).getByRole('listitem')).toHaveText([
      `${account.email}Waiting`,
      'maya.new@guest.exampleWaiting',
    ])
    await settings(page).getByRole('button', { name: 'Cancel the change' }).click()
    await expect(settings(page).getByRole('button', { name: 'Change email' })).toBeVisible()
  })
  await test.step('a passkey proves the identity with one key press [SAFE-16, SAFE-19]', async () => {
    const account = await makeTenant(site)
    const here = await signIn(page, site, account)
    const elsewhere = await tokenOf(site, account)
    await page.goto('/contact')
    const { remove, setVerified } = await addPasskey(page, site, account, elsewhere)
    await openTab(page, 'Devices')
    await settings(page).getByRole('button', { name: 'Log out everywhere else' }).press('Enter')
    const button = stepUp(page).getByRole('button', { name: 'Use a passkey' })
    await expect(button).toBeFocused()
    await setVerified(false)
    await page.keyboard.press('Enter')
    await expect(stepUp(page).getByRole('alert')).toHaveText('No passkey was used. Please try again.')
    await call(site, 'GET', '/api/auth/verify', { token: elsewhere })
    await setVerified(true)
    await button.press('Enter')
    await expect(page.getByText('Logged out on 1 other device')).toBeVisible()
    await expect(call(site, 'GET', '/api/auth/verify', { token: elsewhere })).rejects.toThrow(
      'Your session has ended.',
    )
    await remove(here)
  })
})

/** Sets up an authenticator app in another session and returns its secret. */
async function setUpApp(site: Site, account: Account): Promise<Buffer> {
  const token = await tokenOf(site, account)
  await confirmMailbox(site, account, token)
  const body = { password: account.password }
  const setup: { secret: string } = await call(site, 'POST', '/api/factor/totp', { token, body })
  const secret = readBase32(setup.secret)
  // The code of the previous time step, because each code works once.
  const code = totpCode(secret, totpStepAt(Date.now()) - 1)
  await call(site, 'POST', '/api/factor/totp/confirm', { token, body: { code } })
  return secret
}
