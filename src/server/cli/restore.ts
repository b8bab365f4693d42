import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readPhrase } from '../../domain/common/recovery-phrase.ts'
import { type BackupTarget, backupMessages } from '../../domain/content/backup-target.ts'
import { type Config, readConfig } from '../kernel/config.ts'
import { countFiles, type Manifest } from '../operations/backup/archive.ts'
import { restoreRepository } from '../operations/backup/elsewhere/restore-repository.ts'
import { keyAdvice } from '../operations/backup/key-advice.ts'
import { restoreBackup } from '../operations/backup/restore.ts'
import { pathFrom } from './backup.ts'
import { type Command, type Terminal, UsageError } from './command.ts'

export const restore: Command = {
  summary: 'restore a backup to an empty destination',
  help: `Usage:
  npm run cli -- restore FILE.tar.gz
  npm run cli -- restore TARGET [--user KEY] [--at ID]    as on the recovery sheet: s3:…, sftp:… or a folder

Restores a backup to DATABASE_FILE and UPLOADS_DIR. The database must not exist yet, and the folder must be empty or
not exist yet; nothing is overwritten. Every hash and the database itself are checked before anything counts as
restored. An interrupted restore can be run again. Exits with 0 if the whole backup was restored, otherwise 1.
From a target elsewhere it asks for the phrase of the recovery sheet, and for S3 the secret key; it restores the newest
backup, or that of --at, with the key of the installation. ssh uses the keys of this machine.`,

  async run(args, terminal) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { user: { type: 'string' }, at: { type: 'string' } },
    })
    const [from, ...rest] = positionals
    if (from === undefined || rest.length > 0) throw new UsageError('Expected one backup file or target.')
    const config = readConfig(terminal.environment)
    const target = targetOf(from, values.user)
    if (!target && (values.user ?? values.at) !== undefined)
      throw new UsageError('--user and --at are for targets elsewhere.')
    const manifest = target
      ? await restoreElsewhere(config, target, terminal, values.at)
      : await restoreBackup(config, pathFrom(terminal, from), terminal.print)
    const { createdAt, damaged } = manifest
    terminal.print(`Restored the backup of ${createdAt}: the database and ${countFiles(manifest)} files.`)
    terminal.print(`  ${config.databaseFile}\n  ${config.uploadsDir}`)
    for (const { name, problem } of damaged)
      terminal.print(`${name} was ${problem} when the backup was made.`)
    const advice = await keyAdvice(config)
    if (advice !== undefined) terminal.print(advice)
    terminal.print('Start the site, and run "npm run cli -- verify".')
  },
}

/** A target as the recovery sheet prints it; undefined for the file of a plain archive. */
function targetOf(text: string, user = ''): BackupTarget | undefined {
  if (text.startsWith('s3:')) {
    if (user === '') throw new UsageError('Please give the access key with --user.')
    return { kind: 's3', address: text.slice(3), user }
  }
  const [, name = '', host = '', folder = ''] = /^sftp:\/\/([^@/]+)@([^/]+)\/\/(.+)$/.exec(text) ?? []
  if (name !== '') return { kind: 'sftp', address: `${host}/${folder}`, user: name }
  const isFolder = statSync(text, { throwIfNoEntry: false })?.isDirectory()
  return text.startsWith('/') && (isFolder || !/\.(tar\.)?gz$/.test(text))
    ? { kind: 'folder', address: text, user: '' }
    : undefined
}

async function restoreElsewhere(
  config: Config,
  target: BackupTarget,
  terminal: Terminal,
  wanted: string | undefined,
): Promise<Manifest> {
  const password = readPhrase(await terminal.readSecret('Phrase of the recovery sheet: '))
  if (password === undefined) throw new Error(backupMessages.mistyped)
  const secretKey = target.kind === 's3' ? await terminal.readSecret('Secret key: ') : undefined
  return restoreRepository(config, { target, password, secretKey }, wanted, terminal.print)
}
