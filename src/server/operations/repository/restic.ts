import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { hostname, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type BackupTarget, backupMessages, readSftpAddress } from '../../../domain/content/backup-target.ts'

/** A repository and what opens it. */
export type Repository = {
  target: BackupTarget
  /** The repository's password: this site's own, or the phrase of a recovery sheet. */
  password: string
  /** The secret access key of S3. */
  secretKey?: string | undefined
  /** A private SSH key; without one ssh uses what the machine has. */
  sshKey?: string | undefined
  /** A folder of this site for restic's cache and the known hosts of ssh. */
  work: string
}
type Options = {
  cwd?: string
  /** A second password, for a new key. */
  newPassword?: string
  timeoutMs?: number
}
export type ResticResult = { code: number | null; output: string; errors: string }

/** restic failed; the message is for the owner. */
export class ResticError extends Error {}

/** restic's name of a repository. */
export function locationOf({ address, kind, user }: BackupTarget): string {
  if (kind === 's3') return `s3:${address}`
  const server = kind === 'sftp' ? readSftpAddress(address) : undefined
  return server ? `sftp://${user}@${server.host}:${server.port}//${server.folder}` : address
}

/**
 * Runs restic at low priority. Passwords go by open files, other secrets by the environment, none as an argument.
 * @throws ResticError without restic, or when the time is over
 */
export async function restic(
  repository: Repository,
  args: string[],
  options: Options = {},
): Promise<ResticResult> {
  const { target, work } = repository
  mkdirSync(work, { recursive: true, mode: 0o700 })
  const ssh = target.kind === 'sftp' ? sshCommand(repository) : undefined
  const second = options.newPassword === undefined ? [] : ['--new-password-file', '/dev/fd/4']
  const passwords = [repository.password, options.newPassword ?? ''].map(secret => openSecret(work, secret))
  const child = spawn(
    'restic',
    [
      '--password-file',
      '/dev/fd/3',
      ...(ssh ? ['-o', csvField(`sftp.command=${ssh.command}`)] : []),
      ...args,
      ...second,
    ],
    {
      cwd: options.cwd ?? work,
      env: {
        PATH: process.env.PATH,
        HOME: work,
        TMPDIR: work,
        // Where a restore uses the keys of whoever runs it.
        SSH_AUTH_SOCK: process.env.SSH_AUTH_SOCK,
        RESTIC_REPOSITORY: locationOf(target),
        RESTIC_CACHE_DIR: join(work, 'cache'),
        // Slower, and with half of the memory.
        GOGC: '20',
        ...(target.kind === 's3' && {
          AWS_ACCESS_KEY_ID: target.user,
          AWS_SECRET_ACCESS_KEY: repository.secretKey ?? '',
        }),
      },
      stdio: ['ignore', 'pipe', 'pipe', ...passwords],
    },
  )
  for (const fd of passwords) closeSync(fd)
  try {
    return await finish(child, options)
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

function finish(child: ChildProcess, { timeoutMs }: Options): Promise<ResticResult> {
  try {
    if (child.pid !== undefined) setPriority(child.pid, 19)
  } catch {
    // Not permitted: it keeps its priority.
  }
  let [output, errors, isLate] = ['', '', false]
  child.stdout?.on('data', (chunk: Buffer) => {
    if (output.length < maxOutput) output += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-4000)
  })
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true
          child.kill('SIGTERM')
        }, timeoutMs)
  return new Promise<ResticResult>((resolve, reject) => {
    child.once('error', error =>
      reject(
        new ResticError('code' in error && error.code === 'ENOENT' ? backupMessages.noRestic : String(error)),
      ),
    )
    child.once('close', code =>
      isLate ? reject(new ResticError(backupMessages.silent)) : resolve({ code, output, errors }),
    )
  }).finally(() => clearTimeout(timer))
}

