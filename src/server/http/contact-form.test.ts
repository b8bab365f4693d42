import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import { contactMessages } from '../../domain/content/contact-messages.ts'
import { siteWithPages } from '../../testing/site-pages.ts'
import { createLimits } from '../kernel/limits.ts'

const message = { name: 'Jonas <Åström>', email: 'jonas@guest.example', message: 'Is it "free" in May?' }
type Site = Awaited<ReturnType<typeof siteWithPages>>

/** Sends the form as a browser without our script does. */
const post = ({ app }: Site, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.http.inject({
    method: 'POST',
    url: '/contact',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
const queued = ({ app }: Site) => app.deps.db.select().from(outbox).all()

test('a form that the browser sends itself reaches the owner, and the page says so [LOOK-93]', async () => {
  const site = await siteWithPages()
  const response = await post(site, { ...message, phone: '', subject: '', website: '' })
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.body).toContain('Message sent successfully!')
  expect(response.body).not.toContain('Jonas')
  expect(queued(site)).toMatchObject([
    { kind: 'contact-message', replyTo: 'jonas@guest.example', props: { phone: 'Not provided' } },
  ])
  expect((await site.get('/contact')).body).not.toContain('Message sent successfully!')
})

test('a refused form comes back with the reason and what was typed, and sends nothing [LOOK-93]', async () => {
  const site = await siteWithPages()
  const response = await post(site, { ...message, email: '' })
  expect(response.statusCode).toBe(400)
  expect(response.body).toContain(contactMessages.incomplete)
  expect(response.body).toContain('value="Jonas &lt;Åström&gt;"')
  expect(response.body).toContain('Is it &quot;free&quot; in May?</textarea>')
  expect(response.body).not.toContain('<Åström>')
  expect(queued(site)).toEqual([])
})

test('a form that the browser sends itself has the limits, the honeypot and the size of the API [LOOK-93]', async () => {
  const site = await siteWithPages({ replace: { limits: createLimits(true) } })
  expect((await post(site, { ...message, website: 'https://spam.example' })).statusCode).toBe(200)
  expect(queued(site)).toEqual([])
  expect((await post(site, { ...message, message: 'x'.repeat(5001) })).statusCode).toBe(400)
  expect((await post(site, { ...message, message: 'x'.repeat(70_000) })).statusCode).toBe(413)
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await post(site, message)).statusCode)
  expect(statuses).toContain(200)
  expect(statuses.at(-1)).toBe(429)
})

test('beyond 20 forms in ten minutes an address gets a sentence instead of a rendered page [LOOK-93]', async () => {
  const site = await siteWithPages({ replace: { limits: createLimits(true) } })
  for (let i = 0; i < 20; i++) expect((await post(site, { ...message, email: '' })).statusCode).toBe(400)
  const { body, headers, statusCode } = await post(site, message)
  expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([429, true])
  expect(body).toContain('Too many attempts.')
  expect(body).not.toContain('<form')
  expect(queued(site)).toEqual([])
})

test('a form on the page of another site is refused, and other content too [LOOK-93]', async () => {
  const site = await siteWithPages()
  for (const from of ['cross-site', 'same-site'])
    expect((await post(site, message, { 'sec-fetch-site': from })).statusCode).toBe(403)
  const json = { method: 'POST', url: '/contact', payload: message } as const
  expect((await site.app.http.inject(json)).statusCode).toBe(415)
  expect(queued(site)).toEqual([])
  expect((await post(site, message, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
})

test('every form in a served document is sent as a POST [LOOK-93]', async () => {
  const site = await siteWithPages()
  const screens = ['/', '/contact', '/privacy', '/terms', '/login', '/register', '/forgot-password']
  const forms = []
  for (const path of [...screens, '/reset-password', '/admin/login', '/invitation', '/dashboard'])
    forms.push(...((await site.get(path)).body.match(/<form[^>]*>/g) ?? []))
  expect(forms).toHaveLength(1)
  for (const form of forms) expect(form).toContain('method="post"')
})
