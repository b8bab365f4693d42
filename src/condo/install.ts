import { resolve4, resolve6 } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import ipaddr from 'ipaddr.js'
import { isServed, serve } from './caddy.ts'
import { type Machine, Refusal, Usage } from './machine.ts'
import { restoreFrom } from './restore.ts'
import {
  asSite,
  cli,
  isHealthy,
  paths,
  releaseFolder,
  runningVersion,
  siteFolders,
  unit,
  user,
  watchTimer,
} from './site.ts'
import { finishTakeOver, formerSettings, giveBack, isToTakeOver, ownData, takeOver } from './take-over.ts'
import { writeUnits } from './units.ts'

export type InstallOptions = { releases?: string; restore?: string; user?: string; at?: string }

/**
 * Makes the site of a release on this machine: user, folders, settings, units, Caddy. Every step can be repeated, so the
 * command that was cut off continues (INST-11).
 */
export async function install(
  machine: Machine,
  version: string,
  domain = '',
  options: InstallOptions,
): Promise<void> {
  if (domain === '') throw new Usage('The domain is missing.')
  const running = runningVersion(machine)
  // Visitors may have come in: from here on nothing goes back.
  const isReached = isServed(machine)
  if (
    running !== undefined &&
    isReached &&
    !machine.exists(paths.installing) &&
    (await isHealthy(machine, paths.socket, { withinMs: 2000 }))
  ) {
    finishTakeOver(machine)
    machine.say(`${domain} is installed (${running}). To upgrade: condo upgrade`)
    return
  }
  const isTakenOver = isToTakeOver(machine, domain)
  try {
    if (isTakenOver) takeOver(machine)
    await make(machine, version, domain, options, { isReached, isTakenOver })
  } catch (error) {
    if (isTakenOver && !isReached) tryToGiveBack(machine)
    throw error
  }
  finishTakeOver(machine)
  for (const line of await addressAdvice(domain)) machine.say(line)
  machine.say(`\nhttps://${domain} is up.`)
  if (options.restore === undefined && !isTakenOver) showLink(machine)
}

function tryToGiveBack(machine: Machine): void {
  try {
    giveBack(machine)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    machine.say(
      `The site from the checkout could not be put back: ${reason}. Mend this and run the same command again.`,
    )
  }
}

async function make(
  machine: Machine,
  version: string,
  domain: string,
  options: InstallOptions,
  { isReached, isTakenOver }: { isReached: boolean; isTakenOver: boolean },
): Promise<void> {
  makeUser(machine)
  makeFolders(machine)
  if (!isReached) machine.write(paths.installing, '')
  if (isTakenOver) ownData(machine, !isReached)
  if (!machine.exists(paths.settings)) {
    const settings =
      settingsFor(domain, options.releases) + (isTakenOver ? `${formerSettings(machine)}\n` : '')
    machine.write(paths.settings, settings, 0o600)
  }
  if (runningVersion(machine) === undefined) machine.link(paths.current, releaseFolder(version))
  machine.link('/usr/local/sbin/condo', `${paths.current}/bin/condo`)
  writeUnits(machine, version)
  machine.say('✓ User, folders, units')
  // Restored already, before the command was cut off.
  if (options.restore !== undefined && !machine.exists(paths.database))
    await restoreFrom(machine, options.restore, options)
  machine.must('systemctl', ['enable', '--now', unit, watchTimer])
  if (!(await isHealthy(machine, paths.socket)))
    throw new Refusal(`The site does not start. Its log: journalctl -u ${unit} -n 20`)
  machine.say('✓ The site answers')
  serve(machine, domain)
  machine.remove(paths.installing)
  machine.say('✓ Caddy serves it')
}

export function showLink(machine: Machine): void {
  const { code, err, out } = cli(machine, ['link'])
  if (code !== 0) throw new Refusal((out + err).trim())
  const [, url = ''] = /(https?:\/\/\S+)/.exec(out) ?? []
  machine.say(`Open this link within 24 hours and answer the questions:\n  ${url}\nA new link: condo link`)
}

function makeUser(machine: Machine): void {
  if (machine.run('getent', ['passwd', user]).code !== 0)
    machine.must('useradd', [
      '--system',
      '--user-group',
      '--home-dir',
      paths.data,
      '--shell',
      '/usr/sbin/nologin',
      user,
    ])
  machine.must('usermod', ['--append', '--groups', user, 'caddy'])
}

function makeFolders(machine: Machine): void {
  for (const folder of [
    '/opt/condo/sites',
    paths.releases,
    '/etc/condo',
    '/etc/caddy/condo.d',
    '/var/lib/condo',
  ])
    machine.makeFolder(folder)
  for (const folder of ['/var/backups/condo', '/var/cache/condo']) machine.makeFolder(folder)
  machine.makeFolder('/var/lib/condo/.journal', 0o700)
  for (const folder of siteFolders) {
    if (machine.linkOf(folder) !== undefined)
      throw new Refusal(`${folder} is a link. Put a folder there; a larger disk can be mounted on it.`)
    machine.makeFolder(folder, 0o700)
    machine.must('chown', ['-h', `${user}:${user}`, folder])
  }
  // Below, the site may have put links.
  asSite(machine, 'mkdir', ['-p', '-m', '700', dirname(paths.database), paths.uploads])
}

const settingsFor = (
  domain: string,
  releases = '',
) => `# The settings of this site; only root reads them. No command changes this file again. What stands here wins over what
# is saved in the browser. docs/operations.md lists everything that can be set. After a change: condo restart
NODE_ENV=production
ORIGIN=https://${domain}
SOCKET=${paths.socket}
DATABASE_FILE=${paths.database}
UPLOADS_DIR=${paths.uploads}
BACKUP_DIR=${paths.backups}
# A folder with releases, instead of the address that the release names.
RELEASES=${releases}
`

/** What is wrong with the domain's addresses; the certificate comes by itself once they are right (INST-10). */
export async function addressAdvice(domain: string, mine = ownAddresses()): Promise<string[]> {
  const [four, six] = await Promise.all([resolve4(domain).catch(() => []), resolve6(domain).catch(() => [])])
  const here = mine.four[0] ?? 'this machine'
  const lines: string[] = []
  if (four.length === 0 && six.length === 0)
    lines.push(
      `${domain} has no address yet. Set its A record to ${here}; the certificate comes by itself within minutes.`,
    )
  // Behind a provider's own network the machine does not know its public address.
  else if (four.length > 0 && mine.four.some(isPublic) && !four.some(address => mine.four.includes(address)))
    lines.push(
      `${domain} points to ${four[0]}, this machine is ${here}. Set its A record to ${here}; the certificate comes by itself within minutes.`,
    )
  if (six.length > 0 && !six.some(address => mine.six.includes(address)))
    lines.push(`Its AAAA record points to ${six[0]}, which is not this machine: change it or take it out.`)
  return lines
}

const isPublic = (address: string) => !['private', 'carrierGradeNat'].includes(ipaddr.parse(address).range())

function ownAddresses(): { four: string[]; six: string[] } {
  const all = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(({ internal }) => !internal)
  const of = (family: string) => all.filter(each => each.family === family).map(({ address }) => address)
  return { four: of('IPv4'), six: of('IPv6') }
}
