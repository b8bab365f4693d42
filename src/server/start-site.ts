import { pino } from 'pino'
import { DatabaseError } from '../../db/open.ts'
import { dayMs } from '../domain/common/durations.ts'
import { checkTemplate } from '../domain/leases/lease-text.ts'
import { tickOffers } from './applications/offers/tick.ts'
import { tickStays } from './arrival/gate.ts'
import { ensureFirstAdmin } from './auth/accounts/admins.ts'
import { sweepFactors } from './auth/factors/challenges.ts'
import { sweepSessions } from './auth/sessions/sessions.ts'
import { sealExportTokens } from './bookings/calendars/exports.ts'
import { startCalendars } from './bookings/calendars/poll.ts'
import { sealFeedAddresses } from './bookings/calendars/stored-address.ts'
import { createDeps } from './create-deps.ts'
import { buildApp, closeApp } from './http/app.ts'
import { letIn, listen } from './http/listen.ts'
import { mountStatic } from './http/static.ts'
import { type Config, ConfigError, type Environment, readConfig } from './kernel/config.ts'
import type { Deps } from './kernel/deps.ts'
import { sweepFiles } from './kernel/files/stored-file.ts'
import { repeat } from './kernel/repeat.ts'
import { readRestored } from './kernel/restored.ts'
import { tickAddenda } from './leases/addenda/close.ts'
import { tickSignings } from './leases/signing/complete.ts'
import { startMailScheduler } from './mail/scheduled-mails.ts'
import { createSmtpTransport } from './mail/smtp.ts'
import { startMailWorker } from './mail/worker.ts'
import { mailSources, scheduledMailSources } from './mail-sources.ts'
import { tickDeposits } from './money/deposits/watch.ts'
import { startPaymentSweep } from './money/payments/checkout/sweep.ts'
import { startCatchUp } from './money/payments/reconcile/catch-up.ts'
import { createPaymentProvider } from './money/payments/stripe.ts'
import { tickDismissed } from './money/payments/unexpected-payments.ts'
import { mayLackPayments } from './operations/backup/restored.ts'
import { startBackups } from './operations/backup/schedule.ts'
import { keepAlarm } from './operations/upgrade/alarm.ts'
import { publishWaiting } from './reviews/reviews.ts'
import { parseStoredTexts } from './site/content/parsed-texts.ts'
import { reportUnreadableContent } from './site/editor/unreadable-content.ts'
import { startMedia } from './site/pictures/prepare-copies.ts'

const shutdownTimeoutMs = 10_000
/** The previous process may still be finishing its last uploads. */
const minOrphanAgeMs = 60_000

/** Runs the process: config, database, deps, app, listen. On SIGTERM closes everything in order. */
export async function startSite(environment: Environment, dev: boolean): Promise<void> {
  try {
    await run(readConfig(environment), dev)
  } catch (error) {
    const isRefusal = error instanceof ConfigError || error instanceof DatabaseError
    console.error(isRefusal ? error.message : error)
    process.exit(1)
  }
}

