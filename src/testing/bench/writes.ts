import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { addDays } from '../../domain/common/dates.ts'
import { buildApplication } from '../build-application.ts'
import { type BenchSite, fromAddress, proveIdentity, seedBenchSite } from './bench-site.ts'
import { compare, load, type Request } from './load.ts'
import { printTable, show, spreadOf } from './table.ts'

const connections = 16
const requestsARound = 1600
const baselineMs = 1000
const goal = 0.4

/**
 * Measures durable writes per second from 16 connections, as a ratio to one process that only inserts the same rows,
 * with one transaction for each write and synchronous=FULL.
 */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  copyFileSync(benchSite.databaseFile, join(benchSite.folder, 'baseline.sqlite'))
  const site = await benchSite.start()
  const baselineDatabase = openBaseline(join(benchSite.folder, 'baseline.sqlite'))
  try {
    const rows = [['durable writes', 'site /s', 'inserts /s', 'ratio (min–max)', 'goal', 'p99 ms']]
    for (const { name, baseline: copies, ...request } of writesOf(benchSite)) {
      const p99s: number[] = []
      await proveIdentity(site.url, benchSite.admin)
      const { ours, baseline, ratio } = await compare(
        async () => {
          deleteDrafts(benchSite)
          const { perSecond, p99Ms } = await load(site, request, { connections, requests: requestsARound })
          p99s.push(p99Ms)
          return perSecond
        },
        async () => baselineDatabase.perSecond(copies),
      )
      rows.push([
        name,
        ours.median.toFixed(0),
        baseline.median.toFixed(0),
        show(ratio),
        `${goal} ${ratio.median >= goal ? 'met' : 'missed'}`,
        spreadOf(p99s).median.toFixed(0),
      ])
    }
    printTable(rows)
  } finally {
    baselineDatabase.close()
    await site.stop()
    await benchSite.close()
  }
}

/** A tenant may have only a few of them. */
function deleteDrafts({ databaseFile }: BenchSite): void {
  const sqlite = new SqliteDatabase(databaseFile)
  sqlite.exec("delete from applications where status = 'draft'")
  sqlite.close()
}

function writesOf({ admin, tenants, blocked }: BenchSite): (Request & { name: string; baseline: Copies })[] {
  let count = 0
  const inTurn = () => tenants[count++ % tenants.length] ?? admin
  const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
  const start = addDays(blocked.startDate, 400)
  const events = () => ({ id: null })
  return [
    {
      name: 'create an application',
      baseline: {
        applications: () => ({
          id: randomUUID(),
          number: `B-${count++}`,
          status: 'draft',
          submitted_at: null,
        }),
        events,
      },
      method: 'POST',
      path: '/api/application',
      expect: 201,
      next: () => ({
        headers: { ...bearer(inTurn()), ...fromAddress(count) },
        body: buildApplication({ requestedStartDate: start, requestedEndDate: addDays(start, 14) }),
      }),
    },
    {
      name: 'record a payment',
      baseline: { payments: () => ({ id: randomUUID() }), events },
      method: 'POST',
      path: '/api/payment/admin/manual-payment',
      headers: bearer(admin),
      expect: 201,
      next: () => ({
        body: {
          applicationId: inTurn().applicationIds[0],
          amount: 10_000,
          paymentType: 'rent',
          checkNumber: String(count),
        },
      }),
    },
    {
      name: 'toggle a date',
      baseline: { availability: () => ({ date: addDays(blocked.startDate, count++ % 150) }), events },
      method: 'PUT',
      path: '/api/availability/admin/date',
      headers: bearer(admin),
      next: () => {
        const date = addDays(blocked.startDate, count++ % 150)
        return {
          path: `/api/availability/admin/${date}`,
          body: { isAvailable: count % 2 === 0, reason: 'Painting' },
        }
      },
    },
  ]
}

/** The rows of one write: for each table, the columns that change in a copy of its newest row. */
type Copies = Record<string, () => Record<string, unknown>>

/** Inserts the same rows, with the same indexes and triggers, into a database opened with the site's settings. */
function openBaseline(file: string) {
  const sqlite = new SqliteDatabase(file)
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  const insertLike = (table: string, change: () => Record<string, unknown>) => {
    // pragma_table_info omits generated columns.
    const columns = sqlite.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
    const newest = sqlite
      .prepare(`select ${columns} from ${table} order by rowid desc limit 1`)
      .get() as object
    const statement = sqlite.prepare(
      `insert or replace into ${table} (${columns}) values (${columns.map(name => `@${name}`)})`,
    )
    return () => statement.run({ ...newest, ...change() })
  }
  return {
    perSecond: (copies: Copies) => {
      const inserts = Object.entries(copies).map(([table, change]) => insertLike(table, change))
      const insertAll = sqlite.transaction(() => {
        for (const insert of inserts) insert()
      })
      const startedAt = performance.now()
      let made = 0
      while (performance.now() - startedAt < baselineMs) {
        insertAll.immediate()
        made++
      }
      return made / ((performance.now() - startedAt) / 1000)
    },
    close: () => sqlite.close(),
  }
}
