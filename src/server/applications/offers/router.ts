import { z } from 'zod'
import { emailText } from '../../../domain/accounts/account.ts'
import { claimKinds, claimStates } from '../../../domain/bookings/claim.ts'
import {
  acceptanceForm,
  linkAcceptanceForm,
  offerChangeForm,
  offerForm,
  offerPreviewForm,
  promiseForm,
  reasonText,
} from '../../../domain/bookings/offer-form.ts'
import { recordId, withToken } from '../../../domain/common/record-ids.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  sessionProcedure,
} from '../../kernel/trpc.ts'
import { acceptByLink, acceptOwn } from './accept.ts'
import {
  changeOffer,
  declineByLink,
  declineOwn,
  openOffer,
  resendOffer,
  withdrawOffer,
} from './change-offer.ts'
import { makeOffer, previewOffer } from './make-offer.ts'
import { askNow, makePromise, proposePromise } from './promise.ts'
import { listClaims, listOwnOffers, readClaim } from './queries.ts'
import {
  acceptedNext,
  claimAnswer,
  claimEvent,
  claimView,
  guestClaimView,
  offerPreviewView,
  ownClaimView,
  promiseProposal,
} from './views.ts'

const withClaim = z.object({ claimId: recordId })
const claim = checked(z.strictObject({ claim: claimView }))
const guestClaim = checked(z.strictObject({ claim: guestClaimView }))
const ownClaim = checked(z.strictObject({ claim: ownClaimView }))
const sometimes = { stepUp: 'sometimes' } as const
const never = { stepUp: 'never' } as const

