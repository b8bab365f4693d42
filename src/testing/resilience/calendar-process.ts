import { readFeed } from '../../server/bookings/calendars/reading.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'

// Reads one calendar into an existing store; killed at the point in FAILPOINT.
const [feedId = ''] = process.argv.slice(2)
const { deps, close } = await createDeps(readConfig(process.env))
await readFeed(deps, feedId)
close()
