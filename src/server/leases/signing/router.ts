import { z } from 'zod'
import { emailText } from '../../../domain/accounts/account.ts'
import { recordId, withApplication, withToken } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { inviteForm, ownSignatureForm, signingReason } from '../../../domain/leases/signing-input.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  sessionProcedure,
} from '../../kernel/trpc.ts'
import { inviteAsTenant, inviteSigners, leaveOut, resendInvitation, takeBack } from './invite.ts'
import { openSigner } from './open.ts'
import { countersign, declineToSign, signByLink } from './sign.ts'
import {
  afterwards,
  ofSignerAfterwards,
  openedSignerView,
  signerView,
  signingFor,
  signingView,
} from './views.ts'

const ofSigner = z.object({ signerId: recordId })
const answer = checked(z.strictObject({ signing: signingView }))

export const signingRouter = router({
  get: sessionProcedure
    .meta({ summary: 'Who signs a lease by an own link', rest: ['GET /api/signer/{applicationId}'] })
    .input(withApplication.extend({ addendumId: recordId.nullish() }))
    .output(checked(z.strictObject({ signing: signingView.nullable() })))
    .query(({ ctx: { actor, deps }, input }) => ({
      signing: signingFor(deps, actor, input.applicationId, input.addendumId),
    })),
  invite: sessionProcedure
    .meta({
      summary: 'Invite the co-applicant and adult guests to sign; the tenant alone',
      rest: ['POST /api/signer/{applicationId}/invite'],
      status: 201,
      stepUp: 'never',
    })
    .input(inviteForm.extend(withApplication.shape))
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input: { applicationId, ...form } }) => {
      await inviteAsTenant(deps, actor, applicationId, form)
      return afterwards(deps, actor, applicationId, form.addendumId)
    }),
  adminInvite: adminProcedure
    .meta({
      summary: 'Invite everybody who must sign by an own link',
      rest: ['POST /api/signer/admin/{applicationId}/invite'],
      status: 201,
      stepUp: 'never',
    })
    .input(inviteForm.extend(withApplication.shape))
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input: { applicationId, ...form } }) => {
      await inviteSigners(deps, actor, applicationId, form)
      return afterwards(deps, actor, applicationId, form.addendumId)
    }),
  takeBack: adminProcedure
    .meta({
      summary: 'Take the invitations back; signatures no longer count',
      rest: ['POST /api/signer/admin/{applicationId}/take-back'],
      stepUp: 'never',
    })
    .input(signingReason.extend({ ...withApplication.shape, addendumId: recordId.nullish() }))
    .output(checked(messageResponse))
    .mutation(async ({ ctx: { actor, deps }, input: { applicationId, ...change } }) => {
      await takeBack(deps, actor, applicationId, change)
      return { message: 'Invitations taken back' }
    }),
  resend: adminProcedure
    .meta({
      summary: 'Send a signer a new link; the earlier ones end',
      rest: ['POST /api/signer/admin/signer/{signerId}/resend'],
      stepUp: 'never',
    })
    .input(ofSigner.extend({ email: emailText.nullish() }))
    .output(checked(z.strictObject({ signer: signerView })))
    .mutation(async ({ ctx: { actor, deps }, input: { email, signerId } }) => {
      await resendInvitation(deps, actor, signerId, email ?? undefined)
      return { signer: ofSignerAfterwards(deps, actor, signerId).signer }
    }),
  leaveOut: adminProcedure
    .meta({
      summary: 'Leave out a guarantor, an adult guest or the owner who has not signed',
      rest: ['POST /api/signer/admin/signer/{signerId}/leave-out'],
      stepUp: 'never',
    })
    .input(ofSigner)
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input: { signerId } }) => {
      await leaveOut(deps, actor, signerId)
      return { signing: ofSignerAfterwards(deps, actor, signerId).signing }
    }),
  countersign: adminProcedure
    .meta({
      summary: 'The owner’s signature',
      rest: ['POST /api/signer/admin/signer/{signerId}/countersign'],
      stepUp: 'never',
    })
    .input(ownSignatureForm.extend(ofSigner.shape))
    .output(answer)
    .mutation(async ({ ctx: { actor, deps }, input: { signerId, ...given } }) => {
      await countersign(deps, actor, signerId, given)
      return { signing: ofSignerAfterwards(deps, actor, signerId).signing }
    }),
  open: publicProcedure
    .meta({ summary: 'The document of a signer’s link', rest: ['POST /api/signer/open'] })
    .input(withToken)
    .use(limitedByAddress('signerOpenByAddress'))
    .output(checked(openedSignerView))
    .mutation(({ ctx, input }) => openSigner(ctx.deps, input.token)),
  sign: publicProcedure
    .meta({ summary: 'Sign by the link of a mail', rest: ['POST /api/signer/sign'] })
    .input(ownSignatureForm.extend(withToken.shape))
    .use(limitedByAddress('signerSignByAddress'))
    .output(checked(messageResponse.extend({ state: z.enum(['signed', 'complete']) })))
    .mutation(async ({ ctx, input }) => {
      const state = await signByLink(ctx.deps, ctx.actor, input)
      return { message: 'Signed successfully', state }
    }),
  decline: publicProcedure
    .meta({ summary: 'Tell the owner why one does not sign', rest: ['POST /api/signer/decline'] })
    .input(signingReason.extend(withToken.shape))
    .use(limitedByAddress('signerSignByAddress'))
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await declineToSign(ctx.deps, ctx.actor, input.token, input.reason)
      return { message: 'We have told the owner.' }
    }),
})
