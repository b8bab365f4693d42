import { type Machine, Refusal } from './machine.ts'
import { placed } from './restore.ts'
import { asSite, paths, unit, user, watchTimer } from './site.ts'
import { copyDatabase } from './switch.ts'

/** Where the instructions of 0.1 put a site that was installed from a checkout. */
const former = {
  unit: '/etc/systemd/system/condo.service',
  settings: '/etc/condo/env',
  data: '/var/lib/condo',
  backups: '/var/backups/condo',
  caddyfile: '/opt/condo/deploy/Caddyfile',
}
/** Its data on their way, so that the command can go on after a cut. */
const moving = '/var/lib/condo.former'
const checkoutsDomain = '{$SITE_DOMAIN}'
const keptCaddyfile = `${paths.caddyfile}.former`

/** The database as the former version left it, until the site is taken over. */
const formerDatabase = `${paths.database}.former`
/** Where its settings may say that things are. */
const places = {
  DATABASE_FILE: `${former.data}/db/portal.sqlite`,
  UPLOADS_DIR: `${former.data}/uploads`,
  BACKUP_DIR: former.backups,
}
const settingIn = (settings: string, key: string) =>
  new RegExp(`^${key}="?([^"\n]+)`, 'm').exec(settings)?.[1]?.trim()
const isInPlace = (machine: Machine) => machine.exists(`${former.data}/db`)

/**
 * Whether there is a site that was installed from a checkout, whole or half taken over; a whole one makes a backup (INST-12).
 * @throws Refusal if it cannot be taken over; nothing was changed
 */
export function isToTakeOver(machine: Machine, domain: string): boolean {
  const settings = machine.read(former.settings)
  if (settings === undefined || !machine.exists(former.unit)) return false
  const origin = settingIn(settings, 'ORIGIN')
  if (origin !== `https://${domain}`) throw new Refusal(`The site on this machine is ${origin}.`)
  for (const [key, place] of Object.entries(places))
    if ((settingIn(settings, key) ?? place) !== place)
      throw new Refusal(
        `${former.settings} sets ${key}. Stop condo, move what is there to ${place}, take the line out, start condo, and run the command again.`,
      )
  const caddyfile = machine.read(paths.caddyfile) ?? ''
  if (caddyfile.includes(checkoutsDomain) && caddyfile !== machine.read(former.caddyfile))
    throw new Refusal(
      `${paths.caddyfile} is not as it was installed. Take the block of ${checkoutsDomain} out, without a restart of Caddy, and run the command again.`,
    )
  if (!isInPlace(machine)) return true
  for (const folder of [former.data, `${former.data}/db`, `${former.data}/uploads`])
    if (machine.run('mountpoint', ['-q', folder]).code === 0)
      throw new Refusal(
        `${folder} is a disk of its own, and cannot be renamed. Copy what is on it to a folder ${folder} of the machine's own disk, and run the command again.`,
      )
  machine.must('/usr/local/bin/condo-cli', ['backup'])
  machine.say('✓ Backup of the site from a checkout')
  return true
}

/** Stops the former site and moves its data. Can be repeated after a cut. */
export function takeOver(machine: Machine): void {
  const caddyfile = machine.read(paths.caddyfile) ?? ''
  const isCheckouts = caddyfile.includes(checkoutsDomain)
  if (isCheckouts) machine.write(keptCaddyfile, caddyfile)
  if (isInPlace(machine)) {
    machine.must('systemctl', ['disable', '--now', 'condo'])
    machine.rename(former.data, moving)
  }
  if (machine.exists(moving)) {
    machine.makeFolder(former.data)
    machine.rename(moving, paths.data)
  }
  if (isCheckouts) machine.write(paths.caddyfile, '')
}

