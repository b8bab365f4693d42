import { readFeed } from '../../server/calendars/reading.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'

// A process that reads one calendar on an existing store, to be killed at the point that FAILPOINT names.
const [feedId = ''] = process.argv.slice(2)
const { deps, close } = await createDeps(readConfig(process.env))
await readFeed(deps, feedId)
close()
