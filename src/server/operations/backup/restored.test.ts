import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../db/open.ts'
import { outbox, payments, providerEvents, sessions } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { stripeSection } from '../../../domain/content/connections.ts'
import { buildOffer } from '../../../testing/build-offer.ts'
import { paymentApp } from '../../../testing/build-payment.ts'
import { oldSite } from '../../../testing/old-database.ts'
import { testApp } from '../../../testing/test-app.ts'
import { testFolder } from '../../../testing/test-folder.ts'
import { nextApplicationNumber } from '../../applications/create.ts'
import { tickOffers } from '../../applications/offers/tick.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readRestored } from '../../kernel/restored.ts'
import { enqueueMail, releaseHeld } from '../../mail/outbox.ts'
import { scheduledMailSources } from '../../mail-sources.ts'
import { sweepPayments } from '../../money/payments/checkout/sweep.ts'
import { catchUp, fetchIfDue, isCaughtUp, startCatchUp } from '../../money/payments/reconcile/catch-up.ts'
import { saveSectionIn } from '../../site/settings.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore.ts'
import { markRestored, mayLackPayments } from './restored.ts'

const quiet = () => {}

/** A site that was restored from a backup, made before a checkout was paid. */
async function restoredSite({ wasAhead = false } = {}) {
  const lost = await paymentApp()
  const owner = await lost.makeAdmin()
  const tenant = await lost.makeTenant()
  const { id: applicationId } = await lost.makeApplication(tenant)
  const row = await lost.checkout(tenant, { applicationId })
  await lost.deps.write(tx => {
    const to = 'owner@condo.example'
    enqueueMail(tx, lost.deps.clock.now().toISOString(), {
      kind: 'test-mail',
      props: {},
      to,
      dedupeKey: 'waits',
    })
  })
  const file = join(lost.folder, 'one.tar.gz')
  const pay = () => lost.provider.pay(row.checkoutSessionId)
  const backedUpAt = new Date(lost.deps.clock.now().getTime() + (wasAhead ? 2 * 24 * 3_600_000 : 0))
  await makeBackup(lost.deps.config, file, backedUpAt, quiet)
  pay()
  const database = join(lost.folder, 'elsewhere/portal.sqlite')
  const uploads = join(lost.folder, 'elsewhere/uploads')
  await restoreBackup({ databaseFile: database, uploadsDir: uploads }, file, quiet)
  const app = await testApp({
    env: { DATABASE_FILE: database, UPLOADS_DIR: uploads },
    replace: { provider: lost.deps.provider },
  })
  return { app, owner, paymentId: row.id }
}

test('after a restore sessions have ended, and waiting mails are held until the owner sends or discards them [INST-42]', async () => {
  const { app, owner } = await restoredSite()
  expect(app.deps.db.select().from(sessions).all()).toEqual([])
  const states = () =>
    new Set(
      app.deps.db
        .select()
        .from(outbox)
        .all()
        .map(({ status }) => status),
    )
  expect(states()).toEqual(new Set(['held']))
  const board = async () => (await app.as(owner).notices.list()).notices.find(({ id }) => id === 'restored')
  const notice = await board()
  expect(notice?.detail).toMatch(
    /^What was entered between Mar(?:ch)? 4, 2026.* and .* may be missing\. Passwords, codes and links that were changed or removed then work as before\. \d+ mails? (?:is|are) held, as they may have gone out meanwhile\.$/,
  )
  expect(notice?.action).toMatchObject({ kind: 'held_mails' })
  const { count } = await app.as(owner).notices.heldMails({ send: true })
  expect([count > 0, states()]).toEqual([true, new Set(['queued'])])
  await expect(app.as(owner).notices.heldMails({ send: false })).rejects.toThrow(
    'No mails are held any more.',
  )
  await app.deps.write(tx => tx.update(outbox).set({ status: 'held' }).run())
  await app.as(owner).notices.heldMails({ send: false })
  expect(states()).toEqual(new Set(['withdrawn']))
})

test.each([false, true])(
  'a payment that the provider knows and the backup does not arrives by itself, once; the clock at the backup was ahead: %s [INST-42]',
  async wasAhead => {
    const { app, paymentId } = await restoredSite({ wasAhead })
    const status = () => app.deps.db.select().from(payments).where(eq(payments.id, paymentId)).get()?.status
    expect(status()).toBe('pending')
    const first = startCatchUp(app.deps, readRestored(app.deps.db))
    await expect.poll(status).toBe('succeeded')
    await first.stop()
    const after = app.deps.db.select().from(payments).all()
    await startCatchUp(app.deps, readRestored(app.deps.db)).stop()
    expect(app.deps.db.select().from(payments).all()).toEqual(after)
  },
)