/** The former settings line by line, but for those that say where things are. */
export function formerSettings(machine: Machine): string {
  const lines = machine.read(former.settings)?.trimEnd().split('\n') ?? []
  const isKept = (line: string) => !placed.has(line.split('=')[0] ?? '') && !/^(NODE_ENV|ORIGIN)=/.test(line)
  return lines.filter(isKept).join('\n')
}

/**
 * Makes the former data those of the site's user, before it starts.
 * @param isNew whether no visitor has reached the new version: then the database is copied as the former one left it
 */
export function ownData(machine: Machine, isNew: boolean): void {
  machine.must('chown', ['-Rh', `${user}:${user}`, paths.data])
  if (!isNew) return
  if (machine.exists(formerDatabase)) {
    // The new version has started, and then the command was cut off.
    machine.must('systemctl', ['stop', unit])
    putBackDatabase(machine)
  }
  if (machine.exists(paths.database)) copyDatabase(machine, paths.database, formerDatabase)
}

function putBackDatabase(machine: Machine): void {
  if (!machine.exists(formerDatabase)) return
  asSite(machine, 'rm', ['-f', `${paths.database}-wal`, `${paths.database}-shm`])
  if (machine.exists(`${formerDatabase}-wal`))
    asSite(machine, 'cp', [`${formerDatabase}-wal`, `${paths.database}-wal`])
  asSite(machine, 'mv', ['-T', formerDatabase, paths.database])
  asSite(machine, 'rm', ['-f', `${formerDatabase}-wal`])
}

/**
 * Puts everything back and starts the former site, whatever had been done before. The owner of the files is right before
 * they are in place: after a cut the next run makes a backup as the former user.
 */
export function giveBack(machine: Machine): void {
  machine.run('systemctl', ['disable', '--now', unit, watchTimer])
  if (!isInPlace(machine)) {
    if (machine.exists(`${paths.data}/db`)) {
      putBackDatabase(machine)
      machine.must('chown', ['-Rh', 'condo:condo', paths.data])
      machine.rename(paths.data, moving)
    }
    if (machine.exists(moving)) {
      machine.remove(former.data)
      machine.rename(moving, former.data)
    }
  }
  machine.remove(paths.settings)
  machine.remove(paths.caddySite)
  if (machine.exists(keptCaddyfile)) machine.rename(keptCaddyfile, paths.caddyfile)
  machine.run('systemctl', ['enable', '--now', 'condo'])
  machine.run('systemctl', ['restart', 'caddy'])
  const settings = machine.read(former.settings) ?? ''
  const address = `${settingIn(settings, 'HOST') ?? '127.0.0.1'}:${settingIn(settings, 'PORT') ?? '3000'}`
  const retry = ['--retry', '20', '--retry-delay', '1', '--retry-all-errors', '--max-time', '60']
  const { code } = machine.run('curl', ['-fsS', ...retry, `http://${address}/api/health`])
  machine.say(
    code === 0
      ? 'The site from the checkout runs again.'
      : `The site from the checkout does not answer. Its log: journalctl -u condo -n 20. Its data are in ${former.data}, and a backup of them in ${former.backups}.`,
  )
}

/** The site runs: its backups come along, and the former unit is kept aside. Does nothing where there is none. */
export function finishTakeOver(machine: Machine): void {
  if (!machine.exists(former.unit) || isInPlace(machine)) return
  asSite(machine, 'rm', ['-f', formerDatabase, `${formerDatabase}-wal`])
  const move =
    'find "$1" -maxdepth 1 -type f -exec mv -t "$2" {} + && chown -Rh "$3" "$2" && chown root: "$1"'
  machine.must('sh', ['-c', move, '-', former.backups, paths.backups, `${user}:${user}`])
  // The unit last: while it is there, the same command finishes this.
  for (const path of [former.settings, former.unit])
    if (machine.exists(path)) machine.rename(path, `${path}.former`)
  machine.must('systemctl', ['daemon-reload'])
  machine.say(
    '✓ Taken over. What is left of the checkout in /opt/condo, all but releases and sites, can be deleted.',
  )
}
