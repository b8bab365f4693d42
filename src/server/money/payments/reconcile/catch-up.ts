import type Stripe from 'stripe'
import type { Db } from '../../../../../db/open.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { hourMs } from '../../../../domain/common/durations.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { readFact, writeFact } from '../../../kernel/installation-facts.ts'
import type { NoticeCheck } from '../../../kernel/notice.ts'
import { type Repeated, repeat } from '../../../kernel/repeat.ts'
import { holdingMails } from '../../../mail/outbox.ts'
import { webhookEvents } from '../webhook-events.ts'
import { recordMissed } from './missed-events.ts'
import { applyEvent, isKnown } from './provider-events.ts'

const restoredKey = 'restored.events'
const fetchedKey = 'events.fetched'
const behindMs = 6 * hourMs
const checkMs = 10 * 60_000
const everyMs = hourMs
/** Fetched again each time: events are listed a moment after their time. */
const overlapMs = hourMs
/** A younger event may still be on its way to the webhook. */
const lateMs = hourMs
/**
 * As long as the provider keeps them: the clock at the backup, or at the last fetch, may have been ahead, and events repeat
 * for days. Known ones change nothing.
 */
const keptMs = 30 * 24 * hourMs

type Restore = { from: string; at: string } | undefined

/**
 * Fetches the provider's events every hour, and applies those that the webhook did not bring: a server that was off, a
 * wrong address or signing secret loses no dispute and no bank return. After a restore, from 30 days before the backup on,
 * repeated every ten minutes until it has succeeded; their mails are held (INST-42).
 * @param restore when the backup was made and restored, ISO; undefined if this site was never restored
 */
export const startCatchUp = (deps: Deps, restore: Restore): Repeated =>
  repeat(deps, () => fetchIfDue(deps, restore), 'the provider’s events could not be fetched', checkMs)

/** Fetches the events if an hour has passed, or if a restore still needs them. */
export async function fetchIfDue(deps: Deps, restore?: Restore): Promise<void> {
  if (!deps.provider) return
  const now = deps.clock.now().getTime()
  const last = readFact(deps.db, fetchedKey)
  const age = now - Date.parse(last ?? '')
  if (restore && !isCaughtUp(deps.db, restore.at)) {
    await catchUp(holdingMails(deps), Math.min(Date.parse(restore.from), now) - keptMs)
    await deps.write(tx => writeFact(tx, restoredKey, restore.at))
  } else if (last !== undefined) {
    // In the future: fetched while the clock was ahead.
    if (age >= 0 && age < everyMs) return
    const missed = await catchUp(deps, age < 0 ? now - keptMs : now - age - overlapMs)
    if (missed > 0) await recordMissed(deps, missed)
  }
  await deps.write(tx => restartCatchUp(deps, tx))
}

/** From now on: a new account's earlier events are not this site's. */
export const restartCatchUp = (deps: Pick<Deps, 'clock'>, tx: Parameters<typeof writeFact>[0]): void =>
  writeFact(tx, fetchedKey, nowIso(deps))

/** Nothing could be fetched for hours: what the webhook does not bring either is not known here. */
export const eventsBehind: NoticeCheck = ({ clock, config, db, provider }) => {
  const last = readFact(db, fetchedKey)
  if (!provider || !last || clock.now().getTime() - Date.parse(last) < behindMs) return []
  return [
    {
      id: 'events-behind',
      tone: 'warning',
      title: 'Stripe’s messages could not be fetched',
      detail: `Not since ${formatMoment(last, config.site.timeZone)}. Stripe does not answer, or the key may not read events: a restricted key needs the right to read them. Until then, a dispute or a return by a bank can stay unknown here if it does not arrive by itself.`,
      at: last,
      action: { kind: 'setup' },
    },
  ]
}

/** Whether the provider's events since the restore of that time were fetched. */
export const isCaughtUp = (db: Db, restoredAt: string): boolean => readFact(db, restoredKey) === restoredAt

/**
 * Applies the events of the provider since a time, in milliseconds.
 * @returns how many the webhook should have brought. @throws the first event's error, after all others were applied, which
 * may come in any order
 */
export async function catchUp(deps: Deps, since: number): Promise<number> {
  const { provider } = deps
  if (!provider) return 0
  const events: Stripe.Event[] = []
  const query = { created: { gte: Math.floor(since / 1000) }, limit: 100 }
  const read: ReadonlySet<string> = new Set(webhookEvents)
  for await (const event of provider.stripe.events.list(query)) if (read.has(event.type)) events.push(event)
  const lateBefore = (deps.clock.now().getTime() - lateMs) / 1000
  const missed = events.filter(({ created, id }) => created < lateBefore && !isKnown(deps.db, id)).length
  const failures: unknown[] = []
  // Told newest first.
  for (const event of events.toReversed())
    await applyEvent(deps, event, Buffer.from(JSON.stringify(event))).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return missed
}
