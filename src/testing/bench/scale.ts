import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '../../../db/open.ts'
import { calendarEvents, calendarFeeds, claims, messages, messageThreads } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { messagesSection } from '../../domain/arrival/stay-settings.ts'
import { addDays } from '../../domain/common/dates.ts'
import { maxStayNights } from '../../domain/common/stay.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import type { Deps } from '../../server/kernel/deps.ts'
import { closedYear } from '../../server/money/books/closings.ts'
import { createCaller } from '../../server/root-router.ts'
import { saveSection } from '../../server/site/settings.ts'
import { seedScale } from './seed-scale.ts'
import { percentile, printTable } from './table.ts'

const sizes = [1000, 10_000]
const maxRuns = 200
const longestMs = 3000

const admin: Admin = { role: 'admin', userId: 'bench', requestOrigin: { address: '', userAgent: '' } }

type Query = { name: string; ask: () => Promise<unknown> }

/** Measures how long each query of the owner's screens takes in its procedure, at two database sizes. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'condo-bench-'))
  const columns: Map<string, string[]>[] = []
  try {
    for (const size of sizes) columns.push(await measureSize(join(folder, `${size}.sqlite`), size))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const names = [...(columns[0]?.keys() ?? [])]
  printTable([
    ['milliseconds', ...sizes.flatMap(size => [`${size} p50`, 'p99'])],
    ...names.map(name => [name, ...columns.flatMap(timings => timings.get(name) ?? [])]),
  ])
}

async function measureSize(file: string, size: number): Promise<Map<string, string[]>> {
  const now = new Date()
  const config = readConfig({ DATABASE_FILE: file, UPLOADS_DIR: `${file}.uploads`, LOG_LEVEL: 'silent' })
  const startedAt = performance.now()
  const database = openDatabase(file)
  seedScale(database, {
    applications: size,
    now,
    timeZone: config.site.timeZone,
    passwordHash: 'nobody logs in',
  })
  database.close()
  console.log(`${size} applications made in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  const { deps, close } = await createDeps(config, { log: pino({ level: 'silent' }) })
  await keepNights(deps)
  const longestThread = await writeThreads(deps)
  try {
    const timings = new Map<string, string[]>()
    for (const query of queriesOf(deps, size, longestThread)) timings.set(query.name, await measure(query))
    return timings
  } finally {
    close()
  }
}

/** 500 imported events and 500 offers over the next three years, 50 of them open, which is as many as there may be. */
async function keepNights({ clock, write }: Deps): Promise<void> {
  const now = clock.now()
  const at = now.toISOString()
  const seen = { firstSeenAt: at, lastSeenAt: at, echo: false }
  const feed = {
    id: 'feed',
    name: 'Airbnb',
    provider: 'airbnb',
    mode: 'all',
    url: '',
    active: false,
  } as const
  await write(tx => {
    tx.insert(calendarFeeds)
      .values({ ...feed, createdAt: at })
      .run()
    for (let i = 0; i < 500; i++) {
      const id = String(i)
      const [start, end] = [addDays(at.slice(0, 10), 2 * i), addDays(at.slice(0, 10), 2 * i + 1)]
      const ended = i % 10 === 0 ? {} : ({ endedAt: at, endedAs: 'expired' } as const)
      const untilAt = new Date(now.getTime() + 86_400_000).toISOString()
      tx.insert(calendarEvents)
        .values({ id, uid: id, feedId: 'feed', kind: 'reservation', start, end, ...seen })
        .run()
      tx.insert(claims)
        .values({
          id,
          kind: 'offer',
          startDate: end,
          endDate: addDays(end, 1),
          state: ended.endedAs ? 'ended' : 'open',
          ...ended,
          untilAt,
          createdAt: at,
        })
        .run()
    }
  })
}

/** 500 conversations, the first of which has 2,000 messages. Returns its application. */
async function writeThreads(deps: Deps): Promise<string> {
  const { clock, db, write } = deps
  const createdAt = clock.now().toISOString()
  const all = db.query.applications.findMany({ columns: { id: true, userId: true }, limit: 500 }).sync()
  const [first] = all
  if (!first) throw new Error('there is no application to write about')
  const owner = { ...admin, userId: first.userId }
  await saveSection(deps, owner, messagesSection, { version: 0, body: { enabled: true } })
  await write(tx => {
    for (const { id: applicationId, userId: authorId } of all) {
      const count = applicationId === first.id ? 2000 : 3
      tx.insert(messageThreads).values({ applicationId }).run()
      for (let number = 1; number <= count; number++) {
        const id = `${applicationId}-${number}`
        const body = `Is there a place for ${number} bicycles in the garage? `.repeat(4)
        tx.insert(messages)
          .values({
            applicationId,
            number,
            side: 'tenant',
            via: 'site',
            authorId,
            requestId: id,
            createdAt,
            id,
            body,
          })
          .run()
      }
    }
  })
  return first.id
}

