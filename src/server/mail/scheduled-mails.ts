import type { Tx } from '../../../db/open.ts'
import { isMissingEmail } from '../../domain/accounts/account-rules.ts'
import { futureEventTime } from '../kernel/clock-skew.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { type Repeated, repeat } from '../kernel/repeat.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { failpoint } from '../lib/failpoint.ts'
import { enqueueMail, type QueuedMail } from './outbox.ts'

/** Mails that are due, and what to store in the same transaction. */
export type DueMails = { mails: readonly QueuedMail[]; store?: (tx: Tx) => void }

/**
 * A feature's scheduled mails. `due` derives from the database alone what is due now and not in the outbox yet;
 * undefined for nothing. It runs twice: before the write, and again inside the transaction.
 */
export type ScheduledMailSource = { name: string; due: (deps: Deps) => DueMails | undefined }

/**
 * Writes scheduled mails into the outbox, now and every minute. The unique `dedupe_key` keeps each mail from being
 * written twice, across restarts, crashes and clock jumps. While the clock is known to be wrong or mail is not set up,
 * it writes nothing; the mails that are still valid afterwards are written then.
 */
export const startMailScheduler = (deps: Deps, sources: readonly ScheduledMailSource[]): Repeated =>
  repeat(deps, () => writeDue(deps, sources), 'the scheduled mails could not be queued')

/** A source that fails does not block the others. */
async function writeDue(deps: Deps, sources: readonly ScheduledMailSource[]): Promise<void> {
  for (const { due, name } of sources) {
    const dueNow = () => {
      const found = deps.mail && futureEventTime(deps) === undefined ? due(deps) : undefined
      // A mail that is never written would be due again every minute.
      const mails = found?.mails.filter(({ to }) => !isMissingEmail(to)) ?? []
      return mails.length > 0 || found?.store ? { ...found, mails } : undefined
    }
    // Lets requests run between two sources.
    await yieldToEventLoop()
    try {
      // Usually nothing is due; then no write is needed.
      if (!dueNow()) continue
      await deps.write(tx => {
        const { mails = [], store } = dueNow() ?? {}
        for (const mail of mails) enqueueMail(tx, nowIso(deps), mail)
        failpoint('in-clock-write')
        store?.(tx)
      })
      failpoint('after-clock-write')
    } catch (error) {
      deps.log.error({ err: error, source: name }, 'scheduled mails could not be queued')
    }
  }
}
