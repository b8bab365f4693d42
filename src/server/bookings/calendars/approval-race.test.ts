import { setTimeout as delay } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { calendarConflicts, outbox } from '../../../../db/schema.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { dates, makePending } from '../../../testing/build-application.ts'
import { makeFeed } from '../../../testing/build-calendar.ts'
import { calendarOf, type HostedEvent } from '../../../testing/calendar-host.ts'
import { testApp } from '../../../testing/test-app.ts'
import { sendAndWait, startWorkerProcess } from '../../../testing/worker-process.ts'

const rounds = 20

test('when two processes approve and read at the same time, the approval is refused or a conflict is stored [CAL-45, CAL-42]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { db } = app.deps
  const admin = await app.makeAdmin()
  const feedId = await makeFeed(app)
  const approver = await startWorkerProcess(app, 'approver.ts', { ADMIN_ID: admin.userId })
  const reader = await startWorkerProcess(app, 'calendar-reader.ts', { FEED_ID: feedId })
  // A reading parses its file first. The approval waits about as long, so that sometimes one wins, sometimes the other.
  let waitMs = 5
  const events: HostedEvent[] = []
  const outcomes = { approved: 0, refused: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const start = addDays('2026-04-01', round * 10)
      const end = addDays(start, 5)
      const { id } = await makePending(app, await app.makeTenant(), dates(start, end))
      events.push({ start: addDays(start, round % 5), end: addDays(end, 2) })
      const reading = sendAndWait(reader, calendarOf(...events))
      await delay(waitMs)
      const answer = await sendAndWait(approver, id)
      expect(await reading).toBe('read 1')
      const conflicts = db
        .select()
        .from(calendarConflicts)
        .where(eq(calendarConflicts.applicationId, id))
        .all()
      if (answer === 'approved') {
        expect(conflicts).toMatchObject([{ acknowledgedAt: null, resolvedAt: null }])
        outcomes.approved++
        waitMs++
      } else {
        expect(answer).toMatch(
          /^Taken on Airbnb: .*\. Book all the same only if you have cleared it there\.$/,
        )
        expect(conflicts).toEqual([])
        expect((await app.as(admin).applications.adminGet({ id })).application.status).toBe('pending')
        outcomes.refused++
        waitMs = Math.max(0, waitMs - 1)
      }
    }
  } finally {
    approver.kill()
    reader.kill()
  }
  const isMail = eq(outbox.kind, 'owner-double-booking')
  expect(db.select().from(outbox).where(isMail).all()).toHaveLength(Math.min(1, outcomes.approved))
  expect(Math.min(outcomes.approved, outcomes.refused), JSON.stringify(outcomes)).toBeGreaterThan(0)
}, 120_000)
