import { z } from 'zod'
import type { taxRemittances } from '../../../../db/schema.ts'
import { apiCents, recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import { bridgeKeys, depositFlows, lineKeys, taxFlows } from '../../../domain/money/book-lines.ts'

const cents = apiCents
const year = z.int()
const month = z.int().min(1).max(12)
const rows = <const Keys extends readonly string[]>(keys: Keys) =>
  z.array(z.strictObject({ key: z.enum(keys), months: z.array(cents).length(12), yearCents: cents }))
const balance = ['opening', 'closing'] as const
const tax = { taxRuleId: z.string(), name: z.string(), authority: z.string() }

const nights = {
  nights: z.int(),
  booked: z.int(),
  elsewhere: z.int(),
  blocked: z.int(),
  open: z.int(),
  percent: z.number(),
  arrivals: z.int(),
}

export const closingView = z.strictObject({
  year,
  version: z.int(),
  closedAt: wireMoment,
  sha256: z.string(),
})

export const bookYearView = z.strictObject({
  year,
  years: z.array(year),
  lines: rows(lineKeys),
  deposits: rows([...depositFlows, ...balance]),
  taxes: z.array(z.strictObject({ ...tax, lines: rows([...taxFlows, ...balance]) })),
  occupancy: z.strictObject({
    months: z.array(z.strictObject({ month, ...nights })),
    year: z.strictObject(nights),
  }),
  inDisputeCents: cents,
  unknownFees: z.int(),
  closing: closingView
    .omit({ year: true })
    .extend({
      differences: z.array(
        z.strictObject({
          table: z.string(),
          key: z.string(),
          month,
          thenCents: z.int(),
          nowCents: z.int(),
        }),
      ),
    })
    .nullable(),
})

export const remittanceView = z.strictObject({
  ...recordIds,
  taxRuleId: z.string(),
  amountCents: cents,
  paidOn: wireDate,
  reference: z.string(),
  createdAt: wireMoment,
})

const taxSums = {
  grossCents: cents,
  exemptCents: cents,
  taxableCents: cents,
  taxCents: cents,
  paidOverCents: cents,
}

export const taxYearView = z.strictObject({
  year,
  rules: z.array(
    z.strictObject({
      ...tax,
      basisPoints: z.int(),
      months: z.array(z.strictObject({ month, ...taxSums })),
      total: z.strictObject(taxSums),
    }),
  ),
  remittances: z.array(remittanceView),
})

export const cardYearView = z.strictObject({
  year,
  months: z.array(z.strictObject({ month, grossCents: cents, count: z.int() })),
  grossCents: cents,
  count: z.int(),
  bridge: z.array(z.strictObject({ key: z.enum(bridgeKeys), cents })),
})

export const bookLinesView = z.strictObject({
  movements: z.array(
    z.strictObject({
      at: wireMoment,
      date: wireDate,
      applicationId: z.string().nullable(),
      applicationNumber: z.string().nullable(),
      tenantName: z.string(),
      what: z.string(),
      method: z.string(),
      reference: z.string(),
      description: z.string(),
      line: z.string(),
      cents,
    }),
  ),
  sumCents: cents,
})
export type BookMovementView = z.infer<typeof bookLinesView>['movements'][number]

export function remittanceOf({
  amountCents,
  createdAt,
  id,
  paidOn,
  reference,
  taxRuleId,
}: typeof taxRemittances.$inferSelect): z.infer<typeof remittanceView> {
  return { _id: id, id, taxRuleId, amountCents, paidOn, reference, createdAt }
}