async function run(config: Config, dev: boolean): Promise<void> {
  const faults = checkTemplate()
  if (faults.length > 0)
    throw new ConfigError(`The lease template is wrong:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)

  const log = openLog(config)
  const payments = createPaymentProvider(config)
  const demo = config.mode === 'demo' ? await loadDemo() : undefined
  const embedded = demo?.openEmbedded(config, payments)
  const smtp = config.smtpUrl
    ? createSmtpTransport({ url: config.smtpUrl, from: config.mailFrom })
    : undefined
  const mail = embedded?.mailbox ?? smtp
  const { deps, close } = await createDeps(config, { log, provider: payments, mail })
  await sealExportTokens(deps)
  await sealFeedAddresses(deps)
  if (config.demo.seed) await demo?.markEmptyDatabaseAsDemo(deps)
  const adminMessage = await ensureFirstAdmin(deps)
  // A demo without data is better than no demo.
  if (config.demo.seed)
    await demo?.seedDemo(deps).catch(error => log.error({ err: error }, 'the demo data could not be seeded'))
  const demoLoginsMessage = await demo?.demoLogins(deps)

  // Without it, texts of an earlier release are shown as they were typed.
  await parseStoredTexts(deps).catch(error => log.error({ err: error }, 'texts could not be parsed'))

  const app = await buildApp(deps)
  if (embedded?.mailbox) demo?.mountMailbox(app, embedded.mailbox, deps)
  if (embedded?.provider) await demo?.mountSandbox(app, embedded.provider)
  demo?.mountCalendarHost(app)
  await (dev ? (await import('./http/dev.ts')).mountDev(app, deps) : mountStatic(app, deps))
  await listen(app, config)
  await letIn(config)
  // Only after listening: a second process on the same storage fails above, before it could move the first one's files.
  sweep(deps)

  embedded?.provider?.start()
  const outside = startOutside(deps)
  const media = startMedia(deps)
  const daily = startDaily(deps)
  const hourly = startHourly(deps)
  const backups = config.backups.scheduled ? startBackups(deps) : undefined
  printLine(`The site is up: ${config.origin}`)
  if (adminMessage) printLine(adminMessage)
  if (demoLoginsMessage) printLine(demoLoginsMessage)
  if (config.mode === 'demo')
    printLine(`This is the demo: no real money moves, and mail is kept at ${config.origin}/sandbox/mailbox`)

  onStopSignal(async () => {
    clearInterval(daily)
    clearInterval(hourly)
    await closeApp(app, deps)
    await backups?.stop()
    await outside.stop()
    await media.stop()
    await embedded?.provider?.close()
    await mail?.close?.()
    close()
  })
}

/** Done now and every minute until stopped. */
const minuteWork: { tick: (deps: Deps) => Promise<void>; failed: string }[] = [
  { tick: tickDeposits, failed: 'deposits could not be updated' },
  { tick: tickDismissed, failed: 'dismissed money could not be updated' },
  { tick: tickAddenda, failed: 'addenda could not be closed' },
  { tick: tickSignings, failed: 'signings could not be completed' },
  { tick: deps => tickOffers(deps, mayLackPayments), failed: 'offers could not be ended' },
  { tick: tickStays, failed: 'stays could not be updated' },
]
const ownerCheckMs = 1000

/** What reaches other machines: mail, payments and calendars. A site that is installed waits until it has an owner. */
export function startOutside(deps: Deps): { stop: () => Promise<void> } {
  let works: { stop: () => Promise<void> }[] = []
  const start = () => {
    if (deps.siteContent().content.identity.ownerEmail === '') return
    clearInterval(check)
    works = [
      startPaymentSweep(deps),
      ...minuteWork.map(({ failed, tick }) => repeat(deps, tick, failed)),
      startCalendars(deps),
      startMailScheduler(deps, scheduledMailSources),
      startMailWorker(deps, mailSources),
      keepAlarm(deps),
      startCatchUp(deps, readRestored(deps.db)),
    ]
  }
  const check = setInterval(start, ownerCheckMs).unref()
  start()
  return {
    stop: async () => {
      clearInterval(check)
      for (const work of works) await work.stop()
    },
  }
}

/** Exits after `stop`, or without waiting for it after a timeout. */
function onStopSignal(stop: () => Promise<void>): void {
  const exit = async () => {
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
    await stop()
    process.exit(0)
  }
  process.once('SIGTERM', exit)
  process.once('SIGINT', exit)
}

/** Loads modules that only the demo needs, so that production does not load them. */
async function loadDemo() {
  const [stores, data, mailbox, sandbox] = await Promise.all([
    import('./operations/demo/embedded.ts'),
    import('./operations/demo/demo-data.ts'),
    import('./http/sandbox.ts'),
    import('./http/sandbox.ts'),
  ])
  return { ...stores, ...data, ...mailbox, ...sandbox }
}

/** Buffers lines for 0.1 s, as single writes would take a quarter of the time of a fast response. */
function openLog({ logLevel }: Config): pino.Logger {
  const out = pino.destination({ minLength: 4096, periodicFlush: 100 })
  process.once('exit', () => out.flushSync())
  return pino({ level: logLevel }, out)
}

function startDaily(deps: Deps): NodeJS.Timeout {
  const work = () => {
    for (const sweepRows of [sweepSessions, sweepFactors])
      void sweepRows(deps).catch(error => deps.log.error({ err: error }, 'the daily sweep failed'))
    void reportUnreadableContent(deps).catch(error =>
      deps.log.error({ err: error }, 'the report of unreadable content failed'),
    )
  }
  work()
  return setInterval(() => {
    work()
    sweep(deps)
  }, dayMs).unref()
}

/** Works without a mail server. */
function startHourly(deps: Deps): NodeJS.Timeout {
  const work = () =>
    void publishWaiting(deps).catch(error =>
      deps.log.error({ err: error }, 'waiting reviews could not be published'),
    )
  work()
  return setInterval(work, dayMs / 24).unref()
}

function sweep(deps: Deps): void {
  sweepFiles(deps, minOrphanAgeMs).catch(error => deps.log.error({ err: error }, 'the file sweep failed'))
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
