import { parseArgs } from 'node:util'
import { readConfig } from '../kernel/config.ts'
import { countFiles } from '../operations/backup/archive.ts'
import { keyAdvice } from '../operations/backup/key-advice.ts'
import { restoreBackup } from '../operations/backup/restore.ts'
import { pathFrom } from './backup.ts'
import { type Command, UsageError } from './command.ts'

export const restore: Command = {
  summary: 'restore a backup to an empty destination',
  help: `Usage:
  npm run cli -- restore FILE.tar.gz

Restores a backup to DATABASE_FILE and UPLOADS_DIR. The database must not exist yet, and the folder must be empty or
not exist yet; nothing is overwritten. Every hash and the database itself are checked before anything counts as
restored. An interrupted restore can be run again. Exits with 0 if the whole backup was restored, otherwise 1.`,

  async run(args, terminal) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [file, ...rest] = positionals
    if (file === undefined || rest.length > 0) throw new UsageError('Expected one backup file.')
    const config = readConfig(terminal.environment)
    const manifest = await restoreBackup(config, pathFrom(terminal, file), terminal.print)
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
