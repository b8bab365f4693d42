import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, claims, outbox, payments, providerEvents, users } from '../../../../db/schema.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { paymentApp } from '../../../testing/build-payment.ts'
import { type TestApp, testApp, testOrigin, visitor } from '../../../testing/test-app.ts'
import { readRestored } from '../../kernel/restored.ts'
import { sweepPayments } from '../../money/payments/checkout/sweep.ts'
import { fetchIfDue } from '../../money/payments/reconcile/catch-up.ts'
import { makeBackup } from '../../operations/backup/make-backup.ts'
import { restoreBackup } from '../../operations/backup/restore.ts'
import { mayLackPayments } from '../../operations/backup/restored.ts'
import { tickOffers } from './tick.ts'

/** An accepted offer whose guest has opened the checkout of the deposit. */
async function accepted() {
  const app = await paymentApp()
  const owner = app.as(await app.makeAdmin({ email: 'owner@condo.example' }))
  const { claim } = await owner.offers.make(buildOffer())
  await app.as(visitor).offers.acceptByLink({
    token: offerToken(app, claim.id),
    typedName: 'Anna Miller',
    totalCents: 200_000,
    person: offerPerson,
  })
  const booking = app.deps.db.select().from(applications).get()
  await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: '2026-03-04T17:00:00.000Z' }).run())
  const guest = { role: 'tenant', userId: booking?.userId ?? '', requestOrigin: testOrigin } as const
  const applicationId = booking?.id ?? ''
  const row = await app.checkout(guest, { applicationId, amount: 500_00, paymentType: 'deposit' })
  app.provider.holdDeliveries(true)
  app.advance(10 * 60_000)
  return { app, owner, row, applicationId }
}

const stateOf = ({ deps: { db } }: Pick<TestApp, 'deps'>) => ({
  application: db.select().from(applications).get()?.status,
  claim: db.select().from(claims).get()?.endedAs,
  payment: db.select().from(payments).get()?.status,
  lapsed: db.select().from(outbox).where(eq(outbox.kind, 'offer-lapsed')).all().length,
})
const booked = { application: 'approved', claim: 'incomplete', payment: 'succeeded', lapsed: 0 }

test('a deposit that was paid in time while the site was off keeps the booking of an accepted offer [CLAIM-26]', async () => {
  const { app, row } = await accepted()
  app.provider.pay(row.checkoutSessionId)
  app.advance(4 * dayMs)
  await Promise.all([sweepPayments(app.deps), tickOffers(app.deps)])
  expect(stateOf(app)).toEqual(booked)
})

test('an accepted offer does not lapse before the provider has reported on its checkout [CLAIM-26]', async () => {
  const { app } = await accepted()
  app.advance(4 * dayMs)
  const { sessions } = app.deps.provider?.stripe.checkout ?? {}
  const { retrieve } = sessions ?? {}
  if (!sessions || !retrieve) throw new Error('no provider')
  sessions.retrieve = () => Promise.reject(new Error('no answer'))
  const version = app.deps.dataVersion()
  await tickOffers(app.deps)
  expect(stateOf(app)).toEqual({ application: 'approved', claim: null, payment: 'pending', lapsed: 0 })
  expect(app.deps.dataVersion()).toBe(version)
  sessions.retrieve = retrieve
  await tickOffers(app.deps)
  expect(stateOf(app)).toEqual({ application: 'rejected', claim: 'lapsed', payment: 'canceled', lapsed: 2 })
})

test('a lease that the owner writes anew while the provider is asked keeps the booking [CLAIM-25, CLAIM-26]', async () => {
  const { app, applicationId, owner } = await accepted()
  app.advance(4 * dayMs)
  const { sessions } = app.deps.provider?.stripe.checkout ?? {}
  const { retrieve } = sessions ?? {}
  if (!sessions || !retrieve) throw new Error('no provider')
  sessions.retrieve = async (id: string) => {
    sessions.retrieve = retrieve
    await owner.leases.generate({ applicationId, rentalAmount: 1900 })
    return retrieve.call(sessions, id)
  }
  await tickOffers(app.deps)
  expect(stateOf(app)).toMatchObject({ application: 'approved', claim: null, lapsed: 0 })
})

test('an accepted offer with an open checkout waits while card payments are off [CLAIM-26]', async () => {
  const { app, row } = await accepted()
  app.provider.pay(row.checkoutSessionId)
  app.advance(4 * dayMs)
  await tickOffers({ ...app.deps, provider: undefined })
  expect(stateOf(app)).toEqual({ application: 'approved', claim: null, payment: 'pending', lapsed: 0 })
  await tickOffers(app.deps)
  expect(stateOf(app)).toEqual(booked)
})

test('other offers that are over end before the provider is asked about one that was accepted [CLAIM-04, CLAIM-26]', async () => {
  const { app, owner } = await accepted()
  const dates = { startDate: '2026-09-07', endDate: '2026-09-14' }
  const { claim } = await owner.offers.make(buildOffer({ ...dates, email: 'jon@guest.example' }))
  app.advance(4 * dayMs)
  const endedAs = () => app.deps.db.select().from(claims).where(eq(claims.id, claim.id)).get()?.endedAs
  const { sessions } = app.deps.provider?.stripe.checkout ?? {}
  if (!sessions) throw new Error('no provider')
  const whenAsked: unknown[] = []
  sessions.retrieve = () => {
    whenAsked.push(endedAs())
    return Promise.reject(new Error('no answer'))
  }
  await tickOffers(app.deps)
  expect(whenAsked).toEqual(['expired'])
})

test('a deposit that was paid after the backup keeps the booking of an accepted offer until the owner has looked at it [CLAIM-26, INST-42]', async () => {
  const { app: lost, row } = await accepted()
  const file = join(lost.folder, 'one.tar.gz')
  // The checkout began after the backup.
  await lost.deps.write(tx => tx.delete(payments).run())
  await makeBackup(lost.deps.config, file, lost.deps.clock.now(), () => {})
  lost.provider.pay(row.checkoutSessionId)
  const database = join(lost.folder, 'elsewhere/portal.sqlite')
  const uploads = join(lost.folder, 'elsewhere/uploads')
  await restoreBackup({ databaseFile: database, uploadsDir: uploads }, file, () => {})
  const { provider } = lost.deps
  const app = await testApp({
    env: { DATABASE_FILE: database, UPLOADS_DIR: uploads, RATE_LIMITS: 'off' },
    replace: { provider },
  })
  const restore = readRestored(app.deps.db)
  app.setNow(restore?.at ?? '')
  const endedAs = async () => {
    await tickOffers(app.deps, mayLackPayments)
    return stateOf(app).claim
  }
  expect(await endedAs()).toBeNull()
  await fetchIfDue(app.deps, restore)
  app.advance(2 * dayMs)
  expect(await endedAs()).toBeNull()
  const [event] = app.deps.db
    .select()
    .from(providerEvents)
    .where(eq(providerEvents.outcome, 'quarantined'))
    .all()
  const owner = app.deps.db.select().from(users).where(eq(users.role, 'admin')).get()
  const admin = { role: 'admin', userId: owner?.id ?? '', requestOrigin: testOrigin } as const
  await app.as(admin).payments.dismissQuarantined({ eventId: event?.id ?? '' })
  expect(await endedAs()).toBe('lapsed')
})
