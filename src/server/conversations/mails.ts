import { and, eq, gt, isNull, lte, max, min } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { applications, messages, messageThreads, users } from '../../../db/schema.ts'
import { clockToleranceMs } from '../../domain/common/clock-tolerance.ts'
import type { Side } from '../../domain/conversations/message.ts'
import { createLink, issueToken } from '../auth/sessions/access-links.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { maxPerKind, type NoticeCheck, openApplication } from '../kernel/notice.ts'
import type { MailSources } from '../messages/define-mail.ts'
import type { ScheduledMailSource } from '../messages/scheduled-mails.ts'
import { currentSite } from '../site/content/published.ts'
import { linkSubject } from './send.ts'
import { isOn, isUnreadBy, stateOf, viewMessages, waitingThreads } from './threads.ts'

const minAgeMs = 60_000
const mailed = { tenant: messageThreads.tenantMailed, owner: messageThreads.ownerMailed }

/** One mail with all that a side has neither read nor been mailed, once a message is a minute old (MSG-09). */
export const messageMails: ScheduledMailSource = {
  name: 'messages',
  due: deps => {
    const due = isOn(deps.db) ? [...dueTo(deps, 'tenant'), ...dueTo(deps, 'owner')] : []
    if (due.length === 0) return undefined
    return {
      mails: due.map(({ mail }) => mail),
      store: (tx: Tx) => {
        for (const { applicationId, mark } of due)
          tx.update(messageThreads).set(mark).where(eq(messageThreads.applicationId, applicationId)).run()
      },
    }
  },
}

function dueTo(deps: Deps, side: Side) {
  const now = deps.clock.now().getTime()
  const { ownerEmail } = currentSite(deps)
  return deps.db
    .select({
      applicationId: messages.applicationId,
      email: users.email,
      after: mailed[side],
      upTo: max(messages.number),
      oldest: min(messages.createdAt),
    })
    .from(messageThreads)
    .innerJoin(messages, and(isUnreadBy(side), gt(messages.number, mailed[side])))
    .innerJoin(applications, and(eq(applications.id, messages.applicationId), isNull(applications.deletedAt)))
    .innerJoin(users, eq(users.id, applications.userId))
    .groupBy(messages.applicationId)
    .all()
    .flatMap(({ after, applicationId, email, oldest, upTo }) => {
      const age = now - Date.parse(oldest ?? '')
      // One from a time when the clock was ahead does not wait for that time.
      if (upTo === null || (age < minAgeMs && age > -clockToleranceMs)) return []
      const isTenant = side === 'tenant'
      return {
        applicationId,
        mark: isTenant ? { tenantMailed: upTo } : { ownerMailed: upTo },
        mail: {
          kind: isTenant ? ('message-to-tenant' as const) : ('message-to-owner' as const),
          to: isTenant ? email : ownerEmail,
          replyTo: isTenant ? ownerEmail : email,
          dedupeKey: `message:${applicationId}:${side}:${upTo}`,
          props: { applicationId, after, upTo },
        },
      }
    })
}

/** The messages of a mail that are still unread at delivery, with the tenant's reply link; undefined if none are. */
export const messageFacts: MailSources['messages'] = async (deps, side, { after, applicationId, upTo }) => {
  const { db } = deps
  if (!isOn(db)) return undefined
  const { lastRead } = stateOf(db, side, applicationId)
  const from = Math.max(after, lastRead)
  const rows = db
    .select({ message: messages, application: applications })
    .from(messageThreads)
    .innerJoin(messages, and(isUnreadBy(side), gt(messages.number, from), lte(messages.number, upTo)))
    .innerJoin(applications, and(eq(applications.id, messages.applicationId), isNull(applications.deletedAt)))
    .where(eq(messageThreads.applicationId, applicationId))
    .orderBy(messages.number)
    .all()
  const [first] = rows
  if (!first) return undefined
  const { firstName, lastName, number, userId } = first.application
  const link = { kind: 'message_reply', subjectId: linkSubject(applicationId, from, upTo) } as const
  const issued =
    side === 'tenant'
      ? await deps.write(tx => {
          const at = nowIso(deps)
          return issueToken(tx, at, createLink(tx, at, { ...link, personId: userId }).id)
        })
      : undefined
  return {
    ...{ firstName, lastName, applicationNumber: number },
    token: issued?.token,
    messages: viewMessages(
      db,
      rows.map(({ message }) => message),
    ).map(({ body, files, number }) => ({ number, body, files: files.length })),
  }
}

const longMs = 24 * 60 * 60_000

/** Messages that have waited for an answer for a day (MSG-06). */
export const unansweredMessages: NoticeCheck = deps => {
  const before = new Date(deps.clock.now().getTime() - longMs).toISOString()
  return waitingThreads(deps)
    .filter(({ since }) => since <= before)
    .slice(0, maxPerKind)
    .map(({ application: { firstName, id, lastName }, since }) => ({
      id: `message-waiting-${id}`,
      tone: 'warning',
      title: `${firstName} ${lastName} has waited for an answer for more than a day`,
      detail: 'Answer under Messages, or choose “No answer needed” there.',
      at: since,
      action: openApplication(id),
    }))
}
