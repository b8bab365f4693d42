import { ZodError } from 'zod'
import { DatabaseError } from '../../../db/open.ts'
import { AppError } from '../../domain/common/errors.ts'
import { ConfigError } from '../kernel/config.ts'
import { errorCode } from '../lib/disk.ts'
import { BackupDamagedError } from '../operations/backup/archive.ts'
import { admin, link } from './admin.ts'
import { backup } from './backup.ts'
import { type Command, type Terminal, UsageError } from './command.ts'
import { alarm, facts, sheet } from './machine.ts'
import { restore } from './restore.ts'
import { seed } from './seed.ts'
import { testMail } from './test-mail.ts'
import { entered, markCopy, rehearse } from './upgrade.ts'
import { verify } from './verify.ts'

/** Every command by its name. A new command is a file and a line here. */
const commands: Record<string, Command> = {
  admin,
  alarm,
  backup,
  entered,
  facts,
  link,
  rehearse,
  restore,
  seed,
  sheet,
  verify,
  'mark-copy': markCopy,
  'test-mail': testMail,
}

/** Runs the command line and returns the exit code: 0 done, 1 failed, 2 invalid arguments. */
export async function runCli(args: string[], given: Terminal): Promise<0 | 1 | 2> {
  const terminal = given.environment.MACHINE_FILE === undefined ? given : asCondo(given)
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const wantsHelp = args.includes('--help') || args.includes('-h')
  if (!command) {
    if (name && !name.startsWith('-')) terminal.print(`There is no command "${name}".`)
    terminal.print(overview())
    return wantsHelp ? 0 : 2
  }
  if (wantsHelp) {
    terminal.print(command.help)
    return 0
  }
  try {
    await command.run(rest, terminal)
    return 0
  } catch (error) {
    if (isUsageError(error)) {
      terminal.print(`${error.message}\n\n${command.help}`)
      return 2
    }
    terminal.print(sentenceOf(error))
    return 1
  }
}

/** On a server that `install.sh` made, these commands are called `condo`. */
const asCondo = (terminal: Terminal): Terminal => ({
  ...terminal,
  print: line => terminal.print(line.replaceAll('npm run cli --', 'condo')),
})

function overview(): string {
  const width = Math.max(...Object.keys(commands).map(name => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: npm run cli -- COMMAND …\n\n${lines.join('\n')}\n\nEach has --help.`
}

const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

const refusals = [AppError, ConfigError, DatabaseError, BackupDamagedError]

/** The message of an expected error; an unexpected error with its stack trace, for the operator. */
function sentenceOf(error: unknown): string {
  if (error instanceof ZodError) return error.issues[0]?.message ?? 'This value is not valid'
  if (!(error instanceof Error)) return String(error)
  const isRefusal = refusals.some(kind => error instanceof kind)
  // A wrong path: no file, no database, or that of another program. Other errors of SQLite are faults of this one.
  if (/^SQLITE_(CANTOPEN|NOTADB|ERROR no such table)/.test(`${errorCode(error)} ${error.message}`))
    return `The database cannot be used: ${error.message}.`
  return isRefusal || error.constructor === Error ? error.message : (error.stack ?? error.message)
}
