import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { projectRoot } from '../../../db/project-root.ts'
import { maxComingEvents, maxEventsPerNight } from '../../domain/calendars/calendar-event.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { buildCsv, buildRow } from '../build-entry.ts'
import { calendarOf, startCalendarHost } from '../calendar-host.ts'
import { pictureForm } from '../picture-site.ts'
import { type BenchSite, proveIdentity, seedBenchSite } from './bench-site.ts'
import type { Worst } from './health-poller.ts'
import { cpuSecondsOf, type RunningServer } from './server-process.ts'
import { printTable, spreadOf } from './table.ts'

const applicationCount = 10_000
const importedRows = 500
const rounds = 3
const goalMs = 100

/** The settings in deploy/. */
const smallMachine = {
  NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=2',
  MALLOC_ARENA_MAX: '2',
}

type Heavy = { name: string; before?: () => Promise<unknown>; run: (round: number) => Promise<unknown> }
type Ask = ReturnType<typeof createAsk>

/**
 * Sends the heaviest requests to a site with 10,000 applications, while a separate process polls the site's health.
 * Prints the slowest health response, and the site's main thread time in it: other load on the machine causes the rest.
 */
export async function run(): Promise<void> {
  await measureAll(smallMachine, heavyRequests)
  const host = await startCalendarHost()
  // Only outside production may a calendar be fetched from this machine.
  const fetching = { NODE_ENV: 'development', FETCH_ALLOW: host.origin, CALENDAR_POLL_SECONDS: '0' }
  try {
    await measureAll({ ...smallMachine, ...fetching }, ask => calendarRequests(ask, host))
  } finally {
    await host.close()
  }
}

async function measureAll(
  env: Record<string, string>,
  requests: (ask: Ask, benchSite: BenchSite) => Promise<Heavy[]>,
): Promise<void> {
  const benchSite = await seedBenchSite(applicationCount)
  const site = await benchSite.start(env)
  const script = fileURLToPath(new URL('health-poller.ts', import.meta.url))
  const poller = fork(script, [`${site.url}/api/health`, String(site.pid)])
  try {
    await proveIdentity(site.url, benchSite.admin)
    const rows = [['request', 'processor ms', 'response ms', 'worst health ms', 'main thread ms', 'goal']]
    for (const heavy of await requests(createAsk(site.url, benchSite.admin.token), benchSite))
      rows.push(await measure(heavy, site, poller))
    printTable(rows)
  } finally {
    poller.disconnect()
    await site.stop()
    await benchSite.close()
  }
}

async function measure({ before, name, run }: Heavy, site: RunningServer, poller: ChildProcess) {
  const cpuMs: number[] = []
  const tookMs: number[] = []
  const worst: Worst = { ms: 0, mainThreadMs: 0 }
  await before?.()
  await sleep(200)
  await worstHealth(poller)
  for (let round = 0; round < rounds; round++) {
    const cpuBefore = cpuSecondsOf(site.pid)
    const startedAt = performance.now()
    await run(round)
    tookMs.push(performance.now() - startedAt)
    // Background work after a request counts too.
    await sleep(150)
    cpuMs.push((cpuSecondsOf(site.pid) - cpuBefore) * 1000)
    const found = await worstHealth(poller)
    worst.ms = Math.max(worst.ms, found.ms)
    worst.mainThreadMs = Math.max(worst.mainThreadMs, found.mainThreadMs)
  }
  const figures = [spreadOf(cpuMs).median, spreadOf(tookMs).median, worst.ms, worst.mainThreadMs]
  const goal = `${goalMs} ${worst.mainThreadMs < goalMs ? 'met' : 'missed'}`
  return [name, ...figures.map(ms => ms.toFixed(0)), goal]
}

/** The slowest health response since the last call. */
function worstHealth(poller: ChildProcess): Promise<Worst> {
  return new Promise(resolve => {
    poller.once('message', worst => resolve(worst as Worst))
    poller.send('worst')
  })
}

