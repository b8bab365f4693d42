import { seedBenchSite } from './bench-site.ts'
import { load } from './load.ts'
import { smallMachine } from './measure.ts'
import { memoryMibOf } from './server-process.ts'
import { printTable, show, spreadOf } from './table.ts'

const starts = 7
const steps = [0, 20_000, 40_000, 60_000, 80_000, 100_000]

/** Measures the time from start to first response, and the memory before and after 100,000 requests. */
export async function run(): Promise<void> {
  const benchSite = await seedBenchSite()
  try {
    const startTimes: number[] = []
    for (let i = 0; i <= starts; i++) {
      const site = await benchSite.start()
      if (i > 0) startTimes.push(site.startMs)
      await site.stop()
    }
    const { median } = spreadOf(startTimes)
    console.log(
      `start to first response: ${show(spreadOf(startTimes), 0)} ms, goal < 500 ${median < 500 ? 'met' : 'missed'}`,
    )
    const tenant = benchSite.tenants[0]
    if (!tenant) throw new Error('there is no tenant')
    const signedIn = { authorization: `Bearer ${tenant.token}` }
    const { startDate, endDate } = benchSite.blocked
    // A mix of the most frequent requests, with a write now and then that invalidates cached responses.
    const mix = [
      { path: '/' },
      { path: '/api/rates' },
      { path: `/api/availability?startDate=${startDate}&endDate=${endDate}` },
      { path: '/api/application/status', headers: signedIn },
      { path: '/trpc/applications.status,leases.status?batch=1&input=%7B%7D', headers: signedIn },
    ]
    const site = await benchSite.start(smallMachine)
    try {
      const rows = [['memory after requests', 'MiB']]
      let before = 0
      for (const upTo of steps) {
        const requests = (upTo - before) / mix.length
        for (const request of requests > 0 ? mix : []) await load(site, request, { requests })
        await load(
          site,
          {
            method: 'PUT',
            path: `/api/availability/admin/${startDate}`,
            headers: { authorization: `Bearer ${benchSite.admin.token}` },
            next: () => ({ body: { isAvailable: false, reason: 'Painting' } }),
          },
          { requests: 16 },
        )
        before = upTo
        rows.push([String(upTo), memoryMibOf(site.pid)?.toFixed(0) ?? '?'])
      }
      printTable(rows)
    } finally {
      await site.stop()
    }
  } finally {
    await benchSite.close()
  }
}
