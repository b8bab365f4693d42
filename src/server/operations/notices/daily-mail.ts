import { and, desc, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { mailedNotices, outbox } from '../../../../db/schema.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { hourOfDateIn, mailHour } from '../../../domain/common/zoned-time.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { MailSources } from '../../mail/define-mail.ts'
import type { MailKinds } from '../../mail/outbox.ts'
import type { DueMails, ScheduledMailSource } from '../../mail/scheduled-mails.ts'
import { currentSite } from '../../site/content/published.ts'
import { listCriticalNotices } from './list-notices.ts'

const kind = 'owner-critical-notices'
type Props = MailKinds[typeof kind]

/**
 * Mails each critical notice on the notice board to the owner once, at most one mail a day, starting in the morning. A notice
 * that disappears and returns counts as new.
 */
export const dailyCriticalNotices: ScheduledMailSource = {
  name: 'critical notices',
  due: deps => {
    const current = new Set(listCriticalNotices(deps).map(({ id }) => id))
    const rows = deps.db.select({ id: mailedNotices.noticeId }).from(mailedNotices).all()
    const mailed = new Set(rows.map(({ id }) => id))
    const gone = [...mailed].filter(id => !current.has(id))
    const fresh = [...current].filter(id => !mailed.has(id))
    const mail = fresh.length === 0 ? undefined : mailOf(deps, fresh)
    if (gone.length === 0 && !mail) return undefined
    return { mails: mail ? [mail] : [], store: tx => updateMailedNotices(deps, tx, gone, mail ? fresh : []) }
  },
}

/** Today's mail; undefined before its hour, and if there is already one. */
function mailOf(deps: Deps, fresh: readonly string[]): DueMails['mails'][number] | undefined {
  const { ownerEmail, timeZone } = currentSite(deps)
  const now = deps.clock.now()
  const date = dateIn(now, timeZone)
  if (now < hourOfDateIn(date, mailHour, timeZone)) return undefined
  const rows = mailRows(deps)
  const dedupeKey = keyOf(date)
  if (rows.some(row => row.dedupeKey === dedupeKey)) return undefined
  // Notices from an undelivered mail move to this one, and the older mail is withdrawn.
  const undelivered = rows
    .filter(({ status }) => status === 'queued' || status === 'failed')
    .flatMap(({ props }) => (props as Partial<Props>).noticeIds ?? [])
  return {
    kind,
    to: ownerEmail,
    dedupeKey,
    props: { date, noticeIds: [...new Set([...undelivered, ...fresh])] },
  }
}

function updateMailedNotices(deps: Deps, tx: Tx, gone: string[], fresh: string[]): void {
  if (gone.length > 0) tx.delete(mailedNotices).where(inArray(mailedNotices.noticeId, gone)).run()
  for (const noticeId of fresh)
    tx.insert(mailedNotices)
      .values({ noticeId, at: nowIso(deps) })
      .onConflictDoNothing()
      .run()
}

/** Records all current critical notices as already mailed. */
export function markCriticalNoticesMailed(deps: Deps, tx: Tx): void {
  const current = listCriticalNotices(deps).map(({ id }) => id)
  updateMailedNotices(deps, tx, [], current)
}

/** The notices of this mail that are still on the board; undefined if there are none, or a newer mail lists them. */
export const remainingCriticalNotices: MailSources['criticalNotices'] = (deps, { date, noticeIds }) => {
  if (mailRows(deps)[0]?.dedupeKey !== keyOf(date)) return undefined
  const notices = listCriticalNotices(deps).filter(({ id }) => noticeIds.includes(id))
  return notices.length > 0 ? notices : undefined
}

/** Newest first. */
function mailRows({ db }: Deps) {
  return db
    .select({ dedupeKey: outbox.dedupeKey, status: outbox.status, props: outbox.props })
    .from(outbox)
    .where(and(gte(outbox.dedupeKey, keyOf('')), lt(outbox.dedupeKey, keyOf('~'))))
    .orderBy(desc(sql`rowid`))
    .all()
}

const keyOf = (date: string) => `${kind}:${date}`
