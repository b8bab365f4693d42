import { z } from 'zod'
import { apiCents, recordIds, wireDate, wireMoment } from '../../domain/common/wire.ts'
import { chargeKinds, chargeSources, feeUnits } from '../../domain/money/charge.ts'
import { balanceLabels } from '../../domain/money/ledger.ts'
import { payableTypes } from '../../domain/money/payment.ts'
import { installmentKinds, planKinds } from '../../domain/money/payment-plan.ts'
import { installmentStates, type PlanInstallment } from '../../domain/money/payment-plan-state.ts'
import { view } from '../kernel/view.ts'

/** A charge as its tenant sees it; discounts are negative. */
export const chargeView = z
  .strictObject({
    ...recordIds,
    kind: z.enum(chargeKinds),
    label: z.string(),
    amountCents: apiCents,
    baseCents: apiCents
      .nullable()
      .meta({ description: 'What a rate is taken of; of a fee the amount of one unit' }),
    rateBasisPoints: z.int().nullable(),
    per: z.enum(feeUnits).nullable(),
    taxable: z.boolean(),
    refundable: z.boolean(),
    source: z.enum(chargeSources),
    feeRuleId: z.string().nullable(),
    taxRuleId: z.string().nullable(),
    createdAt: wireMoment,
  })
  .meta({ id: 'Charge' })
export type ChargeView = z.infer<typeof chargeView>

/** A charge as the owner sees it; includes voided charges. */
export const adminChargeView = z
  .strictObject({
    ...chargeView.shape,
    createdBy: z.string().nullable(),
    voidedAt: wireMoment.nullable(),
    voidedBy: z.string().nullable(),
    voidReason: z.string().nullable(),
  })
  .meta({ id: 'AdminCharge' })
export type AdminChargeView = z.infer<typeof adminChargeView>

/** What is owed and paid for an application, and the state of its deposit. */
export const chargeSummaryView = z
  .strictObject({
    owedCents: apiCents,
    paidCents: apiCents,
    balanceCents: apiCents,
    label: z.enum(balanceLabels),
    depositCents: apiCents.meta({ description: 'Asked' }),
    depositCreditedCents: apiCents,
    depositReturnedCents: apiCents.meta({ description: 'Given back, and not owed again' }),
    depositDueCents: apiCents,
    keptForBillCents: apiCents
      .optional()
      .meta({ description: 'Kept of the deposit for what was unpaid; left out where nothing was' }),
    ended: z
      .strictObject({
        paidCents: apiCents,
        returnedCents: apiCents,
        keptCents: apiCents,
        claimedCents: apiCents
          .optional()
          .meta({ description: 'Claimed of the deposit in a statement that counts, and not kept yet' }),
        toReturnCents: apiCents,
      })
      .optional()
      .meta({ description: 'What became of the money of a declined or cancelled application' }),
  })
  .meta({ id: 'ChargeSummary' })
export type ChargeSummary = z.infer<typeof chargeSummaryView>

const lateFeeView = z.strictObject({
  kind: z.enum(['fixed', 'percent']),
  cents: apiCents,
  basisPoints: z.int().meta({ description: 'Hundredths of a percent of what is open' }),
  graceDays: z.int(),
})

const listedInstallment = z.strictObject({
  ...recordIds,
  position: z.int(),
  kind: z.enum(installmentKinds),
  label: z.string(),
  amountCents: apiCents,
  paidCents: apiCents,
  onItsWayCents: apiCents,
  openCents: apiCents,
  dueDate: wireDate.nullable().meta({ description: 'Null before signing where it is due at signing' }),
  state: z.enum(installmentStates),
  daysOverdue: z.int(),
  lateFee: z
    .strictObject({ amountCents: apiCents })
    .nullable()
    .meta({ description: 'The late fee that is proposed; always null for a tenant' }),
})
type ListedInstallment = z.infer<typeof listedInstallment>

const installmentView = z
  .strictObject({
    ...listedInstallment.shape,
    portions: z.array(z.strictObject({ chargeId: z.string(), label: z.string(), amountCents: apiCents })),
  })
  .meta({ id: 'Installment' })

/** The payment plan of an application, with the paid, open and due amounts as of today. */
export const planView = z
  .strictObject({
    plan: z
      .strictObject({
        kind: z.enum(planKinds),
        version: z.int(),
        frozen: z.boolean().meta({ description: 'Whether the lease is signed' }),
        lateFee: lateFeeView.nullable(),
      })
      .nullable(),
    instalments: z.array(installmentView),
    totals: z.strictObject({
      owedCents: apiCents,
      paidCents: apiCents,
      onItsWayCents: apiCents,
      openCents: apiCents,
      dueCents: apiCents,
      overdueCents: apiCents,
    }),
    pay: z
      .strictObject({
        next: z
          .strictObject({
            instalmentId: z.string(),
            label: z.string(),
            amountCents: apiCents,
            paymentType: z.enum(payableTypes),
            dueDate: wireDate.nullable(),
          })
          .nullable(),
        due: z.strictObject({ amountCents: apiCents, count: z.int() }).nullable(),
        depositAndRent: z.strictObject({ depositCents: apiCents, rentCents: apiCents }).nullable(),
        depositMaxCents: apiCents,
        otherMaxCents: apiCents,
      })
      .nullable(),
    methods: z.strictObject({ card: z.boolean(), bank: z.boolean(), cardFeeBasisPoints: z.int() }),
  })
  .meta({ id: 'PaymentPlan' })
export type PlanView = z.infer<typeof planView>

/** An installment without its portions; `lateFeeCents` is the proposed late fee, null for none. */
export function toListedInstallment(row: PlanInstallment, lateFeeCents: number | null): ListedInstallment {
  return view(listedInstallment, {
    ...row,
    lateFee: lateFeeCents === null ? null : { amountCents: lateFeeCents },
  })
}

/** The due list, with totals over all of it regardless of the filter. */
export const dueView = z.strictObject({
  instalments: z.array(
    z.strictObject({
      ...listedInstallment.shape,
      applicationId: z.string(),
      applicationNumber: z.string(),
      tenantName: z.string(),
    }),
  ),
  totals: z.strictObject({
    overdueCents: apiCents,
    dueCents: apiCents,
    next30Cents: apiCents,
    onItsWayCents: apiCents,
  }),
  total: z.int(),
  notices: z.array(
    z.strictObject({
      id: z.string(),
      tone: z.enum(['warning', 'danger']),
      title: z.string(),
      detail: z.string(),
      at: wireMoment.nullable(),
    }),
  ),
})
export type DueView = z.infer<typeof dueView>

export const reminderPreview = z.strictObject({
  to: z.string(),
  subject: z.string(),
  words: z.string(),
  /** Why it cannot be sent now. */
  refusal: z.string().nullable(),
})
