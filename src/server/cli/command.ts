import { pino } from 'pino'
import { createDeps } from '../create-deps.ts'
import { readConfig } from '../kernel/config.ts'
import type { Deps } from '../kernel/deps.ts'

/** Where a command reads and writes; replaced in tests. */
export type Terminal = {
  print: (line: string) => void
  /** Prompts for a secret, without echo, or reads one line of piped input. */
  readSecret: (prompt: string) => Promise<string>
  /** Whether a person types the input, who should repeat a new password. */
  isInteractive: boolean
  environment: Record<string, string | undefined>
}

/** A command of the owner's command line: `npm run cli -- name …`. */
export type Command = {
  /** One line for the list of commands. */
  summary: string
  /** What --help prints. */
  help: string
  /** @throws UsageError for invalid arguments; Error with a message for the owner */
  run: (args: string[], terminal: Terminal) => Promise<void>
}

/** The command has invalid arguments; its help is printed below the message. */
export class UsageError extends Error {}

/** Runs `work` with this installation's storage, also while the site runs, and closes the storage afterwards. */
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
