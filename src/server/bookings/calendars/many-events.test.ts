import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { calendarFeeds } from '../../../../db/schema.ts'
import { feedApp } from '../../../testing/calendar-host.ts'
import { refreshCalendars } from './poll.ts'

test('exports more events than one SQL statement can have parameters [CAL-53]', async () => {
  const { calendars, deps, http } = await feedApp()
  const feed = {
    provider: 'other',
    mode: 'all',
    active: true,
    createdAt: '2026-03-01T00:00:00.000Z',
  } as const
  await deps.write(tx => {
    for (let n = 0; n < 7; n++)
      tx.insert(calendarFeeds)
        .values({ ...feed, id: `feed-${n}`, name: `Feed ${n}`, url: `https://host-${n}.example/` })
        .run()
    tx.run(sql`
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 33999)
      insert into calendar_events (id, feed_id, uid, kind, start_date, end_date, echo, first_seen_at, last_seen_at)
      select 'event-' || n, 'feed-' || (n % 7), n, 'unclear', date('2026-06-01', (n % 900) || ' days'),
        date('2026-06-02', (n % 900) || ' days'), 0, '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z' from numbers`)
  })
  const created = await calendars.createExport({ name: 'Platform', scope: 'platform' })
  await refreshCalendars(deps)
  const { body, statusCode } = await http.inject(new URL(created.export.url).pathname)
  expect(statusCode).toBe(200)
  expect(body.match(/BEGIN:VEVENT/g)).toHaveLength(34_000)
}, 60_000)
