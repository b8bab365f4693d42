import { mkdirSync } from 'node:fs'
import { pino } from 'pino'
import { openDatabase, type Sqlite } from '../../db/open.ts'
import { readingErrors } from '../domain/calendars/calendar-messages.ts'
import type { Config } from './kernel/config.ts'
import { createClock, type Deps } from './kernel/deps.ts'
import { createFileStore } from './kernel/file-store.ts'
import { assertUploadsMatch, syncStoreIds } from './kernel/files/store-id.ts'
import { createLimits } from './kernel/limits.ts'
import { createPasswords } from './kernel/passwords.ts'
import { createWrite } from './kernel/write.ts'
import { createGuardedFetch } from './lib/guarded-fetch.ts'
import { loadInstallationKey } from './lib/installation-key.ts'
import { createContentSource } from './site/content/published.ts'
import { createCalendarParser } from './workers/ical/calendar-parser.ts'
import { createMarkdownParser } from './workers/markdown/markdown-parser.ts'
import { createRenderer } from './workers/pdf/renderer.ts'
import { createPicturePreparer } from './workers/pictures/picture-preparer.ts'
import { createPictureReceiver } from './workers/pictures/receive-picture.ts'

/** Dependencies that the caller provides. */
export type DepsOverrides = Partial<
  Pick<
    Deps,
    | 'clock'
    | 'provider'
    | 'mail'
    | 'log'
    | 'limits'
    | 'passwords'
    | 'renderer'
    | 'fetchCalendar'
    | 'calendarParser'
    | 'markdownParser'
    | 'picturePreparer'
  >
>
type CreatedDeps = { deps: Deps; close: () => void }

/**
 * Opens database and file store and creates the dependencies, for the server, the command line and tests.
 * @throws DatabaseError; ConfigError when database and uploads folder do not belong together
 */
export async function createDeps(config: Config, overrides: DepsOverrides = {}): Promise<CreatedDeps> {
  assertUploadsMatch(config)
  const { sqlite, db, close } = openDatabase(config.databaseFile)
  const key = await loadInstallationKey(config.databaseFile)
  mkdirSync(config.uploadsDir, { recursive: true, mode: 0o700 })
  const { countCommit, dataVersion } = createDataVersion(sqlite)
  const isWriting = () => sqlite.inTransaction
  const files = await createFileStore(config.uploadsDir)
  const write = createWrite(sqlite, db, countCommit)
  const deps: Deps = {
    config,
    db,
    clock: createClock(config, overrides.clock),
    key,
    write,
    writeInParts: write.inParts,
    dataVersion,
    isWriting,
    log: overrides.log ?? pino({ level: config.logLevel }),
    files,
    passwords: overrides.passwords ?? createPasswords(),
    limits: overrides.limits ?? createLimits(config.rateLimits),
    renderer: overrides.renderer ?? createRenderer(),
    fetchCalendar:
      overrides.fetchCalendar ??
      createGuardedFetch({
        sentences: {
          too_large: readingErrors.tooLarge(),
          truncated: readingErrors.brokenOff(),
          unreadable: readingErrors.noCalendar(),
        },
        allowedOrigins: config.fetchAllow,
      }),
    calendarParser: overrides.calendarParser ?? createCalendarParser(),
    markdownParser: overrides.markdownParser ?? createMarkdownParser(),
    siteContent: createContentSource({ config, db, dataVersion, isWriting }),
    picturePreparer: overrides.picturePreparer ?? createPicturePreparer({ uploadsDir: config.uploadsDir }),
    receivePicture: createPictureReceiver(files),
    provider: overrides.provider,
    mail: overrides.mail,
  }
  try {
    await syncStoreIds(deps)
  } catch (error) {
    close()
    throw error
  }
  return {
    deps,
    close: () => {
      if (!overrides.renderer) void deps.renderer.close()
      if (!overrides.calendarParser) void deps.calendarParser.close()
      if (!overrides.markdownParser) void deps.markdownParser.close()
      if (!overrides.picturePreparer) void deps.picturePreparer.close()
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
      close()
    },
  }
}

/** A value that changes with each commit: `data_version` covers commits of other processes, `commits` our own. */
function createDataVersion(sqlite: Sqlite): { dataVersion: () => string; countCommit: () => void } {
  const readDataVersion = sqlite.prepare('PRAGMA data_version').pluck()
  let commits = 0
  let others: unknown
  const otherCommits = () => {
    // Reading `data_version` takes a lock, so it is read once per event loop turn.
    if (others === undefined) {
      others = readDataVersion.get()
      setImmediate(() => {
        others = undefined
      })
    }
    return others
  }
  return {
    dataVersion: () => `${commits} ${otherCommits()}`,
    countCommit: () => {
      commits += 1
    },
  }
}