export const offersRouter = router({
  adminList: adminProcedure
    .meta({
      summary: 'Nights that are kept for somebody, and how earlier ones ended',
      rest: ['GET /api/offer/admin'],
    })
    .input(
      z
        .object({
          kind: z.enum(claimKinds).optional(),
          state: z.enum(claimStates).optional(),
          applicationId: recordId.optional(),
        })
        .default({}),
    )
    .output(checked(z.strictObject({ claims: z.array(claimView) })))
    .query(async ({ ctx, input }) => ({ claims: await listClaims(ctx.deps, ctx.actor, input) })),
  adminGet: adminProcedure
    .meta({ summary: 'An offer with its events', rest: ['GET /api/offer/admin/{claimId}'] })
    .input(withClaim)
    .output(checked(z.strictObject({ claim: claimView, events: z.array(claimEvent) })))
    .query(({ ctx, input }) => readClaim(ctx.deps, ctx.actor, input.claimId)),
  preview: adminProcedure
    .meta({
      summary: 'What an offer would say; writes nothing',
      rest: ['POST /api/offer/admin/preview'],
      ...never,
    })
    .input(offerPreviewForm)
    .output(checked(offerPreviewView))
    .mutation(({ ctx, input }) => previewOffer(ctx.deps, ctx.actor, input)),
  make: adminProcedure
    .meta({
      summary: 'Hold nights for a person until a deadline and mail the offer',
      rest: ['POST /api/offer/admin'],
      status: 201,
      stepUp: 'always',
    })
    .input(offerForm)
    .output(checked(claimAnswer))
    .mutation(({ ctx, input }) => makeOffer(ctx.deps, ctx.actor, input)),
  proposal: adminProcedure
    .meta({ summary: 'The same stay a year later', rest: ['GET /api/offer/admin/again/{applicationId}'] })
    .input(promiseForm.pick({ applicationId: true, startDate: true, endDate: true }))
    .output(checked(z.strictObject({ proposal: promiseProposal })))
    .query(({ ctx, input }) => ({ proposal: proposePromise(ctx.deps, ctx.actor, input) })),
  promise: adminProcedure
    .meta({
      summary: 'Promise nights to the tenant of a booked stay',
      rest: ['POST /api/offer/admin/again/{applicationId}'],
      status: 201,
      ...sometimes,
    })
    .input(promiseForm)
    .output(checked(claimAnswer))
    .mutation(({ ctx, input }) => makePromise(ctx.deps, ctx.actor, input)),
  change: adminProcedure
    .meta({
      summary: 'Change time, price or words of an offer',
      rest: ['PUT /api/offer/admin/{claimId}'],
      ...sometimes,
    })
    .input(offerChangeForm.extend(withClaim.shape))
    .output(claim)
    .mutation(async ({ ctx, input: { claimId, ...change } }) => ({
      claim: await changeOffer(ctx.deps, ctx.actor, claimId, change),
    })),
  withdraw: adminProcedure
    .meta({
      summary: 'Free the nights of an offer',
      rest: ['POST /api/offer/admin/{claimId}/withdraw'],
      ...sometimes,
    })
    .input(withClaim.extend({ reason: reasonText.optional() }))
    .output(claim)
    .mutation(async ({ ctx, input }) => ({
      claim: await withdrawOffer(ctx.deps, ctx.actor, input.claimId, input.reason),
    })),
  ask: adminProcedure
    .meta({
      summary: 'Ask for the answer to a promise',
      rest: ['POST /api/offer/admin/{claimId}/ask'],
      ...never,
    })
    .input(withClaim)
    .output(claim)
    .mutation(async ({ ctx, input }) => ({ claim: await askNow(ctx.deps, ctx.actor, input.claimId) })),
  resend: adminProcedure
    .meta({
      summary: 'Mail an offer with a new link; `email` corrects the address',
      rest: ['POST /api/offer/admin/{claimId}/resend'],
      ...sometimes,
    })
    .input(withClaim.extend({ email: emailText.optional() }))
    .output(claim)
    .mutation(async ({ ctx, input }) => ({
      claim: await resendOffer(ctx.deps, ctx.actor, input.claimId, input.email),
    })),

  mine: sessionProcedure
    .meta({ summary: 'Offers and promises from own booked stays', rest: ['GET /api/offer/mine'] })
    .output(checked(z.strictObject({ claims: z.array(ownClaimView) })))
    .query(({ ctx }) => ({ claims: listOwnOffers(ctx.deps, ctx.actor) })),
  accept: sessionProcedure
    .meta({
      summary: 'Accept an own offer, which books it',
      rest: ['POST /api/offer/{claimId}/accept'],
      status: 201,
      ...never,
    })
    .input(acceptanceForm.extend(withClaim.shape))
    .output(checked(z.strictObject({ claim: ownClaimView, next: acceptedNext })))
    .mutation(({ ctx, input: { claimId, ...answer } }) => acceptOwn(ctx.deps, ctx.actor, claimId, answer)),
  decline: sessionProcedure
    .meta({ summary: 'Decline an own offer', rest: ['POST /api/offer/{claimId}/decline'], ...never })
    .input(withClaim.extend({ reason: reasonText.optional() }))
    .output(ownClaim)
    .mutation(async ({ ctx, input }) => ({
      claim: await declineOwn(ctx.deps, ctx.actor, input.claimId, input.reason),
    })),

  // Mutations, so that no token gets into a URL.
  open: publicProcedure
    .meta({ summary: 'The offer of a mailed link', rest: ['POST /api/offer/open'] })
    .use(limitedByAddress('offerOpenByAddress'))
    .input(withToken)
    .output(guestClaim)
    .mutation(async ({ ctx, input }) => ({ claim: await openOffer(ctx.deps, input.token) })),
  acceptByLink: publicProcedure
    .meta({
      summary: 'Accept an offer by its link, which books it',
      rest: ['POST /api/offer/accept'],
      status: 201,
    })
    .use(limitedByAddress('offerAcceptByAddress'))
    .input(linkAcceptanceForm.extend(withToken.shape))
    .output(checked(z.strictObject({ claim: guestClaimView, next: acceptedNext })))
    .mutation(({ ctx, input }) => acceptByLink(ctx.deps, ctx.actor, input)),
  declineByLink: publicProcedure
    .meta({ summary: 'Decline an offer by its link', rest: ['POST /api/offer/decline'] })
    .use(limitedByAddress('offerAcceptByAddress'))
    .input(withToken.extend({ reason: reasonText }))
    .output(guestClaim)
    .mutation(async ({ ctx, input }) => ({
      claim: await declineByLink(ctx.deps, ctx.actor, input.token, input.reason),
    })),
})
