import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { pictureForm } from '../picture-site.ts'
import { seedBenchSite } from './bench-site.ts'
import { worstHealth } from './measure.ts'
import type { RunningServer } from './server-process.ts'
import { printTable } from './table.ts'

const applicationCount = 1000
const maxMib = 230
const maxResponseMs = 100
const sizes = [
  [4000, 3000],
  [6000, 4000],
  [8000, 6000],
] as const

const head = [
  'sent to a site',
  'MB',
  'response s',
  'ready s',
  'child MiB',
  'goal',
  'worst health ms',
  'main thread ms',
  'goal',
]

/** Uploads photographs to the built site, and reports the cost until their copies are ready. */
export async function measureUploads(photo: string): Promise<void> {
  const benchSite = await seedBenchSite(applicationCount)
  const site = await benchSite.start()
  const script = fileURLToPath(new URL('health-poller.ts', import.meta.url))
  const poller = fork(script, [`${site.url}/api/health`, String(site.pid)])
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${benchSite.admin.token}` }
    const response = await fetch(site.url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()).picture
  }
  try {
    const rows = [head]
    for (const [width, height] of sizes) {
      const content = await sharp(photo).resize(width, height).jpeg({ quality: 90 }).toBuffer()
      await sleep(1000)
      await worstHealth(poller)
      const startedAt = performance.now()
      let picture = await ask('/api/picture/admin', { method: 'POST', body: pictureForm(content) })
      const respondedAt = performance.now()
      let peakMib = 0
      for (let round = 0; picture.state === 'processing'; round++) {
        await sleep(20)
        peakMib = Math.max(peakMib, childPeakMib(site))
        if (round % 20 === 0) picture = await ask(`/api/picture/admin/${picture.id}`)
      }
      const readyAt = performance.now()
      const worst = await worstHealth(poller)
      rows.push([
        `${(width * height) / 1e6} megapixels, ${picture.state}`,
        (content.length / 1e6).toFixed(1),
        ((respondedAt - startedAt) / 1000).toFixed(1),
        ((readyAt - startedAt) / 1000).toFixed(1),
        peakMib.toFixed(0),
        `${maxMib} ${peakMib < maxMib ? 'met' : 'missed'}`,
        worst.ms.toFixed(0),
        worst.mainThreadMs.toFixed(0),
        `${maxResponseMs} ${worst.ms < maxResponseMs ? 'met' : 'missed'}`,
      ])
    }
    printTable(rows)
  } finally {
    poller.disconnect()
    await site.stop()
    await benchSite.close()
  }
}

/** The peak memory of a child process of the site so far; 0 if the system does not report it (not Linux). */
function childPeakMib({ pid }: RunningServer): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const peaks = children.map(child => {
      const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'utf8')) ?? []
      return Number(kib ?? 0) / 1024
    })
    return Math.max(0, ...peaks)
  } catch {
    return 0
  }
}
