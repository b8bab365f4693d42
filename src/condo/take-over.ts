import { type Machine, Refusal } from './machine.ts'
import { placed } from './restore.ts'
import { paths, unit, user, watchTimer } from './site.ts'

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
const keptCaddyfile = `${paths.caddyfile}.former`

/**
 * Takes over a site that was installed from a checkout: makes a backup, stops it, and moves its data (INST-12). Can be
 * repeated after a cut.
 * @returns whether there was one. @throws Refusal before anything was changed
 */
export function takeOver(machine: Machine, domain: string): boolean {
  const settings = machine.read(former.settings)
  if (settings === undefined || !machine.exists(former.unit)) return false
  const [, origin] = /^ORIGIN="?([^"\n]+)/m.exec(settings) ?? []
  if (origin !== `https://${domain}`) throw new Refusal(`The site on this machine is ${origin}.`)
  if (/^(DATABASE_FILE|UPLOADS_DIR)=/m.test(settings))
    throw new Refusal(
      `${former.settings} says that the data are elsewhere. Move them to ${former.data} first.`,
    )
  const caddyfile = machine.read(paths.caddyfile) ?? ''
  if (caddyfile.includes('{$SITE_DOMAIN}')) {
    if (caddyfile !== machine.read(former.caddyfile))
      throw new Refusal(
        `${paths.caddyfile} is not as it was installed. Take the block of {$SITE_DOMAIN} out, without a restart of Caddy, and run the command again.`,
      )
    machine.write(keptCaddyfile, caddyfile)
  }
  if (machine.exists(`${former.data}/db`)) {
    machine.must('/usr/local/bin/condo-cli', ['backup'])
    machine.say('✓ Backup of the site from a checkout')
    machine.must('systemctl', ['disable', '--now', 'condo'])
    machine.rename(former.data, moving)
  }
  if (machine.exists(moving)) {
    machine.makeFolder(former.data)
    machine.rename(moving, paths.data)
  }
  if (machine.exists(keptCaddyfile)) machine.write(paths.caddyfile, '')
  return true
}

/** The former settings line by line, but for those that say where things are. */
export function formerSettings(machine: Machine): string {
  const lines = machine.read(former.settings)?.trimEnd().split('\n') ?? []
  const isKept = (line: string) => !placed.has(line.split('=')[0] ?? '') && !/^(NODE_ENV|ORIGIN)=/.test(line)
  return lines.filter(isKept).join('\n')
}

/** Makes the former data those of the site's user, before it starts. */
export const ownData = (machine: Machine) => machine.must('chown', ['-Rh', `${user}:${user}`, paths.data])

/** Puts everything back and starts the former site. */
export function giveBack(machine: Machine): void {
  machine.run('systemctl', ['disable', '--now', unit, watchTimer])
  machine.remove(paths.settings)
  machine.rename(paths.data, moving)
  machine.remove(former.data)
  machine.rename(moving, former.data)
  machine.must('chown', ['-Rh', 'condo:condo', former.data])
  if (machine.exists(keptCaddyfile)) machine.rename(keptCaddyfile, paths.caddyfile)
  machine.must('systemctl', ['enable', '--now', 'condo'])
  machine.run('systemctl', ['restart', 'caddy'])
  machine.say('The site from the checkout runs again.')
}

/** The site runs: its backups come along, and the former unit is kept aside. */
export function finishTakeOver(machine: Machine): void {
  const move =
    'find "$1" -maxdepth 1 -type f -exec mv -t "$2" {} + && chown -Rh "$3" "$2" && chown root: "$1"'
  machine.must('sh', ['-c', move, '-', former.backups, paths.backups, `${user}:${user}`])
  for (const path of [former.unit, former.settings]) machine.rename(path, `${path}.former`)
  machine.must('systemctl', ['daemon-reload'])
  machine.say(
    '✓ Taken over. What is left of the checkout in /opt/condo, all but releases and sites, can be deleted.',
  )
}
