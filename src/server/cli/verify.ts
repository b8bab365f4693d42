import { parseArgs } from 'node:util'
import { readConfig } from '../kernel/config.ts'
import { exists } from '../lib/disk.ts'
import { BackupDamagedError, countFiles, readArchive } from '../operations/backup/archive.ts'
import { keyAdvice } from '../operations/backup/key-advice.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { pathFrom } from './backup.ts'
import { type Command, type Terminal, UsageError } from './command.ts'

export const verify: Command = {
  summary: 'check the stored data, or a backup',
  help: `Usage:
  npm run cli -- verify                 checks the data of this installation, beside the running site or without it
  npm run cli -- verify FILE.tar.gz     checks a backup without restoring it

Checks the structure of the database, foreign keys, the ledger (no negative paid amounts or deposits, transfers sum to
zero, no refund above what was paid), that no night is booked twice, and the hash of every lease text and stored file.
Nothing is changed. Exits with 0 if no problems were found, otherwise 1.`,

  async run(args, terminal) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [file, ...rest] = positionals
    if (rest.length > 0) throw new UsageError('Too many arguments: expected at most one file.')
    return file === undefined ? verifyData(terminal) : verifyBackup(terminal, pathFrom(terminal, file))
  },
}

async function verifyData(terminal: Terminal): Promise<void> {
  const config = readConfig(terminal.environment)
  const { faults, files, orphanedFiles } = await verifyStore(config, terminal.print)
  if (orphanedFiles > 0)
    terminal.print(
      `${orphanedFiles} files without a record, as interrupted uploads leave them; the next start sets them aside.`,
    )
  // A missing key is only advice: the data are intact, and people have other ways to log in.
  const advice = await keyAdvice(config)
  if (advice !== undefined) terminal.print(advice)
  if (faults.length > 0)
    throw new Error(
      `${faults.join('\n')}\n${faults.length} ${faults.length === 1 ? 'problem' : 'problems'} found.`,
    )
  terminal.print(`All is well: the database and ${files} files.`)
}

async function verifyBackup(terminal: Terminal, file: string): Promise<void> {
  if (!(await exists(file))) throw new Error(`There is no file ${file}.`)
  terminal.print('Checking every hash …')
  const manifest = await readArchive(file).catch(error => {
    throw error instanceof BackupDamagedError
      ? new Error(`${file} is not a complete backup: ${error.message}`)
      : error
  })
  for (const { name, problem } of manifest.damaged)
    terminal.print(`${name} was ${problem} when the backup was made.`)
  terminal.print(`All is well: a backup of ${manifest.createdAt}, ${countFiles(manifest)} files.`)
}
