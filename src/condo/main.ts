import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { certificate, diskSpace, doctor, siteFacts } from './doctor.ts'
import { install, showLink } from './install.ts'
import { createMachine, type Machine, Refusal, Usage } from './machine.ts'
import { restoreOver } from './restore.ts'
import {
  asSite,
  cli,
  domain,
  dropped,
  hasLock,
  isOfSite,
  origin,
  paths,
  runningVersion,
  unit,
  watchTimer,
} from './site.ts'
import { recover, recoverFirst } from './switch.ts'
import { units } from './units.ts'
import { rollback, upgrade, upgradeTo } from './upgrade.ts'
import { watch } from './watch.ts'

const version = packageJson.version
const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

type Command = {
  summary: string
  usage: string
  /** Not shown: for this tool's own parts. */
  hidden?: true
  /** One of these at a time. */
  changes?: true | 'or leave'
  run: (args: string[], machine: Machine) => Promise<unknown>
}

const options = <T extends Record<string, { type: 'string' | 'boolean' }>>(args: string[], known: T) =>
  parseArgs({ args, allowPositionals: true, options: known })

const commands: Record<string, Command> = {
  status: { summary: 'what runs here', usage: 'condo status', run: (_, machine) => status(machine) },
  doctor: {
    summary: 'look at everything, and say what to do',
    usage: 'condo doctor',
    run: (_, machine) => doctor(machine),
  },
  logs: {
    summary: 'the site’s log',
    usage: 'condo logs [--follow]',
    run: async (args, machine) => {
      const { values } = options(args, { follow: flag })
      return machine.run('journalctl', ['-u', unit, '-n', '100', ...(values.follow ? ['-f'] : [])], {
        show: true,
      }).code
    },
  },
  restart: {
    summary: 'restart the site, after a change of its settings',
    usage: 'condo restart',
    changes: true,
    run: async (_, machine) => void machine.must('systemctl', ['restart', unit]),
  },
  link: {
    summary: 'a new link to set the site up',
    usage: 'condo link',
    run: async (_, machine) => showLink(machine),
  },
  admin: {
    summary: 'administrators, lost phones, lost mailboxes',
    usage: 'condo admin create|reset|reset-factor|change-email --email EMAIL …   (condo admin help for all)',
    run: async (args, machine) =>
      cli(machine, ['admin', ...(args[0] === 'help' ? ['--help'] : args)], { show: true }).code,
  },
  verify: {
    summary: 'check the stored data',
    usage: 'condo verify',
    run: async (_, machine) => cli(machine, ['verify'], { show: true }).code,
  },
  'test-mail': {
    summary: 'test the delivery of mail',
    usage: 'condo test-mail --to EMAIL',
    run: async (args, machine) => cli(machine, ['test-mail', ...args], { show: true }).code,
  },
  backup: {
    summary: 'a backup now: here, to a file, or elsewhere with a test restore',
    usage: 'condo backup [FILE.tar.gz | --elsewhere | --test]',
    run: (args, machine) => backup(args, machine),
  },
  restore: {
    summary: 'put a backup in place of the present data, which are kept aside',
    usage: 'condo restore FILE.tar.gz | TARGET [--user KEY] [--at ID]   (TARGET as on the recovery sheet)',
    changes: true,
    run: (args, machine) => restore(args, machine),
  },
  sheet: {
    summary: 'a new recovery sheet',
    usage: 'condo sheet',
    run: async (_, machine) => cli(machine, ['sheet'], { show: true }).code,
  },
  upgrade: {
    summary: 'a newer version, tried on a copy first',
    usage: 'condo upgrade [VERSION] [--from FOLDER] [--without-elsewhere]',
    changes: true,
    run: async (args, machine) => {
      const { positionals, values } = options(args, { from: text, 'without-elsewhere': flag, switch: flag })
      const withoutElsewhere = values['without-elsewhere'] === true
      if (values.switch) return upgradeTo(machine, version, { withoutElsewhere })
      return upgrade(machine, positionals[0], { withoutElsewhere, ...(values.from && { from: values.from }) })
    },
  },
  rollback: {
    summary: 'back to the version before',
    usage: 'condo rollback [--leave-newer]',
    changes: true,
    run: (args, machine) =>
      rollback(
        machine,
        { leaveNewer: options(args, { 'leave-newer': flag }).values['leave-newer'] === true },
        new Date(),
      ),
  },
  uninstall: {
    summary: 'take the site off this machine; its data and backups stay',
    usage: 'condo uninstall',
    changes: true,
    run: (_, machine) => uninstall(machine),
  },
  install: {
    summary: '',
    usage: 'condo install DOMAIN',
    hidden: true,
    changes: true,
    run: (args, machine) => {
      const { positionals, values } = options(args, { releases: text, restore: text, user: text, at: text })
      return install(machine, version, positionals[0], values)
    },
  },
  recover: {
    summary: '',
    usage: 'condo recover',
    hidden: true,
    // While another command works, that one is in charge.
    changes: 'or leave',
    run: (args, machine) => recover(machine, { start: !args.includes('--starting') }),
  },
  watch: { summary: '', usage: 'condo watch', hidden: true, run: (_, machine) => watch(machine) },
  selfcheck: { summary: '', usage: 'condo selfcheck', hidden: true, run: selfcheck },
}

