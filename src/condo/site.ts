import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine, RunOptions } from './machine.ts'

/** Where things are (docs/operations.md, 'Layout'). There is one site; its name is in the paths. */
export const name = 'site'
export const user = `condo-${name}`
export const unit = `condo@${name}.service`
export const watchTimer = `condo-watch@${name}.timer`
const data = `/var/lib/condo/${name}`
export const paths = {
  releases: '/opt/condo/releases',
  current: `/opt/condo/sites/${name}`,
  settings: `/etc/condo/${name}.env`,
  data,
  database: `${data}/db/portal.sqlite`,
  uploads: `${data}/uploads`,
  backups: `/var/backups/condo/${name}`,
  cache: `/var/cache/condo/${name}`,
  journal: `/var/lib/condo/.journal/${name}`,
  /** The last change of version, for going back. */
  lastChange: `/var/lib/condo/.journal/${name}.last`,
  /** While it is there, the installation has not come to its end. */
  installing: `/var/lib/condo/.journal/${name}.installing`,
  held: `/run/condo-${name}.held`,
  /** What the watch found, for the site to show. */
  machine: `/run/condo-${name}.machine.json`,
  watch: `/var/lib/condo/.journal/${name}.watch`,
  socket: `/run/condo/${name}/site.sock`,
  caddyfile: '/etc/caddy/Caddyfile',
  caddySite: `/etc/caddy/condo.d/${name}.caddy`,
} as const

/** What the site can write. The folders around them are root's. */
export const siteFolders: readonly string[] = [paths.data, paths.backups, paths.cache]
export const isOfSite = (path: string) => siteFolders.some(folder => path.startsWith(`${folder}/`))

/** A line of the site's settings. */
export function setting(machine: Machine, key: string): string | undefined {
  const line = machine.read(paths.settings)?.match(new RegExp(`^${key}=(.*)$`, 'm'))?.[1]
  return line?.trim().replace(/^"(.*)"$/, '$1') || undefined
}

export const origin = (machine: Machine) => setting(machine, 'ORIGIN') ?? ''
export const domain = (machine: Machine) => origin(machine).replace('https://', '')

export const releaseFolder = (version: string) => `${paths.releases}/${version}`
export const runningVersion = (machine: Machine) => machine.linkOf(paths.current)?.split('/').at(-1)

/** What runs under the lock begins so, and a later command can stop what a killed one left running. */
export const lockedCommand = 'condo-command-locked-'
export const hasLock = () => process.env.CONDO_LOCK === 'held'

/** Runs a command of a release's command line as the site's user, with the site's settings. */
export function cli(machine: Machine, args: string[], options: RunOptions & { version?: string } = {}) {
  const folder = options.version === undefined ? paths.current : releaseFolder(options.version)
  const name = `${hasLock() ? lockedCommand : 'condo-command-'}${process.pid}`
  const answer = machine.run(
    'systemd-run',
    [
      `--unit=${name}`,
      ...['--quiet', '--pipe', '--wait', '--collect', '--service-type=exec'],
      ...[`--uid=${user}`, `--gid=${user}`],
      ...['-p', `EnvironmentFile=${paths.settings}`, '-p', `WorkingDirectory=${folder}`, '-p', 'UMask=0077'],
      ...[
        '-p',
        'MemoryMax=400M',
        '-p',
        'PrivateTmp=yes',
        '-p',
        'NoNewPrivileges=yes',
        '-p',
        'PrivateUsers=yes',
      ],
      ...['-p', 'SystemCallFilter=@system-service', '-p', 'SystemCallFilter=~@privileged'],
      ...['-p', 'SystemCallErrorNumber=EPERM', '-E', 'MALLOC_ARENA_MAX=2'],
      ...['-E', `MACHINE_FILE=${paths.machine}`],
      ...Object.entries(options.env ?? {}).flatMap(([key, value]) => ['-E', `${key}=${value}`]),
      ...[`${folder}/bin/node`, '--max-old-space-size=96', 'dist/server/cli.js', ...args],
    ],
    options,
  )
  // At the time limit only systemd-run has ended.
  if (options.timeoutMs !== undefined && answer.code !== 0) machine.run('systemctl', ['stop', name])
  return answer
}

/** In a session of its own: a process of the site's user could else type into root's terminal. */
export const dropped = [
  ...['--wait', 'setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs'],
]

/**
 * Runs a command as the site's user. Everything below the site's folders is done this way: a symbolic link
 * that the site put there could lead root anywhere.
 * @throws Refusal
 */
export const asSite = (machine: Machine, command: string, args: string[], options: RunOptions = {}) =>
  machine.must('setsid', [...dropped, command, ...args], options)

/** Whether the site answers rightly so many times in a row, within a time. */
export async function isHealthy(
  machine: Machine,
  socketPath: string,
  { times = 1, withinMs = machine.patienceMs } = {},
  version?: string,
): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs
  for (let right = 0; right < times; ) {
    const { body, status } = await machine.ask(socketPath)
    const isRight = status === 200 && (version === undefined || body.includes(`"version":"${version}"`))
    right = isRight ? right + 1 : 0
    if (performance.now() > giveUpAt) return false
    if (right < times) await sleep(50)
  }
  return true
}
