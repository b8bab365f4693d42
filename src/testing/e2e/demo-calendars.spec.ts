import { asAdmin, openAsAdmin } from './admin-pages.ts'
import { expect, test } from './site.ts'

test.use({ siteEnv: { DEMO_SEED: 'on' } })
const api = '/api/calendar/admin'

test('the demo imports the calendar of its sandbox, and exports one of each kind [CAL-13, CAL-50]', async ({
  page,
  site,
}) => {
  const { exports, feeds } = await asAdmin(site, 'GET', api)
  expect(feeds).toMatchObject([{ name: 'Airbnb', state: 'ok', eventCount: 3 }])
  const { feed, result } = await asAdmin(site, 'POST', `${api}/feeds/${feeds[0].id}/fetch`)
  expect(result).toMatchObject({ outcome: 'unchanged', error: null })
  expect(feed.state).toBe('ok')
  expect(exports.map(({ scope }: { scope: string }) => scope)).toEqual(['platform', 'cleaning', 'owner'])
  for (const { url } of exports) {
    const answer = await fetch(`${site.url}${new URL(url).pathname}`)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(await answer.text()).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*BEGIN:VEVENT\r\n/)
  }
  await openAsAdmin(page, site, '/admin/calendars')
  await expect(page.getByRole('listitem').filter({ hasText: 'Airbnb' }).first()).toContainText('Up to date')
})