/** restic starts ssh with this command; the key is in a file while it runs. */
function sshCommand({ sshKey, target, work }: Repository): { command: string; keyFile: string } {
  const server = readSftpAddress(target.address)
  const keyFile = join(work, `ssh-${randomUUID()}`)
  if (sshKey !== undefined) writeFileSync(keyFile, sshKey, { mode: 0o600, flag: 'wx' })
  const options = [
    'BatchMode=yes',
    'ConnectTimeout=20',
    // The first contact decides which server it is.
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${join(work, 'known_hosts')}`,
    ...(sshKey === undefined ? [] : ['IdentitiesOnly=yes']),
  ]
  const parts = [
    ...['ssh', '-p', String(server?.port ?? 22)],
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
export async function repositoryState(repository: Repository, options?: Options): Promise<RepositoryState> {
  const result = await restic(repository, ['cat', 'config', '--no-lock'], options)
  if (result.code === 0) return 'opens'
  if (/wrong password or no key found/i.test(result.errors)) return 'locked'
  if (/is there a repository at|repository does not exist|unable to open config file/i.test(result.errors)) {
    // A refused login says the same, with its reason.
    if (/denied|refused|forbidden|invalid|no route|not resolve|no such host|timed? ?out/i.test(result.errors))
      throw new ResticError(wordsOf(repository, result))
    return 'missing'
  }
  throw new ResticError(wordsOf(repository, result))
}

/** restic's last line, bounded, in one line and without any secret. */
function wordsOf({ password, secretKey, target }: Repository, { code, errors }: ResticResult): string {
  const lines = errors.split('\n').map(line => line.trim())
  const isQuestion = (line: string) => line.startsWith('Is there a repository') || line === locationOf(target)
  const telling = lines.findLast(line => line !== '' && !isQuestion(line))
  let words = telling ?? `restic ended with ${code}`
  for (const secret of [password, secretKey]) if (secret) words = words.replaceAll(secret, '…')
  return words.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)
}

const lock = z.object({ hostname: z.string(), pid: z.int() })

/** Removes the locks of this machine's processes that are gone; those of others stay (INST-27). */
export async function removeOwnLocks(repository: Repository): Promise<void> {
  const ids = (await resticOutput(repository, ['list', 'locks', '--no-lock', '-q']))
    .split('\n')
    .filter(Boolean)
  if (ids.length === 0) return
  const locks: z.infer<typeof lock>[] = []
  for (const id of ids)
    locks.push(lock.parse(JSON.parse(await resticOutput(repository, ['cat', 'lock', id, '--no-lock', '-q']))))
  if (locks.every(one => one.hostname === hostname() && !isRunning(one.pid)))
    await resticOutput(repository, ['unlock', '-q'])
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const snapshotShape = z.object({
  id: z.string(),
  time: z.string(),
  tags: z.array(z.string()).nullish(),
})
export type Snapshot = { id: string; at: string; tags: string[] }

/** The backups in a repository, newest first. */
export async function listSnapshots(repository: Repository, options?: Options): Promise<Snapshot[]> {
  const output = await resticOutput(
    repository,
    ['snapshots', '--json', '--no-lock', '--tag', backupTag],
    options,
  )
  return z
    .array(snapshotShape)
    .parse(JSON.parse(output || '[]'))
    .map(({ id, tags, time }) => ({
      id,
      at: new Date(time).toISOString(),
      tags: tags ?? [],
    }))
    .toSorted((a, b) => b.at.localeCompare(a.at))
}

/** Marks the site's backups among whatever else is in the repository. */
export const backupTag = 'condo'

/** Restores a backup into a folder, or what matches the patterns. */
export async function restoreSnapshot(
  repository: Repository,
  { id }: Snapshot,
  folder: string,
  include: readonly string[] = [],
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const some = include.flatMap(pattern => ['--include', `/${pattern}`])
  await resticOutput(repository, ['restore', id, '--target', folder, '--no-lock', ...some])
}

/** restic's working files, beside the database. */
export const resticFolder = (databaseFile: string): string => join(dirname(databaseFile), 'restic')
