import { and, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, reviews } from '../../../db/schema.ts'
import {
  type Actor,
  type Admin,
  requireTenant,
  type SignedIn,
  type System,
  system,
} from '../../domain/accounts/access.ts'
import {
  type HidingReason,
  hidingReasons,
  lastDayToWrite,
  pageReviews,
  type ReviewForm,
  type ReviewState,
  reviewNames,
  reviewPeriodMs,
  reviewStates,
  reviewTexts,
  shownReviewName,
} from '../../domain/arrival/guest-review.ts'
import { checkOutAt, reviewsSection, staySection } from '../../domain/arrival/stay-settings.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { dateIn, formatShortDate } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { wireDate, wireMoment } from '../../domain/common/wire.ts'
import { mayHaveSecret, secretIn } from '../arrival/arrival.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { findLink, markLinkUsed } from '../auth/sessions/access-links.ts'
import { type ApplicationRow, getSubmittedApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { futureEventTime } from '../kernel/clock-skew.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import { isJustRestored } from '../kernel/restored.ts'
import { failpoint } from '../lib/failpoint.ts'
import { sha256 } from '../lib/sha256.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'

type Row = typeof reviews.$inferSelect

export const reviewView = z.strictObject({
  applicationId: z.string(),
  rating: z.int(),
  title: z.string(),
  text: z.string(),
  name: z.enum(reviewNames),
  shownName: z.string(),
  state: z.enum(reviewStates),
  version: z.int(),
  createdAt: wireMoment,
  editedAt: wireMoment.nullable(),
  editableUntil: wireMoment,
  publishedAt: wireMoment.nullable(),
  hiddenReason: z.string().nullable(),
  reply: z.strictObject({ text: z.string(), at: wireMoment, editableUntil: wireMoment }).nullable(),
})
type ReviewView = z.infer<typeof reviewView>

/** `until`: the last day to write; null where nobody may. */
export const ownReviewView = z.strictObject({
  review: reviewView.nullable(),
  canWrite: z.boolean(),
  until: wireDate.nullable(),
})
export const openedReviewView = ownReviewView.extend({
  stay: z.strictObject({
    propertyName: z.string(),
    firstName: z.string(),
    startDate: wireDate,
    endDate: wireDate,
  }),
})
export const reviewListView = z.strictObject({
  reviews: z.array(
    reviewView.extend({
      applicationNumber: z.string(),
      tenantName: z.string(),
      startDate: wireDate,
      endDate: wireDate,
      publishesAt: wireMoment.nullable(),
    }),
  ),
  rating: z.strictObject({ average: z.number().nullable(), count: z.int(), notShown: z.int() }),
})

const isOn = (db: Db) => readSection(db, reviewsSection).body.enabled
const requireOn = (db: Db) => {
  if (!isOn(db)) throw new AppError('conflict', reviewTexts.off)
}
const periodAfter = (at: string) => new Date(Date.parse(at) + reviewPeriodMs).toISOString()
/** When a review that waits publishes itself: the owner has the whole period for its last words (REVIEW-06). */
const publishesAtOf = ({ createdAt, editedAt }: Row) => periodAfter(editedAt ?? createdAt)
/** Whether it may have a live code or the Wi-Fi password. Its guest is not told: that would tell which codes are live. */
const isSecret = (deps: Deps, db: Db, row: Row) => mayHaveSecret(deps, db, wordsOf(row))
const wordsOf = ({ text, title }: Row) => `${title}\n${text}`
const notFound = () => new AppError('not_found', 'Review not found')

function present(row: Row, application: ApplicationRow): ReviewView {
  const { applicationId, createdAt, editedAt, hiddenReason, name, publishedAt, rating } = row
  const { reply, replyAt, state, text, title, version } = row
  return {
    applicationId,
    rating,
    title,
    text,
    name,
    state,
    version,
    createdAt,
    editedAt,
    publishedAt,
    shownName: shownReviewName(name, application),
    editableUntil: periodAfter(createdAt),
    hiddenReason,
    reply: reply && replyAt ? { text: reply, at: replyAt, editableUntil: periodAfter(replyAt) } : null,
  }
}

const rowOf = (db: Db, applicationId: string) =>
  db.select().from(reviews).where(eq(reviews.applicationId, applicationId)).get()

/** Why this stay's guest cannot write a first review now (REVIEW-02). */
function refusalOf(deps: Deps, db: Db, { stayEndDate: endDate, status }: ApplicationRow): string | undefined {
  const { timeZone } = currentSite(deps)
  const end = checkOutAt({ endDate }, readSection(db, staySection).body, timeZone)
  if (!isBooked(status) || deps.clock.now() < end) return reviewTexts.notStayed
  const last = lastDayToWrite(endDate)
  return todayAt(deps) > last ? reviewTexts.ended(formatShortDate(last)) : undefined
}

/** A stay's review, and whether its guest can write one; nothing while off (REVIEW-01). @throws AppError not_found */
export function readReview(deps: Deps, actor: SignedIn, applicationId: string) {
  const { db } = deps
  const { application } = getSubmittedApplication(db, actor, applicationId)
  const row = isOn(db) ? rowOf(db, applicationId) : undefined
  const canWrite = isOn(db) && !row && refusalOf(deps, db, application) === undefined
  const until = canWrite ? lastDayToWrite(application.stayEndDate) : null
  return { review: row ? present(row, application) : null, canWrite, until }
}

/**
 * Writes the one review of a stay; with `version` changes it, until it is published and at most 14 days.
 * @throws AppError conflict, forbidden for an administrator, not_found
 */
export function writeReview(
  deps: Deps,
  actor: SignedIn,
  { applicationId, version, ...form }: ReviewForm & { applicationId: string; version?: number | undefined },
): Promise<ReviewView> {
  const tenant = requireTenant(actor, 'Only the guest can write a review.')
  return deps.write(tx => {
    requireOn(tx)
    const { application } = getSubmittedApplication(tx, tenant, applicationId)
    const { name, rating, text, title } = form
    const words = { name, rating, text, title }
    const at = nowIso(deps)
    const before = rowOf(tx, applicationId)
    if (version !== undefined) {
      if (!before) throw notFound()
      if (before.state !== 'waiting' || at >= periodAfter(before.createdAt))
        throw new AppError('conflict', reviewTexts.fixed)
      if (before.version !== version) throw new AppError('conflict', reviewTexts.stale)
      const changed = store(tx, at, tenant, before, 'changed', { ...words, editedAt: at })
      mailOwner(deps, tx, at, changed, application)
      return present(changed, application)
    }
    const refusal = before ? reviewTexts.second : refusalOf(deps, tx, application)
    if (refusal) throw new AppError('conflict', refusal)
    const created = { applicationId, ...words, state: 'waiting', version: 1, createdAt: at } as const
    const row = tx.insert(reviews).values(created).returning().get()
    recordEvent(tx, at, tenant, 'review.written', applicationId, { rating })
    mailOwner(deps, tx, at, row, application)
    return present(row, application)
  })
}

/** Tells the owner of a new review, and once more of its first change (REVIEW-06). */
function mailOwner(deps: Deps, tx: Tx, at: string, row: Row, { firstName, lastName }: ApplicationRow): void {
  const { applicationId, editedAt, rating } = row
  const quote = isSecret(deps, tx, row) ? reviewTexts.secretInMail : row.text
  enqueueMail(tx, at, {
    kind: 'review',
    to: currentSite(deps).ownerEmail,
    dedupeKey: `review${editedAt ? '-changed' : ''}:${applicationId}`,
    props: {
      applicationId,
      subject: `${editedAt ? 'Changed' : 'New'} review: ${rating} of 5 from ${firstName} ${lastName}`,
      label: `${rating} of 5 stars`,
      quote,
      path: '/admin/reviews',
      note: 'Publish it, or hide it for a reason. Without a decision it is published 14 days after its last change.',
    },
  })
}

/** Stores a change with its event. */
function store(
  tx: Tx,
  at: string,
  actor: Actor | System,
  row: Row,
  event: string,
  values: Partial<Row>,
): Row {
  recordEvent(tx, at, actor, `review.${event}`, row.applicationId, { rating: row.rating })
  const isThis = eq(reviews.applicationId, row.applicationId)
  return tx
    .update(reviews)
    .set({ ...values, version: row.version + 1 })
    .where(isThis)
    .returning()
    .get()
}

/** Takes a review back for good, also while reviews are off (REVIEW-04). @throws AppError forbidden, not_found */
export function withdrawReview(deps: Deps, actor: SignedIn, applicationId: string): Promise<ReviewView> {
  const tenant = requireTenant(actor, 'Only the guest can withdraw a review.')
  return deps.write(tx => {
    const { application } = getSubmittedApplication(tx, tenant, applicationId)
    const row = rowOf(tx, applicationId)
    if (!row) throw notFound()
    if (row.state === 'withdrawn') return present(row, application)
    return present(store(tx, nowIso(deps), tenant, row, 'withdrawn', { state: 'withdrawn' }), application)
  })
}

/**
 * What the owner decides: to publish, to hide for a reason, or a reply, null to take it away. `version` is of the words
 * that the owner has read.
 */
export type Decision = ({ publish: true } | { hide: HidingReason } | { reply: string | null }) & {
  version?: number | undefined
}

/** Decides on a review, whose words stay the guest's (REVIEW-06, 07, 09). @throws AppError conflict, not_found */
export function decideReview(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  decision: Decision,
): Promise<ReviewView> {
  return deps.write(tx => {
    // It stands on the public page.
    if ('reply' in decision && decision.reply !== null) requireStepUp(deps, tx, actor)
    requireOn(tx)
    const { account, application } = getSubmittedApplication(tx, actor, applicationId)
    const row = rowOf(tx, applicationId)
    if (!row) throw notFound()
    if (row.state === 'withdrawn') throw new AppError('conflict', reviewTexts.withdrawn)
    const requireRead = () => {
      if (decision.version !== undefined && decision.version !== row.version)
        throw new AppError('conflict', reviewTexts.stale)
    }
    const at = nowIso(deps)
    const { companyName } = currentSite(deps)
    const mailGuest = (what: string, subject: string, label: string, quote: string) =>
      enqueueMail(tx, at, {
        kind: 'review',
        to: account.email,
        dedupeKey: `review-${what}:${applicationId}`,
        props: {
          applicationId,
          firstName: application.firstName,
          subject,
          label,
          quote,
          path: `/review/${applicationId}`,
        },
      })
    const decide = (): Row => {
      if ('publish' in decision) {
        if (row.state === 'published') return row
        requireRead()
        if (secretIn(deps, tx, wordsOf(row))) throw new AppError('conflict', reviewTexts.secret)
        return publish(tx, at, actor, row)
      }
      if ('hide' in decision) {
        if (row.state === 'hidden') return row
        requireRead()
        mailGuest('hidden', 'Your review is not shown', 'Why', hidingReasons[decision.hide])
        return store(tx, at, actor, row, 'hidden', {
          state: 'hidden',
          hiddenReason: decision.hide,
          hiddenAt: at,
        })
      }
      const { reply } = decision
      if (row.state !== 'published') throw new AppError('conflict', reviewTexts.notPublished)
      if (reply === row.reply) return row
      if (reply !== null && row.replyAt && at >= periodAfter(row.replyAt))
        throw new AppError('conflict', reviewTexts.replyFixed)
      if (reply !== null) mailGuest('reply', 'A reply to your review', `Reply from ${companyName}`, reply)
      return store(tx, at, actor, row, 'replied', { reply, replyAt: row.replyAt ?? at })
    }
    return present(decide(), application)
  })
}

function publish(tx: Tx, at: string, actor: Admin | System, row: Row): Row {
  const publishedAt = row.publishedAt ?? at
  const changed = store(tx, at, actor, row, 'published', {
    state: 'published',
    publishedAt,
    hiddenReason: null,
  })
  failpoint('in-review-publish')
  return changed
}

/**
 * Publishes what has waited for the owner for 14 days and has no secret; nothing while the clock is known to be wrong
 * (REVIEW-06), and for a day after a restore (INST-42).
 */
export async function publishWaiting(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - reviewPeriodMs).toISOString()
  const isDue = and(
    eq(reviews.state, 'waiting'),
    lte(sql`coalesce(${reviews.editedAt}, ${reviews.createdAt})`, before),
  )
  const due = (db: Db) =>
    db
      .select()
      .from(reviews)
      .where(isDue)
      .all()
      .filter(row => !isSecret(deps, db, row))
  if (!isOn(deps.db) || futureEventTime(deps) || isJustRestored(deps) || due(deps.db).length === 0) return
  await deps.write(tx => {
    for (const row of due(tx)) publish(tx, nowIso(deps), system, row)
  })
}

