import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { totpCode, totpStepAt } from '../../server/lib/totp.ts'
import { readBase32 } from '../build-factor.ts'
import { type Account, call, confirmMailbox, makeTenant, signIn, tokenOf } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { addPasskey } from './passkeys.ts'
import { expect, type Site, test } from './site.ts'

const wrongCode = 'That code is not right. Check that the clock of your phone is right.'

/** Turns two-step verification on with the previous code, because each code works once. */
async function enableTwoStep(site: Site, account: Account) {
  const token = await tokenOf(site, account)
  await confirmMailbox(site, account, token)
  const { secret } = await call(site, 'POST', '/api/factor/totp', {
    token,
    body: { password: account.password },
  })
  const codeAt = (offset: number) => totpCode(readBase32(secret), totpStepAt(Date.now()) + offset)
  const { recoveryCodes } = await call(site, 'POST', '/api/factor/totp/confirm', {
    token,
    body: { code: codeAt(-1) },
  })
  return { codeAt, recoveryCodes: recoveryCodes as string[], token }
}

async function typePassword(page: Page, { email, password }: Pick<Account, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

test('a login with two steps', async ({ page, site }) => {
  await test.step('a login asks for the code on the same card, and a wrong code can be corrected by keyboard alone [SAFE-01, SAFE-06, SAFE-08]', async () => {
    const account = await makeTenant(site)
    const { codeAt, recoveryCodes } = await enableTwoStep(site, account)
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toHaveCount(0)
    await typePassword(page, account)
    const field = page.getByLabel('Enter the code from your authenticator app')
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await expectAccessible(page)

    await page.keyboard.press('Enter')
    await expect(page.getByText('Please enter the 6-digit code')).toBeVisible()
    await page.keyboard.type(codeAt(5))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText(wrongCode)
    await expect(field).toBeFocused()
    await page.getByRole('button', { name: 'Back to login' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(account.email)
    await expect(page.getByLabel(/^Password/)).toBeFocused()

    await page.keyboard.type(account.password)
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(page.getByLabel('Enter a recovery code')).toBeFocused()
    await page.keyboard.type(recoveryCodes[0]?.toLowerCase() ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Login successful!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })
  await page.evaluate(() => localStorage.clear())
  await test.step('an expired challenge leads back to the password, and the wrong role is rejected after its code [SAFE-06, ADMLOGIN-06]', async () => {
    const account = await makeTenant(site)
    const { codeAt } = await enableTwoStep(site, account)
    await page.goto('/admin/login')
    await typePassword(page, account)
    const field = page.getByLabel('Enter the code from your authenticator app')
    for (let tries = 0; tries < 6; tries++) {
      await field.fill(codeAt(5))
      await page.getByRole('button', { name: 'Log in' }).click()
      if (tries < 5) await expect(page.getByRole('alert')).toHaveText(wrongCode)
    }
    await expect(page.getByRole('alert')).toHaveText('Please log in again.')
    await typePassword(page, account)
    await field.fill(codeAt(0))
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert')).toHaveText('Access denied. Admin credentials required.')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })
})

test('a passkey works as a login without typing, and as a second step [SAFE-13]', async ({ page, site }) => {
  const account = await makeTenant(site)
  const token = await tokenOf(site, account)
  await page.goto('/login')
  const { remove, setVerified } = await addPasskey(page, site, account, token)
  await page.reload()
  const button = page.getByRole('button', { name: 'Log in with a passkey' })
  await expect(button).toBeVisible()
  await setVerified(false)
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('No passkey was used. Please try again.')
  await expect(button).toBeFocused()
  await setVerified(true)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Login successful!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')

  const own = await page.evaluate(() => localStorage.getItem('token'))
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await typePassword(page, account)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await remove(own ?? '')
})

/** The link to this path in the newest mail to this address in the demo's mailbox. */
async function linkFor(site: Site, email: string, path: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const list = await (await fetch(`${site.url}/sandbox/mailbox`)).text()
    const rows = list.split('<li').filter(part => part.includes(email))
    for (const href of rows.map(row => /href="(\/sandbox\/mailbox\/[^"]+)"/.exec(row)?.[1]))
      link ??= new RegExp(`/${path}#[\\w-]+`).exec(await (await fetch(`${site.url}${href}`)).text())?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 15_000 })
  return link ?? ''
}

test('email change links take effect only when their button is pressed, and undo ends the session [SAFE-25, SAFE-28]', async ({
  page,
  site,
}) => {
  const account = await makeTenant(site)
  const newEmail = `new-${randomUUID().slice(0, 8)}@guest.example`
  const token = await signIn(page, site, account)
  await call(site, 'POST', '/api/factor/step-up', { token, body: { password: account.password } })
  await confirmMailbox(site, account, token)
  await call(site, 'POST', '/api/person/email', { token, body: { newEmail } })
  const confirmed = async () => {
    const { change } = await call(site, 'GET', '/api/person/email', { token })
    return change && [change.confirmedOld, change.confirmedNew]
  }
  await page.goto(await linkFor(site, account.email, 'email-change'))
  const confirm = page.getByRole('button', { name: 'Confirm the change' })
  await expect(confirm).toBeVisible()
  await expectAccessible(page)
  expect(await confirmed()).toEqual([false, false])
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'This address is confirmed' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status')).toBeFocused()
  expect(await confirmed()).toEqual([true, false])
  await page.goto(await linkFor(site, newEmail, 'email-change'))
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'Your email address has changed' })).toBeVisible()

  await page.goto(await linkFor(site, account.email, 'email-undo'))
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'All sessions have ended.' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  for (const dead of ['/email-undo#used-up', '/email-change', '/not-me#unknown']) {
    await page.goto(dead)
    const button = page
      .getByRole('button', { name: 'Log out everywhere' })
      .or(page.getByRole('button', { name: 'Undo the change' }))
    if (dead.includes('#')) await button.click()
    await expect(page.getByRole('heading', { name: 'Invalid link' })).toBeVisible()
  }
})
