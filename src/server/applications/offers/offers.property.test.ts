import fc from 'fast-check'
import { expect, test } from 'vitest'
import { events } from '../../../../db/schema.ts'
import { addDays, datesInRange, overlaps } from '../../../domain/common/dates.ts'
import { buildEntry } from '../../../testing/build-entry.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { seed } from '../../../testing/random.ts'
import { preparedSite, visitor } from '../../../testing/test-app.ts'
import { tickOffers } from './tick.ts'

type Kept = { id: string; start: string; end: string; untilMs: number; state: 'open' | 'ended' }

const first = '2026-08-01'
const range = { startDate: first, endDate: addDays(first, 16) }
const stay = fc
  .tuple(fc.nat({ max: 11 }), fc.integer({ min: 1, max: 4 }))
  .map(([from, nights]) => ({ start: addDays(first, from), end: addDays(first, from + nights) }))
const which = fc.nat({ max: 9 })
const step = fc.oneof(
  fc.record({ do: fc.constant('offer' as const), stay, hours: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('book' as const), stay }),
  fc.record({ do: fc.constantFrom('accept' as const, 'withdraw' as const, 'decline' as const), which }),
  fc.record({ do: fc.constant('tick' as const) }),
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(-1, 1, 3_600_000, 3_599_999, 7_200_000),
  }),
)
const prepared = preparedSite(async app => ({ owner: await app.makeAdmin({ email: 'owner@condo.example' }) }))

test('whatever is offered, answered, booked and over, nights are whose a plain list says [CLAIM-02, CLAIM-03, CLAIM-05]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async steps => {
      const { app, owner } = await prepared()
      const [admin, guest] = [app.as(owner), app.as(visitor)]
      const kept: Kept[] = []
      const booked: { start: string; end: string }[] = []
      const now = () => app.deps.clock.now().getTime()
      const isLive = ({ state, untilMs }: Kept) => state === 'open' && untilMs > now()
      const endOver = () => {
        for (const claim of kept) if (!isLive(claim)) claim.state = 'ended'
      }
      const isFree = (nights: { start: string; end: string }) =>
        ![...kept.filter(isLive), ...booked].some(other => overlaps(other, nights))
      const succeeds = async (call: Promise<unknown>, expected: boolean) => {
        const [{ status }] = await Promise.allSettled([call])
        expect(status).toBe(expected ? 'fulfilled' : 'rejected')
        if (expected) endOver()
      }
      for (const [i, each] of steps.entries()) {
        if (each.do === 'wait') app.advance(each.ms)
        else if (each.do === 'tick') {
          await tickOffers(app.deps)
          endOver()
        } else if (each.do === 'offer') {
          const { end, start } = each.stay
          const untilMs = now() + each.hours * 3_600_000
          const call = admin.offers.make(
            buildOffer({
              ...{ startDate: start, endDate: end, email: `guest-${i}@guest.example`, secureDays: 0 },
              until: new Date(untilMs).toISOString(),
            }),
          )
          await succeeds(call, isFree(each.stay))
          const [made] = await Promise.allSettled([call])
          if (made.status === 'fulfilled')
            kept.push({ id: made.value.claim.id, start, end, untilMs, state: 'open' })
        } else if (each.do === 'book') {
          const { end: endDate, start: startDate } = each.stay
          const entry = { startDate, endDate, email: '', invite: false, generateLease: false }
          const wasFree = isFree(each.stay)
          await succeeds(admin.manualBookings.create(buildEntry(entry)), wasFree)
          if (wasFree) booked.push(each.stay)
        } else {
          const claim = kept[each.which % Math.max(1, kept.length)]
          if (!claim) continue
          const wasLive = isLive(claim)
          const { id: claimId } = claim
          const token = offerToken(app, claimId)
          const { totalCents } = (await admin.offers.adminGet({ claimId })).claim
          const answer = { token, typedName: 'Anna Miller', totalCents: totalCents ?? 0, person: offerPerson }
          const calls = {
            accept: () => guest.offers.acceptByLink(answer),
            withdraw: () => admin.offers.withdraw({ claimId }),
            decline: () => guest.offers.declineByLink({ token, reason: 'No' }),
          }
          const [{ status }] = await Promise.allSettled([calls[each.do]()])
          expect(status).toBe(wasLive ? 'fulfilled' : 'rejected')
          if (!wasLive) continue
          claim.state = 'ended'
          endOver()
          if (each.do === 'accept') booked.push(claim)
        }
        const { nights } = await admin.bookings.nights(range)
        const of = (stays: readonly { start: string; end: string }[]) => new Set(stays.flatMap(datesInRange))
        const [held, taken] = [of(kept.filter(isLive)), of(booked)]
        expect(nights.map(({ date, stands }) => [date, stands])).toEqual(
          nights.map(({ date }) => [date, taken.has(date) ? 'booking' : held.has(date) ? 'held' : null]),
        )
      }
      const ended = app.deps.db
        .select()
        .from(events)
        .all()
        .filter(({ kind }) => kind === 'claim.ended')
      expect(new Set(ended.map(({ subjectId }) => subjectId)).size).toBe(ended.length)
    }),
    { numRuns: 15, seed },
  )
}, 120_000)
