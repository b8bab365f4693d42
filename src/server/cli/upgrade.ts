import { parseArgs } from 'node:util'
import { stringify } from 'csv-stringify/sync'
import { openExisting } from '../../../db/open.ts'
import { readConfig } from '../kernel/config.ts'
import { markRestored } from '../operations/backup/restored.ts'
import { enteredSince } from '../operations/upgrade/entered.ts'
import { rehearse as rehearseIn } from '../operations/upgrade/rehearse.ts'
import { pathFrom } from './backup.ts'
import { type Command, UsageError } from './command.ts'

export const rehearse: Command = {
  summary: 'try this version on a copy of the data',
  help: `Usage:
  npm run cli -- rehearse FOLDER

Copies the database to a new folder in FOLDER, migrates and verifies the copy, starts the site on it without opening it,
asks for its pages, and deletes the new folder. All other files are only read. Exits with 0 if all went well.`,

  async run(args, terminal) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [folder, ...rest] = positionals
    if (folder === undefined || rest.length > 0) throw new UsageError('Expected one folder.')
    const { environment } = terminal
    for (const fault of await rehearseIn(
      readConfig(environment),
      environment,
      pathFrom(terminal, folder),
      () => {},
    ))
      terminal.print(fault)
    terminal.print('This version works with these data.')
  },
}

export const entered: Command = {
  summary: 'list what was entered since a copy of the database was made, as CSV',
  help: `Usage:
  npm run cli -- entered COPY

Prints a line for each application, lease, payment, unpublished text, message and event that the copy has not.`,

  async run(args, terminal) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [copy, ...rest] = positionals
    if (copy === undefined || rest.length > 0) throw new UsageError('Expected a copy of the database.')
    const sqlite = openExisting(readConfig(terminal.environment).databaseFile, { readonly: true })
    try {
      const rows = enteredSince(sqlite, pathFrom(terminal, copy))
      terminal.print(stringify(rows, { header: true, columns: ['kind', 'at', 'what'] }).trim())
    } finally {
      sqlite.close()
    }
  },
}

export const markCopy: Command = {
  summary: 'mark a copy of the database that is about to replace the present one',
  help: `Usage:
  npm run cli -- mark-copy FILE --from TIME

As after a restore: mails that waited in it are held, sessions end, and the provider's events since TIME are fetched.`,

  async run(args, terminal) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { from: { type: 'string' } },
    })
    const [file, ...rest] = positionals
    if (!file || rest.length > 0 || !values.from) throw new UsageError('Expected a file and --from.')
    const from = new Date(values.from)
    if (Number.isNaN(from.getTime())) throw new UsageError('Expected a time such as 2026-03-04T17:00:00Z.')
    markRestored(pathFrom(terminal, file), from.toISOString(), new Date())
    terminal.print('Marked.')
  },
}
