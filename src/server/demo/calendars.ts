import type { Admin } from '../../domain/access.ts'
import { dateIn } from '../../domain/dates.ts'
import { calendarFile, calendarUrl } from '../../sandbox/calendar/feed.ts'
import { addFeed } from '../calendars/add-feed.ts'
import { createExport } from '../calendars/exports.ts'
import { ownAddress } from '../kernel/config.ts'
import type { Deps } from '../kernel/deps.ts'

/** A platform's calendar that is read, and a calendar of each kind that is given out. */
export async function seedCalendars(deps: Deps, admin: Admin): Promise<void> {
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  const origin = ownAddress(deps.config)
  const config = { ...deps.config, fetchAllow: [...deps.config.fetchAllow, origin] }
  const { feed } = await addFeed({ ...deps, config, fetchCalendar: fetchFromSandbox }, admin, {
    name: 'Airbnb',
    url: calendarUrl(origin, today),
    provider: 'airbnb',
  })
  await createExport(deps, admin, { name: 'For Airbnb', scope: 'platform', feedId: feed.id })
  await createExport(deps, admin, { name: 'Cleaner', scope: 'cleaning', feedId: null })
  await createExport(deps, admin, { name: 'My own', scope: 'owner', feedId: null })
}

/** The site does not listen yet while the demo is filled. */
const fetchFromSandbox: Deps['fetchCalendar'] = async ({ url }) => ({
  kind: 'answered',
  status: 200,
  notModified: false,
  headers: {},
  etag: undefined,
  lastModified: undefined,
  body: Buffer.from(calendarFile(new URL(url).searchParams.get('from') ?? '') ?? ''),
})
