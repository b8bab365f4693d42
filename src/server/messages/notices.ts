import { and, count, desc, eq, gt, lte, max, min, or } from 'drizzle-orm'
import { outbox } from '../../../db/schema.ts'
import { clockToleranceMs } from '../../domain/common/clock-tolerance.ts'
import { nowIso } from '../kernel/deps.ts'
import { maxPerKind, type NoticeCheck } from '../kernel/notice.ts'
import { canRetry } from './outbox.ts'

const waitsTooLongMs = 10 * 60_000

export const failedMails: NoticeCheck = ({ clock, db }) =>
  db
    .select()
    .from(outbox)
    .where(eq(outbox.status, 'failed'))
    .orderBy(desc(outbox.createdAt))
    .limit(maxPerKind)
    .all()
    .map(row => ({
      id: `mail-${row.id}`,
      title: `A mail could not be delivered (${row.kind.replaceAll('-', ' ')})`,
      detail: `To ${row.toAddress}: ${row.lastError ?? 'given up'}`,
      at: row.createdAt,
      action: { kind: 'failed_mail', outboxId: row.id, canRetry: canRetry(nowIso({ clock }), row) },
      // Another mail would not arrive either.
      ownMail: row.kind === 'owner-critical-notices',
    }))

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
