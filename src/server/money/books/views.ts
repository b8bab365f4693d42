import { z } from 'zod'
import { apiCents, recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import {
  bridgeLabels,
  depositLabels,
  keysOf,
  lineLabels,
  nightLabels,
  reportLabels,
  taxLabels,
} from '../../../domain/money/book-lines.ts'

const cents = apiCents
const year = z.int()
const month = z.int().min(1).max(12)
const rows = <Key extends string>(labels: Record<Key, string>) =>
  z.array(
    z.strictObject({ key: z.enum(keysOf(labels)), months: z.array(cents).length(12), yearCents: cents }),
  )
/** A field for each label. */
const fields = <Key extends string, Schema>(labels: Record<Key, string>, schema: Schema) =>
  Object.fromEntries(keysOf(labels).map(key => [key, schema])) as Record<Key, Schema>
const tax = { taxRuleId: z.string(), name: z.string(), authority: z.string() }
const nights = { ...fields(nightLabels, z.int()), percent: z.number() }
const taxSums = fields(reportLabels, cents)

export const closingView = z.strictObject({
  year,
  version: z.int(),
  closedAt: wireMoment,
  sha256: z.string(),
})

export const bookYearView = z.strictObject({
  year,
  years: z.array(year),
  lines: rows(lineLabels),
  deposits: rows(depositLabels),
  taxes: z.array(z.strictObject({ ...tax, lines: rows(taxLabels) })),
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
  bridge: z.array(z.strictObject({ key: z.enum(keysOf(bridgeLabels)), cents })),
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
