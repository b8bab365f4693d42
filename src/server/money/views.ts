import { z } from 'zod'
import { recordIds, wireCents, wireMoment } from '../../domain/common/wire.ts'
import { chargeKinds, chargeSources, feeUnits } from '../../domain/money/charge.ts'
import { balanceLabels } from '../../domain/money/ledger.ts'
import type { ChargeRow } from './records.ts'

/** A charge as its tenant sees it; discounts are negative. */
export const chargeView = z
  .strictObject({
    ...recordIds,
    kind: z.enum(chargeKinds),
    label: z.string(),
    amountCents: wireCents,
    baseCents: wireCents
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
    owedCents: wireCents,
    paidCents: wireCents,
    balanceCents: wireCents,
    label: z.enum(balanceLabels),
    depositCents: wireCents.meta({ description: 'Asked' }),
    depositCreditedCents: wireCents,
    depositReturnedCents: wireCents.meta({ description: 'Given back, and not owed again' }),
    depositDueCents: wireCents,
  })
  .meta({ id: 'ChargeSummary' })
export type ChargeSummary = z.infer<typeof chargeSummaryView>

export function toChargeView(row: ChargeRow): ChargeView {
  const { amountCents, baseCents, createdAt, feeRuleId, id, kind, label, per } = row
  const { rateBasisPoints, refundable, source, taxable, taxRuleId } = row
  const what = { _id: id, id, kind, label, amountCents, baseCents, rateBasisPoints, per }
  return { ...what, taxable, refundable, source, feeRuleId, taxRuleId, createdAt }
}

export function toAdminChargeView(row: ChargeRow): AdminChargeView {
  const { createdBy, voidedAt, voidedBy, voidReason } = row
  return { ...toChargeView(row), createdBy, voidedAt, voidedBy, voidReason }
}
