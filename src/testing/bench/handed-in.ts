import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { maxComingEvents, maxEventsPerNight } from '../../domain/calendars/calendar-event.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { buildCsv, buildRow } from '../build-entry.ts'
import { calendarOf, startCalendarHost } from '../calendar-host.ts'
import { type BenchSite, proveIdentity, seedBenchSite } from './bench-site.ts'
import { columns, type Heavy, type Measured, measure, rowOf, smallMachine } from './measure.ts'
import type { RunningServer } from './server-process.ts'
import { printTable } from './table.ts'

const importedRows = 500

/**
 * Measures the most that a calendar host or one file of bookings can hand in, with the heap of deploy/: two calendars
 * with as many events as allowed, on as few nights as possible, an import of 500 bookings, and the next start.
 */
export async function measureHandedIn(): Promise<void> {
  const benchSite = await seedBenchSite()
  const host = await startCalendarHost()
  // Only outside production may a calendar be fetched from this machine.
  const env = {
    ...smallMachine,
    NODE_ENV: 'development',
    FETCH_ALLOW: host.origin,
    CALENDAR_POLL_SECONDS: '0',
  }
  const script = fileURLToPath(new URL('health-poller.ts', import.meta.url))
  const measured: Measured[] = []
  try {
    const startMs: number[] = []
    for (let run = 0; run < 2; run++) {
      const site = await benchSite.start(env)
      startMs.push(site.startMs)
      const poller = fork(script, [`${site.url}/api/health`, String(site.pid)])
      if (run === 0) measured.push(...(await measureAll(benchSite, site, host, poller)))
      poller.disconnect()
      await site.stop()
    }
    printTable([['with the heap of deploy/', ...columns], ...measured.map(rowOf)])
    console.log(
      `start without these data ${startMs[0]?.toFixed(0)} ms, with them ${startMs[1]?.toFixed(0)} ms`,
    )
  } finally {
    await host.close()
    await benchSite.close()
  }
}

async function measureAll(
  benchSite: BenchSite,
  site: RunningServer,
  host: Awaited<ReturnType<typeof startCalendarHost>>,
  poller: ChildProcess,
): Promise<Measured[]> {
  await proveIdentity(site.url, benchSite.admin)
  const ask = createAsk(site.url, benchSite.admin.token)
  const today = dateIn(new Date(), 'America/New_York')
  const feed = async (name: string) => {
    host.serve({ body: worstCalendar(addDays(today, 10), name) })
    const body = { name, url: host.url(`/${name}.ics`), provider: 'airbnb', mode: 'all' }
    return String((await ask('POST', '/api/calendar/admin/feeds', body)).feed.id)
  }
  const read = (id: string) => async (round: number) => {
    // Other nights and names each time, so that every event is new and every earlier one is missing.
    host.serve({ body: worstCalendar(addDays(today, 100 * (round + 1)), `${id} ${round} `) })
    const { result } = await ask('POST', `/api/calendar/admin/feeds/${id}/fetch`)
    if (result.outcome !== 'read') throw new Error(`not read: ${result.error}`)
  }
  const calendar = `/api/availability?startDate=${today}&endDate=${addDays(today, 799)}`
  const rows = async (heavy: Heavy[]) => {
    const found: Measured[] = []
    for (const each of heavy) found.push(await measure(each, site, poller))
    return found
  }
  const message = { name: 'Ada', email: 'ada@guest.example', message: 'Is it free in May?' }
  const mail = await rows([
    { name: 'visitor: message, the first mail', run: () => ask('POST', '/trpc/contact.send', message) },
  ])
  const first = await feed('first')
  const one = await rows([{ name: 'host: the worst calendar is read', run: read(first) }])
  const second = await feed('second')
  const pair = await rows([
    { name: 'host: the second one is read', run: read(second) },
    {
      name: 'visitor: calendar of 800 days with both',
      run: round => ask('GET', `${calendar}&round=${round}`),
    },
    { name: 'admin: notice board with both', run: () => ask('GET', '/trpc/notices.list') },
    { name: 'admin: calendars page with both', run: () => ask('GET', '/api/calendar/admin') },
    { name: 'admin: calendar with both', run: () => ask('GET', calendar.replace('?', '/admin/all?')) },
  ])
  await ask('POST', '/api/calendar/admin/exports', { name: 'Platform', scope: 'platform' })
  const exported = await rows([{ name: 'host: one is read, both exported', run: read(first) }])
  const imports = await rows(
    [true, false].map(dryRun => ({
      name: dryRun
        ? `admin: dry run of ${importedRows} bookings`
        : `admin: import of ${importedRows} bookings`,
      run: (round: number) =>
        ask('POST', '/api/booking/admin/import', { csv: importFile(round), dryRun, invite: true }),
    })),
  )
  const removed = await rows([
    {
      name: 'admin: both are removed',
      run: async round => {
        const id = [first, second][round]
        if (id) await ask('DELETE', `/api/calendar/admin/feeds/${id}`)
      },
    },
  ])
  return [...mail, ...one, ...pair, ...exported, ...imports, ...removed]
}

/** As many reservations as a file may have, on as few nights as possible. */
function worstCalendar(from: string, prefix: string): string {
  return calendarOf(
    ...Array.from({ length: maxComingEvents }, (_, n) => {
      const start = addDays(from, Math.floor(n / maxEventsPerNight))
      return { uid: `${prefix}${n}`, start, end: addDays(start, 1) }
    }),
  )
}

function importFile(round: number): string {
  const rows = Array.from({ length: importedRows }, (_, i) => {
    const start = addDays(`${2060 + round * 20}-01-01`, i * 10)
    return buildRow({
      email: `import-${round}-${i}@guest.example`,
      start_date: start,
      end_date: addDays(start, 9),
      monthly_rent: '2,400.00',
      deposit: '500',
      rent_paid: '1200',
      deposit_paid: '500',
      lease: 'yes',
    })
  })
  return buildCsv(rows)
}

function createAsk(url: string, token: string) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
}
