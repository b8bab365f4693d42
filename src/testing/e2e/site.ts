import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Site, startSite } from '../site-process.ts'

export const admin = { email: 'keeper@condo.example', password: 'Lighthouse-7!' }
export const owner = { email: 'owner@condo.example', phone: '850-555-0142' }

const demoEnv = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
}

/** For tests that need animations and video, as visitors see them. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const

type SiteEnv = Record<string, string>

async function openSite(env: SiteEnv) {
  const folder = await mkdtemp(join(tmpdir(), 'condo-e2e-'))
  const site = await startSite(folder, { ...demoEnv, ...env })
  const close = async () => {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { site, close }
}

/**
 * The production build in demo mode on fresh storage: one process per worker for the tests that do not set `siteEnv`,
 * and one at a time for those that do.
 */
export const test = base.extend<
  { site: Site; siteEnv: SiteEnv; strictConsole: undefined },
  { siteWith: (env: SiteEnv) => Promise<Site> }
>({
  siteEnv: [{}, { option: true }],
  siteWith: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands an object pattern.
    async ({}, use) => {
      const running = new Map<string, Awaited<ReturnType<typeof openSite>>>()
      const shared = JSON.stringify({})
      await use(async env => {
        const key = JSON.stringify(env)
        for (const [other, { close }] of running)
          if (other !== key && other !== shared && running.delete(other)) await close()
        const opened = running.get(key) ?? (await openSite(env))
        running.set(key, opened)
        return opened.site
      })
      for (const { close } of running.values()) await close()
    },
    { scope: 'worker' },
  ],
  site: async ({ siteEnv, siteWith }, use) => use(await siteWith(siteEnv)),
  baseURL: async ({ site }, use) => use(site.url),
  // An error in the background fails the test.
  strictConsole: [
    async ({ page }, use) => {
      const problems: string[] = []
      page.on('pageerror', error => problems.push(String(error)))
      page.on('console', message => {
        if (message.type() === 'error' && !expectedInConsole.test(message.text()))
          problems.push(message.text())
      })
      await use(undefined)
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})
export { expect, type Site }

/** The browser logs every response with an error status. */
const expectedInConsole = /Failed to load resource/