/** Loads what the release brings along (INST-05). */
async function selfcheck(): Promise<void> {
  const { default: Database } = await import('better-sqlite3')
  new Database(':memory:').close()
  const { hash } = await import('@node-rs/argon2')
  await hash('selfcheck')
  const { default: sharp } = await import('sharp')
  await sharp({ create: { width: 1, height: 1, channels: 3, background: 'white' } })
    .webp()
    .toBuffer()
}

async function status(machine: Machine): Promise<number> {
  const running = runningVersion(machine)
  if (running === undefined) throw new Refusal('No site is installed here.')
  const { status: answer } = await machine.ask(paths.socket)
  const found = await certificate(domain(machine))
  const facts = siteFacts(machine)
  const memory = Number(machine.run('systemctl', ['show', unit, '-p', 'MemoryCurrent', '--value']).out)
  const rows = [
    ['Address', origin(machine)],
    ['Version', running],
    ['State', answer === 200 ? 'up' : 'does not answer: condo doctor'],
    ...(memory > 0 && memory < 1e12 ? [['Memory', `${Math.round(memory / 1e6)} MB`]] : []),
    ['Disk', `${(diskSpace(machine).freeMb / 1000).toFixed(1)} GB free`],
    ['Certificate', found ? `until ${found.endsAt.toISOString().slice(0, 10)}` : 'none yet'],
    ['Backup here', facts?.backupHere ?? 'none yet'],
    ['Backup elsewhere', facts?.backupElsewhere ?? 'none yet'],
    ['Test restore', facts?.testRestore ?? 'none yet'],
    ['Waiting', facts?.notices.map(({ title }) => title).join('; ') || 'nothing'],
  ]
  for (const [name = '', value = ''] of rows) machine.say(`${name.padEnd(18)}${value}`)
  return answer === 200 ? 0 : 1
}

async function backup(args: string[], machine: Machine): Promise<number> {
  const { positionals, values } = options(args, { elsewhere: flag, test: flag })
  const [file] = positionals
  if (values.elsewhere || values.test)
    return cli(machine, ['backup', '--elsewhere', ...(values.test ? ['--test'] : [])], { show: true }).code
  if (file === undefined || isOfSite(resolve(file)))
    return cli(machine, ['backup', ...(file === undefined ? [] : [resolve(file)])], { show: true }).code
  const made = `${paths.cache}/export-${process.pid}.tar.gz`
  const { code } = cli(machine, ['backup', made], { show: true })
  try {
    if (code === 0) {
      const read = `setsid ${dropped.join(' ')} cat "$1"`
      machine.must('sh', ['-c', `umask 077; set -C; ${read} > "$2"`, '-', made, file])
      machine.say(`It is in ${file}.`)
    }
    return code
  } finally {
    asSite(machine, 'rm', ['-f', made])
  }
}

