import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, claims, events, leases, outbox, users } from '../../../db/schema.ts'
import { tickOffers } from '../../server/applications/offers/tick.ts'
import { sweepPayments } from '../../server/money/payments/checkout/sweep.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { makeBooking } from '../build-application.ts'
import { buildOffer, offerPerson, offerToken } from '../build-offer.ts'
import { buildCheckout, paymentApp } from '../build-payment.ts'
import { provenPrefix, visitor } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

async function site() {
  const app = await paymentApp()
  const owner = await app.makeAdmin()
  const admin = app.as(owner)
  const guest = app.as(visitor)
  /** Runs a step in another process until it dies there. */
  const kill = async (action: string, point: string, id = '') => {
    // The proof is of this moment.
    await admin.offers.adminList({})
    const { userId } = owner
    const env = { NOW: app.deps.clock.now().toISOString(), PROVIDER_URL: app.providerUrl, FAILPOINT: point }
    const args = [action, userId, provenPrefix + userId, id]
    expect(await runUntilKilled(app, 'offer-process.ts', args, env)).toBe('SIGKILL')
  }
  const make = async () => (await admin.offers.make(buildOffer())).claim.id
  const accept = (token: string) =>
    guest.offers.acceptByLink({ token, typedName: 'Anna Miller', totalCents: 200_000, person: offerPerson })
  const mails = (kind: string) => app.deps.db.select().from(outbox).where(eq(outbox.kind, kind)).all().length
  const rows = () =>
    [users, applications, leases, claims, events, outbox].map(
      table => app.deps.db.select().from(table).all().length,
    )
  const expectSound = async () => expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  return { app, owner, admin, kill, make, accept, mails, rows, expectSound }
}

test('killed while an offer is written, nothing is; the same request then makes it once [CLAIM-05, CLAIM-13]', async () => {
  const { admin, app, expectSound, kill, rows } = await site()
  const requestId = randomUUID()
  const before = rows()
  await kill('make', 'in-offer-write', requestId)
  expect(rows()).toEqual(before)
  for (let i = 0; i < 2; i++) await admin.offers.make({ ...buildOffer(), requestId })
  expect(app.deps.db.select().from(claims).all()).toHaveLength(1)
  await expectSound()
})

test.each([
  ['in-accepting-account', false],
  ['in-accepting-application', false],
  ['in-accepting-lease', false],
  ['after-accepting', true],
])(
  'killed %s, an offer is a booking with all its parts, or none of them [CLAIM-19]',
  async (point, isBooked) => {
    const { accept, app, expectSound, kill, mails, make, rows } = await site()
    const token = offerToken(app, await make())
    const before = rows()
    await kill('accept', point, token)
    if (!isBooked) {
      expect(rows()).toEqual(before)
      await accept(token)
    }
    await expect(accept(token)).rejects.toThrow('This offer is accepted already.')
    expect([app.deps.db.select().from(leases).all().length, mails('offer-accepted')]).toEqual([1, 1])
    await expectSound()
  },
)

test.each(['in-claim-end', 'after-claim-tick'])(
  'killed at %s, an offer that is over ends once, with one mail [CLAIM-03, CLAIM-04]',
  async point => {
    const { admin, app, expectSound, kill, mails, make } = await site()
    const claimId = await make()
    app.setNow('2026-03-07T17:00:00.000Z')
    await kill('tick', point)
    for (let i = 0; i < 2; i++) await tickOffers(app.deps)
    expect((await admin.offers.adminGet({ claimId })).claim.endedAs).toBe('expired')
    const ended = app.deps.db.select().from(events).where(eq(events.kind, 'claim.ended')).all()
    expect([ended.length, mails('offer-over')]).toEqual([1, 1])
    await expectSound()
  },
)

test('killed while a promise is asked about, its tenant is asked once or not at all [CLAIM-31]', async () => {
  const { admin, app, expectSound, kill, mails, owner } = await site()
  const stay = await makeBooking(app, await app.makeTenant(), owner)
  const { claim } = await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  await kill('ask', 'in-asking', claim.id)
  const get = async () => (await admin.offers.adminGet({ claimId: claim.id })).claim.state
  expect([await get(), mails('promise-asked')]).toEqual(['open', 0])
  await admin.offers.ask({ claimId: claim.id })
  expect([await get(), mails('promise-asked')]).toEqual(['asked', 1])
  await expectSound()
})

test.each([
  ['in-lapsing', 'approved'],
  ['after-claim-tick', 'rejected'],
])(
  'killed at %s of a lapse, the checkout is closed by the next start [CLAIM-26, FIX-01]',
  async (point, status) => {
    const { accept, app, expectSound, kill, make } = await site()
    const { next } = await accept(offerToken(app, await make()))
    if (next.kind !== 'password') throw new Error('no invitation')
    const { invitationToken: token } = next
    await app.as(visitor).manualBookings.acceptInvitation({ token, newPassword: 'Brand.new.tides.7' })
    const booked = () => app.deps.db.select().from(applications).get()
    const tenant = { ...(await app.makeTenant()), userId: booked()?.userId ?? '' }
    const open = await app.checkout(
      tenant,
      buildCheckout({ applicationId: booked()?.id ?? '', amount: 500_00, paymentType: 'deposit' }),
    )
    app.setNow('2026-03-08T05:00:00.000Z')
    await kill('tick', point)
    expect(booked()?.status).toBe(status)
    await tickOffers(app.deps)
    await sweepPayments(app.deps)
    expect([booked()?.status, app.payment(open.id).status]).toEqual(['rejected', 'canceled'])
    await expectSound()
  },
)
