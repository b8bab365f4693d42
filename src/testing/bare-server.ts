import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Answer, createMachine, type RunOptions } from '../condo/machine.ts'
import { paths } from '../condo/site.ts'
import { testFolder } from './test-folder.ts'

type Command = (line: string, options: RunOptions) => Partial<Answer> | undefined

/** The file commands of the tool, without a process each: there are thousands. */
export function fileCommand(name: string, args: string[]): string {
  const [first = '', second = '', ...more] = args.filter(arg => !/^(-.*|700)$/.test(arg))
  if (name === 'cat') return readFileSync(first, 'utf8')
  if (name === 'cp') copyFileSync(first, second)
  else if (name === 'mv') renameSync(first, second)
  else if (name === 'mkdir')
    for (const path of [first, second, ...more].filter(Boolean))
      mkdirSync(path, { mode: 0o700, recursive: args.includes('-p') })
  else if (name === 'rm')
    for (const path of args.slice(1)) rmSync(path, { recursive: args[0] === '-rf', force: true })
  else if (name !== 'sync') throw new Error(`The test does not know ${name}`)
  return ''
}

/** A server of a test below a temporary folder: its files are real, its commands are answered by `answer`. */
export function bareServer(answer: Command = () => undefined, before: (what: string) => void = () => {}) {
  const root = testFolder()
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
