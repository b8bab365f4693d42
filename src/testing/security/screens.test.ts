import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumLaunchOptions } from '../chromium.ts'
import { type Account, apply, openPortal, type Portal, scan } from './portal.ts'

let portal: Portal
let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch(await chromiumLaunchOptions())
  portal = await openPortal()
})
afterAll(async () => {
  await browser.close()
  await portal.close()
})

const evil = '<img src=x onerror=alert(1)>'
/** In an inline script, this would end the script and start markup. */
const evilData = `</script>${evil}`

/** Opens the paths as this person, waits for the text, and returns what should not be there. */
async function look(paths: string[], token: string | undefined): Promise<string[]> {
  const page = await browser.newPage({ baseURL: portal.url })
  const wrong: string[] = []
  let path = ''
  page.on('dialog', dialog => {
    wrong.push(`${path}: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) wrong.push(`${path}: ${message.text()}`)
  })
  if (token) await page.addInitScript(value => localStorage.setItem('token', value), token)
  const readWords = async () => {
    const fieldTexts = await page
      .locator('input, textarea, [title], [aria-label]')
      .evaluateAll(elements =>
        elements.flatMap(element => [
          'value' in element ? String(element.value) : '',
          element.getAttribute('title') ?? '',
          element.getAttribute('aria-label') ?? '',
        ]),
      )
    return [await page.locator('#root').textContent(), ...fieldTexts].join('\n')
  }
  for (path of paths) {
    await page.goto(path)
    await expect
      .poll(readWords, { timeout: 10_000 })
      .toContain('onerror')
      .catch(() => wrong.push(`${path}: the text is not shown`))
    const made = await page.locator('[onerror], img[src="x"]').count()
    if (made > 0) wrong.push(`${path}: text became ${made} elements`)
  }
  await page.close()
  return wrong
}

async function fill(tenant: Account, admin: Account): Promise<string> {
  const { token } = admin
  const { id } = await apply(portal, tenant, admin, {
    firstName: evil,
    lastName: evil,
    secondApplicantFirstName: evil,
    secondApplicantLastName: evil,
    address: { street: evil, city: evil, state: 'AL', zipCode: '36602' },
    additionalGuests: [{ firstName: evil, lastName: evil, isAdult: true }],
  })
  const put = (path: string, body: object) => portal.expectOk(portal.call('PUT', path, { token, body }))
  const post = (path: string, body: object) => portal.expectOk(portal.call('POST', path, { token, body }))
  await put(`/api/application/admin/${id}/edit`, { notes: evil })
  await post('/api/payment/admin/manual-payment', {
    applicationId: id,
    amount: 100_00,
    paymentType: 'rent',
    checkNumber: evil,
    notes: evil,
  })
  const today = new Date().toISOString().slice(0, 10)
  const nextYear = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  await post('/api/rates/admin', { period: evilData, startDate: today, endDate: nextYear, monthly: 2500 })
  await put(`/api/availability/admin/${today}`, { isAvailable: false, reason: evil })
  const scanned = scan(id, { name: `${evil}.pdf` })
  const headers = { 'user-agent': evil }
  await portal.expectOk(
    portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scanned, headers }),
  )
  return id
}

test('<img onerror> in every text field stays text on every screen and in the served HTML', async () => {
  const admin = await portal.admin()
  const tenant = await portal.tenant({ firstName: evil, lastName: evil })
  const id = await fill(tenant, admin)
  const wrong = [
    ...(await look(['/'], undefined)),
    ...(await look(['/dashboard', `/application/${id}`, '/lease', '/payment/history'], tenant.token)),
    ...(await look(
      [
        '/admin/dashboard',
        `/admin/application/${id}`,
        `/admin/payment/history/${tenant.id}`,
        '/admin/revenue',
        '/admin/rates',
        '/admin/availability',
      ],
      admin.token,
    )),
  ]
  expect(wrong).toEqual([])
  const { text } = await portal.call('GET', '/')
  expect(text).toContain('onerror')
  expect(text).not.toContain('<img src=x')
}, 120_000)
