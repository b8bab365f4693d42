import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import type { DemoLogin, Screen, Weight as ScreenWeight } from '../screens.ts'

/** The phone that Lighthouse emulates. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
const kinds = { document: 'document', script: 'scripts', font: 'fonts', image: 'pictures', fetch: 'calls' }

/** What a screen may load with an empty cache: scripts in KiB with gzip, and all requests. */
const budgets: Record<DemoLogin | 'contact', { scriptKib: number; requests: number }> = {
  contact: { scriptKib: 110, requests: 12 },
  guest: { scriptKib: 180, requests: 16 },
  sam: { scriptKib: 219, requests: 23 },
  ruth: { scriptKib: 219, requests: 23 },
  owner: { scriptKib: 236, requests: 27 },
}

/** Whether a screen exceeds its budget. */
export function isTooHeavy({ login, path }: Screen, { requests, scriptBytes }: ScreenWeight): boolean {
  const budget = budgets[path === '/contact' ? 'contact' : login]
  return scriptBytes > budget.scriptKib * 1024 || requests > budget.requests
}

type Weight = { files: number; bytes: number; gzipped: number; brotli: number }

/** A table of what a phone loads on the home page until the network is idle, without any interaction; in KiB. */
export async function weighPage(browser: Browser, url: string): Promise<string[][]> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const loading: Promise<{ kind: string; body: Buffer }>[] = []
    page.on('response', response => {
      if (!response.url().startsWith(url)) return
      const kind = response.request().resourceType()
      loading.push(response.body().then(body => ({ kind, body })))
    })
    await page.goto(url)
    await page.waitForFunction(() => document.querySelector('[data-waiting] > header') === null)
    await page.waitForLoadState('networkidle')
    const loaded = await Promise.all(loading)
    const [styles = ''] = await page.locator('head style').allTextContents()
    const bodiesOf = (wanted: string) => loaded.filter(({ kind }) => kind === wanted).map(({ body }) => body)
    return [
      ['KiB before interaction', 'files', 'plain', 'gzip', 'brotli'],
      ...Object.entries(kinds).map(([kind, name]) => row(name, weigh(bodiesOf(kind)))),
      row('styles, in the document', weigh([Buffer.from(styles)])),
    ]
  } finally {
    await context.close()
  }
}

function weigh(bodies: Buffer[]): Weight {
  const sum = (size: (body: Buffer) => number) => bodies.reduce((total, body) => total + size(body), 0)
  return {
    files: bodies.length,
    bytes: sum(body => body.length),
    gzipped: sum(body => gzipSync(body, { level: 9 }).length),
    brotli: sum(body => brotliCompressSync(body).length),
  }
}

function row(name: string, { files, bytes, gzipped, brotli }: Weight): string[] {
  return [name, String(files), ...[bytes, gzipped, brotli].map(size => (size / 1024).toFixed(1))]
}
