import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { totpCode, totpStepAt } from '../../server/lib/totp.ts'
import { readBase32 } from '../build-factor.ts'
import { call, confirmMailbox, failCall, mailedCode, makeTenant, signIn } from './accounts.ts'
import { failOnly, notifications } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { addFingerprintReader } from './passkeys.ts'
import { expect, type Site, test } from './site.ts'

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })
const setup = (page: Page) => page.getByRole('dialog', { name: 'Set up two-step verification' })
const codes = (page: Page) => page.getByRole('dialog', { name: 'Your recovery codes' })
const twoStep = (page: Page) => page.getByRole('region', { name: 'Two-step verification' })
const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

/** The code that an authenticator app shows for this key. */
const codeFor = (key: string) => totpCode(readBase32(key.replaceAll(/\s/g, '')), totpStepAt(Date.now()))

async function openSecurity(page: Page, site: Site, { isMailboxProven = true } = {}) {
  const account = await makeTenant(site)
  const token = await signIn(page, site, account)
  if (isMailboxProven) await confirmMailbox(site, account, token)
  await page.goto('/contact')
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  await settings(page).getByRole('tab', { name: 'Security' }).click()
  return account
}

test('an authenticator app is set up and turned off', async ({ page, site }) => {
  await test.step('an authenticator app can be set up by keyboard with recovery codes, and turned off [SAFE-03, SAFE-08, SAFE-10]', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const { email, password } = await openSecurity(page, site)
    await expect(twoStep(page)).toContainText('Off')
    const opener = twoStep(page).getByRole('button')
    await opener.press('Enter')
    await page.keyboard.type('not my password')
    await page.keyboard.press('Enter')
    await expect(setup(page).getByRole('alert')).toHaveText('That password is incorrect.')
    // The rejected password is selected, so typing replaces it.
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')

    await expect(setup(page).getByRole('img', { name: 'QR code of the key' })).toBeVisible()
    const key = (await setup(page).getByRole('definition').textContent()) ?? ''
    expect(key.replaceAll(/\s/g, '')).toMatch(/^[A-Z2-7]{32}$/)
    const field = setup(page).getByLabel('6-digit code')
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await expectAccessible(page)
    const right = codeFor(key)
    await field.fill(right === '000000' ? '000001' : '000000')
    await page.keyboard.press('Enter')
    await expect(setup(page).getByRole('alert')).toHaveText(
      'That code is not right. Check that the clock of your phone is right.',
    )
    await page.keyboard.type(codeFor(key))
    await page.keyboard.press('Enter')

    await expect(notifications(page).getByText('Two-step verification is on')).toBeVisible()
    const shown = await codes(page)
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(shown).toHaveLength(10)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(codes(page).getByRole('button', { name: 'Close' })).toHaveCount(0)
    await codes(page).getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(shown.join('\n'))
    const download = page.waitForEvent('download')
    await codes(page).getByRole('button', { name: 'Download' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`${email} for`)
    await page.emulateMedia({ media: 'print' })
    await expect(codes(page).getByText(`Recovery codes of ${email}`)).toBeVisible()
    await expect(codes(page).getByText(shown[9] ?? '')).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.emulateMedia({ media: 'screen' })
    await codes(page).getByRole('button', { name: 'I have kept them' }).click()
    await expect(opener).toBeFocused()
    await expect(settings(page).getByText('10 of 10 left')).toBeVisible()
    const answer = await call(site, 'POST', '/api/auth/login', { body: { email, password } })
    expect(answer.methods).toEqual(['totp', 'recovery'])

    await opener.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(notifications(page).getByText('Two-step verification is off')).toBeVisible()
    await expect(opener).toHaveText('Set up')
    await expect(opener).toBeFocused()
  })
  await test.step('an expired setup starts over, and settings that fail to load are reported [SAFE-03]', async () => {
    await failOnly(page, 'factors.list')
    const { password } = await openSecurity(page, site)
    await expect(settings(page).getByText('Failed to load your security settings')).toBeVisible()
    await page.unrouteAll()
    await settings(page).getByRole('button', { name: 'Try Again' }).click()
    await twoStep(page).getByRole('button', { name: 'Set up' }).click()
    await setup(page).getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    const expired = 'This setup has expired. Please start again.'
    await failCall(page, 'factors.confirmTotp', { status: 410, message: expired })
    await setup(page).getByLabel('6-digit code').fill('123 456')
    await page.keyboard.press('Enter')
    await expect(setup(page).getByRole('alert')).toHaveText(expired)
    await expect(setup(page).getByLabel('Your password')).toHaveValue('')
  })
})

