import { dirname } from 'node:path'
import { writeBlock } from './caddy.ts'
import { type Machine, NothingChanged, Refusal } from './machine.ts'
import { asSite, isHealthy, lockedCommand, paths, releaseFolder, runningVersion, unit } from './site.ts'
import { writeUnits } from './units.ts'

/** On disk before each step, so that `recover` knows what to finish or undo (INST-37). */
export type Journal =
  | {
      command: 'switch'
      /** held: no visitor has reached it, so it can be undone; in: it is open and stays. */
      step: 'stopping' | 'held' | 'in'
      from: string
      to: string
      at: string
      /** The database as it was at the stop. */
      copy: string
    }
  | {
      command: 'restore'
      /** As above. */
      step?: 'in'
      at: string
      aside: string
      /** The text of the settings from before. */
      settings: string
    }
  /** All is in place, and only the start is left. */
  | { command: 'start' }

export const readJournal = (machine: Machine): Journal | undefined => {
  const text = machine.read(paths.journal)
  return text === undefined ? undefined : (JSON.parse(text) as Journal)
}
export const writeJournal = (machine: Machine, journal: Journal): void =>
  machine.write(paths.journal, JSON.stringify(journal), 0o600)

/** The first line of a journal. @throws NothingChanged if there is one, which alone knows where its run left the data */
export function beginJournal(machine: Machine, journal: Journal): void {
  if (machine.exists(paths.journal))
    throw new NothingChanged('An earlier command was cut off: condo recover. Nothing was changed.')
  writeJournal(machine, journal)
}

/** The last change of version: what `condo rollback` undoes. */
export type LastChange = { from: string; to: string; at: string; copy: string }
export const readLastChange = (machine: Machine): LastChange | undefined => {
  const text = machine.read(paths.lastChange)
  return text === undefined ? undefined : (JSON.parse(text) as LastChange)
}

type Switch = {
  to: string
  /** A database to put in place of the present one, for going back. */
  database?: string
  /** Asked once nobody can write any more. @throws NothingChanged to go on with the present version */
  check?: () => void
  /** Called with the copy of the present database, before anything replaces that. */
  keep?: (copy: string) => void
}

/**
 * Stops the site, copies its database, and starts the other release held, so that only this tool can reach it. After
 * three good health checks it is opened. Otherwise everything is put back; nothing is lost, because no request was
 * accepted (INST-35).
 * @throws Refusal when it was undone
 */
export async function switchRelease(machine: Machine, { check, database, keep, to }: Switch): Promise<void> {
  const from = runningVersion(machine) ?? ''
  const copy = `${paths.database}.before-${to}`
  // What is copied, and what the new version writes while it migrates.
  const needed = 3 * (machine.sizeOf(paths.database) + machine.sizeOf(`${paths.database}-wal`)) + 100e6
  if (machine.spaceAt(dirname(paths.database)).free < needed)
    throw new Refusal(`This needs ${Math.ceil(needed / 1e6)} MB of free disk. Nothing was changed.`)
  const stopping = { command: 'switch', step: 'stopping', from, to, at: '', copy } as const
  beginJournal(machine, stopping)
  try {
    // The next start takes them; before the stop nobody waits for this.
    writeUnits(machine, to)
    writeBlock(machine, to)
    machine.must('systemctl', ['stop', unit])
    check?.()
    const journal = { ...stopping, at: new Date().toISOString() }
    copyDatabase(machine, paths.database, copy)
    keep?.(copy)
    writeJournal(machine, { ...journal, step: 'held' })
    if (database !== undefined) copyDatabase(machine, database, paths.database)
    machine.link(paths.current, releaseFolder(to))
    await startHeld(machine, to)
    writeJournal(machine, { ...journal, step: 'in' })
  } catch (error) {
    await recover(machine)
    if (!(error instanceof Refusal) || error instanceof NothingChanged) throw error
    throw new Refusal(`The upgrade was undone: ${error.message} Nothing was lost.`)
  }
  letIn(machine)
  if (!(await isHealthy(machine, paths.socket, {}, to)))
    throw new Refusal('The site does not answer. Its log: condo logs')
  const journal = readJournal(machine)
  if (journal?.command === 'switch') writeLastChange(machine, journal)
  machine.remove(paths.journal)
}

/** Starts the site so that only this tool can reach it. @throws Refusal if it does not answer rightly three times */
export async function startHeld(machine: Machine, version?: string): Promise<void> {
  machine.write(paths.held, 'HELD=on\n')
  machine.run('systemctl', ['start', unit])
  if (!(await isHealthy(machine, `${paths.socket}.held`, { times: 3 }, version)))
    throw new Refusal(lastWords(machine))
}

