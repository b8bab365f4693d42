import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import { projectRoot } from '../../../db/project-root.ts'
import { chromiumLaunchOptions } from '../chromium.ts'
import {
  type DemoLogin,
  demoScreens,
  formScreens,
  inKib,
  logIn,
  measurePageLoad,
  type Tokens,
} from '../screens.ts'
import { freePort, startSite } from '../site-process.ts'
import { weighPage } from './page-weight.ts'
import { printTable, show, spreadOf } from './table.ts'

type Visited = { path: string; login: DemoLogin; times: number }

/** The public pages and the most visited pages behind a login, and how often each is measured. */
const visited: readonly Visited[] = [
  { path: '/', login: 'guest', times: 5 },
  { path: '/contact', login: 'guest', times: 3 },
  { path: '/privacy', login: 'guest', times: 3 },
  { path: '/terms', login: 'guest', times: 3 },
  { path: '/login', login: 'guest', times: 3 },
  { path: '/dashboard', login: 'sam', times: 3 },
  { path: '/application', login: 'sam', times: 3 },
  { path: '/admin/dashboard', login: 'owner', times: 3 },
]

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
 * Runs Lighthouse on pages of the built site with its mobile preset: a slow phone on simulated slow 4G. The site is
 * the demo on localhost, which a browser trusts like https.
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
  const tokens = await logIn(url)
  await askLighthouse(url, tokens)
  const options = await chromiumLaunchOptions()
  const browser = await chromium.launch(options)
  try {
    printTable(await weighPage(browser, url))
    const rows: string[][] = []
    for (const { name, login, path } of [...(await demoScreens(url, tokens)), ...formScreens]) {
      const { requests, scriptBytes } = await measurePageLoad(browser, url + path, tokens[login])
      rows.push([name, inKib(scriptBytes), String(requests)])
    }
    printTable([['screen', 'scripts, KiB', 'requests'], ...rows])
  } finally {
    await browser.close()
  }
}

async function askLighthouse(url: string, tokens: Tokens): Promise<void> {
  const port = await freePort()
  const options = await chromiumLaunchOptions()
  const args = [...options.args, `--remote-debugging-port=${port}`]
  // Lighthouse opens its tabs in the same browser as this context, so that they share a session.
  const context = await chromium.launchPersistentContext('', { ...options, args })
  try {
    console.log(
      `Chromium ${context.browser()?.version()}; median (least–most) of ${visited.map(({ times }) => times).join(', ')} visits`,
    )
    const names = ['page', ...figures.map(({ name }) => name)]
    const columns = [names]
    for (const { path, login, times } of visited) {
      // Warms up the server and the browser.
      await visit(context, url + path, tokens[login], port)
      const results: Result[] = []
      for (let time = 0; time < times; time++)
        results.push(await visit(context, url + path, tokens[login], port))
      columns.push([path, ...figures.map(({ of, digits }) => show(spreadOf(results.map(of)), digits))])
    }
    printTable(names.map((_, row) => columns.map(column => column[row] ?? '')))
  } finally {
    await context.close()
  }
}

/** A visit with an empty cache, signed in if there is a token. */
async function visit(
  context: BrowserContext,
  url: string,
  token: string | undefined,
  port: number,
): Promise<Result> {
  const page = await context.newPage()
  await page.goto(new URL('/favicon.svg', url).href)
  await page.evaluate(token => {
    localStorage.clear()
    sessionStorage.clear()
    if (!token) return
    localStorage.setItem('token', token)
    localStorage.setItem('lastActivity', String(Date.now()))
  }, token)
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
  await page.close()
  const result = await lighthouse(url, { port, logLevel: 'error', disableStorageReset: true })
  const fault = result?.lhr.runtimeError
  if (!result || fault) throw new Error(fault?.message ?? `Lighthouse returned no result for ${url}`)
  return result.lhr
}
