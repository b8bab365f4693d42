import { backupMessages } from '../domain/content/backup-target.ts'
import { type Machine, NothingChanged, Refusal } from './machine.ts'
import { stamp } from './restore.ts'
import { asSite, cli, paths, releaseFolder, runningVersion, setting } from './site.ts'
import { copyDatabase, readLastChange, switchRelease } from './switch.ts'

export type UpgradeOptions = { from?: string; withoutElsewhere?: boolean }

/** Fetches and checks a release, and hands over to its own tool (INST-32). */
export function upgrade(machine: Machine, wanted: string | undefined, options: UpgradeOptions): number {
  const current = runningVersion(machine)
  if (current === undefined) throw new Refusal('No site is installed here.')
  const described = wanted === undefined ? 'latest.release' : `condo-${wanted}.release`
  const folder = options.from ?? setting(machine, 'RELEASES') ?? ''
  const script = `${releaseFolder(current)}/deploy/install.sh`
  const fetched = machine.run('sh', [script, '--fetch', described, current, folder], { show: true })
  if (fetched.code !== 0) return 1
  const to = machine.read('/run/condo.fetched')?.trim() ?? current
  const more = options.withoutElsewhere ? ['--without-elsewhere'] : []
  return machine.run(`${releaseFolder(to)}/bin/condo`, ['upgrade', '--switch', ...more], { show: true }).code
}

/** Versions that lie here, oldest first. */
export function listReleases(machine: Machine): string[] {
  const names = machine
    .must('ls', [paths.releases])
    .split('\n')
    .filter(name => /^\d+\.\d+\.\d+$/.test(name))
  return names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** The rest of an upgrade, by the new release: rehearsal, backups, switch. */
export async function upgradeTo(machine: Machine, to: string, options: UpgradeOptions): Promise<void> {
  const from = runningVersion(machine) ?? ''
  // The unit's: compiled in the rehearsal, the new version starts a second sooner.
  const env = { NODE_COMPILE_CACHE: `${paths.cache}/compile` }
  const rehearsal = cli(machine, ['rehearse', `${paths.cache}/rehearsal`], { version: to, env })
  if (rehearsal.code !== 0)
    throw new Refusal(
      `The rehearsal of ${to} failed, so nothing was changed:\n${(rehearsal.out + rehearsal.err).trim()}`,
    )
  machine.say(`✓ ${to} works with a copy of the data`)
  backUp(machine, options)
  const keptCopy = readLastChange(machine)?.copy
  await switchRelease(machine, { to })
  machine.say(`✓ The site runs ${to}`)
  const kept = new Set([from, to])
  for (const version of listReleases(machine)) if (!kept.has(version)) machine.remove(releaseFolder(version))
  if (keptCopy !== undefined && keptCopy !== readLastChange(machine)?.copy)
    asSite(machine, 'rm', ['-f', keptCopy, `${keptCopy}-wal`, `${keptCopy}-shm`])
  machine.say(`To go back: condo rollback`)
}

function backUp(machine: Machine, { withoutElsewhere = false }: UpgradeOptions): void {
  const here = cli(machine, ['backup'])
  if (here.code !== 0)
    throw new Refusal(`The backup before the upgrade failed:\n${(here.out + here.err).trim()}`)
  machine.say('✓ Backup here')
  if (withoutElsewhere) return
  const elsewhere = cli(machine, ['backup', '--elsewhere'])
  const reason = (elsewhere.out + elsewhere.err).trim()
  if (elsewhere.code !== 0 && !reason.includes(backupMessages.noTarget))
    throw new Refusal(
      `The backup elsewhere failed, so nothing was changed: ${reason}\nTo upgrade all the same: --without-elsewhere`,
    )
}

const newestMigration = (machine: Machine, version: string) => {
  const text = machine.read(`${releaseFolder(version)}/db/migrations/meta/_journal.json`) ?? '{"entries":[]}'
  return (JSON.parse(text) as { entries: { tag: string }[] }).entries.at(-1)?.tag
}

/**
 * Goes back to the release before: with the same schema only the link moves; else the copy of the database returns,
 * which is refused when something was entered since, unless that is to be left (INST-38).
 */
export async function rollback(
  machine: Machine,
  { leaveNewer = false }: { leaveNewer?: boolean },
  now: Date,
): Promise<void> {
  const last = readLastChange(machine)
  const running = runningVersion(machine)
  if (!last || last.to !== running || !machine.exists(releaseFolder(last.from)))
    throw new Refusal('There is no former version here to go back to.')
  if (newestMigration(machine, last.from) === newestMigration(machine, last.to)) {
    await switchRelease(machine, { to: last.from })
    machine.say(`✓ The site runs ${last.from}. Everything entered since is there.`)
    return
  }
  const run = (args: string[]) => {
    const { code, err, out } = cli(machine, args)
    if (code !== 0) throw new NothingChanged((out + err).trim())
    return out
  }
  /** The entries that are missing from the copy, as CSV. */
  const listEntered = () => {
    const csv = run(['entered', last.copy])
    const counts = countEntered(csv)
    const since = new Date(last.at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
    if (counts !== '' && !leaveNewer)
      throw new NothingChanged(
        `Since ${since}, ${counts} were entered that ${last.from} cannot read. To go back without them: condo rollback --leave-newer`,
      )
    return counts === '' ? '' : csv
  }
  // Before the site stops for nothing, and again when nobody can enter anything any more.
  listEntered()
  const left = `${paths.data}/left-${stamp(now)}`
  let csv = ''
  const check = () => {
    csv = listEntered()
    if (csv !== '') {
      asSite(machine, 'mkdir', ['-m', '700', left])
      asSite(machine, 'sh', ['-c', 'umask 077; cat > "$1"', '-', `${left}/entered.csv`], { input: csv })
    }
    // What waited in the copy may have gone out since, as after a restore.
    run(['mark-copy', last.copy, '--from', last.at])
  }
  // The copy goes with the next upgrade.
  const keep = (copy: string) => {
    if (csv !== '') copyDatabase(machine, copy, `${left}/portal.sqlite`)
  }
  await switchRelease(machine, { to: last.from, database: last.copy, check, keep })
  if (csv === '') {
    machine.say(`✓ The site runs ${last.from} with its database; nothing had been entered since.`)
    return
  }
  machine.say(
    `✓ The site runs ${last.from}. What was entered since is in ${left}: portal.sqlite and entered.csv.`,
  )
  machine.say(`Files that were uploaded since stay in ${paths.uploads}/orphans.`)
}

/** '4 applications, 2 payments and 1 lease' of the CSV; events alone are told as entries. */
function countEntered(csv: string): string {
  const kinds = csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(',')[0] ?? '')
  const named = [...new Set(kinds)].filter(kind => kind !== 'event')
  const parts = named.map(kind => {
    const count = kinds.filter(each => each === kind).length
    return `${count} ${kind}${count === 1 ? '' : 's'}`
  })
  if (parts.length === 0 && kinds.length > 0)
    return `${kinds.length} ${kinds.length === 1 ? 'entry' : 'entries'}`
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}
