import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../../db/open.ts'
import { calendarEvents, calendarExports, calendarFeeds } from '../../../db/schema.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { bookingsWithin } from '../../server/bookings/nights.ts'
import { newToken } from '../../server/lib/token.ts'
import { type BenchSite, seedBenchSite } from './bench-site.ts'
import { load, type Request } from './load.ts'
import { printTable } from './table.ts'

const eventCount = 500
const seconds = 3

/** Measures platforms fetching a calendar. Each fetch is recorded, so it is also a write. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  const path = `/calendar/${fillCalendar(benchSite)}.ics`
  const site = await benchSite.start()
  try {
    const first = await fetch(`${site.url}${path}`)
    const file = await first.text()
    const found = file.split('BEGIN:VEVENT').length - 1
    if (found !== eventCount) throw new Error(`the calendar has ${found} events`)
    const unchanged = { 'if-none-match': first.headers.get('etag') ?? '' }
    const rows = [['public calendar, 500 events', 'fetches /s', 'p50 ms', 'p99 ms', 'KB']]
    const measure = async (name: string, request: Request, bytes: number) => {
      const { p50Ms, p99Ms, perSecond } = await load(site, request, { seconds })
      const figures = [perSecond.toFixed(0), p50Ms.toFixed(0), p99Ms.toFixed(0), (bytes / 1024).toFixed(0)]
      rows.push([name, ...figures])
    }
    await measure('fetched whole', { path, next: fromNewAddress() }, Buffer.byteLength(file))
    await measure(
      'unchanged: 304',
      { path, headers: unchanged, next: fromNewAddress(unchanged), expect: 304 },
      0,
    )
    printTable(rows)
  } finally {
    await site.stop()
    await benchSite.close()
  }
}

/** A new client address for each request, to stay below the rate limit. */
function fromNewAddress(headers: Record<string, string> = {}): NonNullable<Request['next']> {
  let count = 0
  return () => {
    count++
    return {
      headers: {
        ...headers,
        'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
      },
    }
  }
}

/** Creates an export with 500 bookings, blocked nights and imported events, and returns its token. */
function fillCalendar({ databaseFile }: BenchSite): string {
  const { close, db } = openDatabase(databaseFile)
  const at = new Date().toISOString()
  const today = dateIn(new Date(), 'America/New_York')
  const booked = bookingsWithin(db, { start: today, end: '9999-12-31' }).length
  const [feedId, token] = [randomUUID(), newToken()]
  const feed = {
    name: 'Vrbo',
    provider: 'vrbo',
    mode: 'all',
    url: 'https://calendars.example/a.ics',
  } as const
  db.insert(calendarFeeds)
    .values({ id: feedId, ...feed, active: false, createdAt: at })
    .run()
  for (let i = 0; i < eventCount - booked - 1; i++) {
    const [id, start] = [randomUUID(), addDays(today, 2 + 2 * i)]
    const seen = { firstSeenAt: at, lastSeenAt: at }
    const event = {
      uid: id,
      kind: 'reservation',
      start,
      end: addDays(start, 1),
      echo: false,
      ...seen,
    } as const
    db.insert(calendarEvents)
      .values({ id, feedId, ...event })
      .run()
  }
  db.insert(calendarExports)
    .values({ id: randomUUID(), name: 'For Airbnb', scope: 'platform', token, createdAt: at })
    .run()
  close()
  return token
}
