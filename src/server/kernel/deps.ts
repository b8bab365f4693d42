import type { Logger } from 'pino'
import type { Db } from '../../../db/open.ts'
import { type CalendarDate, dateIn } from '../../domain/common/dates.ts'
import type { ContentSource } from '../../domain/content/content.ts'
import type { GuardedFetch } from '../lib/guarded-fetch.ts'
import type { KeyState } from '../lib/installation-key.ts'
import type { MailNetwork } from '../lib/mail-network.ts'
import type { PicturePreparer } from '../workers/pictures/picture-preparer.ts'
import type { PictureReceiver } from '../workers/pictures/receive-picture.ts'
import type { CalendarParser, MarkdownParser, Renderer } from '../workers/threads.ts'
import type { Config } from './config.ts'
import type { FileStore, IncomingFile } from './file-store.ts'
import type { Limits } from './limits.ts'
import type { MailTransport } from './mail-transport.ts'
import type { Opening } from './opening.ts'
import type { Passwords } from './passwords.ts'
import type { PaymentProvider } from './payment-provider.ts'
import type { Write, WriteInParts } from './write.ts'

/** The services' dependencies. Tests can replace any of them except the database. */
export type Deps = {
  config: Config
  db: Db
  write: Write
  writeInParts: WriteInParts
  /** Changes with every commit, including those of other processes. Caches compare it. */
  dataVersion: () => string
  /** Whether a write is in progress: its changes have no data version yet and may be rolled back. */
  isWriting: () => boolean
  clock: Clock
  /** Encrypts secrets in the database. A damaged key is a state, not an error, so that everything else works. */
  key: KeyState
  log: Logger
  files: FileStore
  passwords: Passwords
  limits: Limits
  renderer: Renderer
  /** Fetches calendars from other booking platforms. */
  fetchCalendar: GuardedFetch
  calendarParser: CalendarParser
  markdownParser: MarkdownParser
  /** The site's content: the published version, or the draft in a preview. */
  siteContent: ContentSource
  /** Whether visitors see the site; always open in a preview. */
  opening: () => Opening
  /** Decodes uploaded pictures and makes their resized copies, in child processes. */
  picturePreparer: PicturePreparer
  receivePicture: PictureReceiver<IncomingFile>
  /** Reaches a mail server that the owner saved. */
  mailNetwork: MailNetwork
  /** Undefined if card payments are not set up. Follows the saved settings: read it when it is used. */
  provider: PaymentProvider | undefined
  /** Undefined if mail is not set up: then mail stays in the outbox. Follows the saved settings, like `provider`. */
  mail: MailTransport | undefined
}

export type Clock = { now: () => Date }
const systemClock: Clock = { now: () => new Date() }

/** The given clock, by default this machine's, moved by `CLOCK_OFFSET`. */
export function createClock({ clockOffsetMs }: Pick<Config, 'clockOffsetMs'>, clock = systemClock): Clock {
  if (clockOffsetMs === 0) return clock
  return { now: () => new Date(clock.now().getTime() + clockOffsetMs) }
}

/** The current moment as a UTC ISO text. */
export function nowIso({ clock }: Pick<Deps, 'clock'>): string {
  return clock.now().toISOString()
}

/** The property's calendar date now. */
export function todayAt({ clock, config }: Pick<Deps, 'clock' | 'config'>): CalendarDate {
  return dateIn(clock.now(), config.site.timeZone)
}
