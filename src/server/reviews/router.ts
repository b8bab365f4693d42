import { z } from 'zod'
import {
  cleanedText,
  hidingReason,
  reviewFormWith,
  reviewStates,
  reviewTexts,
} from '../../domain/arrival/guest-review.ts'
import { withApplication, withToken } from '../../domain/common/record-ids.ts'
import { cleanLine, cleanText } from '../../domain/content/content-text.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  sessionProcedure,
} from '../kernel/trpc.ts'
import {
  decideReview,
  listReviews,
  openedReviewView,
  ownReviewView,
  readByLink,
  readReview,
  reviewListView,
  reviewView,
  withdrawReview,
  writeByLink,
  writeReview,
} from './reviews.ts'

const reviewForm = reviewFormWith(cleanLine, cleanText)
const replyText = cleanedText(cleanText, 1, 1000, reviewTexts.reply)
const version = z.int().min(1)
/** `version`: of the words that the owner has read. */
const withRead = withApplication.extend({ version: version.optional() })
const answer = checked(z.strictObject({ review: reviewView }))
const never = { stepUp: 'never' } as const

export const reviewsRouter = router({
  get: sessionProcedure
    .meta({ summary: 'The review of a stay', rest: ['GET /api/review/{applicationId}'] })
    .input(withApplication)
    .output(checked(ownReviewView))
    .query(({ ctx, input }) => readReview(ctx.deps, ctx.actor, input.applicationId)),
  write: sessionProcedure
    .meta({ summary: 'Write a review', rest: ['POST /api/review/{applicationId}'], status: 201, ...never })
    .input(reviewForm.extend(withApplication.shape))
    .output(answer)
    .mutation(async ({ ctx, input }) => ({ review: await writeReview(ctx.deps, ctx.actor, input) })),
  change: sessionProcedure
    .meta({
      summary: 'Change a review before it is published',
      rest: ['PUT /api/review/{applicationId}'],
      ...never,
    })
    .input(reviewForm.extend({ ...withApplication.shape, version }))
    .output(answer)
    .mutation(async ({ ctx, input }) => ({ review: await writeReview(ctx.deps, ctx.actor, input) })),
  withdraw: sessionProcedure
    .meta({
      summary: 'Take a review back for good',
      rest: ['POST /api/review/{applicationId}/withdraw'],
      ...never,
    })
    .input(withApplication)
    .output(answer)
    .mutation(async ({ ctx, input }) => ({
      review: await withdrawReview(ctx.deps, ctx.actor, input.applicationId),
    })),
  open: publicProcedure
    .meta({
      summary: 'A stay and its review, by a mailed link; changes nothing',
      rest: ['POST /api/review/open'],
    })
    .input(withToken)
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(openedReviewView))
    .mutation(({ ctx, input }) => readByLink(ctx.deps, ctx.actor, input.token)),
  writeByLink: publicProcedure
    .meta({
      summary: 'Write or change a review by a mailed link',
      rest: ['POST /api/review/write'],
      status: 201,
    })
    .input(reviewForm.extend({ ...withToken.shape, version: version.optional() }))
    .use(limitedByAddress('guestLinkByAddress'))
    .output(answer)
    .mutation(async ({ ctx, input }) => ({ review: await writeByLink(ctx.deps, ctx.actor, input) })),
  adminAll: adminProcedure
    .meta({ summary: 'All reviews, newest first', rest: ['GET /api/review/admin/all'] })
    .input(z.object({ state: z.enum(reviewStates).optional() }).optional())
    .output(checked(reviewListView))
    .query(({ ctx, input }) => listReviews(ctx.deps, input?.state)),
  publish: adminProcedure
    .meta({ summary: 'Publish a review', rest: ['POST /api/review/admin/{applicationId}/publish'], ...never })
    .input(withRead)
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input: { applicationId, version } }) => ({
      review: await decideReview(deps, actor, applicationId, { publish: true, version }),
    })),
  hide: adminProcedure
    .meta({
      summary: 'Hide a review for a reason',
      rest: ['POST /api/review/admin/{applicationId}/hide'],
      ...never,
    })
    .input(withRead.extend({ reason: hidingReason }))
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input: { applicationId, reason, version } }) => ({
      review: await decideReview(deps, actor, applicationId, { hide: reason, version }),
    })),
  reply: adminProcedure
    .meta({
      summary: 'Reply to a published review',
      rest: ['PUT /api/review/admin/{applicationId}/reply'],
      stepUp: 'sometimes',
    })
    .input(withApplication.extend({ text: replyText.nullable() }))
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input }) => ({
      review: await decideReview(deps, actor, input.applicationId, { reply: input.text }),
    })),
})
