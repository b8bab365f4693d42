import { expect, test } from 'vitest'
import { outbox, wordings } from '../../../db/schema.ts'
import { shippedMailWordings } from '../../domain/content/mail-wording.ts'
import { buildContent } from '../../testing/build-content.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { publishContent } from '../../testing/site-pages.ts'
import { testApp } from '../../testing/test-app.ts'
import { sha256 } from '../lib/sha256.ts'
import { composeMail, renderMail } from './compose.ts'
import { leaseContent } from './mails/customizable.tsx'
import { enqueueMail, type MailKinds, type QueuedMail } from './outbox.ts'

const kind = 'application-approved'
const words = {
  subject: 'Yes, {{firstName}}! {{total}}',
  title: 'Come to {{propertyName}}',
  greeting: 'Dear {{firstName}},',
  text: 'From {{arrival}} to {{departure}}:\nyours. <i>Truly</i>',
  next: 'Call {{ownerPhone}}.\n\nOr write to {{ownerEmail}}.',
  button: 'On to {{applicationNumber}}',
}
const good = { ...words, subject: 'Yes, {{firstName}}!' }
const props: MailKinds[typeof kind] = {
  firstName: '{{ownerPhone}}<b>\r\nBcc: x',
  applicationNumber: 'APP-2026-0007',
  applicationId: 'app-1',
  startDate: '2026-06-01',
  endDate: '2026-07-15',
  notes: 'Bring {{total}} towels.',
}

async function world() {
  const app = await testApp({ env: { ORIGIN: 'https://condo.example' } })
  const admin = app.as(await app.makeAdmin())
  const queue = (mail: QueuedMail) =>
    app.deps.write(tx => {
      enqueueMail(tx, app.deps.clock.now().toISOString(), mail)
      return tx.select().from(outbox).all().at(-1)
    })
  const compose = async (row: Awaited<ReturnType<typeof queue>>) => {
    if (!row) throw new Error('no row')
    return composeMail(app.deps, noMailSources, row)
  }
  return { app, admin, queue, compose }
}

test('a mail uses the wording at delivery time, around the generated facts, note and link [LTEXT-09, LTEXT-08]', async () => {
  const { admin, compose, queue } = await world()
  const row = await queue({ kind, props, to: 'maya@guest.example', dedupeKey: 'one' })
  const before = await compose(row)
  expect(before.subject).toBe('Your application is approved (APP-2026-0007)')
  await admin.wordings.save({ kind, version: 0, body: good })
  const { html, subject, text } = await compose(row)
  expect(subject).toBe('Yes, {{ownerPhone}}<b> Bcc: x!')
  expect(text).toContain(
    'Dear {{ownerPhone}}<b> Bcc: x,\n\nFrom Jun 1, 2026 to Jul 15, 2026:\nyours. <i>Truly</i>',
  )
  expect(text).toMatch(/Application +APP-2026-0007\nArrival +Jun 1, 2026\nDeparture +Jul 15, 2026/)
  expect(text).toContain('A note from the owner\n\nBring {{total}} towels.')
  expect(text).toMatch(/Call [\d-]+\.\n\nOr write to \S+@\S+\./)
  expect(text).toContain('On to APP-2026-0007 https://condo.example/dashboard')
  expect(html).not.toMatch(/<i>|<b>/)
  await admin.wordings.save({ kind, version: 1, body: { ...good, button: '', greeting: '', next: '' } })
  expect((await compose(row)).text).not.toMatch(/dashboard|Dear|Call/)
  await admin.wordings.save({ kind, version: 2, body: null })
  expect(await compose(row)).toEqual(before)
})

test('an unreadable or invalid wording is replaced by the shipped one, with a notice [LTEXT-09]', async () => {
  const { admin, app, compose, queue } = await world()
  const row = await queue({ kind, props, to: 'maya@guest.example', dedupeKey: 'one' })
  const shipped = await compose(row)
  await admin.wordings.save({ kind, version: 0, body: good })
  const unfit = JSON.stringify(words)
  for (const stored of [
    { body: unfit, sha256: sha256('other') },
    { body: unfit, sha256: sha256(unfit) },
    { body: '{', sha256: sha256('{') },
  ]) {
    await app.deps.write(tx => tx.update(wordings).set(stored).run())
    expect(await compose(row)).toEqual(shipped)
    const { notices } = await admin.notices.list()
    expect(notices.filter(({ id }) => id.startsWith('wording-'))).toEqual([
      expect.objectContaining({
        tone: 'warning',
        title: 'The wording of an email cannot be used: Application approved',
        action: { kind: 'site' },
      }),
    ])
  }
  // The editor starts from the shipped wording, and saving repairs the damaged one.
  expect((await admin.wordings.get({ kind })).wording.body).toEqual(shippedMailWordings[kind])
  await admin.wordings.save({ kind, version: 1, body: null })
  const { versions } = await admin.wordings.versions({ kind })
  expect(versions.map(({ shipped, version }) => [version, shipped])).toEqual([
    [2, true],
    [1, false],
  ])
  await expect(admin.wordings.version({ kind, version: 1 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'This version could not be read.',
  })
  expect((await admin.notices.list()).notices.filter(({ id }) => id.startsWith('wording-'))).toEqual([])
})

test('the sample equals the mail as it would be sent [LTEXT-10]', async () => {
  const { admin, app, compose } = await world()
  const body = { ...good, text: 'Ours: {{companyName}}' }
  await admin.wordings.sendSample({ kind, body })
  const sample = await compose(app.deps.db.select().from(outbox).all().at(-1))
  const { html, subject, text } = await admin.wordings.preview({ kind, body })
  expect(sample).toMatchObject({ html, subject, text, attachments: [] })
})

test('the lease copy has a button if the wording has one, except for the co-applicant, who reads where the address came from [LTEXT-09]', async () => {
  const { app } = await world()
  const site = {
    ...app.deps.config.site,
    origin: 'https://condo.example',
    sentAt: app.deps.clock.now().toISOString(),
  }
  const copy = { ...shippedMailWordings['lease-signed-copy'], next: 'Bye', button: 'See it' }
  const given = { ...props, fileId: 'f' }
  const mailOf = async (more: Partial<MailKinds['lease-signed-copy']>) =>
    (await renderMail(site, leaseContent({ ...given, ...more }, site, copy))).html
  expect(await mailOf({})).toContain('href="https://condo.example/application/app-1"')
  expect(await mailOf({ forOwner: true })).toContain('href="https://condo.example/admin/application/app-1"')
  const other = await mailOf({ givenBy: 'Maya Rivers' })
  expect(other).toContain('Maya Rivers gave us your address')
  expect(other).not.toMatch(/Bye|See it/)
})

test('mails use the published company name and owner address [SITE-22]', async () => {
  const { app, compose, queue } = await world()
  const row = await queue({ kind, props, to: 'maya@guest.example', dedupeKey: 'one' })
  await publishContent(app, {
    identity: { ...buildContent().identity, companyName: 'Dune Rentals', ownerEmail: 'dune@owner.example' },
  })
  expect((await compose(row)).text).toMatch(/^.+\n\nDune Rentals\n/)
  const guest = app.as({ role: 'guest', requestOrigin: { address: '203.0.113.7', userAgent: 'x' } })
  await guest.contact.send({ name: 'Ada', email: 'ada@guest.example', message: 'Is there a lift?' })
  expect(app.deps.db.select().from(outbox).all().at(-1)?.toAddress).toBe('dune@owner.example')
  expect((await guest.contact.ready()).ownerEmail).toBe('dune@owner.example')
})
