import { z } from 'zod'
import { recordId } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import {
  agreementForm,
  caseForm,
  depositListInput,
  itemForm,
  itemIdInput,
  keepForm,
  letterForm,
  letterIdInput,
  objectionForm,
  ofApplication,
  planInput,
  returnForm,
  ruleForm,
  ruleIdInput,
  statementForm,
} from '../../../domain/money/deposit-input.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../../kernel/trpc.ts'
import { addItem, changeCase, changeItem, removeItem, removeItemPhoto } from './items.ts'
import { adminDeposit, listDeposits, showDeposit, tenantDeposit } from './queries.ts'
import { addRule, archiveRule, listRules } from './rules.ts'
import { keepItems, planOfReturn, returnDeposit } from './settle.ts'
import { agreeTo, objectTo, printLetter, sendStatement, voidLetter } from './statements.ts'
import { adminDepositView, depositView, letterView, planView, ruleView } from './views.ts'

const own = checked(z.strictObject({ deposit: depositView }))
const owners = checked(z.strictObject({ deposit: adminDepositView }))
const answer = sessionProcedure.meta({ stepUp: 'never' })
const change = adminProcedure.meta({ stepUp: 'never' })
const settle = adminProcedure.meta({ stepUp: 'always' })

export const depositsRouter = router({
  get: sessionProcedure
    .meta({ summary: 'The deposit of an application', rest: ['GET /api/deposit/{applicationId}'] })
    .input(ofApplication)
    .output(checked(z.strictObject({ deposit: z.union([adminDepositView, depositView]).nullable() })))
    .query(({ ctx, input }) => ({ deposit: showDeposit(ctx.deps, ctx.actor, input.applicationId) })),
  object: answer
    .meta({
      summary: 'Object to the newest statement',
      rest: ['POST /api/deposit/{applicationId}/objection'],
    })
    .input(objectionForm.extend(ofApplication.shape))
    .output(own)
    .mutation(async ({ ctx, input }) => {
      await objectTo(ctx.deps, ctx.actor, input.applicationId, input)
      return tenantDeposit(ctx.deps, ctx.actor, input.applicationId)
    }),
  agree: answer
    .meta({
      summary: 'Agree to the newest statement',
      rest: ['POST /api/deposit/{applicationId}/agreement'],
    })
    .input(agreementForm.extend(ofApplication.shape))
    .output(own)
    .mutation(async ({ ctx, input }) => {
      await agreeTo(ctx.deps, ctx.actor, input.applicationId, input.statementId)
      return tenantDeposit(ctx.deps, ctx.actor, input.applicationId)
    }),

  list: adminProcedure
    .meta({ summary: 'All deposits, by their next date', rest: ['GET /api/deposit/admin/all'] })
    .input(depositListInput.optional())
    .output(checked(z.strictObject({ deposits: z.array(adminDepositView) })))
    .query(async ({ ctx, input }) => ({ deposits: await listDeposits(ctx.deps, ctx.actor, input?.state) })),
  change: change
    .meta({
      summary: 'Enter the day of leaving, or choose another rule',
      rest: ['PUT /api/deposit/admin/{applicationId}'],
    })
    .input(caseForm.extend(ofApplication.shape))
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      await changeCase(ctx.deps, ctx.actor, input.applicationId, input)
      return adminDeposit(ctx.deps, ctx.actor, input.applicationId)
    }),
  addItem: change
    .meta({
      summary: 'Add what is claimed of a deposit',
      rest: ['POST /api/deposit/admin/{applicationId}/item'],
      status: 201,
    })
    .input(itemForm.extend(ofApplication.shape))
    .output(checked(z.strictObject({ deposit: adminDepositView, itemId: z.string() })))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      const itemId = await addItem(ctx.deps, ctx.actor, applicationId, form)
      return { ...adminDeposit(ctx.deps, ctx.actor, applicationId), itemId }
    }),
  changeItem: change
    .meta({ summary: 'Change an item', rest: ['PUT /api/deposit/admin/item/{itemId}'] })
    .input(itemForm.partial().extend(itemIdInput.shape))
    .output(owners)
    .mutation(async ({ ctx, input: { itemId, ...form } }) =>
      adminDeposit(ctx.deps, ctx.actor, await changeItem(ctx.deps, ctx.actor, itemId, form)),
    ),
  removeItem: change
    .meta({ summary: 'Take an item back', rest: ['DELETE /api/deposit/admin/item/{itemId}'] })
    .input(itemIdInput)
    .output(owners)
    .mutation(async ({ ctx, input }) =>
      adminDeposit(ctx.deps, ctx.actor, await removeItem(ctx.deps, ctx.actor, input.itemId)),
    ),
  removePhoto: change
    .meta({
      summary: 'Set a photo of an item aside',
      rest: ['DELETE /api/deposit/admin/photo/{photoId}'],
    })
    .input(z.object({ photoId: recordId }))
    .output(owners)
    .mutation(async ({ ctx, input }) =>
      adminDeposit(ctx.deps, ctx.actor, await removeItemPhoto(ctx.deps, ctx.actor, input.photoId)),
    ),
  sendStatement: change
    .meta({
      summary: 'Send the statement of what is claimed',
      rest: ['POST /api/deposit/admin/{applicationId}/statement'],
      status: 201,
    })
    .input(statementForm.safeExtend(ofApplication.shape))
    .output(checked(z.strictObject({ deposit: adminDepositView, statementId: z.string() })))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      const statementId = await sendStatement(ctx.deps, ctx.actor, applicationId, form)
      return { ...adminDeposit(ctx.deps, ctx.actor, applicationId), statementId }
    }),
  printLetter: change
    .meta({
      summary: 'Print the statement as a letter, before it is sent by post',
      rest: ['POST /api/deposit/admin/{applicationId}/letter'],
      status: 201,
    })
    .input(letterForm.extend(ofApplication.shape))
    .output(checked(z.strictObject({ letter: letterView, deposit: adminDepositView })))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      const letter = await printLetter(ctx.deps, ctx.actor, applicationId, form)
      return { letter, ...adminDeposit(ctx.deps, ctx.actor, applicationId) }
    }),
  voidLetter: change
    .meta({
      summary: 'Void a letter that was not sent',
      rest: ['DELETE /api/deposit/admin/letter/{letterId}'],
    })
    .input(letterIdInput)
    .output(owners)
    .mutation(async ({ ctx, input }) =>
      adminDeposit(ctx.deps, ctx.actor, await voidLetter(ctx.deps, ctx.actor, input.letterId)),
    ),
  keep: settle
    .meta({
      summary: 'Keep the items of the newest statement',
      rest: ['POST /api/deposit/admin/{applicationId}/keep'],
    })
    .input(keepForm.extend(ofApplication.shape))
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      await keepItems(ctx.deps, ctx.actor, input.applicationId, input)
      return adminDeposit(ctx.deps, ctx.actor, input.applicationId)
    }),
  plan: adminProcedure
    .meta({
      summary: 'How an amount of a deposit would go back',
      rest: ['GET /api/deposit/admin/{applicationId}/plan'],
    })
    .input(planInput.extend(ofApplication.shape))
    .output(checked(planView))
    .query(({ ctx, input }) => planOfReturn(ctx.deps, ctx.actor, input.applicationId, input)),
  return: settle
    .meta({
      summary: 'Return a deposit, or a part of it',
      rest: ['POST /api/deposit/admin/{applicationId}/return'],
    })
    .input(returnForm.extend(ofApplication.shape))
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      await returnDeposit(ctx.deps, ctx.actor, input.applicationId, input)
      return adminDeposit(ctx.deps, ctx.actor, input.applicationId)
    }),
  rules: adminProcedure
    .meta({ summary: 'The rules of deposits, presets first', rest: ['GET /api/deposit/admin/rules'] })
    .output(checked(z.strictObject({ rules: z.array(ruleView) })))
    .query(({ ctx }) => ({ rules: listRules(ctx.deps.db) })),
  addRule: change
    .meta({
      summary: 'Add a rule; it never changes afterwards',
      rest: ['POST /api/deposit/admin/rules'],
      status: 201,
      stepUp: 'always',
    })
    .input(ruleForm)
    .output(checked(z.strictObject({ rule: ruleView })))
    .mutation(async ({ ctx, input }) => ({ rule: await addRule(ctx.deps, ctx.actor, input) })),
  archiveRule: change
    .meta({ summary: 'Take a rule out of use', rest: ['DELETE /api/deposit/admin/rules/{id}'] })
    .input(ruleIdInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => archiveRule(ctx.deps, ctx.actor, input.id)),
})