test('factors are set up after a proof of the mailbox or the identity', async ({ page, site }) => {
  await test.step('the first factor asks for a code from a mail, by keyboard, and every refusal can be mended [FIX-29]', async () => {
    const { email, password } = await openSecurity(page, site, { isMailboxProven: false })
    const opener = twoStep(page).getByRole('button')
    await opener.press('Enter')
    const question = page.getByRole('dialog', { name: 'Confirm your email address' })
    await expect(question).toContainText(email)
    await expectAccessible(page)
    await failCall(page, 'emailChange.sendCode', { status: 503, message: 'Mail is not set up.' })
    await question.getByRole('button', { name: 'Send code' }).press('Enter')
    await expect(question.getByRole('alert')).toHaveText('Mail is not set up.')
    await page.unrouteAll()
    await question.getByRole('button', { name: 'Send code' }).press('Enter')
    const field = question.getByLabel('6-digit code')
    await expect(field).toBeFocused()
    const code = await mailedCode(site, email)
    await page.keyboard.type(code === '000000' ? '000001' : '000000')
    await page.keyboard.press('Enter')
    await expect(question.getByRole('alert')).toHaveText(
      'That code is not right. Please use the code of the newest mail.',
    )
    await failCall(page, 'emailChange.confirmCode', { status: 410, message: 'This code no longer works.' })
    await page.keyboard.press('Enter')
    await expect(question.getByRole('alert')).toHaveText('This code no longer works.')
    await page.unrouteAll()
    await question.getByRole('button', { name: 'Send code' }).click()
    await expect(field).toHaveValue('')
    await expect(async () => {
      await field.fill(await mailedCode(site, email))
      await page.keyboard.press('Enter')
      await expect(notifications(page).getByText('Email address confirmed')).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 15_000 })

    // The setup that was started continues, and the focus returns to its button.
    await expect(setup(page).getByLabel('Your password')).toBeFocused()
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(setup(page).getByLabel('6-digit code')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await opener.press('Enter')
    await expect(setup(page)).toBeVisible()
  })
  await test.step('a passkey can be added after a proof of identity, comes with recovery codes, and can be removed [SAFE-10, SAFE-12]', async () => {
    await addFingerprintReader(page)
    const { password } = await openSecurity(page, site)
    await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
    const name = page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name')
    await expect(name).toHaveValue('Chrome on Linux')
    await name.fill('My laptop')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Please confirm that it is you' })
    await question.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')

    const offer = page.getByRole('dialog', { name: 'New recovery codes' })
    await expect(offer).toContainText('You have no recovery codes yet.')
    await offer.getByRole('button', { name: 'Make new codes' }).click()
    await expect(codes(page).getByRole('listitem')).toHaveCount(10)
    await codes(page).getByRole('button', { name: 'I have kept them' }).click()
    await expect(settings(page)).toBeFocused()
    await expect(twoStep(page)).toContainText('On')
    await passkeys(page).getByRole('button', { name: 'Remove My laptop' }).click()
    const removal = page.getByRole('alertdialog')
    await expect(removal).toContainText('Your password alone will then open your account')
    await removal.getByRole('button', { name: 'Remove' }).click()
    await expect(twoStep(page)).toContainText('Off')
    await expect(passkeys(page).getByRole('listitem')).toHaveCount(0)
    // The passkey's row is gone, so the dialog gets the focus instead of the page behind it.
    await expect(settings(page)).toBeFocused()
  })
})
