import { readFeed } from '../server/bookings/calendars/reading.ts'
import { createDeps } from '../server/create-deps.ts'
import { readConfig } from '../server/kernel/config.ts'
import type { FetchOutcome } from '../server/lib/guarded-fetch.ts'

// Separate process that a test starts on its database: reads the feed with each file it receives as the feed's content.
const feedId = process.env.FEED_ID ?? ''
let file = ''
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
    body: Buffer.from(file),
  }),
})
process.on('message', (sent: string) => {
  file = sent
  readFeed(deps, feedId).then(
    result => process.send?.(`${result?.outcome} ${result?.added}`),
    (error: Error) => process.send?.(error.message),
  )
})
process.send?.('ready')
