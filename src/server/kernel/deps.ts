import type { Logger } from 'pino'
import type { Db } from '../../../db/open.ts'
import type { Words } from '../../domain/content.ts'
import type { CalendarParser } from '../ical/calendar-parser.ts'
import type { GuardedFetch } from '../lib/guarded-fetch.ts'
import type { KeyState } from '../lib/installation-key.ts'
import type { Renderer } from '../pdf/renderer.ts'
import type { PicturePreparer } from '../pictures/picture-preparer.ts'
import type { PictureReceiver } from '../pictures/receive-picture.ts'
import type { Config } from './config.ts'
import type { FileStore, IncomingFile } from './file-store.ts'
import type { Limits } from './limits.ts'
import type { MailTransport } from './mail-transport.ts'
import type { Passwords } from './passwords.ts'
import type { PaymentProvider } from './payment-provider.ts'
import type { Write } from './write.ts'

/** The services' dependencies. Tests replace any of them but the database. */
export type Deps = {
  config: Config
  db: Db
  write: Write
  /** Changes with every commit, also of other processes: for caches. */
  dataVersion: () => string
  /** Whether a write is under way: what it changes has no version yet, and may be undone. */
  isWriting: () => boolean
  clock: Clock
  /** Seals secrets in the database; a damaged key is a state, so that the rest works. */
  key: KeyState
  log: Logger
  files: FileStore
  passwords: Passwords
  limits: Limits
  renderer: Renderer
  /** Fetches the calendars of other platforms. */
  fetchCalendar: GuardedFetch
  calendarParser: CalendarParser
  /** The words of the site that are shown: those that are published, or a preview's draft. */
  words: Words
  /** Reads uploaded pictures and makes their copies, in child processes. */
  picturePreparer: PicturePreparer
  receivePicture: PictureReceiver<IncomingFile>
  /** Undefined where card payments are not set up. */
  provider: PaymentProvider | undefined
  /** Undefined where mail is not set up: mail stays in the outbox. */
  mail: MailTransport | undefined
}

export type Clock = { now: () => Date }
const systemClock: Clock = { now: () => new Date() }

/** A clock, this machine's unless given, moved by `CLOCK_OFFSET`. */
export function createClock({ clockOffsetMs }: Pick<Config, 'clockOffsetMs'>, clock = systemClock): Clock {
  if (clockOffsetMs === 0) return clock
  return { now: () => new Date(clock.now().getTime() + clockOffsetMs) }
}

/** The current moment as a UTC ISO text. */
export function nowIso({ clock }: Pick<Deps, 'clock'>): string {
  return clock.now().toISOString()
}
