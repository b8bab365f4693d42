import { z } from 'zod'
import { messageResponse } from '../../../domain/common/wire.ts'
import {
  agreementForm,
  caseForm,
  depositListInput,
  itemChange,
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
import { addItem, changeCase, changeItem, removeItem } from './items.ts'
import { removeItemPhoto } from './photos.ts'
import { adminDeposit, listDeposits, showDeposit, tenantDeposit } from './queries.ts'
import { addRule, archiveRule, listRules, toRuleView } from './rules.ts'
import { keepItems, planOfReturn, returnDeposit } from './settle.ts'
import { agreeTo, objectTo, printLetter, sendStatement, voidLetter } from './statements.ts'
import { adminDepositView, depositView, letterView, planView, ruleView } from './views.ts'

const own = checked(z.strictObject({ deposit: depositView }))
const owners = checked(z.strictObject({ deposit: adminDepositView }))
const never = { stepUp: 'never' } as const

export const depositsRouter = router({
  get: sessionProcedure
    .meta({ summary: 'The deposit of an application', rest: ['GET /api/deposit/{applicationId}'] })
    .input(ofApplication)
    .output(checked(z.strictObject({ deposit: z.union([adminDepositView, depositView]).nullable() })))
    .query(({ ctx, input }) => ({ deposit: showDeposit(ctx.deps, ctx.actor, input.applicationId) })),
  object: sessionProcedure
    .meta({
      summary: 'Object to the newest statement',
      rest: ['POST /api/deposit/{applicationId}/objection'],
      ...never,
    })
    .input(objectionForm.extend(ofApplication.shape))
    .output(own)
    .mutation(async ({ ctx, input }) => {
      await objectTo(ctx.deps, ctx.actor, input.applicationId, input)
      return { deposit: tenantDeposit(ctx.deps, ctx.actor, input.applicationId) }
    }),
  agree: sessionProcedure
    .meta({
      summary: 'Agree to the newest statement',
      rest: ['POST /api/deposit/{applicationId}/agreement'],
      ...never,
    })
    .input(agreementForm.extend(ofApplication.shape))
    .output(own)
    .mutation(async ({ ctx, input }) => {
      await agreeTo(ctx.deps, ctx.actor, input.applicationId, input.statementId)
      return { deposit: tenantDeposit(ctx.deps, ctx.actor, input.applicationId) }
    }),

  list: adminProcedure
    .meta({ summary: 'All deposits, by their next date', rest: ['GET /api/deposit/admin/all'] })
    .input(depositListInput.optional())
    .output(checked(z.strictObject({ deposits: z.array(adminDepositView) })))
    .query(async ({ ctx, input }) => ({ deposits: await listDeposits(ctx.deps, ctx.actor, input?.state) })),
  change: adminProcedure
    .meta({
      summary: 'Enter the day of leaving, or choose another rule',
      rest: ['PUT /api/deposit/admin/{applicationId}'],
      ...never,
    })
    .input(caseForm.extend(ofApplication.shape))
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      await changeCase(ctx.deps, ctx.actor, input.applicationId, input)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, input.applicationId) }
    }),
  addItem: adminProcedure
    .meta({
      summary: 'Add what is claimed of a deposit',
      rest: ['POST /api/deposit/admin/{applicationId}/item'],
      status: 201,
      ...never,
    })
    .input(itemForm.extend(ofApplication.shape))
    .output(checked(z.strictObject({ deposit: adminDepositView, itemId: z.string() })))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      const itemId = await addItem(ctx.deps, ctx.actor, applicationId, form)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, applicationId), itemId }
    }),
  changeItem: adminProcedure
    .meta({ summary: 'Change an item', rest: ['PUT /api/deposit/admin/item/{itemId}'], ...never })
    .input(itemChange.extend(itemIdInput.shape))
    .output(owners)
    .mutation(async ({ ctx, input: { itemId, ...change } }) => {
      const applicationId = await changeItem(ctx.deps, ctx.actor, itemId, change)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, applicationId) }
    }),
  removeItem: adminProcedure
    .meta({ summary: 'Take an item back', rest: ['DELETE /api/deposit/admin/item/{itemId}'], ...never })
    .input(itemIdInput)
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      const applicationId = await removeItem(ctx.deps, ctx.actor, input.itemId)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, applicationId) }
    }),
  removePhoto: adminProcedure
    .meta({
      summary: 'Set a photo of an item aside',
      rest: ['DELETE /api/deposit/admin/photo/{photoId}'],
      ...never,
    })
    .input(z.object({ photoId: z.string().max(100) }))
    .output(owners)
    .mutation(async ({ ctx, input }) => ({
      deposit: await removeItemPhoto(ctx.deps, ctx.actor, input.photoId),
    })),
  sendStatement: adminProcedure
    .meta({
      summary: 'Send the statement of what is claimed',
      rest: ['POST /api/deposit/admin/{applicationId}/statement'],
      status: 201,
      ...never,
    })
    .input(statementForm.safeExtend(ofApplication.shape))
    .output(checked(z.strictObject({ deposit: adminDepositView, statementId: z.string() })))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      const statementId = await sendStatement(ctx.deps, ctx.actor, applicationId, form)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, applicationId), statementId }
    }),
  printLetter: adminProcedure
    .meta({
      summary: 'Print the statement as a letter, before it is sent by post',
      rest: ['POST /api/deposit/admin/{applicationId}/letter'],
      status: 201,
      ...never,
    })
    .input(letterForm.extend(ofApplication.shape))
    .output(checked(z.strictObject({ letter: letterView, deposit: adminDepositView })))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      const { id } = await printLetter(ctx.deps, ctx.actor, applicationId, form)
      const deposit = adminDeposit(ctx.deps, ctx.actor, applicationId)
      return { letter: letterView.parse(deposit.letters.find(letter => letter.id === id)), deposit }
    }),
  voidLetter: adminProcedure
    .meta({
      summary: 'Void a letter that was not sent',
      rest: ['DELETE /api/deposit/admin/letter/{letterId}'],
      ...never,
    })
    .input(letterIdInput)
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      const applicationId = await voidLetter(ctx.deps, ctx.actor, input.letterId)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, applicationId) }
    }),
  keep: adminProcedure
    .meta({
      summary: 'Keep the items of the newest statement',
      rest: ['POST /api/deposit/admin/{applicationId}/keep'],
      stepUp: 'always',
    })
    .input(keepForm.extend(ofApplication.shape))
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      await keepItems(ctx.deps, ctx.actor, input.applicationId, input.note)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, input.applicationId) }
    }),
  plan: adminProcedure
    .meta({
      summary: 'How an amount of a deposit would go back',
      rest: ['GET /api/deposit/admin/{applicationId}/plan'],
    })
    .input(planInput.extend(ofApplication.shape))
    .output(checked(planView))
    .query(({ ctx, input }) => planOfReturn(ctx.deps, ctx.actor, input.applicationId, input)),
  return: adminProcedure
    .meta({
      summary: 'Return a deposit, or a part of it',
      rest: ['POST /api/deposit/admin/{applicationId}/return'],
      stepUp: 'always',
    })
    .input(returnForm.extend(ofApplication.shape))
    .output(owners)
    .mutation(async ({ ctx, input }) => {
      await returnDeposit(ctx.deps, ctx.actor, input.applicationId, input)
      return { deposit: adminDeposit(ctx.deps, ctx.actor, input.applicationId) }
    }),
  rules: adminProcedure
    .meta({ summary: 'The rules of deposits, presets first', rest: ['GET /api/deposit/admin/rules'] })
    .output(checked(z.strictObject({ rules: z.array(ruleView) })))
    .query(({ ctx }) => ({ rules: listRules(ctx.deps.db).map(toRuleView) })),
  addRule: adminProcedure
    .meta({
      summary: 'Add a rule; it never changes afterwards',
      rest: ['POST /api/deposit/admin/rules'],
      status: 201,
      ...never,
    })
    .input(ruleForm)
    .output(checked(z.strictObject({ rule: ruleView })))
    .mutation(async ({ ctx, input }) => ({
      rule: toRuleView(await addRule(ctx.deps, ctx.actor, input)),
    })),
  archiveRule: adminProcedure
    .meta({
      summary: 'Take a rule out of use',
      rest: ['DELETE /api/deposit/admin/rules/{id}'],
      ...never,
    })
    .input(ruleIdInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => archiveRule(ctx.deps, ctx.actor, input.id)),
})
