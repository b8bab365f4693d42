import { and, between, count, eq, isNull } from 'drizzle-orm'
import { type Db, openExisting } from '../../../../db/open.ts'
import { outbox, providerEvents } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { plural } from '../../../domain/common/plural.ts'
import { stripeSection } from '../../../domain/content/connections.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { FoundNotice, NoticeCheck } from '../../kernel/notice.ts'
import { enteredAgainMs, isJustRestored, readRestored, restoredKey } from '../../kernel/restored.ts'
import { releaseHeld } from '../../mail/outbox.ts'
import { isCaughtUp } from '../../money/payments/reconcile/catch-up.ts'
import { readSection } from '../../site/settings.ts'

/** More application numbers than are given between two backups. */
const numbersLeftOut = 100
const catchUpWithinMs = 30 * 60_000
const shownMs = 7 * dayMs

/**
 * Marks a restored database before it is in use. Its unsent mails may have gone out after the backup, so they are held.
 * All sessions end. Offers, promises and addenda may have been answered after the backup, so those that would end within
 * a day stay open for that day (INST-42). Also works on a database from before the latest migrations.
 */
export function markRestored(file: string, from: string, at: Date): void {
  const sqlite = openExisting(file, { readonly: false })
  // The clock may have been ahead at the backup.
  const began = from < at.toISOString() ? from : at.toISOString()
  const dayAfter = new Date(at.getTime() + enteredAgainMs).toISOString()
  try {
    sqlite
      .transaction(() => {
        sqlite.prepare("update outbox set status = 'held' where status = 'queued'").run()
        sqlite.prepare('delete from sessions').run()
        // Never given again: an application since the backup may have had one of these (`nextApplicationNumber`), the
        // first of a year, too.
        for (const year of yearsBetween(from, at))
          sqlite.prepare('insert into sequences values (?, 0) on conflict do nothing').run(`APP-${year}`)
        sqlite.prepare('update sequences set last_value = last_value + ?').run(numbersLeftOut)
        if (sqlite.prepare("select 1 from sqlite_master where name = 'claims'").get())
          sqlite
            .prepare(
              "update claims set until_at = ? where state in ('open', 'asked') and until_at between ? and ?",
            )
            .run(dayAfter, began, dayAfter)
        sqlite
          .prepare(
            'insert into settings values (?, ?) on conflict (key) do update set value = excluded.value',
          )
          .run(restoredKey, JSON.stringify({ from, at: at.toISOString() }))
      })
      .immediate()
  } finally {
    sqlite.close()
  }
}

/** Covers every time zone. */
function yearsBetween(from: string, at: Date): number[] {
  const first = new Date(Date.parse(from) - dayMs).getUTCFullYear()
  const last = new Date(at.getTime() + dayMs).getUTCFullYear()
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/**
 * Whether payments since the backup may be missing here: within a day of the restore, until the provider's events were
 * fetched, and while one of them fits no payment and the owner has not looked at it. Nobody is reminded of a payment then.
 */
export function mayLackPayments({ clock, db, provider }: Pick<Deps, 'clock' | 'db' | 'provider'>): boolean {
  const restore = readRestored(db)
  if (!restore) return false
  if (isJustRestored({ clock, db })) return true
  // The keys of an account that was connected can be lost with secret.key.
  if (!provider) return readSection(db, stripeSection).body.publishableKey !== ''
  if (!isCaughtUp(db, restore.at)) return true
  // Later ones have nothing to do with the restore.
  const until = new Date(Date.parse(restore.at) + shownMs).toISOString()
  const { dismissedAt, id, outcome, receivedAt } = providerEvents
  const since = and(eq(outcome, 'quarantined'), isNull(dismissedAt), between(receivedAt, restore.at, until))
  return db.select({ id }).from(providerEvents).where(since).limit(1).get() !== undefined
}

const heldMails = (db: Db): number =>
  db.select({ mails: count() }).from(outbox).where(eq(outbox.status, 'held')).get()?.mails ?? 0

/** What a restore may have lost, and the mails that wait for the owner's word. */
export const restored: NoticeCheck = ({ clock, config, db, provider }) => {
  const restore = readRestored(db)
  if (!restore) return []
  const held = heldMails(db)
  const age = clock.now().getTime() - Date.parse(restore.at)
  const isBehind = provider !== undefined && age > catchUpWithinMs && !isCaughtUp(db, restore.at)
  const behind: FoundNotice[] = isBehind
    ? [
        {
          id: 'restored-events',
          title: 'Payments since the backup could not be fetched',
          detail:
            'The provider did not answer, or the key may not read events. It is tried again every ten minutes; compare the payments with the provider until then.',
          at: restore.at,
          action: { kind: 'server' },
        },
      ]
    : []
  if (held === 0 && (age < 0 || age > shownMs)) return behind
  const inWords = (at: string) => formatMoment(at, config.site.timeZone)
  const { account } = readSection(db, stripeSection).body
  const cards = account && provider ? ` Card payments go to the Stripe account ${account}.` : ''
  const words = `What was entered between ${inWords(restore.from)} and ${inWords(restore.at)} may be missing. Passwords, codes and links that were changed or removed then work as before.${cards}`
  return [
    ...behind,
    {
      id: 'restored',
      tone: 'warning',
      title: 'This site was restored from a backup',
      detail:
        held === 0
          ? words
          : `${words} ${plural(held, 'mail is', 'mails are')} held, as they may have gone out meanwhile.`,
      at: restore.at,
      action: held === 0 ? null : { kind: 'held_mails', mails: held },
    },
  ]
}

/** Sends or discards the mails that a restore holds. @throws AppError conflict if there are none */
export async function decideHeldMails(deps: Deps, actor: Admin, send: boolean): Promise<{ count: number }> {
  return deps.write(tx => {
    const mails = heldMails(tx)
    if (mails === 0) throw new AppError('conflict', 'No mails are held any more.')
    const at = nowIso(deps)
    releaseHeld(tx, at, send)
    recordEvent(tx, at, actor, send ? 'mail.held_sent' : 'mail.held_discarded', 'outbox', { mails })
    return { count: mails }
  })
}
