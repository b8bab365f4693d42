import { and, count, desc, eq, gt, isNull, lte, max, min, or } from 'drizzle-orm'
import { outbox } from '../../../db/schema.ts'
import { clockToleranceMs } from '../../domain/common/dates.ts'
import { nowIso } from '../kernel/deps.ts'
import { type FoundNotice, maxPerKind, type NoticeCheck } from '../kernel/notice.ts'
import { canRetry } from './outbox.ts'

const waitsTooLongMs = 10 * 60_000

export const failedMails: NoticeCheck = ({ clock, db }) => {
  const now = nowIso({ clock })
  // Strangers can cause many mails that fail and expire, such as codes to addresses that do not exist.
  const isShown = and(eq(outbox.status, 'failed'), or(isNull(outbox.validUntil), gt(outbox.validUntil, now)))
  const newest = db
    .select()
    .from(outbox)
    .where(isShown)
    .orderBy(desc(outbox.createdAt))
    .limit(maxPerKind)
    .all()
  const more = (db.select({ mails: count() }).from(outbox).where(isShown).get()?.mails ?? 0) - newest.length
  const notices: FoundNotice[] = newest.map(row => ({
    id: `mail-${row.id}`,
    title: `A mail could not be delivered (${row.kind.replaceAll('-', ' ')})`,
    detail: `To ${row.toAddress}: ${row.lastError ?? 'given up'}`,
    at: row.createdAt,
    action: { kind: 'failed_mail', outboxId: row.id, canRetry: canRetry(now, row) },
    // Another mail would not arrive either.
    ownMail: row.kind === 'owner-critical-notices',
  }))
  if (more > 0)
    notices.push({
      id: 'mail-more',
      title: more === 1 ? '1 more mail could not be delivered' : `${more} more mails could not be delivered`,
      detail: 'Older ones are shown here once the newer ones are sent again or dismissed.',
    })
  return notices
}

export const waitingMails: NoticeCheck = ({ db, clock }) => {
  const now = clock.now().getTime()
  const since = new Date(now - waitsTooLongMs).toISOString()
  // Written while the clock was ahead, so how long it has waited is unknown.
  const isMisdated = gt(outbox.createdAt, new Date(now + clockToleranceMs).toISOString())
  const waiting = db
    .select({ mails: count(), oldest: min(outbox.createdAt), error: max(outbox.lastError) })
    .from(outbox)
    .where(and(eq(outbox.status, 'queued'), or(lte(outbox.createdAt, since), isMisdated)))
    .get()
  if (!waiting || waiting.mails === 0) return []
  return [
    {
      id: 'mail-waiting',
      tone: 'warning',
      title: waiting.mails === 1 ? '1 mail waits to be sent' : `${waiting.mails} mails wait to be sent`,
      detail: waiting.error
        ? `Waiting mails are sent again automatically. One of the answers: ${waiting.error}`
        : 'They are sent as soon as the mail server accepts them.',
      at: waiting.oldest,
    },
  ]
}
