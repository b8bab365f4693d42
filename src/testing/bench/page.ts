import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import { projectRoot } from '../../../db/project-root.ts'
import { chromiumLaunchOptions } from '../chromium.ts'
import { freePort, startSite } from '../site-process.ts'
import { weighPage } from './page-weight.ts'
import { printTable, show, spreadOf } from './table.ts'

/** The public pages, and how often each is measured. */
const rounds = { '/': 5, '/contact': 3, '/privacy': 3, '/terms': 3 }

const score = (name: keyof Result['categories']) => ({
  name,
  digits: 0,
  of: ({ categories }: Result) => (categories[name]?.score ?? Number.NaN) * 100,
})
const metric = (name: string, audit: string, digits = 0) => ({
  name,
  digits,
  of: ({ audits }: Result) => audits[audit]?.numericValue ?? Number.NaN,
})
const figures = [
  score('performance'),
  score('accessibility'),
  score('best-practices'),
  score('seo'),
  metric('LCP, ms', 'largest-contentful-paint'),
  metric('FCP, ms', 'first-contentful-paint'),
  metric('Speed Index, ms', 'speed-index'),
  metric('TBT, ms', 'total-blocking-time'),
  metric('CLS', 'cumulative-layout-shift', 3),
]

/**
 * What Lighthouse says of the built site's public pages with its own mobile preset: a slow phone on a simulated slow
 * 4G line. The site is the demo with its rates, on localhost, which a browser trusts as it does https.
 */
export async function run(): Promise<void> {
  if (!existsSync(join(projectRoot, 'dist/server/server.js')))
    throw new Error('There is no build to measure. Run `npm run build` first.')
  const folder = await mkdtemp(join(tmpdir(), 'condo-bench-'))
  const site = await startSite(folder, { DEMO_SEED: 'on', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })
  try {
    await measure(site.url)
  } finally {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(url: string): Promise<void> {
  const port = await freePort()
  const options = await chromiumLaunchOptions()
  const args = [...options.args, `--remote-debugging-port=${port}`]
  const browser = await chromium.launch({ ...options, args })
  try {
    console.log(
      `Chromium ${browser.version()}; median (least–most) of ${Object.values(rounds).join(', ')} visits`,
    )
    const names = ['page', ...figures.map(({ name }) => name)]
    const columns = [names]
    for (const [path, times] of Object.entries(rounds)) {
      // Warms up server and browser.
      await visit(url + path, port)
      const results: Result[] = []
      for (let time = 0; time < times; time++) results.push(await visit(url + path, port))
      columns.push([path, ...figures.map(({ of, digits }) => show(spreadOf(results.map(of)), digits))])
    }
    printTable(names.map((_, row) => columns.map(column => column[row] ?? '')))
    printTable(await weighPage(browser, url))
  } finally {
    await browser.close()
  }
}

async function visit(url: string, port: number): Promise<Result> {
  const result = await lighthouse(url, { port, logLevel: 'error' })
  const fault = result?.lhr.runtimeError
  if (!result || fault) throw new Error(fault?.message ?? `Lighthouse said nothing about ${url}`)
  return result.lhr
}
