import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../kernel/config.ts'
import { createClock } from '../kernel/deps.ts'
import { backUpElsewhere } from '../operations/backup/elsewhere/back-up.ts'
import { keyNotInBackupMessage } from '../operations/backup/key-advice.ts'
import { recordBackup } from '../operations/backup/last-backup.ts'
import { backupName, makeBackup, megabytes, pruneBackups } from '../operations/backup/make-backup.ts'
import { type Command, type Terminal, UsageError, withDeps } from './command.ts'

export const backup: Command = {
  summary: 'save database and files as one archive',
  help: `Usage:
  npm run cli -- backup            into the folder of backups (BACKUP_DIR), keeping the newest BACKUP_KEEP
  npm run cli -- backup FILE.tar.gz
  npm run cli -- backup --elsewhere [--test]   to the target that is saved at Site, Server; --test restores it as a test

Saves the database and all stored files, including orphaned ones, whether or not the site is running. The archive
contains a hash of every entry, is readable only by its owner, and never replaces an existing file.
The key of the installation (secret.key beside the database) is not in it: keep a copy of it apart. A backup elsewhere
is encrypted, and contains the key.
Exits with 0 if everything was saved. If stored files are damaged or missing, it saves the rest, names them, deletes
no older backup and exits with 1.`,

  async run(args, terminal) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { elsewhere: { type: 'boolean' }, test: { type: 'boolean' } },
    })
    const [named, ...rest] = positionals
    if (rest.length > 0) throw new UsageError('Too many arguments: expected at most one file.')
    if (values.elsewhere !== true && values.test === true)
      throw new UsageError('--test is for backups elsewhere.')
    if (values.elsewhere === true) {
      if (named !== undefined) throw new UsageError('A backup elsewhere has no file.')
      return withDeps(terminal, deps =>
        backUpElsewhere(deps, terminal.environment, terminal.print, { test: values.test === true }),
      )
    }
    const config = readConfig(terminal.environment)
    const at = createClock(config).now()
    const { folder, keep } = config.backups
    const file = named === undefined ? join(folder, backupName(at)) : pathFrom(terminal, named)

    const made = await makeBackup(config, file, at, terminal.print)
    terminal.print(keyNotInBackupMessage)
    terminal.print(`Saved ${made.file} (${megabytes(made.sizeBytes)}, ${made.files} files).`)
    recordBackup(config.databaseFile, at, made.damaged.length)
    if (made.damaged.length > 0) {
      for (const { name, problem } of made.damaged) terminal.print(`  ${name} is ${problem}.`)
      throw new Error(
        `${made.damaged.length} stored files are damaged or missing; the backup holds everything else. Older backups were kept.`,
      )
    }
    if (named !== undefined) return
    const { ahead, deleted } = await pruneBackups(folder, keep, at)
    if (ahead > 0)
      terminal.print(
        `Backups dated in the future: ${ahead}. The clock is or was wrong; the newest ${keep} of them are kept besides the others.`,
      )
    if (deleted > 0)
      terminal.print(`Older backups deleted: ${deleted}. At most ${keep} are kept, on a fifth of the disk.`)
  },
}

/** Resolves a path against the folder in which npm was called, as npm runs scripts in the project's root. */
export const pathFrom = ({ environment }: Terminal, path: string) =>
  resolve(environment.INIT_CWD ?? process.cwd(), path)
