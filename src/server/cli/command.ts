import { pino } from 'pino'
import { createDeps } from '../create-deps.ts'
import { readConfig } from '../kernel/config.ts'
import type { Deps } from '../kernel/deps.ts'

/** Where a command reads and writes; a test brings its own. */
export type Terminal = {
  print: (line: string) => void
  /** Asks for a secret: hidden as it is typed, or one line of piped input. */
  readSecret: (prompt: string) => Promise<string>
  /** Whether somebody sits there, who is better asked twice. */
  isInteractive: boolean
  environment: Record<string, string | undefined>
}

/** One of the owner's tools: `npm run cli -- name …`. */
export type Command = {
  /** One line for the list of commands. */
  summary: string
  /** What --help prints. */
  help: string
  /** @throws UsageError for arguments that make no sense; anything that is said to the owner as it is */
  run: (args: string[], terminal: Terminal) => Promise<void>
}

/** The command was called wrongly; its help is printed below the message. */
export class UsageError extends Error {}

/** Runs `work` over this installation's storage, beside the running site, and closes it afterwards. */
export async function withDeps<T>(terminal: Terminal, work: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await createDeps(readConfig(terminal.environment), {
    log: pino({ level: 'silent' }),
  })
  try {
    return await work(deps)
  } finally {
    close()
  }
}