/** Asks as the owner. @throws on another status than 2xx */
function createAsk(url: string, token: string) {
  return async (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${path.slice(0, 100)}: ${response.status} ${text.slice(0, 300)}`)
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  }
}

async function heavyRequests(ask: Ask, { blocked }: BenchSite): Promise<Heavy[]> {
  const ten = (inputOf: (i: number) => unknown) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, inputOf(i)]))
  const batch = (procedure: string) => `/trpc/${Array(10).fill(procedure).join(',')}?batch=1`
  const queries = (procedure: string, input: unknown) => {
    const inputs = encodeURIComponent(JSON.stringify(ten(() => input)))
    return () => ask('GET', `${batch(procedure)}&input=${inputs}`)
  }
  const idsOfPage = async (page: number): Promise<string[]> => {
    const { applications } = await ask('GET', `/api/application/admin/all?page=${page}&limit=200`)
    return applications.map(({ id }: { id: string }) => id)
  }
  const pages = await Promise.all(Array.from({ length: 10 }, (_, i) => idsOfPage(30 + i)))
  const calendar = { startDate: addDays(blocked.startDate, -500), endDate: addDays(blocked.startDate, 299) }
  const search = { page: 1, limit: 200, search: 'guest.example', sort: 'firstName' }
  const photo = sharp(join(projectRoot, 'src/server/site/content/pictures/02-balcony-ocean.jpg'))
  return [
    { name: 'nothing', run: () => sleep(1000) },
    { name: 'ten calendars of 800 days in a batch', run: queries('availability.range', calendar) },
    {
      name: 'longest terms saved and published, and their page',
      // A site in production cannot publish the sample reviews.
      before: () => save(ask, 'reviews', { reviews: [] }),
      run: async round => {
        await publish(ask, 'terms', { text: longestTerms(round) })
        await ask('GET', '/terms')
      },
    },
    {
      name: '200 versions ten times in a batch',
      before: async () => {
        for (let at = 0; at < 200; at++) await publish(ask, 'rates', { intro: `Rates ${at}` })
      },
      run: queries('editor.versions', {}),
    },
    { name: 'ten searches in a batch', run: queries('applications.adminList', search) },
    { name: 'ten lists without pages in a batch', run: queries('applications.adminList', {}) },
    { name: 'ten revenues of all time in a batch', run: queries('payments.revenueSummary', {}) },
    { name: 'revenue of all time as CSV', run: () => ask('GET', '/api/payment/admin/revenue.csv') },
    { name: 'ten notice boards in a batch', run: queries('notices.list', undefined) },
    {
      name: 'status of ten times 200 in a batch, with their mails',
      run: round => {
        const status = round % 2 === 0 ? 'rejected' : 'completed'
        return ask(
          'POST',
          batch('applications.adminSetStatuses'),
          ten(i => ({ ids: pages[i], status })),
        )
      },
    },
    {
      name: 'photograph of 48 megapixels, until its copies are ready',
      run: async round => {
        const quality = 90 - round
        const content = await photo.clone().resize(8000, 6000).jpeg({ quality }).toBuffer()
        let { picture } = await ask('POST', '/api/picture/admin', pictureForm(content))
        while (picture.state === 'processing') {
          await sleep(200)
          picture = (await ask('GET', `/api/picture/admin/${picture.id}`)).picture
        }
      },
    },
  ]
}

/** Saves a section of the site's content, as the editor does; returns the draft's revision. */
/** A link to reset a password: the site's first emails since its start take the longest. */
const sendMail = (ask: Ask) => async () => {
  await ask('POST', '/api/auth/forgot-password', { email: 'owner@condo.example' })
  await sleep(1500)
}

async function save(ask: Ask, section: string, change: object): Promise<string> {
  const { draft } = await ask('GET', '/api/site/admin/draft')
  const { body, version } = draft.sections[section] ?? { body: {}, version: 0 }
  const saved = { version, body: { ...body, ...change } }
  return (await ask('PUT', `/api/site/admin/draft/${section}`, saved)).revision
}

async function publish(ask: Ask, section: string, change: object): Promise<void> {
  await ask('POST', '/api/site/admin/publish', { revision: await save(ask, section, change) })
}

/** The slowest terms within the limits: 7 lists of 200 items with an emphasis, 30,000 characters. */
const longestTerms = (round: number) =>
  Array.from({ length: 7 }, () => `- b *a* ${String(round).repeat(12)}\n`.repeat(200))
    .join('\n')
    .slice(0, 30_000)

/** Two calendars with as many events as allowed, on as few nights as possible, and an import of 500 bookings. */
async function calendarRequests(
  ask: Ask,
  host: Awaited<ReturnType<typeof startCalendarHost>>,
): Promise<Heavy[]> {
  const today = dateIn(new Date(), 'America/New_York')
  const feeds: string[] = []
  const add = async (name: string) => {
    host.serve({ body: worstCalendar(addDays(today, 10), name) })
    const body = { name, url: host.url(`/${name}.ics`), provider: 'airbnb', mode: 'all' }
    feeds.push((await ask('POST', '/api/calendar/admin/feeds', body)).feed.id)
  }
  const read = (feed: number) => async (round: number) => {
    // Other nights and names each time, so that every event is new and every earlier one is missing.
    host.serve({ body: worstCalendar(addDays(today, 100 * (round + 1)), `${feed} ${round} `) })
    const { result } = await ask('POST', `/api/calendar/admin/feeds/${feeds[feed]}/fetch`)
    if (result.outcome !== 'read') throw new Error(`not read: ${result.error}`)
  }
  const exportAll = { name: 'Platform', scope: 'platform' }
  const days = `/api/availability?startDate=${today}&endDate=${addDays(today, 799)}`
  const importBookings = (dryRun: boolean) => (round: number) =>
    ask('POST', '/api/booking/admin/import', { csv: importFile(round), dryRun, invite: true })
  return [
    { name: 'first emails after a start', run: sendMail(ask) },
    { name: 'the worst calendar is read', before: () => add('first'), run: read(0) },
    { name: 'a second one is read', before: () => add('second'), run: read(1) },
    { name: 'calendar of 800 days with both', run: round => ask('GET', `${days}&round=${round}`) },
    { name: 'notice board with both', run: () => ask('GET', '/trpc/notices.list') },
    {
      name: 'one is read, both exported',
      before: () => ask('POST', '/api/calendar/admin/exports', exportAll),
      run: read(0),
    },
    { name: `dry run of ${importedRows} bookings`, run: importBookings(true) },
    { name: `import of ${importedRows} bookings`, run: importBookings(false) },
    {
      name: 'both are removed',
      run: async round => {
        if (feeds[round]) await ask('DELETE', `/api/calendar/admin/feeds/${feeds[round]}`)
      },
    },
  ]
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