async function restore(args: string[], machine: Machine): Promise<void> {
  const { positionals, values } = options(args, { user: text, at: text })
  const [from] = positionals
  if (from === undefined) throw new Usage('Which backup?')
  await confirm(machine, 'This puts a backup in place of the present data.')
  const { code } = cli(machine, ['backup'], { show: true })
  if (code !== 0) machine.say('The backup before it failed; the present data are kept aside all the same.')
  const aside = await restoreOver(machine, from, values, new Date())
  machine.say(`✓ Restored. The former data are in ${aside}; delete them when all is well.`)
}

async function uninstall(machine: Machine): Promise<void> {
  await confirm(machine, 'This takes the site off this machine. Its data and backups stay.')
  machine.must('systemctl', ['disable', '--now', unit, watchTimer])
  machine.remove(paths.caddySite)
  machine.run('systemctl', ['restart', 'caddy'])
  for (const file of units) machine.remove(`/etc/systemd/system/${file}`)
  machine.must('systemctl', ['daemon-reload'])
  machine.remove('/usr/local/sbin/condo')
  machine.remove(paths.current)
  machine.remove(paths.releases)
  machine.say(
    `✓ Gone. The data: ${paths.data}, the backups: ${paths.backups}, the settings: ${paths.settings}`,
  )
}

/** Asks to type the site's name. */
async function confirm(machine: Machine, what: string): Promise<void> {
  const name = domain(machine)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const typed = await lines.question(`${what}\nType ${name} to go on: `)
  lines.close()
  if (typed.trim() !== name) throw new Refusal('Nothing was changed.')
}

const lock = '/run/condo.lock'
const lockedCode = 75

/** Runs a changing command under the lock. @returns undefined if this process has it */
function takeLock(machine: Machine, name: string, args: string[], leaves: boolean): number | undefined {
  if (hasLock()) return undefined
  const self = [process.execPath, process.argv[1] ?? '', name, ...args]
  const since = new Date().toLocaleTimeString('en-US', { timeStyle: 'short' })
  const script = 'echo "$1" > "$0.what"; shift; exec "$@"'
  const { code } = machine.run(
    'flock',
    [
      '--nonblock',
      '--close',
      '--conflict-exit-code',
      String(lockedCode),
      lock,
      'sh',
      '-c',
      script,
      lock,
      `${name}, since ${since}`,
      ...self,
    ],
    { show: true, env: { CONDO_LOCK: 'held' } },
  )
  if (code === lockedCode && leaves) return 0
  if (code === lockedCode)
    throw new Refusal(
      `Another condo command is running (${machine.read(`${lock}.what`)?.trim() ?? 'starting'}).`,
    )
  return code
}

/** Runs a command and returns its exit code. */
export async function main([name = 'status', ...args]: string[], machine = createMachine()): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || name === '--help') {
    const shown = Object.entries(commands).filter(([, { hidden }]) => !hidden)
    for (const [each, { summary }] of shown) machine.say(`  condo ${each.padEnd(10)} ${summary}`)
    return name === '--help' || name === 'help' ? 0 : 2
  }
  if (args.includes('--help')) {
    machine.say(`${command.summary}\n\n  ${command.usage}`)
    return 0
  }
  try {
    if (process.getuid?.() !== 0 && name !== 'selfcheck')
      throw new Refusal(`Run it as root: sudo condo ${name}`)
    if (command.changes) {
      const code = takeLock(machine, name, args, command.changes === 'or leave')
      if (code !== undefined) return code
      if (command.changes === true) await recoverFirst(machine)
    }
    const code = await command.run(args, machine)
    return typeof code === 'number' ? code : 0
  } catch (error) {
    const isUsage =
      error instanceof Usage ||
      (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    const isExpected = error instanceof Refusal || isUsage
    machine.complain(
      isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
    if (isUsage) machine.complain(`\n  ${command.usage}`)
    return isUsage ? 2 : 1
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
