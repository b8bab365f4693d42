import { openDatabase } from '../../../db/open.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { storeSignedPlan } from '../build-signed-plan.ts'
import { type BenchSite, seedBenchSite } from './bench-site.ts'
import { load } from './load.ts'
import { printTable } from './table.ts'

const planCount = 2000
const unpaidShare = [0.05, 1]
const seconds = 3

/** Measures the list of due payments, and the notice board that also reads them, with the plans of many years. */
export async function run(): Promise<void> {
  const rows = [[`${planCount} plans of 4 payments`, 'responses /s', 'alone: p50 ms', 'p99 ms']]
  for (const share of unpaidShare) {
    const benchSite = await seedBenchSite()
    fillPlans(benchSite, share)
    const site = await benchSite.start()
    try {
      const headers = { authorization: `Bearer ${benchSite.admin.token}` }
      const what = `${share * 100} % of them with something unpaid`
      for (const [name, path] of [
        ['list of what is due', '/api/plan/admin/due'],
        ['notice board', '/trpc/notices.list'],
      ] as const) {
        const alone = await load(site, { path, headers }, { seconds, connections: 1 })
        rows.push([`${name}, ${what}`, ...[alone.perSecond, alone.p50Ms, alone.p99Ms].map(n => n.toFixed(0))])
      }
    } finally {
      await site.stop()
      await benchSite.close()
    }
  }
  printTable(rows)
}

/** Creates signed bookings with a deposit and four payments; a share of them still owes the last payments. */
function fillPlans({ databaseFile }: BenchSite, unpaidShare: number): void {
  const { close, db, sqlite } = openDatabase(databaseFile)
  const today = dateIn(new Date(), 'America/New_York')
  const [user] = db.query.users.findMany({ limit: 1 }).sync()
  const userId = user?.id ?? ''
  sqlite.exec('BEGIN')
  for (let i = 0; i < planCount; i++) {
    const isUnpaid = i < planCount * unpaidShare
    const paid = { type: 'rent', method: 'card' } as const
    storeSignedPlan(db, {
      userId,
      number: `PLAN-${String(i).padStart(5, '0')}`,
      deposit: 500_00,
      parts: [-60, -30, (i % 60) - 20, 60].map(days => [1000_00, addDays(today, days)]),
      payments: [
        { amountCents: 500_00, type: 'deposit', method: 'card' },
        { amountCents: 1000_00, ...paid },
        { amountCents: 1000_00, ...paid },
        ...(isUnpaid ? [] : [{ amountCents: 2000_00, ...paid }]),
      ],
    })
  }
  sqlite.exec('COMMIT')
  close()
}
