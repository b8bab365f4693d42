import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { dayMs } from '../../../../domain/common/durations.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import {
  type BackupTarget,
  backupMessages,
  readSftpAddress,
} from '../../../../domain/content/backup-target.ts'

/** A repository and what opens it. */
export type Repository = {
  target: BackupTarget
  /** The repository's password: this site's own, or the phrase of a recovery sheet. */
  password: string
  /** The secret access key of S3. */
  secretKey?: string | undefined
  /** A private SSH key; without one ssh uses what the machine has. */
  sshKey?: string | undefined
  /** A folder of this site for restic's temporary files and the known hosts of ssh. */
  work: string
  /** When the work that uses it has to have ended, in epoch milliseconds. */
  until?: number
}
type Options = {
  cwd?: string
  /** A second password, for a new key. */
  newPassword?: string
}
export type ResticResult = { code: number | null; output: string; errors: string }

/** restic failed; the message is for the owner. */
export class ResticError extends AppError {
  constructor(message: string) {
    super('provider_failed', message)
  }
}

/** restic's name of a repository. */
export function locationOf({ address, kind, user }: BackupTarget): string {
  if (kind === 's3') return `s3:${address}`
  const server = kind === 'sftp' ? readSftpAddress(address) : undefined
  return server ? `sftp://${user}@${server.host}:${server.port}//${server.folder}` : address
}

const smallMs = 60_000
const longMs = 3 * 3_600_000
const longCommands = ['backup', 'check', 'forget', 'restore', 'stats']
/**
 * What a storage host sends is read into memory: half a gigabyte ends restic. If this process is killed, its end of the
 * pipe 5 closes, which ends the group. (`setpriv --pdeathsig` needs a right that the unit of a server does not give.)
 */
const bounded =
  'ulimit -d 524288; (cat <&5 >/dev/null; kill -s KILL 0) & exec 5<&-; exec nice -n 19 restic "$@"'

/**
 * Runs restic at low priority, within limits of time and memory. Passwords go by open files, other secrets by the
 * environment, none as an argument.
 * @throws ResticError without restic, when the time is over, or for an answer that is too long
 */
export async function restic(
  repository: Repository,
  args: string[],
  options: Options = {},
): Promise<ResticResult> {
  const { target, until = Number.POSITIVE_INFINITY, work } = repository
  mkdirSync(work, { recursive: true, mode: 0o700 })
  const ssh = target.kind === 'sftp' ? sshCommand(repository) : undefined
  const second = options.newPassword === undefined ? [] : ['--new-password-file', '/dev/fd/4']
  const passwords = [repository.password, options.newPassword ?? ''].map(secret => openSecret(work, secret))
  const command = [
    ...['restic', '--no-cache', '--password-file', '/dev/fd/3'],
    ...(ssh ? ['-o', csvField(`sftp.command=${ssh.command}`)] : []),
  ]
  const child = spawn('sh', ['-c', bounded, ...command, ...args, ...second], {
    cwd: options.cwd ?? work,
    // A process group of its own, which is killed with ssh.
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: work,
      TMPDIR: work,
      // Where a restore uses the keys of whoever runs it.
      SSH_AUTH_SOCK: process.env.SSH_AUTH_SOCK,
      RESTIC_REPOSITORY: locationOf(target),
      // Slower, and with half of the memory.
      GOGC: '20',
      ...(target.kind === 's3' && {
        AWS_ACCESS_KEY_ID: target.user,
        AWS_SECRET_ACCESS_KEY: repository.secretKey ?? '',
      }),
    },
    stdio: ['ignore', 'pipe', 'pipe', ...passwords, 'pipe'],
  })
  for (const fd of passwords) closeSync(fd)
  const limitMs = longCommands.includes(args[0] ?? '') ? longMs : smallMs
  try {
    return await finish(child, Math.max(1, Math.min(limitMs, until - Date.now())))
  } finally {
    if (ssh) await rm(ssh.keyFile, { force: true })
  }
}

