import { getTableColumns, getTableName, max } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { OpenedDatabase, Sqlite } from '../../../db/open.ts'
import { applications, charges, events, leases, payments, sequences, users } from '../../../db/schema.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { createRandom } from '../../server/operations/demo/seed-runtime.ts'
import {
  chargesOf,
  newApplication,
  newLease,
  newTenant,
  otherPayment,
  paymentsOf,
  planStay,
} from './scale-rows.ts'

type ScaleOptions = {
  applications: number
  now: Date
  timeZone: string
  /** The password hash of all new accounts. */
  passwordHash: string
  onProgress?: (made: number) => void
}

const spanMs = 5 * 365.25 * dayMs
const paymentsPerApplication = 3
const applicationsPerTenant = 10
/** Applications per transaction, which block the writes of a running site. */
const batchSize = 2000

/**
 * Fills a database with five years of applications, three payments for each and a tenth as many tenants, without the
 * services: for load tests. Past stays may overlap; future bookings do not.
 */
export function seedScale({ sqlite, db }: OpenedDatabase, options: ScaleOptions): void {
  const { applications: count, now, onProgress, passwordHash } = options
  const insertTenant = inserter(sqlite, users)
  const insertApplication = inserter(sqlite, applications)
  const insertLease = inserter(sqlite, leases)
  const insertCharge = inserter(sqlite, charges)
  const insertEvent = inserter(sqlite, events)
  const insertPayment = inserter(sqlite, payments)
  const numbers = createNumbers(sqlite)
  const random = createRandom(count)
  const today = dateIn(now, options.timeZone)
  const lastBooked =
    db
      .select({ end: max(applications.stayEndDate) })
      .from(applications)
      .get()?.end ?? ''
  let nextFree = addDays([lastBooked, today].sort().at(-1) ?? today, 3)
  /** The newest tenants, who apply. */
  const tenantIds: string[] = []
  let made = 0
  let paid = 0

  function addApplication(createdMs: number): void {
    const at = new Date(createdMs).toISOString()
    if (made % applicationsPerTenant === 0) {
      const tenant = newTenant(random, at, passwordHash)
      insertTenant(tenant)
      tenantIds.unshift(tenant.id)
      tenantIds.splice(50)
    }
    const stay = planStay(random, at.slice(0, 10), today)
    // Some recent applications book the next free nights.
    if (now.getTime() - createdMs < 60 * dayMs && nextFree < addDays(today, 400) && random.below(20) === 0) {
      Object.assign(stay, {
        status: 'approved',
        start: nextFree,
        end: addDays(nextFree, 7 + random.below(21)),
      })
      nextFree = addDays(stay.end, 2 + random.below(8))
    }
    const row = newApplication(random, { stay, at, number: numbers.next(at), userId: random.pick(tenantIds) })
    insertApplication(row)
    const lease = newLease(row)
    if (lease) insertLease(lease)
    for (const charge of chargesOf(row)) insertCharge(charge)
    made++
    for (const kind of ['application.created', 'application.submitted'])
      insertEvent({ at, kind, subjectId: row.id, actorId: row.userId, actorRole: 'tenant', detail: {} })
    for (const payment of paymentsOf(random, row, now)) {
      insertPayment(payment)
      paid++
    }
  }

  const stepMs = spanMs / count
  // Random ids write to all pages of the indexes, so a large cache keeps the indexes in memory.
  sqlite.pragma('cache_size = -400000')
  sqlite.pragma('wal_autocheckpoint = 50000')
  sqlite.pragma('temp_store = memory')
  while (made < count) {
    const until = Math.min(count, made + batchSize)
    sqlite
      .transaction(() => {
        while (made < until)
          addApplication(Math.floor(now.getTime() - spanMs + stepMs * (made + random.unit())))
        const madeMs = now.getTime() - spanMs + stepMs * made
        for (; paid < made * paymentsPerApplication; paid++)
          insertPayment(
            otherPayment(random, random.pick(tenantIds), madeMs - stepMs * random.below(batchSize), now),
          )
        numbers.save()
      })
      .immediate()
    onProgress?.(made)
  }
  sqlite.pragma('cache_size = -2000')
  sqlite.pragma('wal_autocheckpoint = 1000')
}

/** Inserts rows; missing values are null or the column's default. */
function inserter<T extends SQLiteTable>(sqlite: Sqlite, table: T): (row: T['$inferInsert']) => void {
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated)
  const names = columns.map(([, column]) => column.name)
  const statement = sqlite.prepare(
    `insert into ${getTableName(table)} (${names}) values (${names.map(() => '?')})`,
  )
  return row => {
    const values = row as Record<string, unknown>
    statement.run(
      columns.map(([key, column]) => {
        const value = values[key] ?? column.default ?? null
        return value === null ? null : column.mapToDriverValue(value)
      }),
    )
  }
}

/** Creates application numbers that continue the site's sequence. */
function createNumbers(sqlite: Sqlite) {
  const { name, lastValue } = sequences
  const known = sqlite.prepare(`select ${name.name}, ${lastValue.name} from sequences`).raw().all()
  const last = new Map(known as [string, number][])
  const store = sqlite.prepare(
    `insert into sequences values (?, ?) on conflict do update set ${lastValue.name} = excluded.${lastValue.name}`,
  )
  return {
    next(at: string): string {
      const name = `APP-${at.slice(0, 4)}`
      const value = (last.get(name) ?? 0) + 1
      last.set(name, value)
      return `${name}-${String(value).padStart(4, '0')}`
    },
    save: () => last.forEach((value, name) => void store.run(name, value)),
  }
}
