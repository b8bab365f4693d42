import { setTimeout as delay } from 'node:timers/promises'
import { eq, isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { calendarConflicts, outbox } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { dates, makePending } from '../../../testing/build-application.ts'
import { makeFeed } from '../../../testing/build-calendar.ts'
import { buildOffer, offerToken } from '../../../testing/build-offer.ts'
import { calendarOf, type HostedEvent } from '../../../testing/calendar-host.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { sendAndWait, startWorkerProcess } from '../../../testing/worker-process.ts'

const rounds = 20

/** What the approving process gets for nights, and the booking that is made of it, if any. */
const ways = {
  approve: async (app: TestApp, admin: SignedIn, start: string, end: string) => {
    const { id } = await makePending(app, await app.makeTenant(), dates(start, end))
    const booked = async () => {
      const { application } = await app.as(admin).applications.adminGet({ id })
      return application.status === 'pending' ? null : id
    }
    return { message: id, booked }
  },
  accept: async (app: TestApp, admin: SignedIn, startDate: string, endDate: string) => {
    const email = `anna-${startDate}@guest.example`
    const { claim } = await app.as(admin).offers.make(buildOffer({ startDate, endDate, email }))
    const booked = async () => {
      const now = (await app.as(admin).offers.adminGet({ claimId: claim.id })).claim
      expect(now.state).toBe(now.acceptedApplicationId ? 'accepted' : 'open')
      return now.acceptedApplicationId
    }
    return { message: offerToken(app, claim.id), booked }
  },
}

test.each([
  ['approve', /^Taken on Airbnb: .*\. Book all the same only if you have cleared it there\.$/],
  ['accept', /^These dates are no longer available\. /],
] as const)(
  'when two processes %s and read at the same time, the booking is refused or a conflict is stored [CAL-45, CAL-42, CLAIM-19]',
  async (way, refused) => {
    const app = await testApp({ env: { RATE_LIMITS: 'off' } })
    const { db } = app.deps
    const admin = await app.makeAdmin()
    const feedId = await makeFeed(app)
    const approver = await startWorkerProcess(app, 'approver.ts', { ADMIN_ID: admin.userId, WAY: way })
    const reader = await startWorkerProcess(app, 'calendar-reader.ts', { FEED_ID: feedId })
    // A reading parses its file first. The approval waits about as long, so that sometimes one wins, sometimes the other.
    let waitMs = 5
    const events: HostedEvent[] = []
    const outcomes = { approved: 0, refused: 0 }
    try {
      for (let round = 0; round < rounds; round++) {
        const start = addDays('2026-04-01', round * 10)
        const end = addDays(start, 5)
        const { booked, message } = await ways[way](app, admin, start, end)
        events.push({ start: addDays(start, round % 5), end: addDays(end, 2) })
        const reading = sendAndWait(reader, calendarOf(...events))
        await delay(waitMs)
        const answer = await sendAndWait(approver, message)
        expect(await reading).toBe('read 1')
        const applicationId = await booked()
        const conflicts = db
          .select()
          .from(calendarConflicts)
          .where(isNotNull(calendarConflicts.applicationId))
          .all()
        expect(conflicts).toHaveLength(outcomes.approved + (answer === 'approved' ? 1 : 0))
        if (answer === 'approved') {
          expect(conflicts.find(conflict => conflict.applicationId === applicationId)).toMatchObject({
            acknowledgedAt: null,
            resolvedAt: null,
          })
          outcomes.approved++
          waitMs++
        } else {
          expect(answer).toMatch(refused)
          expect(applicationId).toBeNull()
          outcomes.refused++
          waitMs = Math.max(0, waitMs - 1)
        }
      }
    } finally {
      approver.kill()
      reader.kill()
    }
    // An event over an offer is told as well.
    const isMail = eq(outbox.kind, 'owner-double-booking')
    const told = way === 'accept' ? rounds : outcomes.approved
    expect(db.select().from(outbox).where(isMail).all()).toHaveLength(Math.min(1, told))
    expect(Math.min(outcomes.approved, outcomes.refused), JSON.stringify(outcomes)).toBeGreaterThan(0)
  },
  120_000,
)