const selectReviews = (db: Db, state?: ReviewState) =>
  db
    .select({ row: reviews, application: applications })
    .from(reviews)
    .innerJoin(applications, and(eq(applications.id, reviews.applicationId), isNull(applications.deletedAt)))
    .where(state && eq(reviews.state, state))
    .orderBy(desc(reviews.createdAt))
    .all()

/** The owner's list, newest first, with the rating of the page. */
export function listReviews(deps: Deps, state: ReviewState | undefined): z.infer<typeof reviewListView> {
  const { rating = { average: null, count: 0, notShown: 0 } } = reviewsOfPage(deps)
  return {
    reviews: selectReviews(deps.db, state).map(({ application, row }) => ({
      ...present(row, application),
      applicationNumber: application.number,
      tenantName: `${application.firstName} ${application.lastName}`,
      startDate: application.stayStartDate,
      endDate: application.stayEndDate,
      publishesAt: row.state === 'waiting' && !isSecret(deps, deps.db, row) ? publishesAtOf(row) : null,
    })),
    rating,
  }
}

/** Reviews that wait for the owner. */
export const waitingReviews = ({ db }: Deps) => (isOn(db) ? selectReviews(db, 'waiting') : [])

/** The reviews of the home page, without ids, surnames and numbers of guests (REVIEW-10, REVIEW-13). */
export function reviewsOfPage({ db, config, siteContent }: Pick<Deps, 'config' | 'db' | 'siteContent'>) {
  const guests = selectReviews(db).map(({ application, row: { name, ...row } }) => ({
    ...row,
    id: sha256(`review ${row.applicationId}`).slice(0, 16),
    name: shownReviewName(name, application),
    endDate: application.stayEndDate,
    date: dateIn(new Date(row.createdAt), config.site.timeZone),
  }))
  return pageReviews(guests, siteContent().content.reviews.reviews, hasPublishedReview(db))
}

