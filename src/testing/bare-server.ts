import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Answer, createMachine, type RunOptions } from '../condo/machine.ts'
import { paths } from '../condo/site.ts'
import { afterThisTest } from './cleanups.ts'

type Command = (line: string, options: RunOptions) => Partial<Answer> | undefined

/** A server of a test below a temporary folder: its files are real, its commands are answered by `answer`. */
export function bareServer(answer: Command = () => undefined, before: (what: string) => void = () => {}) {
  const root = mkdtempSync(join(tmpdir(), 'condo-server-'))
  afterThisTest(() => rmSync(root, { recursive: true }))
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  put(paths.settings, 'ORIGIN=https://condo.example\n')
  for (const path of [
    paths.watch,
    paths.machine,
    `${paths.data}/x`,
    '/etc/systemd/system/x',
    paths.caddySite,
  ])
    mkdirSync(dirname(join(root, path)), { recursive: true })
  const calls: string[] = []
  const said: string[] = []
  const site = { status: 200 }
  const machine = createMachine({
    root,
    before,
    patienceMs: 300,
    say: line => said.push(line),
    ask: async () => ({ status: site.status, body: '"version":"2.0.0"' }),
    spawn: (command, args, options) => {
      const line = [command, ...args].join(' ')
      calls.push(line)
      return { code: 0, out: '', err: '', ...answer(line, options) }
    },
  })
  return {
    calls,
    machine,
    put,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    root,
    said,
    site,
  }
}
