import { readFeed } from '../server/calendars/reading.ts'
import { createDeps } from '../server/create-deps.ts'
import { readConfig } from '../server/kernel/config.ts'
import type { FetchOutcome } from '../server/lib/guarded-fetch.ts'
import { calendarOf, type HostedEvent } from './calendar-host.ts'

// A process of its own on the same database, started by a test: reads its calendar, which has one event more each time.
const feedId = process.env.FEED_ID ?? ''
const events: HostedEvent[] = []
const now = new Date(process.env.NOW ?? '')
const { deps } = await createDeps(readConfig(process.env), {
  clock: { now: () => now },
  fetchCalendar: async (): Promise<FetchOutcome> => ({
    kind: 'answered',
    status: 200,
    notModified: false,
    headers: {},
    etag: undefined,
    lastModified: undefined,
    body: Buffer.from(calendarOf(...events)),
  }),
})
process.on('message', (event: HostedEvent) => {
  events.push(event)
  readFeed(deps, feedId).then(
    result => process.send?.(`${result?.outcome} ${result?.added}`),
    (error: Error) => process.send?.(error.message),
  )
})
process.send?.('ready')
