import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, claims, events, leases, outbox, users } from '../../../../db/schema.ts'
import { makePending } from '../../../testing/build-application.ts'
import { buildEntry } from '../../../testing/build-entry.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { preparedSite, testOrigin, visitor } from '../../../testing/test-app.ts'
import { verifyStore } from '../../operations/backup/verify.ts'
import { tickOffers } from './tick.ts'

const prepared = preparedSite(async app => ({
  owner: await app.makeAdmin({ email: 'owner@condo.example' }),
  tenant: await app.makeTenant({ email: 'maya@guest.example' }),
}))

async function site() {
  const { app, owner, tenant } = await prepared()
  const admin = app.as(owner)
  let calls = 0
  /** From an address of their own, so that no limit answers instead. */
  const guest = () =>
    app.as({ ...visitor, requestOrigin: { ...testOrigin, address: `198.51.100.${++calls}` } })
  const make = async (more = {}) => (await admin.offers.make(buildOffer(more))).claim
  const answers = (id: string) => {
    const token = offerToken(app, id)
    const answer = { token, typedName: 'Anna Miller', totalCents: 200_000, person: offerPerson }
    return {
      accept: () => guest().offers.acceptByLink(answer),
      decline: () => guest().offers.declineByLink({ token, reason: 'Too far' }),
      withdraw: () => admin.offers.withdraw({ claimId: id }),
      reprice: () => admin.offers.change({ claimId: id, version: 1, rentalAmount: 1800 }),
      extend: () => admin.offers.change({ claimId: id, version: 1, until: '2026-03-08T18:00:00.000Z' }),
    }
  }
  const count = (kind: string) => app.deps.db.select().from(events).where(eq(events.kind, kind)).all().length
  /** Bookings, leases and offers that still keep their nights: of one range only one of them all. */
  const standing = () => ({
    bookings: app.deps.db.select().from(applications).where(eq(applications.status, 'approved')).all().length,
    leases: app.deps.db.select().from(leases).all().length,
    open: app.deps.db
      .select()
      .from(claims)
      .where(and(isNull(claims.endedAt), eq(claims.state, 'open')))
      .all().length,
  })
  return { app, admin, tenant, make, answers, count, standing }
}

/** Calls all of them at once, 50 in all, and returns how many of each succeeded. */
async function race(...calls: (() => Promise<unknown>)[]): Promise<number[]> {
  const won = calls.map(() => 0)
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const which = i % calls.length
      const [outcome] = await Promise.allSettled([calls[which]?.()])
      if (outcome?.status === 'fulfilled') won[which] = (won[which] ?? 0) + 1
    }),
  )
  return won
}
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

test('accepted 50 times at once, an offer is one booking with one account, lease and mail [CLAIM-19, CLAIM-21]', async () => {
  const { answers, app, make, standing } = await site()
  const { id } = await make()
  expect(await race(answers(id).accept)).toEqual([1])
  expect(standing()).toEqual({ bookings: 1, leases: 1, open: 0 })
  const { db } = app.deps
  expect(db.select().from(users).where(eq(users.email, 'anna@guest.example')).all()).toHaveLength(1)
  expect(db.select().from(outbox).where(eq(outbox.kind, 'offer-accepted')).all()).toHaveLength(1)
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test.each(['withdraw', 'decline', 'reprice'] as const)(
  'of accepting and %s at once, 25 times each, one wins [CLAIM-21, CLAIM-23, CLAIM-24]',
  async other => {
    const { answers, count, make, standing } = await site()
    const { id } = await make()
    const of = answers(id)
    const [accepted = 0, ended = 0] = await race(of.accept, of[other])
    expect(accepted + ended).toBe(1)
    expect(standing()).toMatchObject({ bookings: accepted, leases: accepted })
    expect(count('claim.accepted')).toBe(accepted)
  },
)

test('accepting and extending at once is a booking, and never open again [CLAIM-21, CLAIM-23]', async () => {
  const { answers, make, standing } = await site()
  const { id } = await make()
  const { accept, extend } = answers(id)
  const [extended = 0, accepted] = await race(extend, accept)
  expect([accepted, extended <= 1]).toEqual([1, true])
  expect(standing()).toEqual({ bookings: 1, leases: 1, open: 0 })
})

test.each([
  ['2026-03-07T16:59:59.999Z', 1],
  ['2026-03-07T17:00:00.000Z', 0],
])(
  'accepted at %s beside the tick, an offer until noon is a booking %i times [CLAIM-02, CLAIM-04]',
  async (now, times) => {
    const { answers, app, count, make, standing } = await site()
    const { id } = await make()
    const { accept } = answers(id)
    app.setNow(now)
    const [accepted] = await race(accept, () => tickOffers(app.deps))
    expect(accepted).toBe(times)
    expect(standing()).toEqual({ bookings: times, leases: times, open: 0 })
    expect(count('claim.ended')).toBe(1 - times)
  },
)

test('of 50 offers for one night one is made [CLAIM-05]', async () => {
  const { make, standing } = await site()
  let next = 0
  expect(await race(() => make({ email: `guest-${next++}@guest.example` }))).toEqual([1])
  expect(standing()).toEqual({ bookings: 0, leases: 0, open: 1 })
})

test('of an offer, an approval, an entered booking and a submission at once one has the nights [CLAIM-05, CLAIM-06]', async () => {
  const { admin, app, make, standing, tenant } = await site()
  const stay = { requestedStartDate: '2026-08-10', requestedEndDate: '2026-08-24' }
  const pending = await makePending(app, tenant, stay)
  const entry = { startDate: '2026-08-01', endDate: '2026-08-12', invite: false, generateLease: false }
  const counts = await race(
    make,
    () => admin.applications.adminSetStatus({ id: pending.id, status: 'approved' }),
    () => admin.manualBookings.create(buildEntry({ ...entry, email: 'ben@guest.example' })),
  )
  // Approving again what is approved changes nothing.
  expect(sum(counts.map(each => Math.min(1, each)))).toBe(1)
  const { bookings, open } = standing()
  expect(bookings + open).toBe(1)
})

test('the owner may block nights while they are accepted [CLAIM-10]', async () => {
  const { admin, answers, make, standing } = await site()
  const { id } = await make()
  const block = () =>
    admin.availability.setDates({ dates: ['2026-08-04'], isAvailable: false, reason: 'Painting' })
  const [accepted] = await race(answers(id).accept, block)
  expect(accepted).toBe(1)
  expect(standing()).toMatchObject({ bookings: 1 })
})