/** Median and 99th percentile, in milliseconds. */
async function measure({ ask }: Query): Promise<string[]> {
  const timesMs: number[] = []
  for (let i = 0; i < 3; i++) await ask()
  const until = performance.now() + longestMs
  while (timesMs.length < maxRuns && (timesMs.length < 10 || performance.now() < until)) {
    const before = performance.now()
    await ask()
    timesMs.push(performance.now() - before)
  }
  timesMs.sort((a, b) => a - b)
  return [0.5, 0.99].map(share => percentile(timesMs, share).toFixed(2))
}

function queriesOf(deps: Deps, size: number, longestThread: string): Query[] {
  const { applications, availability, bookings, conversations, leases, notices, payments, rates } =
    createCaller({
      deps,
      actor: admin,
      sessionId: undefined,
      requestId: 'bench',
    })
  const today = deps.clock.now().toISOString().slice(0, 10)
  const year = Number(today.slice(0, 4))
  const some = deps.db.query.applications
    .findFirst({ where: (row, { eq }) => eq(row.status, 'completed') })
    .sync()
  if (!some) throw new Error('there is no completed application to ask about')
  const pending = deps.db.query.applications
    .findFirst({ where: (row, { eq }) => eq(row.status, 'pending') })
    .sync()
  const { id, userId } = some
  const list = (name: string, query: Parameters<typeof applications.adminList>[0]): Query => ({
    name: `applications: ${name}`,
    ask: () => applications.adminList({ page: 1, limit: 25, ...query }),
  })
  return [
    { name: 'applications: counts by status', ask: () => applications.adminCounts() },
    list('newest', {}),
    list('the last page', { page: Math.ceil(size / 25) }),
    list('by name', { sort: 'firstName', order: 'asc' }),
    list('by status', { sort: 'status' }),
    list('by amount', { sort: 'totalAmount' }),
    list('pending', { status: 'pending' }),
    list('search 1 letter by name', { search: 'm', sort: 'firstName', order: 'asc' }),
    list('search whole name', { search: `${some.firstName} ${some.lastName}` }),
    list('search whole email', { search: some.email }),
    list('search number of thousands', { search: `app-${year - 2}-1` }),
    list('search phone digits', { search: some.phone.replace(/\D/g, '').slice(-7) }),
    list('search nothing found', { search: 'zzzyx' }),
    list('search a year, page 100', { search: `${year - 2}-`, page: 100 }),
    list('search a host of emails, declined, by amount', {
      search: 'guest.example',
      status: 'rejected',
      sort: 'totalAmount',
    }),
    { name: 'application', ask: () => applications.adminGet({ id }) },
    {
      name: 'application: before a new status',
      ask: () => applications.adminStatusPreview({ id: pending?.id ?? id }),
    },
    { name: 'application: lease terms', ask: () => leases.terms({ id }) },
    { name: 'application: lease history', ask: () => leases.trail({ id }) },
    { name: "a tenant's payments", ask: () => payments.adminHistory({ userId }) },
    { name: "a tenant's deposits", ask: () => payments.availableDeposits({ userId }) },
    { name: 'revenue: all time', ask: () => payments.revenueSummary() },
    { name: 'revenue: a year', ask: () => payments.revenueSummary({ period: 'year', year: year - 1 }) },
    {
      name: 'revenue: a month',
      ask: () => payments.revenueSummary({ period: 'month', year: year - 1, month: 6 }),
    },
    // As after a write: nothing is kept in a cache.
    {
      name: 'books: a year',
      ask: async () => closedYear({ ...deps, isWriting: () => true }, year - 1),
    },
    {
      name: 'calendar of three months',
      ask: () => availability.adminRange({ startDate: today, endDate: addDays(today, 92) }),
    },
    {
      name: 'nights of three years',
      ask: () => bookings.nights({ startDate: today, endDate: addDays(today, maxStayNights) }),
    },
    {
      name: 'public calendar of three months',
      ask: () => availability.range({ startDate: today, endDate: addDays(today, 92) }),
    },
    { name: 'rates', ask: () => rates.listAll() },
    {
      name: 'the last 200 of a thread of 2,000 messages',
      ask: () => conversations.thread({ applicationId: longestThread, limit: 200 }),
    },
    { name: 'list of 500 threads', ask: () => conversations.adminThreads({}) },
    { name: 'notice board', ask: () => notices.list() },
  ]
}
