import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { freePort } from '../site-process.ts'

vi.setConfig({ testTimeout: 100_000 })
// Runs on a copy of the source, because a test edits it.
const root = mkdtempSync(join(tmpdir(), 'condo-dev-'))
let server: ChildProcess
let url: string
let output = ''

beforeAll(async () => {
  for (const name of [
    'index.html',
    'package.json',
    'server.ts',
    'tsconfig.json',
    'vite.config.ts',
    'db',
    'src',
  ])
    cpSync(join(projectRoot, name), join(root, name), {
      recursive: true,
      filter: path => !/\.sqlite|\/(web\/public|testing)\//.test(path),
    })
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  const port = await freePort()
  url = `http://localhost:${port}`
  server = spawn(process.execPath, ['--import', 'tsx', 'server.ts', '--dev'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_FILE: join(root, 'db/dev.sqlite'),
      DEMO_SEED: 'off',
    },
  })
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  server.stdout?.on('data', collect)
  server.stderr?.on('data', collect)
  await vi.waitFor(() => expect(output).toContain('The site is up'), 100_000)
}, 120_000)

afterAll(async () => {
  await new Promise(resolve => {
    server.once('exit', resolve)
    server.kill()
  })
  rmSync(root, { recursive: true, force: true })
})

async function read(path: string) {
  const response = await fetch(url + path)
  return { status: response.status, html: await response.text() }
}

test("`npm run dev` serves public pages rendered, with their data and Vite's entry script [FIX-25]", async () => {
  const { html, status } = await read('/')
  expect(status).toBe(200)
  expect(html).toMatch(/<div id="root"><.*Wake up to the ocean/s)
  expect(html).toContain('<title>Seaglass Shore Condo: two-bedroom beachfront vacation rental</title>')
  expect(html).toMatch(/<script type="application\/json" id="page-data">\{"site":/)
  expect(html).toContain('<script type="module" src="/src/web/app/start.ts"></script>')
  expect(html).toContain('src="/@vite/client"')
  const styles = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? ''
  expect((await read(styles)).html).toContain('--color-navy')
})

test('`npm run dev` shows an edit with the next request, and an empty page while the code is broken [FIX-25]', async () => {
  const file = join(root, 'src/web/pages/public/hero-section.tsx')
  const source = readFileSync(file, 'utf8')
  const change = async (text: string, expected: RegExp) => {
    writeFileSync(file, text)
    await vi.waitFor(async () => expect((await read('/')).html).toMatch(expected), 30_000)
  }
  await change(source.replace('Check dates', 'See all dates'), /See all dates/)
  await change(`${source}\nthrow new Error('half an edit')`, /<div id="root"><\/div>/)
  expect(output).toMatch(/half an edit.*src\/web\/pages\/public\/hero-section\.tsx:\d+/s)
  await change(source, /Check dates/)
})

test('`npm run dev` serves other screens and unknown paths like the production build [FIX-25]', async () => {
  const login = await read('/login')
  expect(login).toMatchObject({ status: 200, html: expect.stringContaining('Loading...') })
  expect(login.html).toContain('<title>Login | Seaglass Shore Condo</title>')
  expect((await read('/nowhere')).status).toBe(404)
  expect((await read('/api/nowhere')).html).toContain('"error":"Not found"')
})
