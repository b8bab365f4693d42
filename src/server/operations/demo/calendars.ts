import type { Admin } from '../../../domain/accounts/access.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { calendarFile, calendarPath, calendarUrl } from '../../../sandbox/calendar/feed.ts'
import { addFeed } from '../../bookings/calendars/add-feed.ts'
import { editFeed } from '../../bookings/calendars/edit-feed.ts'
import { createExport } from '../../bookings/calendars/exports.ts'
import { listFeedRows } from '../../bookings/calendars/records.ts'
import { selfOrigin } from '../../kernel/config.ts'
import type { Deps } from '../../kernel/deps.ts'

/** Seeds a feed of a platform and an export of each kind. */
export async function seedCalendars(deps: Deps, admin: Admin): Promise<void> {
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  const { feed } = await addFeed(withSandbox(deps), admin, {
    name: 'Airbnb',
    url: calendarUrl(selfOrigin(deps.config), today),
    provider: 'airbnb',
  })
  await createExport(deps, admin, { name: 'For Airbnb', scope: 'platform', feedId: feed.id })
  await createExport(deps, admin, { name: 'Cleaner', scope: 'cleaning', feedId: null })
  await createExport(deps, admin, { name: 'My own', scope: 'owner', feedId: null })
}

/** Updates the feed's URL when the demo, and so its sandbox, starts on another port. */
export async function updateSandboxFeedUrl(deps: Deps, admin: Admin): Promise<void> {
  const origin = selfOrigin(deps.config)
  for (const { id, url } of listFeedRows(deps.db)) {
    const address = URL.parse(url)
    if (address?.pathname !== calendarPath || address.origin === origin) continue
    const moved = calendarUrl(origin, address.searchParams.get('from') ?? '')
    await editFeed(withSandbox(deps), admin, id, { url: moved })
  }
}

/** Allows the site to read the sandbox's calendar at its own address. */
const withSandbox = (deps: Deps): Deps => ({
  ...deps,
  config: { ...deps.config, fetchAllow: [selfOrigin(deps.config)] },
  fetchCalendar: fetchFromSandbox,
})

/** Stubs the request, as the site does not listen yet while the demo is seeded. */
const fetchFromSandbox: Deps['fetchCalendar'] = async ({ url }) => ({
  kind: 'answered',
  status: 200,
  notModified: false,
  headers: {},
  etag: undefined,
  lastModified: undefined,
  body: Buffer.from(calendarFile(new URL(url).searchParams.get('from') ?? '') ?? ''),
})
