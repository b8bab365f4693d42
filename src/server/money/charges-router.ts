import { z } from 'zod'
import { messageResponse } from '../../domain/common/wire.ts'
import { feeRuleForm, feeRuleView, taxRuleForm, taxRuleView } from '../../domain/money/charge-rule.ts'
import { laterChargeForm, voidForm } from '../../domain/money/later-charge.ts'
import { stayQuoteQuery, stayQuoteQueryFor, stayQuoteView } from '../../domain/money/stay-quote.ts'
import {
  adminProcedure,
  checked,
  publicProcedure,
  router,
  sessionProcedure,
  validateWithGuestLimit,
} from '../kernel/trpc.ts'
import {
  activeFeeRules,
  activeTaxRules,
  archiveFeeRule,
  archiveTaxRule,
  createFeeRule,
  createTaxRule,
  updateFeeRule,
  updateTaxRule,
} from './charge-rules.ts'
import { addCharge, voidCharge } from './later-charges.ts'
import { listCharges } from './queries.ts'
import { quoteOf } from './quote.ts'
import { adminChargeView, chargeSummaryView, chargeView } from './views.ts'

const withId = z.object({ id: z.string() })
const feeResponse = z.strictObject({ fee: feeRuleView })
const taxResponse = z.strictObject({ tax: taxRuleView })

export const chargeRulesRouter = router({
  // Not cached, as booking rules depend on today.
  quote: publicProcedure
    .meta({ summary: 'What a stay costs, with fees and taxes', rest: ['GET /api/charge/quote'] })
    .use(validateWithGuestLimit(stayQuoteQueryFor))
    .input(stayQuoteQuery)
    .output(checked(z.strictObject({ quote: stayQuoteView.nullable() })))
    .query(({ ctx, input }) => ({ quote: quoteOf(ctx.deps, input) })),
  listFees: adminProcedure
    .meta({ summary: 'Fees and discounts', rest: ['GET /api/charge/admin/fees'] })
    .output(checked(z.strictObject({ fees: z.array(feeRuleView) })))
    .query(({ ctx }) => ({ fees: activeFeeRules(ctx.deps.db) })),
  createFee: adminProcedure
    .meta({
      summary: 'Add a fee or discount',
      rest: ['POST /api/charge/admin/fees'],
      status: 201,
      stepUp: 'always',
    })
    .input(feeRuleForm)
    .output(checked(feeResponse))
    .mutation(async ({ ctx, input }) => ({ fee: await createFeeRule(ctx.deps, ctx.actor, input) })),
  updateFee: adminProcedure
    .meta({
      summary: 'Replace a fee or discount',
      rest: ['PUT /api/charge/admin/fees/{id}'],
      stepUp: 'always',
    })
    .input(withId.and(feeRuleForm))
    .output(checked(feeResponse))
    .mutation(async ({ ctx, input: { id, ...fee } }) => ({
      fee: await updateFeeRule(ctx.deps, ctx.actor, id, fee),
    })),
  removeFee: adminProcedure
    .meta({
      summary: 'Remove a fee or discount',
      rest: ['DELETE /api/charge/admin/fees/{id}'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await archiveFeeRule(ctx.deps, ctx.actor, input.id)
      return { message: 'Fee removed' }
    }),
  listTaxes: adminProcedure
    .meta({ summary: 'Taxes', rest: ['GET /api/charge/admin/taxes'] })
    .output(checked(z.strictObject({ taxes: z.array(taxRuleView) })))
    .query(({ ctx }) => ({ taxes: activeTaxRules(ctx.deps.db) })),
  createTax: adminProcedure
    .meta({ summary: 'Add a tax', rest: ['POST /api/charge/admin/taxes'], status: 201, stepUp: 'always' })
    .input(taxRuleForm)
    .output(checked(taxResponse))
    .mutation(async ({ ctx, input }) => ({ tax: await createTaxRule(ctx.deps, ctx.actor, input) })),
  updateTax: adminProcedure
    .meta({ summary: 'Replace a tax', rest: ['PUT /api/charge/admin/taxes/{id}'], stepUp: 'always' })
    .input(withId.and(taxRuleForm))
    .output(checked(taxResponse))
    .mutation(async ({ ctx, input: { id, ...tax } }) => ({
      tax: await updateTaxRule(ctx.deps, ctx.actor, id, tax),
    })),
  removeTax: adminProcedure
    .meta({ summary: 'Remove a tax', rest: ['DELETE /api/charge/admin/taxes/{id}'], stepUp: 'never' })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await archiveTaxRule(ctx.deps, ctx.actor, input.id)
      return { message: 'Tax removed' }
    }),
})

const withApplication = z.object({ applicationId: z.string().max(100) })
const chargeResponse = z.strictObject({ charge: adminChargeView, summary: chargeSummaryView })

export const chargesRouter = router({
  list: sessionProcedure
    .meta({
      summary: 'What is owed for an application, line by line, and what was paid',
      rest: ['GET /api/charge/{applicationId}'],
    })
    .input(withApplication)
    .output(
      checked(
        z.strictObject({
          charges: z.array(z.union([chargeView, adminChargeView])),
          summary: chargeSummaryView,
        }),
      ),
    )
    .query(({ ctx, input }) => listCharges(ctx.deps, ctx.actor, input.applicationId)),
  add: adminProcedure
    .meta({
      summary: 'Add a charge to a signed lease or to a booking without one',
      rest: ['POST /api/charge/admin/{applicationId}'],
      status: 201,
      stepUp: 'always',
    })
    .input(laterChargeForm.and(withApplication))
    .output(checked(chargeResponse))
    .mutation(({ ctx, input: { applicationId, ...charge } }) =>
      addCharge(ctx.deps, ctx.actor, applicationId, charge),
    ),
  void: adminProcedure
    .meta({
      summary: 'Void a charge that was added later',
      rest: ['POST /api/charge/admin/{chargeId}/void'],
      stepUp: 'always',
    })
    .input(voidForm.extend({ chargeId: z.string().max(100) }))
    .output(checked(chargeResponse))
    .mutation(({ ctx, input }) => voidCharge(ctx.deps, ctx.actor, input.chargeId, input.reason)),
})