test.each([
  ['the events', (deps: Deps) => fetchIfDue(deps, readRestored(deps.db))],
  ['the checkout', sweepPayments],
])(
  'mails of a payment that %s of the provider tell after a restore are held, as they may have gone out [INST-42]',
  async (_, learn) => {
    const { app, owner } = await restoredSite()
    app.setNow(readRestored(app.deps.db)?.at ?? '')
    await app.deps.write(tx => releaseHeld(tx, app.deps.clock.now().toISOString(), false))
    const rows = () => app.deps.db.select().from(outbox).all()
    const before = rows().length
    await learn(app.deps)
    const made = rows().slice(before)
    expect(new Set(made.map(({ kind, status }) => `${kind} ${status}`))).toEqual(
      new Set(['payment-receipt held', 'owner-payment-received held']),
    )
    const notice = (await app.as(owner).notices.list()).notices.find(({ id }) => id === 'restored')
    expect(notice?.detail).toContain('2 mails are held, as they may have gone out meanwhile.')
  },
)

test('after a restore nobody is reminded of a payment until the provider’s events are known and looked at [INST-42]', async () => {
  const { app, owner } = await restoredSite()
  const restoredAt = readRestored(app.deps.db)?.at ?? ''
  const work = startCatchUp(app.deps, readRestored(app.deps.db))
  await expect.poll(() => isCaughtUp(app.deps.db, restoredAt)).toBe(true)
  await work.stop()
  app.setNow(restoredAt)
  expect(mayLackPayments(app.deps)).toBe(true)
  app.advance(25 * 3_600_000)
  expect(mayLackPayments(app.deps)).toBe(false)
  // A checkout that began after the backup fits no payment.
  const reason = 'No payment here belongs to this checkout of $500.00 for APP-2026-0001.'
  await app.deps.write(tx =>
    tx
      .insert(providerEvents)
      .values({ id: 'evt_x', type: 'x', receivedAt: restoredAt, outcome: 'quarantined', reason, payload: '' })
      .run(),
  )
  expect(mayLackPayments(app.deps)).toBe(true)
  expect(scheduledMailSources[0]?.due(app.deps)).toBeUndefined()
  await app.as(owner).payments.dismissQuarantined({ eventId: 'evt_x' })
  expect(mayLackPayments(app.deps)).toBe(false)
  // One of a year later has nothing to do with the restore.
  app.advance(365 * 24 * 3_600_000)
  await app.deps.write(tx =>
    tx
      .update(providerEvents)
      .set({ dismissedAt: null, receivedAt: app.deps.clock.now().toISOString() })
      .run(),
  )
  expect(mayLackPayments(app.deps)).toBe(false)
})

test('after a restore without the keys of a connected account nobody is reminded of a payment [INST-42]', async () => {
  const { app, owner } = await restoredSite()
  const lost = { ...app.deps, provider: undefined }
  app.setNow(readRestored(app.deps.db)?.at ?? '')
  app.advance(25 * 3_600_000)
  expect(mayLackPayments(lost)).toBe(false)
  const body = { publishableKey: 'pk_test_x', accountId: '', account: '', endpointId: '' }
  await app.deps.write(tx => saveSectionIn(app.deps, tx, owner as Admin, stripeSection, { version: 0, body }))
  expect(mayLackPayments(lost)).toBe(true)
})

test('after a restore no application gets a number that one may have that was lost [INST-42]', async () => {
  const app = await testApp()
  const next = () => app.deps.write(tx => nextApplicationNumber(tx, '2026-03-05'))
  expect(await next()).toBe('APP-2026-0001')
  const now = app.deps.clock.now()
  markRestored(app.deps.config.databaseFile, now.toISOString(), now)
  expect(await next()).toBe('APP-2026-0102')
})

test('after a restore in a year of which the backup has no application, its first numbers are left out [INST-42]', async () => {
  const app = await testApp()
  const next = (day: CalendarDate) => app.deps.write(tx => nextApplicationNumber(tx, day))
  await next('2026-12-30')
  const file = app.deps.config.databaseFile
  markRestored(file, '2026-12-31T20:00:00.000Z', new Date('2027-01-02T10:00:00Z'))
  expect(await next('2027-01-02')).toBe('APP-2027-0101')
  expect(await next('2026-12-31')).toBe('APP-2026-0102')
})

