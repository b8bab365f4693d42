import { mkdirSync } from 'node:fs'
import { pino } from 'pino'
import { openDatabase, type Sqlite } from '../../db/open.ts'
import { readingErrors } from '../domain/calendars/calendar-messages.ts'
import { placeSection } from '../domain/content/install.ts'
import { cachedUntilWrite } from './kernel/cached-until-write.ts'
import type { Config } from './kernel/config.ts'
import { createClock, type Deps } from './kernel/deps.ts'
import { createFileStore } from './kernel/file-store.ts'
import { assertUploadsMatch, syncStoreIds } from './kernel/files/store-id.ts'
import { createLimits } from './kernel/limits.ts'
import { readOpening } from './kernel/opening.ts'
import { createPasswords } from './kernel/passwords.ts'
import { createWrite } from './kernel/write.ts'
import { createGuardedFetch } from './lib/guarded-fetch.ts'
import { loadInstallationKey } from './lib/installation-key.ts'
import { mailNetwork } from './lib/mail-network.ts'
import { createSavedMail } from './mail/saved-mail.ts'
import { createSavedProvider } from './money/payments/saved-provider.ts'
import { beginInstall } from './operations/install/phase.ts'
import { createContentSource } from './site/content/published.ts'
import { readSection } from './site/settings.ts'
import { createPicturePreparer } from './workers/pictures/picture-preparer.ts'
import { createPictureReceiver } from './workers/pictures/receive-picture.ts'
import { createCalendarParser, createMarkdownParser, createRenderer } from './workers/threads.ts'

/** Dependencies that the caller provides. */
export type DepsOverrides = Partial<Deps>
type CreatedDeps = { deps: Deps; close: () => void }

/**
 * Opens database and file store and creates the dependencies, for the server, the command line and tests.
 * @throws DatabaseError; ConfigError when database and uploads folder do not belong together, or the environment has
 * lost who owns the site
 */
export async function createDeps(given: Config, overrides: DepsOverrides = {}): Promise<CreatedDeps> {
  assertUploadsMatch(given)
  const { sqlite, db, close } = openDatabase(given.databaseFile, { hasSnapshot: given.held })
  const key = await loadInstallationKey(given.databaseFile)
  mkdirSync(given.uploadsDir, { recursive: true, mode: 0o700 })
  const { countCommit, dataVersion } = createDataVersion(sqlite)
  const isWriting = () => sqlite.inTransaction
  const config = withSavedTimeZone(given, { db, dataVersion, isWriting })
  const files = await createFileStore(config.uploadsDir)
  const write = createWrite(sqlite, db, countCommit)
  const outside = { provider: overrides.provider, mail: overrides.mail }
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
    opening: () => cachedUntilWrite({ dataVersion, db, isWriting }, 'opening', () => readOpening(config, db)),
    picturePreparer: overrides.picturePreparer ?? createPicturePreparer({ uploadsDir: config.uploadsDir }),
    receivePicture: createPictureReceiver(files),
    mailNetwork: overrides.mailNetwork ?? mailNetwork,
    // What the environment sets wins over what is saved.
    get provider() {
      return outside.provider ?? savedProvider()
    },
    set provider(provider) {
      outside.provider = provider
    },
    get mail() {
      return outside.mail ?? savedMail()
    },
    set mail(mail) {
      outside.mail = mail
    },
  }
  const savedProvider = createSavedProvider(deps)
  const savedMail = createSavedMail(deps)
  try {
    await syncStoreIds(deps)
    await beginInstall(deps)
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

/** The configuration with the time zone that the owner saved, where the environment has none (INST-16). */
function withSavedTimeZone(config: Config, source: Pick<Deps, 'dataVersion' | 'db' | 'isWriting'>): Config {
  if (!config.install || config.install.timeZone !== undefined) return config
  const read = () => readSection(source.db, placeSection).body.timeZone
  const site = {
    ...config.site,
    get timeZone() {
      return cachedUntilWrite(source, 'time zone', read)
    },
  }
  return { ...config, site }
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
