import { randomUUID } from 'node:crypto'
import { calendarEvents, calendarFeeds } from '../../db/schema.ts'
import type { DateRange } from '../domain/dates.ts'
import type { TestApp } from './test-app.ts'

/** A calendar that has been read just now, and holds nothing; answers its id. */
export async function makeFeed(
  app: Pick<TestApp, 'deps'>,
  overrides: Partial<typeof calendarFeeds.$inferInsert> = {},
): Promise<string> {
  const id = randomUUID()
  const at = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx
      .insert(calendarFeeds)
      .values({
        id,
        name: 'Airbnb',
        provider: 'airbnb',
        mode: 'all',
        url: `https://calendars.example/${id}.ics`,
        active: true,
        createdAt: at,
        lastSuccessAt: at,
        ...overrides,
      })
      .run(),
  )
  return id
}

/** An imported event as a reading leaves it; answers its id. Nobody is told of double bookings. */
export async function makeEvent(
  app: Pick<TestApp, 'deps'>,
  feedId: string,
  { end, start }: DateRange,
  overrides: Partial<typeof calendarEvents.$inferInsert> = {},
): Promise<string> {
  const id = randomUUID()
  const at = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx
      .insert(calendarEvents)
      .values({
        ...{ id, feedId, start, end },
        uid: `${id}@calendars.example`,
        kind: 'reservation',
        echo: false,
        firstSeenAt: at,
        lastSeenAt: at,
        ...overrides,
      })
      .run(),
  )
  return id
}