test('an offer from a backup made while the clock was ahead also stays open for a day [INST-42]', async () => {
  const app = await testApp()
  const owner = await app.makeAdmin({ email: 'owner@condo.example' })
  const { claim } = await app.as(owner).offers.make(buildOffer())
  const until = Date.parse(claim.until ?? '')
  const hours = (number: number) => new Date(until + number * 3_600_000)
  markRestored(app.deps.config.databaseFile, hours(1).toISOString(), hours(-1))
  app.setNow(hours(0.1).toISOString())
  await tickOffers(app.deps)
  expect((await app.as(owner).offers.adminGet({ claimId: claim.id })).claim.state).toBe('open')
})

test('once the events since a restore are known, the sweep sends the mails of a payment', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  await app.makeAdmin()
  const { id: applicationId } = await app.makeApplication(tenant)
  const now = app.deps.clock.now()
  markRestored(app.deps.config.databaseFile, now.toISOString(), now)
  await fetchIfDue(app.deps, readRestored(app.deps.db))
  app.advance(3_600_000)
  const row = await app.checkout(tenant, { applicationId })
  app.provider.pay(row.checkoutSessionId)
  app.advance(3_600_000)
  await sweepPayments(app.deps)
  const mails = app.deps.db.select().from(outbox).all()
  expect(mails.map(({ kind }) => kind)).toContain('payment-receipt')
  expect(mails.filter(({ status }) => status === 'held')).toEqual([])
})

test('an event that cannot be applied stops none of the later ones, and the fetch is repeated [INST-42]', async () => {
  const { app, paymentId } = await restoredSite()
  const provider = app.deps.provider
  if (!provider) throw new Error('no provider')
  const { stripe } = provider
  // Without an id it cannot be stored.
  const broken = { type: 'charge.refunded', created: 1 }
  const { events } = stripe
  const list = async function* (query: object) {
    yield* events.list(query)
    yield broken
  }
  Object.defineProperty(stripe, 'events', { value: { list: (query: object) => list(query) } })
  await expect(catchUp(app.deps, app.deps.clock.now().getTime() - 30 * 24 * 3_600_000)).rejects.toThrow()
  expect(app.deps.db.select().from(payments).where(eq(payments.id, paymentId)).get()?.status).toBe(
    'succeeded',
  )
})

test('payments that cannot be fetched after a restore are a danger until they are [INST-42]', async () => {
  const { app, owner } = await restoredSite()
  const titles = async () => (await app.as(owner).notices.list()).notices.map(({ title }) => title)
  const danger = 'Payments since the backup could not be fetched'
  const restoredAt = readRestored(app.deps.db)?.at ?? ''
  app.setNow(new Date(Date.parse(restoredAt) + 20 * 60_000).toISOString())
  expect(await titles()).not.toContain(danger)
  app.setNow(new Date(Date.parse(restoredAt) + 40 * 60_000).toISOString())
  expect(await titles()).toContain(danger)
  const work = startCatchUp(app.deps, readRestored(app.deps.db))
  await expect.poll(titles).not.toContain(danger)
  await work.stop()
})

test('a restore of an old backup ends tokens that it holds in clear, as an upgrade does [INST-42]', async () => {
  const { insert, old, store } = oldSite('0017_tokens_at_delivery')
  const folder = store.uploadsDir
  insert('users', { id: 'u', role: 'tenant' })
  insert('access_links', { id: 'hash', kind: 'invitation', subject_id: 'u', person_id: 'u' })
  const props = '{"link":"https://condo.example/invitation#in-clear"}'
  insert('outbox', { id: 'm', dedupe_key: 'invitation:hash', kind: 'invitation', props, status: 'queued' })
  old.close()
  const file = join(testFolder(), 'old.tar.gz')
  await makeBackup(store, file, new Date('2026-01-01'), quiet)
  const restored = {
    databaseFile: join(folder, 'new/portal.sqlite'),
    uploadsDir: join(folder, 'new/uploads'),
  }
  await restoreBackup(restored, file, quiet)
  const { close, sqlite } = openDatabase(restored.databaseFile)
  expect(sqlite.prepare('select * from link_tokens').all()).toEqual([])
  close()
  expect(readFileSync(restored.databaseFile).includes('in-clear')).toBe(false)
})
