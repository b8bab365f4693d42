import { randomUUID } from 'node:crypto'
import { addDays } from '../../domain/common/dates.ts'
import { buildFeeRule, buildTaxRule } from '../build-charge-rule.ts'
import { buildCsv, buildEntry, buildRow } from '../build-entry.ts'
import { type BenchSite, seedBenchSite } from './bench-site.ts'
import { compare, load } from './load.ts'
import type { RunningServer } from './server-process.ts'
import { printTable, show } from './table.ts'

const importedRows = 500
const singleEntries = 100
const firstImport = '2060-01-01'

/** Measures the cost of fees and taxes: a quote with many and without any, an import and single entries. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  const site = await benchSite.start()
  try {
    const year = new Date().getUTCFullYear() + 1
    await makeRules(benchSite, site, `${year}-06-01`)
    const quote = (month: string) => ({
      path: `/api/charge/quote?startDate=${year}-${month}-03&endDate=${year}-${month}-24`,
    })
    const perSecond = async (month: string) => (await load(site, quote(month), { seconds: 1 })).perSecond
    const { baseline, ours, ratio } = await compare(
      () => perSecond('07'),
      () => perSecond('03'),
    )
    printTable([
      ['quotes', 'with /s', 'without /s', 'ratio (min–max)'],
      ['30 fees and 20 taxes, against none', ours.median.toFixed(0), baseline.median.toFixed(0), show(ratio)],
    ])
    await importRows(benchSite, site)
  } finally {
    await site.stop()
    await benchSite.close()
  }
}

/** Creates fees and taxes that are valid from this date on. */
async function makeRules(benchSite: BenchSite, site: RunningServer, validFrom: string): Promise<void> {
  const pers = ['stay', 'night', 'guest', 'guest_night'] as const
  for (let i = 0; i < 30; i++)
    await post(benchSite, site, '/api/charge/admin/fees', {
      ...buildFeeRule({ name: `Fee ${i}`, per: pers[i % 4] ?? 'stay', amountCents: 10_00 + i }),
      validFrom,
    })
  for (let i = 0; i < 20; i++)
    await post(benchSite, site, '/api/charge/admin/taxes', {
      ...buildTaxRule({ name: `Tax ${i}`, authority: `Authority ${i}`, basisPoints: 100 + i }),
      validFrom,
    })
}

async function importRows(benchSite: BenchSite, site: RunningServer): Promise<void> {
  const stay = (i: number) => ({ start: addDays(firstImport, i * 10), end: addDays(firstImport, i * 10 + 9) })
  const rows = Array.from({ length: importedRows }, (_, i) =>
    buildRow({
      email: `import-${i}@guest.example`,
      start_date: stay(i).start,
      end_date: stay(i).end,
      monthly_rent: '2,400.00',
      deposit: '500',
      rent_paid: '1200',
      deposit_paid: '500',
      lease: 'yes',
    }),
  )
  const body = { csv: buildCsv(rows), invite: true, requestId: randomUUID() }
  const path = '/api/booking/admin/import'
  const dryMs = await post(benchSite, site, path, { ...body, dryRun: true })
  const importMs = await post(benchSite, site, path, { ...body, dryRun: false })
  let singleMs = 0
  for (let i = 0; i < singleEntries; i++) {
    const { end, start } = stay(importedRows + i)
    const entry = buildEntry({ email: `single-${i}@guest.example`, startDate: start, endDate: end })
    singleMs += await post(benchSite, site, '/api/booking/admin', entry)
  }
  const each = (ms: number, count: number) => (ms / count).toFixed(2)
  printTable([
    ['bookings with lease and invitation', 'ms', 'ms each'],
    [`a dry run of ${importedRows} rows`, dryMs.toFixed(0), each(dryMs, importedRows)],
    [`an import of ${importedRows} rows`, importMs.toFixed(0), each(importMs, importedRows)],
    [`${singleEntries} entered one by one`, singleMs.toFixed(0), each(singleMs, singleEntries)],
  ])
}

/** Sends a request and returns its duration in milliseconds. */
async function post(benchSite: BenchSite, site: RunningServer, path: string, body: unknown): Promise<number> {
  const asked = performance.now()
  const response = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchSite.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  return performance.now() - asked
}
