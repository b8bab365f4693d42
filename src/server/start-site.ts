import { pino } from 'pino'
import { DatabaseRefused } from '../../db/open.ts'
import { checkTemplate } from '../domain/lease-text.ts'
import { ensureFirstAdmin } from './accounts/admins.ts'
import { sweepSessions } from './accounts/sessions.ts'
import { assemble } from './assemble.ts'
import { startBackups } from './backup/schedule.ts'
import { type Config, ConfigFault, type Environment, readConfig } from './config.ts'
import { claimForDemo, demoLogins, seedDemo } from './demo/demo-data.ts'
import type { Deps } from './deps.ts'
import { sweepFiles } from './files/stored-file.ts'
import { buildApp } from './http/app.ts'
import { mountMailbox } from './http/mailbox.ts'
import { mountSandbox } from './http/sandbox.ts'
import { mountStatic } from './http/static.ts'
import { createSmtpTransport } from './mail/smtp.ts'
import { startMailWorker } from './mail/worker.ts'
import { receiptData } from './payments/receipts.ts'
import { createPaymentProvider } from './payments/stripe.ts'
import { startPaymentSweep } from './payments/sweep.ts'
import { openEmbedded } from './sandbox/embedded.ts'

const shutdownMs = 10_000
const hangUpEveryMs = 100
const dayMs = 24 * 60 * 60_000

/** Config -> database -> deps -> app -> listen; closes everything in order on SIGTERM. The whole life of the process. */
export async function startSite(environment: Environment, dev: boolean): Promise<void> {
  try {
    await run(readConfig(environment), dev)
  } catch (error) {
    const isRefusal = error instanceof ConfigFault || error instanceof DatabaseRefused
    console.error(isRefusal ? error.message : error)
    process.exit(1)
  }
}

async function run(config: Config, dev: boolean): Promise<void> {
  const faults = checkTemplate()
  if (faults.length > 0)
    throw new ConfigFault(`The lease template is wrong:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)

  const log = pino({ level: config.logLevel })
  const payments = createPaymentProvider(config)
  const embedded = openEmbedded(config, payments)
  const smtp = config.smtpUrl
    ? createSmtpTransport({ url: config.smtpUrl, from: config.mailFrom })
    : undefined
  const mail = embedded.mailbox ?? smtp
  const { deps, close } = await assemble(config, { log, provider: payments, mail })
  if (config.demo.seed) await claimForDemo(deps)
  const aboutAdmin = await ensureFirstAdmin(deps)
  await sweepFiles(deps)
  // A demo without its data is better than none.
  if (config.demo.seed)
    await seedDemo(deps).catch(error => log.error({ err: error }, 'the demo data were not made'))
  const aboutTenants = await demoLogins(deps)

  const app = await buildApp(deps)
  if (embedded.mailbox) mountMailbox(app, embedded.mailbox, config)
  if (embedded.provider) await mountSandbox(app, embedded.provider)
  await (dev ? (await import('./http/dev.ts')).mountDev(app) : mountStatic(app, deps))
  await app.listen({ host: config.host, port: config.port })

  embedded.provider?.start()
  const mailWorker = startMailWorker(deps, { receipt: receiptData })
  const paymentSweep = startPaymentSweep(deps)
  const daily = startDaily(deps)
  const backups = config.backups.scheduled ? startBackups(deps) : undefined
  say(`The site is up: ${config.origin}`)
  if (aboutAdmin) say(aboutAdmin)
  if (aboutTenants) say(aboutTenants)
  if (config.mode === 'demo')
    say(`This is the demo: no real money moves, and mail is kept at ${config.origin}/sandbox/mailbox`)

  const stop = async () => {
    const giveUp = setTimeout(() => process.exit(1), shutdownMs).unref()
    clearInterval(daily)
    // A connection that was busy at the signal is kept alive by its client afterwards, and would hold up the end.
    const hangUp = setInterval(() => app.server.closeIdleConnections(), hangUpEveryMs)
    await app.close()
    clearInterval(hangUp)
    await backups?.stop()
    await paymentSweep.stop()
    await mailWorker.stop()
    await embedded.provider?.close()
    await mail?.close?.()
    close()
    clearTimeout(giveUp)
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function startDaily(deps: Deps): NodeJS.Timeout {
  const work = () =>
    void sweepSessions(deps).catch(error => deps.log.error({ err: error }, 'the daily sweep failed'))
  work()
  return setInterval(work, dayMs).unref()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
