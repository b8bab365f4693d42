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

/** The production build in demo mode on fresh storage, one process per worker. */
export const test = base.extend<
  { strictConsole: undefined },
  { site: Site; siteEnv: Record<string, string> }
>({
  siteEnv: [{}, { scope: 'worker', option: true }],
  site: [
    async ({ siteEnv }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'condo-e2e-'))
      const running = await startSite(folder, { ...demoEnv, ...siteEnv })
      await use(running)
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
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
