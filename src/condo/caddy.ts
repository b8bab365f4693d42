import { type Machine, Refusal } from './machine.ts'
import { domain, paths, releaseFolder, setting } from './site.ts'
import { ship } from './units.ts'

const caddyImport = 'import /etc/caddy/condo.d/*.caddy'
/** Without it, every user of the machine may change what Caddy serves. */
const caddyAdmin = '{\n\tadmin unix//run/caddy/admin.sock\n}\n'

/** Whether Caddy's settings on the disk have the site. */
export const isServed = (machine: Machine) =>
  machine.exists(paths.caddySite) && (machine.read(paths.caddyfile) ?? '').includes(caddyImport)

/** Adds the site to Caddy; what Caddy refuses is taken out again (INST-09). */
export function serve(machine: Machine, name: string): void {
  const before = machine.read(paths.caddyfile) ?? ''
  const isImported = before.includes(caddyImport)
  if (!isImported && new RegExp(`^\\s*(https?://)?${name.replaceAll('.', '\\.')}\\b`, 'm').test(before))
    throw new Refusal(
      `${name} is already served here by ${paths.caddyfile}. Take it out there, and run the command again.`,
    )
  const blockBefore = machine.read(paths.caddySite)
  const block = caddyBlock(machine, paths.current)
  ship(machine, paths.caddySite, block)
  // Only what Caddy takes comes in place, so a cut leaves nothing that it would not start with.
  const tried = isImported ? paths.caddyfile : `${paths.caddyfile}.tried`
  if (!isImported) {
    const hasOptions = before
      .replaceAll(/^\s*#.*$/gm, '')
      .trimStart()
      .startsWith('{')
    machine.write(tried, `${hasOptions ? '' : caddyAdmin}${before.trimEnd()}\n\n${caddyImport}\n`)
  }
  const dropIn = '/etc/systemd/system/caddy.service.d'
  machine.makeFolder(dropIn)
  machine.write(`${dropIn}/condo.conf`, '[Service]\nRuntimeDirectory=caddy\n')
  const fault = faultOf(machine, tried)
  if (fault !== undefined) {
    if (blockBefore === undefined) machine.remove(paths.caddySite)
    else machine.write(paths.caddySite, blockBefore)
    if (!isImported) machine.remove(tried)
    throw new Refusal(`Caddy does not take its settings, so they are as before: ${fault}`)
  }
  if (!isImported) machine.rename(tried, paths.caddyfile)
  machine.must('systemctl', ['daemon-reload'])
  machine.must('systemctl', ['enable', 'caddy'])
  // A reload would not give Caddy its new group.
  machine.must('systemctl', ['restart', 'caddy'])
}

/** Writes the block of a release, if it brings another one and Caddy takes it (INST-39). */
export function writeBlock(machine: Machine, version: string): void {
  const before = machine.read(paths.caddySite)
  const block = caddyBlock(machine, releaseFolder(version))
  if (before === undefined || !ship(machine, paths.caddySite, block)) return
  const fault = faultOf(machine)
  if (fault !== undefined) {
    machine.write(paths.caddySite, before)
    machine.say(`Caddy does not take the block of ${version}, so the one before stays: ${fault}`)
  } else machine.run('systemctl', ['reload', 'caddy'])
}

function caddyBlock(machine: Machine, folder: string): string {
  const block = machine.read(`${folder}/deploy/site.caddy`) ?? ''
  return block
    .replaceAll('DOMAIN', domain(machine))
    .replaceAll('SOCKET', setting(machine, 'SOCKET') ?? paths.socket)
}

function faultOf(machine: Machine, config: string = paths.caddyfile): string | undefined {
  const { code, err } = machine.run('caddy', ['validate', '--config', config, '--adapter', 'caddyfile'])
  return code === 0 ? undefined : err.trim().split('\n').at(-1)
}
