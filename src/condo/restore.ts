import { resolve } from 'node:path'
import { settingNames } from '../server/kernel/config.ts'
import { type Machine, Refusal } from './machine.ts'
import { asSite, cli, dropped, isHealthy, isOfSite, paths, setting, unit } from './site.ts'
import { beginJournal, letIn, parts, recover, startHeld, writeJournal } from './switch.ts'

export type Source = { user?: string; at?: string }

const isFile = (from: string) => /\.(tar\.)?gz$/.test(from)
/** Settings that say where things are; they stay as they are on this machine. */
export const placed = new Set([
  'HOST',
  'PORT',
  'SOCKET',
  'HELD',
  'MACHINE_FILE',
  'TRUST_PROXY',
  'BACKUP_DIR',
  'DATABASE_FILE',
  'UPLOADS_DIR',
])

/**
 * Restores a backup, a file or a target elsewhere, into an empty site; asks for what opens it.
 * @throws Refusal
 */
export async function restoreFrom(machine: Machine, named: string, { at, user: key }: Source): Promise<void> {
  const file = `${paths.cache}/restore.tar.gz`
  const from = isFile(named) ? resolve(named) : named
  const isCopied = isFile(from) && !isOfSite(from)
  if (isCopied) {
    if (!machine.exists(from)) throw new Refusal(`There is no file ${from}.`)
    const write = `setsid ${dropped.join(' ')} sh -c 'umask 077; cat > "$1"' - "$2"`
    const { code } = machine.run('sh', ['-c', `${write} < "$1"`, '-', from, file])
    if (code !== 0) {
      asSite(machine, 'rm', ['-f', file])
      throw new Refusal(`${from} could not be copied for the site. Is the disk full?`)
    }
  }
  const options = [...(key === undefined ? [] : ['--user', key]), ...(at === undefined ? [] : ['--at', at])]
  const { code } = cli(machine, ['restore', isCopied ? file : from, ...options], { show: true })
  asSite(machine, 'rm', ['-f', file])
  if (code !== 0) throw new Refusal('Nothing was restored.')
  takeSettings(machine)
}

/** The settings of the former machine's environment that this one does not set. */
function takeSettings(machine: Machine): void {
  const restored = `${paths.data}/db/restored.env`
  if (!machine.exists(restored)) return
  const lines = asSite(machine, 'cat', [restored])
    .split('\n')
    .flatMap(line => {
      const [, key = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
      const isTaken = settingNames.includes(key) && !placed.has(key) && setting(machine, key) === undefined
      return isTaken ? [`${key}="${value.replaceAll(/["\\$`]/g, '\\$&')}"`] : []
    })
  if (lines.length === 0) return
  const here = machine.read(paths.settings)?.trimEnd()
  machine.write(paths.settings, `${here}\n# From the restored machine\n${lines.join('\n')}\n`, 0o600)
}

/**
 * Replaces the data of a running site by a backup. The present data are moved aside and kept; a restore that fails, is
 * cut off, or whose site does not start puts them back, with the settings (INST-43).
 * @returns where the former data are. @throws Refusal
 */
export async function restoreOver(
  machine: Machine,
  from: string,
  source: Source,
  now: Date,
): Promise<string> {
  const aside = `${paths.data}/before-restore-${stamp(now)}`
  if (machine.exists(aside)) throw new Refusal(`${aside} exists. Run the command again.`)
  const settings = machine.read(paths.settings) ?? ''
  const journal = { command: 'restore', at: now.toISOString(), aside, settings } as const
  beginJournal(machine, journal)
  machine.must('systemctl', ['stop', unit])
  try {
    asSite(machine, 'mkdir', ['-m', '700', aside])
    for (const part of parts) {
      asSite(machine, 'mv', ['-T', `${paths.data}/${part}`, `${aside}/${part}`])
      asSite(machine, 'mkdir', ['-m', '700', `${paths.data}/${part}`])
    }
    // A plain archive has no key; a repository brings its own.
    if (isFile(from) && machine.exists(`${aside}/db/secret.key`))
      asSite(machine, 'cp', ['-p', `${aside}/db/secret.key`, `${paths.data}/db/secret.key`])
    await restoreFrom(machine, from, source)
    asSite(machine, 'sync', [paths.data, `${paths.data}/db`, `${paths.data}/uploads`])
    await startHeld(machine).catch(error => {
      throw error instanceof Refusal
        ? new Refusal(`The restored site does not start: ${error.message} The former data are back.`)
        : error
    })
    writeJournal(machine, { ...journal, step: 'in' })
  } catch (error) {
    await recover(machine)
    throw error
  }
  letIn(machine)
  if (!(await isHealthy(machine, paths.socket)))
    throw new Refusal(`The site does not answer. Its log: condo logs. The former data are in ${aside}.`)
  machine.remove(paths.journal)
  return aside
}

export const stamp = (now: Date) => now.toISOString().slice(0, 19).replaceAll(':', '-')