export function letIn(machine: Machine): void {
  machine.remove(paths.held)
  machine.must('systemctl', ['kill', '--signal=SIGUSR2', '--kill-who=main', unit])
}

function writeLastChange(machine: Machine, { at, copy, from, to }: LastChange): void {
  machine.write(paths.lastChange, JSON.stringify({ from, to, at, copy }), 0o600)
}

/** The database and, of a site that was killed, its journal. */
export function copyDatabase(machine: Machine, from: string, to: string): void {
  const leftovers = [`${to}.part`, `${to}-wal`, `${to}-shm`]
  asSite(machine, 'rm', ['-f', ...leftovers])
  asSite(machine, 'cp', [from, `${to}.part`])
  if (machine.exists(`${from}-wal`)) asSite(machine, 'cp', [`${from}-wal`, `${to}-wal`])
  asSite(machine, 'sync', [`${to}.part`, ...(machine.exists(`${to}-wal`) ? [`${to}-wal`] : [])])
  asSite(machine, 'mv', ['-T', `${to}.part`, to])
  asSite(machine, 'sync', [dirname(to)])
}

/**
 * Finishes what was let go and undoes what was held or broken off. Runs before every start of the site while there is a
 * journal, and may be cut off itself.
 * @param start whether to start the site as well; not when systemd is just doing that
 */
export async function recover(machine: Machine, { start = true } = {}): Promise<void> {
  machine.run('systemctl', ['stop', `${lockedCommand}*`])
  const journal = readJournal(machine)
  if (!journal) return
  // On a full disk this makes room for what is written below.
  if (journal.command === 'switch') asSite(machine, 'rm', ['-f', `${journal.copy}.part`])
  if (start && journal.command !== 'start') machine.must('systemctl', ['stop', unit])
  if (journal.command !== 'start') machine.remove(paths.held)
  if (journal.command === 'restore' && journal.step !== 'in') takeBack(machine, journal)
  if (journal.command === 'switch') {
    if (journal.step === 'in') writeLastChange(machine, journal)
    else {
      if (journal.step === 'held') copyDatabase(machine, journal.copy, paths.database)
      machine.link(paths.current, releaseFolder(journal.from))
      writeUnits(machine, journal.from)
      writeBlock(machine, journal.from)
    }
  }
  if (start) await startAgain(machine)
  else machine.remove(paths.journal)
}

/**
 * Before a command changes anything: finishes or undoes what an earlier one left.
 * @throws Refusal if that was finished: the earlier one may have been this very command
 */
export async function recoverFirst(machine: Machine): Promise<void> {
  const journal = readJournal(machine)
  try {
    await recover(machine)
  } catch (error) {
    // That the site does not answer is no reason not to restore a backup.
    if (!(error instanceof Refusal) || machine.exists(paths.journal)) throw error
  }
  if (journal === undefined || !('step' in journal) || journal.step !== 'in') return
  const done =
    journal.command === 'switch'
      ? `the site runs ${journal.to}.`
      : `the backup is restored, and the former data are in ${journal.aside}.`
  throw new Refusal(
    `An earlier command was cut off and is finished now: ${done} Run this one again if it is still needed.`,
  )
}

/** What a restore moves aside. */
export const parts = ['db', 'uploads'] as const

/** Puts the data back that a broken restore had moved aside, and the settings. */
function takeBack(machine: Machine, { aside, settings }: Extract<Journal, { command: 'restore' }>): void {
  if (machine.read(paths.settings) !== settings) machine.write(paths.settings, settings, 0o600)
  for (const part of parts) {
    if (!machine.exists(`${aside}/${part}`)) continue
    asSite(machine, 'rm', ['-rf', `${paths.data}/${part}`])
    asSite(machine, 'mv', ['-T', `${aside}/${part}`, `${paths.data}/${part}`])
  }
  asSite(machine, 'rm', ['-rf', aside])
  asSite(machine, 'sync', [paths.data])
}

/**
 * Starts the site on data that are in place. A cut before the journal is gone must not undo anything again: visitors may
 * have got in.
 */
async function startAgain(machine: Machine): Promise<void> {
  writeJournal(machine, { command: 'start' })
  machine.must('systemctl', ['start', unit])
  machine.remove(paths.journal)
  if (!(await isHealthy(machine, paths.socket)))
    throw new Refusal('The site does not answer. Its log: condo logs')
}

function lastWords(machine: Machine): string {
  const { out } = machine.run('journalctl', ['-u', unit, '-n', '3', '-o', 'cat', '--no-pager'])
  return out.trim().split('\n').at(-1) || 'it did not answer.'
}
