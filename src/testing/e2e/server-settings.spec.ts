import type { Page } from '@playwright/test'
import { codeIn } from '../build-setup.ts'
import { productionEnv } from '../production-env.ts'
import { type RunningProvider, startProvider } from '../provider.ts'
import { type RunningSmtp, startSmtp } from '../smtp.ts'
import { signIn } from './accounts.ts'
import { expectAccessible } from './axe.ts'
import { admin, expect, test } from './site.ts'

const [port, providerPort] = [4697, 4698]

test.use({
  siteEnv: {
    ...productionEnv,
    ORIGIN: `http://localhost:${port}`,
    PORT: String(port),
    STRIPE_API_BASE: `http://127.0.0.1:${providerPort}`,
    RATE_LIMITS: 'on',
  },
})

let smtp: RunningSmtp
let provider: RunningProvider
test.beforeAll(async () => {
  // Of the own network, only the ports of mail servers are used.
  smtp = await startSmtp(2525)
  const webhook = { webhookUrl: () => 'http://127.0.0.1:9/', webhookSecret: 'whsec_of_nobody' }
  provider = await startProvider({ ...webhook, port: providerPort, now: () => new Date() })
})
test.afterAll(async () => {
  await smtp.close()
  await provider.close()
})

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the owner sets up mail and card payments', async ({ page, site }) => {
  await test.step('the owner saves a mail server, types the digits of the test mail, and mail is on [INST-18, INST-22]', async () => {
    await signIn(page, site, admin)
    await page.goto('/admin/site/server')
    const mail = card(page, 'Mail')
    await mail.getByRole('button', { name: 'Save and send a test mail' }).click()
    await expect(mail.getByText('Please enter the name of the mail server')).toBeVisible()
    await expect(mail.getByLabel(/^Mail server/)).toBeFocused()
    await mail.getByLabel(/^Mail server/).fill('127.0.0.1')
    for (const [port, encryption] of [
      ['587', 'STARTTLS'],
      ['465', 'TLS'],
      ['2525', 'TLS'],
    ] as const) {
      await mail.getByLabel('Port').fill(port)
      await expect(mail.getByLabel(encryption, { exact: true })).toBeChecked()
    }
    await mail.getByLabel('STARTTLS', { exact: true }).check()
    for (const label of ['User', 'Sender']) await expect(mail.getByLabel(label)).toHaveValue(admin.email)
    await mail.getByLabel('User').fill('')
    await mail.getByLabel('Sender').fill('stay@condo.example')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    smtp.behaviour = { recipient: () => ({ code: 550, message: `No such mailbox${'-'.repeat(60)}` }) }
    await mail.getByRole('button', { name: 'Save and send a test mail' }).click()
    await expect(mail.getByText('Mail is not on yet')).toBeVisible()
    await expect(mail.getByRole('alert')).toContainText('550 No such mailbox')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    smtp.behaviour = {}
    await expect(mail.getByLabel('Send a test mail to')).toHaveValue(admin.email)
    await mail.getByRole('button', { name: 'Send it again' }).click()
    await expect(mail.getByText(`The mail server took the mail to ${admin.email}.`)).toBeVisible()
    await expect(mail.getByLabel('Six digits of the mail')).toBeFocused()
    // A phone drops the page while its owner reads the mail.
    await page.reload()
    const digits = mail.getByLabel('Six digits of the mail')
    await digits.fill(codeIn(smtp) === '000000' ? '000001' : '000000')
    await digits.press('Enter')
    await expect(mail.getByText('That code is not right.')).toBeVisible()
    await expectAccessible(page)
    await digits.fill(codeIn(smtp))
    await digits.press('Enter')
    await expect(mail.getByText('Mail works')).toBeVisible()
    // The mail about the change waited for this.
    await expect.poll(() => smtp.received.at(-1)?.parsed.subject).toBe('Mail: the settings were changed')
    await page.reload()
    await expect(mail.getByText('Mail works')).toBeVisible()
  })
  await test.step('the owner enters two keys, and sees the account and its mode; nothing but the folded part names a variable [INST-19]', async () => {
    await signIn(page, site, admin)
    await page.goto('/admin/site/server')
    const cards = card(page, 'Card payments')
    await cards.getByLabel('Publishable key').fill('pk_live_of_the_site')
    await cards.getByLabel('Secret key').fill('sk_test_of_the_site_9f2a')
    await cards.getByRole('button', { name: 'Save keys' }).click()
    await expect(cards.getByText('two live keys or two test keys')).toBeVisible()
    await expect(cards.getByLabel('Secret key')).toBeFocused()
    await cards.getByLabel('Publishable key').fill('pk_test_of_the_site')
    await cards.getByRole('button', { name: 'Save keys' }).click()
    await expect(cards.getByText('Card payments are on')).toBeVisible()
    await expect(cards.getByText('Sandbox Rentals')).toBeVisible()
    await expect(cards.getByText('Test', { exact: true })).toBeVisible()
    await expect(cards.getByText(/^Saved on .* ends with\s9f2a$/)).toBeVisible()
    await expectAccessible(page)

    const names = /\b[A-Z]{2,}_[A-Z_]+\b/
    await expect(page.getByText(names).filter({ visible: true })).toHaveCount(0)
    await card(page, 'This installation').getByText('For whoever runs the server').click()
    await expect(page.getByText('STRIPE_SECRET_KEY')).toBeVisible()
    await page.goto('/admin/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText(names).filter({ visible: true })).toHaveCount(0)
  })
})
