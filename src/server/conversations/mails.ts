import { and, desc, eq, gt, isNull, lte, max, min, sql } from 'drizzle-orm'
import { applications, messages, messageThreads, users } from '../../../db/schema.ts'
import { clockToleranceMs } from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import type { Side } from '../../domain/conversations/message.ts'
import { withoutSecrets } from '../arrival/arrival.ts'
import { createLink, issueToken } from '../auth/sessions/access-links.ts'
import { findUser } from '../auth/sessions/users.ts'
import { isOfStranger, strangersMailsLeft } from '../bookings/notifications.ts'
import { isClosedToAccount } from '../bookings/records.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { maxPerKind, type NoticeCheck, openApplication } from '../kernel/notice.ts'
import type { MailSources } from '../mail/define-mail.ts'
import { enqueueMail } from '../mail/outbox.ts'
import type { ScheduledMailSource } from '../mail/scheduled-mails.ts'
import { currentSite } from '../site/content/published.ts'
import { linkSubject } from './send.ts'
import { isOn, isUnreadBy, stateOf, viewMessages, waitingThreads } from './threads.ts'

const minAgeMs = 60_000
/** What waits while mail is off, or for another day of the fifty, grows without a limit. */
const maxMailed = 20
const mailed = { tenant: messageThreads.tenantMailed, owner: messageThreads.ownerMailed }
const isThere = and(eq(applications.id, messageThreads.applicationId), isNull(applications.deletedAt))

/** One mail with all that a side has neither read nor been mailed, once a message is a minute old (MSG-09). */
export const messageMails: ScheduledMailSource = {
  name: 'messages',
  due: deps => {
    if (!isOn(deps.db)) return undefined
    const { false: known = [], true: strangers = [] } = Object.groupBy(
      dueTo(deps, 'owner'),
      ({ isOfStranger }) => `${isOfStranger === 1}` as const,
    )
    // The others wait for the next day, when they are first.
    const mailed = strangers.slice(0, strangersMailsLeft(deps.db, nowIso(deps)))
    const due = [...dueTo(deps, 'tenant'), ...known, ...mailed]
    if (due.length === 0) return undefined
    return {
      mails: due.map(({ mail }) => mail),
      store: tx => {
        for (const { mail, mark } of due) {
          const isThread = eq(messageThreads.applicationId, mail.props.applicationId)
          tx.update(messageThreads).set(mark).where(isThread).run()
        }
      },
    }
  },
}

function dueTo(deps: Deps, side: Side) {
  const { ownerEmail } = currentSite(deps)
  return deps.db
    .select({
      applicationId: messageThreads.applicationId,
      email: users.email,
      after: mailed[side],
      upTo: max(messages.number),
      oldest: min(messages.createdAt),
      isOfStranger: sql<number>`${isOfStranger}`,
    })
    .from(messageThreads)
    .innerJoin(messages, and(isUnreadBy(side), gt(messages.number, mailed[side])))
    .innerJoin(applications, isThere)
    .innerJoin(users, eq(users.id, applications.userId))
    .groupBy(messageThreads.applicationId)
    .orderBy(min(messages.createdAt))
    .all()
    .flatMap(({ email, isOfStranger, oldest, upTo, ...thread }) => {
      const age = deps.clock.now().getTime() - Date.parse(oldest ?? '')
      // One from a time when the clock was ahead does not wait for that time.
      if (upTo === null || (age < minAgeMs && age > -clockToleranceMs)) return []
      const mail = mailTo(side, { ...thread, upTo }, { owner: ownerEmail, tenant: email })
      return { mail, isOfStranger, mark: side === 'owner' ? { ownerMailed: upTo } : { tenantMailed: upTo } }
    })
}

type Range = { applicationId: string; after: number; upTo: number }

function mailTo(side: Side, props: Range, { owner, tenant }: Record<Side, string>) {
  const mail = { dedupeKey: `message:${props.applicationId}:${side}:${props.upTo}`, props }
  return side === 'owner'
    ? ({ kind: 'message-to-owner', to: owner, replyTo: tenant, ...mail } as const)
    : ({ kind: 'message-to-tenant', to: tenant, replyTo: owner, ...mail } as const)
}

/** The messages of a mail that are still unread at delivery, with the tenant's reply link; undefined if none are. */
export const messageFacts: MailSources['messages'] = async (deps, side, mail) => {
  const { db } = deps
  const { after, applicationId, upTo } = mail
  const from = Math.max(after, stateOf(db, side, applicationId).lastRead)
  const rows = db
    .select({ message: messages, application: applications })
    .from(messageThreads)
    .innerJoin(messages, and(isUnreadBy(side), gt(messages.number, from), lte(messages.number, upTo)))
    .innerJoin(applications, isThere)
    .where(eq(messageThreads.applicationId, applicationId))
    .orderBy(desc(messages.number))
    .limit(maxMailed + 1)
    .all()
  const [first] = rows
  if (!first || !isOn(db)) return undefined
  const { firstName, lastName, number, userId: personId } = first.application
  const link = { kind: 'message_reply', personId, subjectId: linkSubject(applicationId, from, upTo) } as const
  // In one write, so that no change of the address comes between.
  const sent = await deps.write(tx => {
    const at = nowIso(deps)
    const addresses = { owner: currentSite(deps).ownerEmail, tenant: findUser(tx, personId)?.email ?? '' }
    const current = mailTo(side, { applicationId, after, upTo }, addresses)
    if (current.to !== mail.to) {
      // The former address gets neither the mail nor its link.
      return void enqueueMail(tx, at, { ...current, dedupeKey: `${current.dedupeKey}:${current.to}` })
    }
    // A booking that awaits the proof of its mailbox is opened by its invitation alone (FIX-27).
    const hasLink = side === 'tenant' && !isClosedToAccount(tx, applicationId)
    return { token: hasLink ? issueToken(tx, at, createLink(tx, at, link).id)?.token : undefined }
  })
  if (!sent) return undefined
  const views = viewMessages(
    db,
    rows.slice(0, maxMailed).map(({ message }) => message),
  )
  return {
    firstName,
    lastName,
    applicationNumber: number,
    token: sent.token,
    hasMore: rows.length > maxMailed,
    messages: views.toReversed().map(({ body, files, number }) => ({
      number,
      body: withoutSecrets(deps, db, body),
      files: files.length,
    })),
  }
}

/** Messages that have waited for an answer for a day (MSG-06). */
export const unansweredMessages: NoticeCheck = deps =>
  waitingThreads(deps)
    .filter(({ since }) => deps.clock.now().getTime() - Date.parse(since) >= dayMs)
    .slice(0, maxPerKind)
    .map(({ application: { firstName, id, lastName }, since }) => ({
      id: `message-waiting-${id}`,
      tone: 'warning',
      title: `${firstName} ${lastName} has waited for an answer for more than a day`,
      detail: 'Answer under Messages, or choose “No answer needed” there.',
      at: since,
      action: openApplication(id),
    }))
