import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { OutgoingMail } from '../domain/content/outgoing-mail.ts'
import { startMailWorker } from '../server/mail/worker.ts'
import { mailSources } from '../server/mail-sources.ts'
import { makeBackup } from '../server/operations/backup/make-backup.ts'
import { call, logInAs } from './build-account.ts'
import { buildEntry } from './build-entry.ts'
import { plainHash, plainPassword } from './build-factor.ts'
import { type TestApp, testApp, visitor } from './test-app.ts'

const pages = ['invitation', 'reset-password', 'email-change', 'email-undo', 'not-me'] as const
type Page = (typeof pages)[number]

/** The site with a mail server that can be down: then it takes the mail, but its answer is lost. */
async function siteWithMailServer() {
  const attempts: OutgoingMail[] = []
  let isDown = false
  const send = async (mail: OutgoingMail) => {
    attempts.push(mail)
    if (isDown) throw new Error('connection reset')
  }
  const app = await testApp({ replace: { mail: { send } } })
  return {
    app,
    attempts,
    /** Attempts every waiting mail. */
    deliver: async (down: boolean) => {
      isDown = down
      app.advance(2 * 3_600_000)
      const worker = startMailWorker(app.deps, mailSources)
      await worker.deliverDue()
      await worker.stop()
    },
    /** The tokens of the links to this page, in the order of the attempts to send them. */
    tokens: (page: Page, to?: string) =>
      attempts
        .filter(mail => to === undefined || mail.to === to)
        .flatMap(({ text }) => new RegExp(`/${page}(?:#|\\?token=)([\\w-]{43})[\\s/]`).exec(text)?.[1] ?? []),
  }
}
type Site = Awaited<ReturnType<typeof siteWithMailServer>>

/** Makes every kind of link while the mail server is down. */
async function askForEveryLink({ app, deliver, tokens }: Site) {
  const owner = (await app.makeUser({ role: 'admin', email: 'owner@condo.example', passwordHash: plainHash }))
    .user
  const moved = await app.makeTenant({ email: 'old@guest.example' })
  await app.as(moved).emailChange.start({ newEmail: 'new@guest.example', applicationsToo: false })
  await deliver(false)
  for (const to of ['old@guest.example', 'new@guest.example'])
    await app.as(visitor).emailChange.confirm({ token: tokens('email-change', to)[0] ?? '' })

  const admin = { role: 'admin', userId: owner.id, requestOrigin: visitor.requestOrigin } as const
  await app.as(admin).manualBookings.create({ ...buildEntry(), invite: true })
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email: 'new@guest.example' } })
  const moving = await app.makeTenant({ email: 'ada@guest.example' })
  await app.as(moving).emailChange.start({ newEmail: 'ada@new.example', applicationsToo: false })
  await logInAs(app, owner.email, plainPassword)
}

/** Every byte of the installation that is at rest. */
async function bytesAtRest(app: TestApp, name: string): Promise<Buffer> {
  const file = join(app.folder, `backups/${name}.tar.gz`)
  await makeBackup(app.deps.config, file, app.deps.clock.now(), () => {})
  const { databaseFile } = app.deps.config
  const live = [databaseFile, `${databaseFile}-wal`].filter(existsSync)
  return Buffer.concat([gunzipSync(readFileSync(file)), ...live.map(path => readFileSync(path))])
}

test('a backup made while mail is down opens no account: no mailed link is at rest [FIX-28]', async () => {
  const site = await siteWithMailServer()
  const { app, deliver, tokens } = site
  await askForEveryLink(site)
  const unsent = await bytesAtRest(app, 'unsent')
  // Proves that the search finds what waits.
  expect(unsent.includes('jon@guest.example')).toBe(true)
  expect(unsent.toString('latin1')).not.toMatch(/\/[\w-]+(?:#|\?token=)[\w-]{43}/)
  await deliver(true)
  const attempted = await bytesAtRest(app, 'attempted')
  await deliver(false)
  const sent = await bytesAtRest(app, 'sent')

  for (const page of pages) {
    const found = tokens(page)
    expect(found.length, page).toBeGreaterThan(1)
    for (const token of found)
      for (const bytes of [unsent, attempted, sent]) expect(bytes.includes(token), page).toBe(false)
  }
})

test('a mail whose acceptance was not heard leaves a working link, and so does its repetition [FIX-28]', async () => {
  const site = await siteWithMailServer()
  const { app, deliver, tokens } = site
  await askForEveryLink(site)
  await deliver(true)
  await deliver(false)
  const [first = '', second = ''] = tokens('invitation')
  expect(second).not.toBe(first)
  const read = (token: string) => call(app, 'POST', '/api/booking/invitation', { body: { token } })
  const shown = [await read(first), await read(second)]
  expect(shown.map(({ status }) => status)).toEqual([200, 200])
  const accept = (token: string) =>
    call(app, 'POST', '/api/booking/invitation/accept', { body: { token, newPassword: 'Gulls.4.piers' } })
  expect((await accept(first)).status).toBe(200)
  expect((await accept(second)).status).toBe(409)
})

test('a link that ended while its mail waited gets no token, and the mail is withdrawn [FIX-28]', async () => {
  const site = await siteWithMailServer()
  const { app, deliver, tokens } = site
  await askForEveryLink(site)
  await deliver(true)
  const [notMe = ''] = tokens('not-me')
  await app.as(visitor).sessions.notMe({ token: notMe })
  const before = tokens('not-me').length
  await deliver(false)
  expect(tokens('not-me')).toHaveLength(before)
  const waiting = app.deps.db.query.outbox.findMany().sync()
  expect(waiting.find(({ kind }) => kind === 'new-login')).toMatchObject({ status: 'withdrawn', props: {} })
})
