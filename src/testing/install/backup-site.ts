import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TargetKind } from '../../domain/content/backup-target.ts'
import { runCli } from '../../server/cli/run-cli.ts'
import { backUpElsewhere } from '../../server/operations/backup/elsewhere/back-up.ts'
import { savedRepository } from '../../server/operations/backup/elsewhere/target.ts'
import { makeLease, signLease } from '../build-lease.ts'
import { afterThisTest } from '../cleanups.ts'
import { productionEnv } from '../production-env.ts'
import { freePort } from '../site-process.ts'
import { type TestApp, testApp } from '../test-app.ts'

export const environment = { ...productionEnv, SMTP_URL: 'smtps://user:hunter2@mail.example:465' }
export const quiet = () => {}

/** A production site with a signed lease. */
export async function site() {
  const app = await testApp({ env: productionEnv })
  const admin = await app.makeAdmin()
  if (admin.role !== 'admin') throw new Error('not an administrator')
  const lease = await makeLease(app)
  await signLease(app, lease.tenant, lease.id)
  const { backups } = app.as(admin)
  const save = async (
    kind: TargetKind,
    address: string,
    more: { user?: string; secretKey?: string } = {},
  ) => {
    const { version } = await backups.get()
    const { secretKey, user = '' } = more
    return backups.save({ version, body: { kind, address, user }, secrets: secretKey ? { secretKey } : {} })
  }
  const lines: string[] = []
  const backUp = (options = {}) =>
    backUpElsewhere(app.deps, environment, line => void lines.push(line), options)
  const repository = () => {
    const saved = savedRepository(app.deps)
    if (!saved) throw new Error('no repository')
    return saved
  }
  const notices = async () => (await app.as(admin).notices.list()).notices
  const folder = join(app.folder, 'mnt/backups')
  return { app, admin, backups, save, backUp, repository, notices, lines, folder }
}

/** Restores by the command line into an empty place, with typed answers. */
export async function restoreBy(app: TestApp, args: string[], answers: string[], name = 'elsewhere') {
  const lines: string[] = []
  const place = {
    databaseFile: join(app.folder, name, 'db/portal.sqlite'),
    uploadsDir: join(app.folder, name, 'uploads'),
  }
  const code = await runCli(['restore', ...args], {
    print: line => void lines.push(line),
    readSecret: async () => answers.shift() ?? '',
    isInteractive: false,
    environment: { ...productionEnv, DATABASE_FILE: place.databaseFile, UPLOADS_DIR: place.uploadsDir },
  })
  return { code, lines: lines.join('\n'), place }
}

/** A new sheet with what confirms it. */
export const withSheet = async ({ backups }: Awaited<ReturnType<typeof site>>) => {
  const sheet = await backups.sheet()
  const groups = sheet.phrase.split('-')
  const typed = sheet.asked.map(number => groups[number - 1]?.toLowerCase() ?? '')
  return { ...sheet, confirm: () => backups.confirm({ groups: [typed[0] ?? '', typed[1] ?? ''] }) }
}

/** A real sshd that accepts one user's keys, on a port of its own; `subsystem` answers for its files. */
export async function sftpHost(app: TestApp, subsystem = 'internal-sftp') {
  const root = join(app.folder, 'sftp')
  mkdirSync(root, { mode: 0o700 })
  const port = await freePort()
  const keys = join(root, 'authorized_keys')
  writeFileSync(keys, '', { mode: 0o600 })
  const hostKey = join(root, 'host_key')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey])
  const config = [
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin prohibit-password',
    `Subsystem sftp ${subsystem}`,
  ]
  writeFileSync(join(root, 'config'), `${config.join('\n')}\n`)
  mkdirSync('/run/sshd', { recursive: true })
  const options = [
    `HostKey=${hostKey}`,
    `AuthorizedKeysFile=${keys}`,
    `ListenAddress=127.0.0.1:${port}`,
    'PidFile=none',
  ]
  const sshd = spawn(
    '/usr/sbin/sshd',
    ['-D', '-e', '-f', join(root, 'config'), ...options.flatMap(o => ['-o', o])],
    {
      stdio: 'ignore',
    },
  )
  const failed = new Promise<never>((_, reject) =>
    sshd.once('error', () => reject(new Error('This test needs sshd: apt install openssh-server'))),
  )
  failed.catch(() => {})
  afterThisTest(() => void sshd.kill())
  await Promise.race([failed, new Promise(resolve => setTimeout(resolve, 500))])
  return { port, root, authorize: (key: string) => appendFileSync(keys, `${key}\n`) }
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'ignore' })
    child.once('error', () => reject(new Error(`This test needs ${command}: apt install openssh-server`)))
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))))
  })
}
