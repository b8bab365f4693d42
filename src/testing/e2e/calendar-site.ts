import { type CalendarHost, startCalendarHost } from '../calendar-host.ts'
import { test as base } from './site.ts'

/** Tests with a separate site that may fetch calendars from a host on this machine, and does so only on request. */
export const testWithCalendarHost = () =>
  base.extend<object, { host: CalendarHost }>({
    host: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright demands an object pattern.
      async ({}, use) => {
        const host = await startCalendarHost()
        await use(host)
        await host.close()
      },
      { scope: 'worker' },
    ],
    siteEnv: ({ host }, use) => use({ FETCH_ALLOW: host.origin, CALENDAR_POLL_SECONDS: '0' }),
  })
