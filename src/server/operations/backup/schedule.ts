import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { projectRoot } from '../../../../db/project-root.ts'
import { dayMs, minuteMs } from '../../../domain/common/durations.ts'
import type { Deps } from '../../kernel/deps.ts'
import { isElsewhereDue } from './elsewhere/state.ts'
import { backupState, recordBackupFailure } from './last-backup.ts'

export type BackupRun = { stop: () => void; result: Promise<{ ok: boolean; lastLine: string }> }
export type Backups = {
  /** Starts a backup if one is due; resolves when it has ended. */
  runIfDue: () => Promise<void>
  /** Cancels the running backup, which leaves no file with a backup's name. */
  stop: () => Promise<void>
}

const pollIntervalMs = minuteMs
const retryAfterMs = 60 * minuteMs

/**
 * Makes backups by the backup command in a separate process, so that the site stays responsive: one a day on this
 * machine, and those elsewhere. A failed one is retried after an hour and shown on the notice board.
 */
export function startBackups(deps: Deps, run: (args: string[]) => BackupRun = runCommand): Backups {
  // One of each kind: a storage host that is slow does not hold up the backups on this machine.
  const current = new Map<string, BackupRun>()
  let stopped = false

  async function runIfDue(): Promise<void> {
    const here = isDue(deps) && runOne([], reason => recordBackupFailure(deps, reason))
    // The command stores its own failures.
    const elsewhere = (await isElsewhereDue(deps)) && runOne(['--elsewhere'])
    await Promise.all([here, elsewhere])
  }

  async function runOne(args: string[], recordFailure?: (reason: string) => Promise<void>): Promise<void> {
    const kind = args.join()
    if (stopped || current.has(kind)) return
    const started = run(args)
    current.set(kind, started)
    const { lastLine, ok } = await started.result
    current.delete(kind)
    // The site stopped the backup, so it did not fail.
    if (stopped) return
    if (ok) return deps.log.info({ args }, 'a backup was made')
    deps.log.error({ args, reason: lastLine }, 'the backup failed')
    await recordFailure?.(lastLine).catch(error =>
      deps.log.error({ err: error }, 'the backup failure could not be recorded'),
    )
  }

  const poll = () =>
    void runIfDue().catch(error => deps.log.error({ err: error }, 'no backup could be started'))
  const timer = setInterval(poll, pollIntervalMs).unref()
  return {
    runIfDue,
    async stop() {
      stopped = true
      clearInterval(timer)
      const runs = [...current.values()]
      for (const one of runs) one.stop()
      await Promise.all(runs.map(({ result }) => result))
    },
  }
}

function isDue({ db, clock }: Deps): boolean {
  const { made, failed } = backupState(db)
  const now = clock.now().getTime()
  const since = (at: string | undefined) =>
    at === undefined ? Number.POSITIVE_INFINITY : now - Date.parse(at)
  // A time in the future comes from a wrong clock and must not stop backups for years.
  const isOlder = (ms: number, limit: number) => ms >= limit || ms < -minuteMs
  return isOlder(since(made?.at), dayMs) && isOlder(since(failed?.at), retryAfterMs)
}

/** The command line of the bundle, or of the source when run from source. */
const program = import.meta.filename.endsWith('.ts')
  ? ['--import', 'tsx', 'src/server/cli.ts']
  : ['dist/server/cli.js']

function runCommand(args: string[]): BackupRun {
  const child = spawn(process.execPath, ['--max-old-space-size=64', ...program, 'backup', ...args], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  lowerPriority(child)
  const stop = () => void child.kill()
  process.once('exit', stop)
  let text = ''
  const collect = (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-2000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const result = new Promise<{ ok: boolean; lastLine: string }>(resolve => {
    const end = (ok: boolean, fallback: string) =>
      resolve({ ok, lastLine: text.trim().split('\n').at(-1)?.trim() || fallback })
    child.once('error', error => end(false, String(error)))
    child.once('close', (code, signal) => end(code === 0, `It ended with ${signal ?? code}.`))
  }).finally(() => process.off('exit', stop))
  return { stop, result }
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // Not permitted, or the process has ended: it keeps its priority.
  }
}
