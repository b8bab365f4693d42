import { parseArgs } from 'node:util'
import { countFiles } from '../backup/archive.ts'
import { keyAdvice } from '../backup/key-advice.ts'
import { restoreBackup } from '../backup/restore.ts'
import { readConfig } from '../kernel/config.ts'
import { pathFrom } from './backup.ts'
import { type Command, UsageError } from './command.ts'

export const restore: Command = {
  summary: 'put a backup into an empty place',
  help: `Usage:
  npm run cli -- restore FILE.tar.gz

Puts a backup to where DATABASE_FILE and UPLOADS_DIR say. Nothing may be there yet: what exists is never replaced.
Every hash and the database itself are checked before anything counts as restored. A restore that was interrupted
can be run again. It ends with 0 when all of the backup is in place, with 1 when nothing was restored.`,

  async run(args, terminal) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [file, ...rest] = positionals
    if (file === undefined || rest.length > 0) throw new UsageError('Name the backup.')
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