/** Whether samples are gone for good, also if the stay was deleted since (REVIEW-11). */
export const hasPublishedReview = (db: Db): boolean =>
  db
    .select({ at: reviews.publishedAt })
    .from(reviews)
    .all()
    .some(({ at }) => at !== null)

/** The guest of a mailed link. @throws AppError not_found, the same for every link that opens nothing (REVIEW-05) */
function openLink(deps: Deps, { requestOrigin }: Exclude<Actor, System>, token: string) {
  const link = isOn(deps.db) ? findLink(deps.db, nowIso(deps), 'review', token) : undefined
  const actor = { role: 'tenant', userId: link?.personId ?? '', requestOrigin } as const
  try {
    const { application } = getSubmittedApplication(deps.db, actor, link?.subjectId ?? '')
    return { actor, application, linkId: link?.id ?? '' }
  } catch {
    throw new AppError('not_found', reviewTexts.deadLink)
  }
}

/** What a mailed link shows. Changes nothing. @throws AppError not_found */
export function readByLink(deps: Deps, guest: Exclude<Actor, System>, token: string) {
  const { actor, application } = openLink(deps, guest, token)
  const { firstName, stayEndDate: endDate, stayStartDate: startDate } = application
  const { propertyName } = currentSite(deps)
  return { stay: { propertyName, firstName, startDate, endDate }, ...readReview(deps, actor, application.id) }
}

/** Writes a review, or changes it, by a mailed link. @throws AppError like `writeReview`; too_many */
export async function writeByLink(
  deps: Deps,
  guest: Exclude<Actor, System>,
  { token, ...form }: ReviewForm & { token: string; version?: number | undefined },
): Promise<ReviewView> {
  const { actor, application, linkId } = openLink(deps, guest, token)
  // Each change stays in the audit log, as those of the account's sessions do.
  await deps.limits.consume('writeByTenantAndDay', actor.userId)
  const review = await writeReview(deps, actor, { ...form, applicationId: application.id })
  await deps.write(tx => markLinkUsed(tx, nowIso(deps), linkId))
  return review
}
