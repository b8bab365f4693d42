import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { formatTime } from '../../domain/arrival/stay-messages.ts'
import { staySection } from '../../domain/arrival/stay-settings.ts'
import { formatShortDate } from '../../domain/common/dates.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { formatCents } from '../../domain/common/money.ts'
import {
  fillReply,
  maxQuickReplies,
  type QuickReplyForm,
  quickRepliesSection,
} from '../../domain/conversations/quick-reply.ts'
import { secretIn } from '../arrival/arrival.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { bookedStayOf, getSubmittedApplication } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { view } from '../kernel/view.ts'
import { moneyOf } from '../money/records.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection, saveSectionIn } from '../site/settings.ts'
import { requireOn } from './threads.ts'

export const quickReplyView = z.strictObject({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  body: z.string(),
  position: z.int(),
})
type QuickReply = z.output<typeof quickReplyView>
const present = (reply: Replies[number], position: number): QuickReply =>
  view(quickReplyView, { ...reply, position })

/** The owner's quick replies, in their order (MSG-14). @throws AppError conflict while off (MSG-01) */
export function listQuickReplies(db: Db): QuickReply[] {
  requireOn(db)
  return readSection(db, quickRepliesSection).body.replies.map(present)
}

/**
 * Adds a quick reply; guests read its words, so it asks for a step-up.
 * @throws AppError forbidden; conflict for too many, and while off; bad_request for a live code (STAY-04)
 */
export const addQuickReply = (deps: Deps, actor: Admin, form: QuickReplyForm): Promise<QuickReply> =>
  change(deps, actor, (tx, replies) => {
    requireNoSecret(deps, tx, form)
    if (replies.length >= maxQuickReplies)
      throw new AppError('conflict', `There can be at most ${maxQuickReplies} quick replies.`)
    const reply = { id: randomUUID(), ...form }
    return { replies: [...replies, reply], result: present(reply, replies.length) }
  })

/** Changes a quick reply, or its place. @throws AppError like `addQuickReply`; not_found */
export const changeQuickReply = (
  deps: Deps,
  actor: Admin,
  { id, position, ...form }: Partial<QuickReplyForm> & { id: string; position?: number | undefined },
): Promise<QuickReply> =>
  change(deps, actor, (tx, replies) => {
    requireNoSecret(deps, tx, form)
    const at = replies.findIndex(each => each.id === id)
    const former = replies[at]
    if (!former) throw notFound()
    const reply = { id, title: form.title ?? former.title, body: form.body ?? former.body }
    const changed = replies.toSpliced(at, 1).toSpliced(position ?? at, 0, reply)
    return { replies: changed, result: present(reply, changed.indexOf(reply)) }
  })

/** @throws AppError bad_request for a live code (STAY-04) */
function requireNoSecret(deps: Deps, tx: Tx, form: Partial<QuickReplyForm>): void {
  for (const [field, text] of Object.entries(form)) {
    const secret = secretIn(deps, tx, text)
    if (secret) throw fieldError(field, secret)
  }
}

/** @throws AppError forbidden without a step-up; conflict while off; not_found */
export const removeQuickReply = (deps: Deps, actor: Admin, id: string): Promise<{ message: string }> =>
  change(deps, actor, (_, replies) => {
    if (!replies.some(each => each.id === id)) throw notFound()
    return { replies: replies.filter(each => each.id !== id), result: { message: 'Quick reply removed' } }
  })

type Replies = (QuickReplyForm & { id: string })[]

function change<Result>(
  deps: Deps,
  actor: Admin,
  by: (tx: Tx, replies: Replies) => { replies: Replies; result: Result },
): Promise<Result> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    requireOn(tx)
    const { body, version } = readSection(tx, quickRepliesSection)
    const { replies, result } = by(tx, body.replies)
    saveSectionIn(deps, tx, actor, quickRepliesSection, { version, body: { replies } })
    return result
  })
}

const notFound = () => new AppError('not_found', 'There is no such quick reply.')

/** Fills a quick reply from the facts of this moment; writes nothing (MSG-14). @throws AppError conflict while off; not_found */
export function fillQuickReply(
  deps: Deps,
  actor: Admin,
  { applicationId, id }: { id: string; applicationId: string },
) {
  const { db } = deps
  const { application } = getSubmittedApplication(db, actor, applicationId)
  const reply = listQuickReplies(db).find(each => each.id === id)
  if (!reply) throw notFound()
  const { ownerPhone, propertyName } = currentSite(deps)
  const { end, start } = bookedStayOf(application)
  const { checkIn, checkOut, enabled } = readSection(db, staySection).body
  return fillReply(reply.body, {
    firstName: application.firstName,
    applicationNumber: application.number,
    propertyName,
    ownerPhone,
    arrival: formatShortDate(start),
    departure: formatShortDate(end),
    // Without arrival information nobody has decided them.
    ...(enabled && { checkIn: formatTime(checkIn), checkOut: formatTime(checkOut) }),
    balance: formatCents(Math.max(0, moneyOf(db, application).money.toPay.cents)),
  })
}
