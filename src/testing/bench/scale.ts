import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { applicationSorts } from '../../domain/bookings/application-list.ts'
import { addDays } from '../../domain/common/dates.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import type { Deps } from '../../server/kernel/deps.ts'
import { seedScale } from '../../server/operations/demo/scale.ts'
import { createCaller } from '../../server/root-router.ts'

const sizes = [1000, 10_000]
const maxRuns = 200
const longestMs = 3000

type Query = { name: string; ask: () => Promise<unknown> }
type Timing = { p50: number; p99: number }

/** Measures how long each query of the owner's screens takes in its procedure, at two database sizes. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'condo-bench-'))
  const columns: Map<string, Timing>[] = []
  try {
    for (const size of sizes) columns.push(await measureSize(join(folder, `${size}.sqlite`), size))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  printTable(columns)
}

async function measureSize(file: string, size: number): Promise<Map<string, Timing>> {
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
  try {
    const timings = new Map<string, Timing>()
    for (const query of queriesOf(deps, size)) timings.set(query.name, await measure(query))
    return timings
  } finally {
    close()
  }
}

async function measure({ ask }: Query): Promise<Timing> {
  const timesMs: number[] = []
  for (let i = 0; i < 3; i++) await ask()
  const until = performance.now() + longestMs
  while (timesMs.length < maxRuns && (timesMs.length < 10 || performance.now() < until)) {
    const before = performance.now()
    await ask()
    timesMs.push(performance.now() - before)
  }
  timesMs.sort((a, b) => a - b)
  const at = (share: number) => timesMs[Math.floor((timesMs.length - 1) * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

function queriesOf(deps: Deps, size: number): Query[] {
  const admin: Admin = { role: 'admin', userId: 'bench', requestOrigin: { address: '', userAgent: '' } }
  const { applications, availability, leases, notices, payments, rates } = createCaller({
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
    list('page 30', { page: 30 }),
    list('the last page', { page: Math.ceil(size / 25) }),
    list('by name', { sort: 'firstName', order: 'asc' }),
    list('by status', { sort: 'status' }),
    list('by amount', { sort: 'totalAmount' }),
    list('pending', { status: 'pending' }),
    list('declined by name', { status: 'rejected', sort: 'firstName', order: 'asc' }),
    list('search 2 letters', { search: 'or' }),
    list('search first name', { search: 'maya' }),
    list('search whole name', { search: `${some.firstName} ${some.lastName}` }),
    list('search whole e-mail', { search: some.email }),
    list('search part of all e-mails', { search: 'example' }),
    list('search number', { search: some.number }),
    list('search part of all numbers', { search: 'app-' }),
    list('search phone', { search: some.phone }),
    list('search phone digits', { search: some.phone.replace(/\D/g, '').slice(-7) }),
    list('search area code', { search: '850' }),
    list('search first name by name', { search: 'maya', sort: 'firstName', order: 'asc' }),
    list('search nothing found', { search: 'zzzyx' }),
    list('search name, declined, by amount', { search: 'ortiz', status: 'rejected', sort: 'totalAmount' }),
    list('search 1 letter by name', { search: 'm', sort: 'firstName', order: 'asc' }),
    // These parts of a number match a thousandth, a hundredth and a fifth of all applications.
    list('search number of a hundred', { search: `app-${year - 2}-00` }),
    list('search number of a thousand', { search: `app-${year - 2}-0` }),
    list('search number of thousands', { search: `app-${year - 2}-1` }),
    list('search a year', { search: `${year - 2}-` }),
    list('search a year, page 100', { search: `${year - 2}-`, page: 100 }),
    list('search a host of e-mails, page 100', { search: 'guest.example', page: 100 }),
    list('search part of all numbers, page 100', { search: 'app-', page: 100 }),
    ...applicationSorts.flatMap(sort =>
      (['asc', 'desc'] as const).flatMap(order => [
        list(`search a year, declined, by ${sort} ${order}`, {
          search: `${year - 2}-`,
          status: 'rejected',
          sort,
          order,
        }),
        list(`search a host of e-mails, declined, by ${sort} ${order}`, {
          search: 'guest.example',
          status: 'rejected',
          sort,
          order,
        }),
        list(`search part of all e-mails by ${sort} ${order}`, { search: 'example', sort, order }),
      ]),
    ),
    list('search all, pending', { search: 'app-', status: 'pending' }),
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
    {
      name: 'calendar of three months',
      ask: () => availability.adminRange({ startDate: today, endDate: addDays(today, 92) }),
    },
    { name: 'rates', ask: () => rates.listAll() },
    { name: 'notice board', ask: () => notices.list() },
  ]
}

function printTable(columns: Map<string, Timing>[]): void {
  const rows = [...(columns[0]?.keys() ?? [])].map(name => [
    name,
    ...columns.flatMap(timings => {
      const { p50 = 0, p99 = 0 } = timings.get(name) ?? {}
      return [p50.toFixed(2), p99.toFixed(2)]
    }),
  ])
  const heading = ['milliseconds', ...sizes.flatMap(size => [`${size} p50`, 'p99'])]
  const widths = heading.map((_, i) => Math.max(...[heading, ...rows].map(row => row[i]?.length ?? 0)))
  for (const row of [heading, ...rows])
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
}
