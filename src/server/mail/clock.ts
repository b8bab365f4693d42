import type { Tx } from '../../../db/open.ts'
import { momentAhead } from '../kernel/clock-skew.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { failpoint } from '../lib/failpoint.ts'
import { enqueueMail, type QueuedMail } from './outbox.ts'

const tickMs = 60_000

/** Mails that are due, and what is stored beside them. */
export type DueByClock = { mails: readonly QueuedMail[]; store?: (tx: Tx) => void }

/**
 * What a feature has to mail by the clock. It works out from what is stored, with no memory of its own, what is due now
 * and not in the outbox yet; undefined for nothing. It is asked twice: beside the write, and in it.
 */
export type ClockSource = { name: string; due: (deps: Deps) => DueByClock | undefined }

type MailClock = {
  /** Writes what is due now, once; resolves when it is stored. */
  tick: () => Promise<void>
  /** Waits for a tick under way. */
  stop: () => Promise<void>
}

/**
 * Writes mails that time alone makes due into the outbox, now and each minute: the unique `dedupe_key` makes each once,
 * over restarts, crashes and jumps of the clock. It writes nothing while the clock is known to be wrong, nor where mail
 * is not set up: what is still valid is written then.
 */
export function startMailClock(deps: Deps, sources: readonly ClockSource[]): MailClock {
  let running: Promise<void> | undefined
  const tick = () => {
    running ??= writeDue(deps, sources).finally(() => {
      running = undefined
    })
    return running
  }
  void tick()
  const timer = setInterval(() => void tick(), tickMs).unref()
  return {
    tick,
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** One source that fails does not hold up the others. */
async function writeDue(deps: Deps, sources: readonly ClockSource[]): Promise<void> {
  for (const { due, name } of sources) {
    const dueNow = () => (deps.mail && momentAhead(deps) === undefined ? due(deps) : undefined)
    // Requests have their turn between the looks of two features.
    await yieldToEventLoop()
    try {
      // Most of the time nothing is due, and a look costs no write.
      if (!dueNow()) continue
      await deps.write(tx => {
        const { mails = [], store } = dueNow() ?? {}
        for (const mail of mails) enqueueMail(tx, nowIso(deps), mail)
        failpoint('in-clock-write')
        store?.(tx)
      })
      failpoint('after-clock-write')
    } catch (error) {
      deps.log.error({ err: error, source: name }, 'the mails by the clock were not written')
    }
  }
}
