import { z } from 'zod'
import { recordIds, wireCents, wireDate, wireMoment } from '../../domain/common/wire.ts'
import { payableTypes } from '../../domain/money/payment.ts'
import { instalmentKinds } from '../../domain/money/payment-plan.ts'
import { planKinds } from '../../domain/money/payment-plan-kinds.ts'
import type { Portion } from '../../domain/money/payment-plan-portions.ts'
import { instalmentStates, type PlanInstalment } from '../../domain/money/payment-plan-state.ts'

const lateFeeView = z.strictObject({
  kind: z.enum(['fixed', 'percent']),
  cents: wireCents,
  basisPoints: z.int().meta({ description: 'Hundredths of a percent of what is open' }),
  graceDays: z.int(),
})

const listedInstalment = {
  ...recordIds,
  position: z.int(),
  kind: z.enum(instalmentKinds),
  label: z.string(),
  amountCents: wireCents,
  paidCents: wireCents,
  onItsWayCents: wireCents,
  openCents: wireCents,
  dueDate: wireDate.nullable().meta({ description: 'Null before signing where it is due at signing' }),
  state: z.enum(instalmentStates),
  daysOverdue: z.int(),
  lateFee: z
    .strictObject({ amountCents: wireCents })
    .nullable()
    .meta({ description: 'The late fee that is proposed; always null for a tenant' }),
}

const instalmentView = z
  .strictObject({
    ...listedInstalment,
    portions: z.array(z.strictObject({ chargeId: z.string(), label: z.string(), amountCents: wireCents })),
  })
  .meta({ id: 'Instalment' })
type InstalmentView = z.infer<typeof instalmentView>

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
    instalments: z.array(instalmentView),
    totals: z.strictObject({
      owedCents: wireCents,
      paidCents: wireCents,
      onItsWayCents: wireCents,
      openCents: wireCents,
      dueCents: wireCents,
      overdueCents: wireCents,
    }),
    pay: z
      .strictObject({
        next: z
          .strictObject({
            instalmentId: z.string(),
            label: z.string(),
            amountCents: wireCents,
            paymentType: z.enum(payableTypes),
            dueDate: wireDate.nullable(),
          })
          .nullable(),
        due: z.strictObject({ amountCents: wireCents, count: z.int() }).nullable(),
        depositMaxCents: wireCents,
        otherMaxCents: wireCents,
      })
      .nullable(),
    methods: z.strictObject({ card: z.boolean(), bank: z.boolean(), cardFeeBasisPoints: z.int() }),
  })
  .meta({ id: 'PaymentPlan' })
export type PlanView = z.infer<typeof planView>

/** An installment without its portions; `lateFeeCents` is the proposed late fee, null for none. */
export function toListedInstalment(
  { amountCents, daysOverdue, dueDate, id, kind, label, onItsWayCents, ...row }: PlanInstalment,
  lateFeeCents: number | null,
): Omit<InstalmentView, 'portions'> {
  const { openCents, paidCents, position, state } = row
  const what = { _id: id, id, position, kind, label, amountCents }
  const lateFee = lateFeeCents === null ? null : { amountCents: lateFeeCents }
  return { ...what, paidCents, onItsWayCents, openCents, dueDate, state, daysOverdue, lateFee }
}

export function toInstalmentView(
  row: PlanInstalment,
  lateFeeCents: number | null,
  portions: Portion[],
): InstalmentView {
  return { ...toListedInstalment(row, lateFeeCents), portions }
}

/** The due list, with totals over all of it regardless of the filter. */
export const dueView = z.strictObject({
  instalments: z.array(
    z.strictObject({
      ...listedInstalment,
      applicationId: z.string(),
      applicationNumber: z.string(),
      tenantName: z.string(),
    }),
  ),
  totals: z.strictObject({
    overdueCents: wireCents,
    dueCents: wireCents,
    next30Cents: wireCents,
    onItsWayCents: wireCents,
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
