import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { quickReplies } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { formatLongDate } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { formatCents } from '../../domain/common/money.ts'
import {
  fillReply,
  maxQuickReplies,
  type quickReplyChange,
  type quickReplyForm,
} from '../../domain/conversations/quick-reply.ts'
import { formatTime, staySection } from '../../domain/stays/stay-settings.ts'
import { bookedStayOf, getSubmittedApplication } from '../bookings/records.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { view } from '../kernel/view.ts'
import { moneyOf } from '../money/records.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { quickReplyView } from './views.ts'

const isCurrent = isNull(quickReplies.archivedAt)
const present = (row: typeof quickReplies.$inferSelect) => view(quickReplyView, row)

/** The owner's quick replies, in their order (MSG-14). */
export const listQuickReplies = (db: Db) =>
  db
    .select()
    .from(quickReplies)
    .where(isCurrent)
    .orderBy(asc(quickReplies.position), asc(quickReplies.createdAt))
    .all()
    .map(present)

function findReply(db: Db, id: string) {
  const found = db
    .select()
    .from(quickReplies)
    .where(and(isCurrent, eq(quickReplies.id, id)))
    .get()
  if (!found) throw new AppError('not_found', 'Quick reply not found')
  return found
}

/** @throws AppError conflict for too many */
export function addQuickReply(deps: Deps, form: z.output<typeof quickReplyForm>) {
  return deps.write(tx => {
    const others = listQuickReplies(tx)
    if (others.length >= maxQuickReplies)
      throw new AppError('conflict', `There can be at most ${maxQuickReplies} quick replies.`)
    const at = nowIso(deps)
    const row = { ...form, id: randomUUID(), position: others.length, createdAt: at, updatedAt: at }
    return present(tx.insert(quickReplies).values(row).returning().get())
  })
}

/** Changes the words, or moves it to a position. @throws AppError not_found */
export function changeQuickReply(
  deps: Deps,
  id: string,
  { position, ...words }: z.output<typeof quickReplyChange>,
) {
  return deps.write(tx => {
    findReply(tx, id)
    const set = (of: string, values: Partial<typeof quickReplies.$inferInsert>) =>
      tx.update(quickReplies).set(values).where(eq(quickReplies.id, of)).run()
    set(id, { ...words, updatedAt: nowIso(deps) })
    if (position !== undefined) {
      const order = listQuickReplies(tx).map(reply => reply.id)
      const others = order.filter(other => other !== id)
      for (const [at, of] of others.toSpliced(position, 0, id).entries()) set(of, { position: at })
    }
    return present(findReply(tx, id))
  })
}

/** @throws AppError not_found */
export function removeQuickReply(deps: Deps, id: string): Promise<void> {
  return deps.write((tx: Tx) => {
    findReply(tx, id)
    tx.update(quickReplies)
      .set({ archivedAt: nowIso(deps) })
      .where(eq(quickReplies.id, id))
      .run()
  })
}

/** Fills a quick reply from the facts of this moment; writes nothing (MSG-14). @throws AppError not_found */
export function fillQuickReply(deps: Deps, actor: Admin, id: string, applicationId: string) {
  const { db } = deps
  const { application } = getSubmittedApplication(db, actor, applicationId)
  const { ownerPhone, propertyName } = currentSite(deps)
  const stay = bookedStayOf(application)
  const times = readSection(db, staySection).body
  return fillReply(findReply(db, id).body, {
    firstName: application.firstName,
    applicationNumber: application.number,
    propertyName,
    ownerPhone,
    arrival: formatLongDate(stay.start),
    departure: formatLongDate(stay.end),
    // Without arrival information nobody has decided them.
    ...(times.enabled && { checkIn: formatTime(times.checkIn), checkOut: formatTime(times.checkOut) }),
    balance: formatCents(Math.max(0, moneyOf(db, application).money.toPay.cents)),
  })
}