/** Writes a secret to a file and unlinks it at once; restic reopens it by its file descriptor. */
function openSecret(work: string, secret: string): number {
  const path = join(work, `secret-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  writeSync(fd, `${secret}\n`)
  return fd
}

/** restic reads the values of `-o` as comma-separated fields. */
const csvField = (text: string) => `"${text.replaceAll('"', '""')}"`

const maxOutput = 4 * 1024 * 1024

function finish(child: ReturnType<typeof spawn>, limitMs: number): Promise<ResticResult> {
  let [output, errors, fault] = ['', '', '']
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const end = (reason: string) => {
    fault ||= reason
    kill()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    if (output.length > maxOutput) end('The answer of the storage is too long.')
    else output += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8')
    // A crash prints its reason first, anything else last.
    if (errors.length > 8000) errors = errors.slice(0, 4000) + errors.slice(-4000)
  })
  const timer = setTimeout(
    () => end(deletesNothing(errors) ?? (limitMs > smallMs ? backupMessages.late : backupMessages.silent)),
    limitMs,
  )
  // Before the files that it uses are removed.
  process.prependOnceListener('exit', kill)
  return new Promise<ResticResult>((resolve, reject) => {
    child.once('error', error => reject(new ResticError(String(error))))
    child.once('exit', code => {
      if (code === 127) fault ||= backupMessages.noRestic
      // What ssh left running would keep the pipes open.
      kill()
    })
    child.once('close', code =>
      fault === '' ? resolve({ code, output, errors }) : reject(new ResticError(fault)),
    )
  }).finally(() => {
    clearTimeout(timer)
    process.off('exit', kill)
  })
}

/** restic starts ssh with this command; the key is in a file while it runs. */
function sshCommand({ sshKey, target, work }: Repository): { command: string; keyFile: string } {
  const server = readSftpAddress(target.address)
  const keyFile = join(work, `ssh-${randomUUID()}`)
  if (sshKey !== undefined) writeFileSync(keyFile, sshKey, { mode: 0o600, flag: 'wx' })
  const options = [
    'BatchMode=yes',
    ...['ConnectTimeout=20', 'ServerAliveInterval=15', 'ServerAliveCountMax=4'],
    // The first contact decides which server it is.
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${join(work, 'known_hosts')}`,
    ...(sshKey === undefined ? [] : ['IdentitiesOnly=yes']),
  ]
  const parts = [
    'ssh',
    // What the machine's user has in ~/.ssh/config could run other commands, or lead elsewhere.
    ...(sshKey === undefined ? [] : ['-F', 'none']),
    ...['-p', String(server?.port ?? 22)],
    ...(sshKey === undefined ? [] : ['-i', quoted(keyFile)]),
    ...options.flatMap(option => ['-o', quoted(option)]),
    `${target.user}@${server?.host ?? ''}`,
    ...['-s', 'sftp'],
  ]
  return { command: parts.join(' '), keyFile }
}

const quoted = (text: string) => `"${text}"`

/** The output of a command. @throws ResticError with restic's last words, without secrets, if it failed */
export async function resticOutput(
  repository: Repository,
  args: string[],
  options?: Options,
): Promise<string> {
  const result = await restic(repository, args, options)
  if (result.code !== 0) throw new ResticError(wordsOf(repository, result))
  return result.output
}

export type RepositoryState = 'opens' | 'missing' | 'locked'

/** What is at the target. restic before 0.17 has one exit code for all, so its words decide (INST-30). */
export async function repositoryState(repository: Repository): Promise<RepositoryState> {
  const result = await restic(repository, ['cat', 'config', '--no-lock'])
  if (result.code === 0) return 'opens'
  if (/wrong password or no key found/i.test(result.errors)) return 'locked'
  if (/is there a repository at|repository does not exist|unable to open config file/i.test(result.errors)) {
    // A refused login says the same, with its reason; the target's own name says nothing.
    const reason = result.errors.replaceAll(locationOf(repository.target), '')
    if (/denied|refused|forbidden|invalid|no route|not resolve|no such host|timed? ?out/i.test(reason))
      throw new ResticError(wordsOf(repository, result))
    return 'missing'
  }
  throw new ResticError(wordsOf(repository, result))
}

/** What a key that may add but not delete makes restic say, until the time is over. */
const deletesNothing = (errors: string): string | undefined =>
  /Remove\(<lock\//.test(errors) ? backupMessages.locks : undefined

/** restic's advice is a command that nobody here should run: the site removes such a lock itself. */
function lockedBy(errors: string): string | undefined {
  const [, host] = /already locked (?:exclusively )?by PID \d+ on (\S+)/.exec(errors) ?? []
  return host && `The machine ${host} is using these backups. If it is gone, its lock is removed after a day.`
}

/** restic's reason, or else its last line: bounded, in one line and without any secret. */
export function wordsOf({ password, secretKey, target }: Repository, { code, errors }: ResticResult): string {
  // With --json, newer versions wrap it.
  const plain = errors.replaceAll(/^\{.*"message":"([^"]*)".*\}$/gm, '$1')
  const lines = plain.split('\n').map(line => line.trim())
  const isQuestion = (line: string) => line.startsWith('Is there a repository') || line === locationOf(target)
  const telling =
    deletesNothing(errors) ??
    lockedBy(errors) ??
    lines.find(line => /^fatal\b/i.test(line)) ??
    lines.findLast(line => line !== '' && !isQuestion(line))
  let words = telling ?? `restic ended with ${code}`
  for (const secret of [password, secretKey]) if (secret) words = words.replaceAll(secret, '…')
  return words.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)
}

const lock = z.object({ time: z.string(), hostname: z.string(), pid: z.int() })
/** Each is a process of restic, before every backup. */
const maxLocks = 50

/**
 * Removes the locks of this machine's processes that are gone, and those of others that are older than a day; restic
 * renews a lock every five minutes (INST-27). All or none: restic cannot remove a single one.
 * @throws ResticError for a host that keeps the locks that it deleted
 */
export async function removeStaleLocks(
  repository: Repository,
  now: Date,
  progress: (line: string) => void = () => {},
): Promise<void> {
  const ids = (await resticOutput(repository, ['list', 'locks', '--no-lock', '-q']))
    .split('\n')
    .filter(Boolean)
  if (ids.length > maxLocks)
    throw new ResticError(
      `The storage has ${ids.length} locks of backups: it keeps what is deleted. Whoever runs it has to remove what is below locks/.`,
    )
  const locks: z.infer<typeof lock>[] = []
  for (const id of ids)
    locks.push(lock.parse(JSON.parse(await resticOutput(repository, ['cat', 'lock', id, '--no-lock', '-q']))))
  const isOld = ({ time }: (typeof locks)[0]) => now.getTime() - Date.parse(time) > dayMs
  if (!locks.every(one => isOld(one) || (one.hostname === hostname() && !isRunning(one.pid)))) return
  if (locks.length > 0) await resticOutput(repository, ['unlock', '--remove-all', '-q'])
  for (const { hostname: host, time } of locks.filter(isOld))
    progress(`Removed a lock of ${host} from ${time}.`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's, such as root's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The start of the id in the output of `backup --json`: restic looks for a whole one in what it remembers. */
export const snapshotIdIn = (output: string): string | undefined =>
  /"snapshot_id":"([0-9a-f]{8})/.exec(output)?.[1]

const snapshotShape = z.object({
  id: z.string(),
  time: z.string(),
  tags: z.array(z.string()).nullish(),
})
export type Snapshot = { id: string; at: string; tags: string[]; isAhead: boolean }

/** Enough to have some behind those that a wrong clock dated ahead, and little enough to read at once. */
const listed = '1000'

/**
 * The backups in a repository, newest first, or those whose id begins with `wanted`. Those dated more than an hour ahead
 * come last.
 */
export async function listSnapshots(repository: Repository, wanted?: string): Promise<Snapshot[]> {
  const which = wanted === undefined ? ['--latest', listed, '--tag', backupTag] : [wanted]
  const output = await resticOutput(repository, ['snapshots', '--json', '--no-lock', ...which])
  const aheadFrom = Date.now() + 3_600_000
  return z
    .array(snapshotShape)
    .parse(JSON.parse(output || '[]'))
    .map(({ id, tags, time }) => {
      const at = new Date(time)
      return { id, at: at.toISOString(), tags: tags ?? [], isAhead: at.getTime() > aheadFrom }
    })
    .toSorted((a, b) => Number(a.isAhead) - Number(b.isAhead) || b.at.localeCompare(a.at))
}

/** Marks the site's backups among whatever else is in the repository. */
export const backupTag = 'condo'

/** Restores a backup into a folder, or what matches the patterns. */
export async function restoreSnapshot(
  repository: Repository,
  id: string,
  folder: string,
  include: readonly string[] = [],
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const some = include.flatMap(pattern => ['--include', `/${pattern}`])
  await resticOutput(repository, ['restore', id, '--target', folder, '--no-lock', ...some])
}
