import { request } from 'node:https'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { type BrowserContext, expect } from '@playwright/test'
import { totpCode, totpStepAt } from '../../server/lib/totp.ts'
import { readBase32 } from '../build-factor.ts'
import { buildRate } from '../build-rate.ts'
import { hostAddress } from './machine.ts'

export const owner = { email: 'olive@condo.example', password: 'Tides.and.dunes.9' }

type Asked = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

/** The site of a machine, asked from this one over https; `ca` has signed its certificate. */
export function siteOf({ address }: { address: string }, ca: string) {
  const send = (path: string, { body, headers, method = 'GET', token }: Asked) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const asked = request(
        {
          host: address,
          servername: 'condo.example',
          ca,
          path,
          method,
          headers: {
            host: 'condo.example',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(token && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        answer =>
          text(answer).then(content => resolve({ status: answer.statusCode ?? 0, body: content }), reject),
      )
      asked.once('error', reject)
      asked.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
    })
  return {
    send,
    /** @throws with the response if the request fails */
    async call(path: string, asked: Asked = {}) {
      const { body, status } = await send(path, asked)
      if (status >= 300) throw new Error(`${path}: ${status} ${body}`)
      return JSON.parse(body)
    },
  }
}
export type MachineSite = ReturnType<typeof siteOf>

/** Makes a server that listens on this machine alone reachable for the machines, at the same port. */
export async function reachable(port: number): Promise<() => void> {
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => near.destroy() && far.destroy())
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => server.listen(port, hostAddress, resolve))
  return () => void server.close()
}

/** Answers the questions of the first day in the browser, and opens the site. Returns the owner's page and session. */
export async function openSiteInBrowser(context: BrowserContext, link: string, { call }: MachineSite) {
  const page = await context.newPage()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const isAtStep = (title: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await page.goto(link)
  await isAtStep('Account')
  await page.getByLabel('First name').fill('Olive')
  await page.getByLabel('Last name').fill('Shore')
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await button('Create account').click()
  await isAtStep('Second step')
  await page.getByRole('region', { name: 'Two-step verification' }).getByRole('button').click()
  const setup = page.getByRole('dialog', { name: 'Set up two-step verification' })
  const key = (await setup.getByRole('definition').textContent())?.replaceAll(/\s/g, '') ?? ''
  await setup.getByLabel('6-digit code').fill(totpCode(readBase32(key), totpStepAt(Date.now())))
  await button('Turn on').click()
  await button('I have kept them').click()
  await button('Next').click()
  await isAtStep('Your condo')
  await page.getByLabel('Company name').fill('Dune Rentals')
  await page.getByLabel('Property name').fill('Dune Condo')
  await page.getByLabel('Property address').fill('1 Beach Road, Seabright Beach, FL 32000')
  await page.getByLabel('Owner phone').fill('850-555-0199')
  await button('Next').click()
  await isAtStep('Mail')
  // Mail and card payments are set on the server.
  for (const step of ['Mail', 'Card payments']) {
    await isAtStep(step)
    await page.getByRole('button', { name: /^(Next|Later)$/ }).click()
  }
  await isAtStep('Backups elsewhere')
  await button('Later').click()
  await button('Go to the dashboard').click()

  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? ''
  const { draft } = await call('/api/site/admin/draft', { token })
  const texts = {
    hero: { text: 'Our own text' },
    overview: { intro: 'Our own home' },
    facts: { bedrooms: 2, bathrooms: 1, sleeps: 6 },
  }
  for (const [name, fields] of Object.entries(texts)) {
    const { body, version } = draft.sections[name]
    const saved = { version, body: { ...body, ...fields } }
    await call(`/api/site/admin/draft/${name}`, { method: 'PUT', token, body: saved })
  }
  await call('/api/rates/admin', { method: 'POST', token, body: buildRate() })
  await page.reload()
  await button('Open the site').click()
  await expect(button('Open the site')).toBeHidden()
  return { page, token }
}
