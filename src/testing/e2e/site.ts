import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { projectRoot } from '../../../db/project-root.ts'

export const admin = { email: 'keeper@condo.example', password: 'Lighthouse-7!' }
export const owner = { email: 'owner@condo.example', phone: '850-555-0142' }

export type Site = {
  url: string
  /** Everything the server printed so far. */
  output: () => string
  /** Stops the process in order and starts it again on the same data. */
  restart: () => Promise<void>
}

/** The production build in demo mode on fresh storage, one process per worker. */
export const test = base.extend<
  { strictConsole: undefined },
  { site: Site; siteEnv: Record<string, string> }
>({
  siteEnv: [{}, { scope: 'worker', option: true }],
  site: [
    async ({ siteEnv }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'condo-e2e-'))
      const running = await startSite(folder, siteEnv)
      await use(running)
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  // A screen that breaks in the background fails its test.
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
export { expect }

/** The browser itself notes each answer that is a refusal. */
const expectedInConsole = /Failed to load resource/

export async function startSite(
  folder: string,
  env: Record<string, string> = {},
): Promise<Site & { stop: () => Promise<void> }> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  let output = ''
  let child: ChildProcess

  const start = async () => {
    child = spawn(process.execPath, [join(projectRoot, 'dist/server/server.js')], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATABASE_FILE: join(folder, 'portal.sqlite'),
        UPLOADS_DIR: join(folder, 'uploads'),
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        DEMO_SEED: 'off',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    for (let waitedMs = 0; ; waitedMs += 50) {
      const healthy = await fetch(`${url}/api/health`).then(
        response => response.ok,
        () => false,
      )
      if (healthy) return
      if (child.exitCode !== null || waitedMs > 20_000) throw new Error(`the site did not start:\n${output}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const stop = () =>
    new Promise<void>(resolve => {
      if (child.exitCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })

  await start()
  return {
    url,
    output: () => output,
    stop,
    restart: async () => {
      await stop()
      await start()
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
