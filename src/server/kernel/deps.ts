import type { Logger } from 'pino'
import type { Db } from '../../../db/open.ts'
import type { Renderer } from '../pdf/renderer.ts'
import type { Config } from './config.ts'
import type { FileStore } from './file-store.ts'
import type { Limits } from './limits.ts'
import type { MailTransport } from './mail-transport.ts'
import type { Passwords } from './passwords.ts'
import type { PaymentProvider } from './payment-provider.ts'
import type { Write } from './write.ts'

/** What the services need from the world. Time, mail, provider and files are replaced in tests; the database never. */
export type Deps = {
  config: Config
  db: Db
  write: Write
  /** Another text after every change of the database, whoever made it: what was read before may be old then. */
  dataVersion: () => string
  clock: Clock
  log: Logger
  files: FileStore
  passwords: Passwords
  limits: Limits
  renderer: Renderer
  /** Undefined where card payments are not set up. */
  provider: PaymentProvider | undefined
  /** Undefined where mail is not set up: it waits in the outbox. */
  mail: MailTransport | undefined
}

export type Clock = { now: () => Date }
export const systemClock: Clock = { now: () => new Date() }

/** The clock's moment as it is stored: a UTC ISO text. */
export function nowIso({ clock }: Pick<Deps, 'clock'>): string {
  return clock.now().toISOString()
}
