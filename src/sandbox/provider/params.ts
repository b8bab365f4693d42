import { z } from 'zod'
import { ApiError } from './api-error.ts'
import type { FormValue } from './form.ts'
import type { Filters } from './store.ts'

// Values arrive as text. A refinement's `params.code` becomes the error's code.
const integer = z
  .string()
  .refine(text => /^-?\d{1,15}$/.test(text), {
    error: issue => `Invalid integer: ${String(issue.input)}`,
    params: { code: 'parameter_invalid_integer' },
  })
  .transform(Number)
const positive = integer.refine(value => value > 0, {
  error: 'This value must be greater than or equal to 1.',
  params: { code: 'parameter_invalid_integer' },
})
const notNegative = integer.refine(value => value >= 0, {
  error: 'This value must be greater than or equal to 0.',
  params: { code: 'parameter_invalid_integer' },
})
const text = (max = 5000) =>
  z
    .string()
    .min(1, { error: 'You passed an empty string. Remove the parameter or give it a value.' })
    .max(max, { error: `Invalid string: must be at most ${max} characters` })
const webAddress = text().refine(value => /^https?:\/\//i.test(value) && URL.canParse(value), {
  error: 'Not a valid URL',
  params: { code: 'url_invalid' },
})
const emailAddress = text(800).refine(value => /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(value), {
  error: issue => `Invalid email address: ${String(issue.input)}`,
  params: { code: 'email_invalid' },
})
const metadata = z.record(
  z.string().max(40, { error: 'Metadata keys can be at most 40 characters' }),
  z.string().max(500, { error: 'Metadata values can be at most 500 characters' }),
)
const expand = z.array(z.string()).max(20).optional()

export const retrieveParams = z.strictObject({ expand })

const createdRange = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
})
const listShape = {
  expand,
  limit: positive
    .refine(value => value <= 100, { error: 'This value must be less than or equal to 100.' })
    .default(10),
  starting_after: text().optional(),
  ending_before: text().optional(),
  created: z.union([createdRange, integer.transform(at => ({ gte: at, lte: at }))]).optional(),
}
/** What a list call takes, with the columns that this list can be filtered by. */
export function listParams(columns: readonly (keyof Filters)[]) {
  const filters = Object.fromEntries(columns.map(column => [column, text().optional()]))
  return z
    .strictObject({ ...listShape, ...filters })
    .transform(({ created, ending_before, expand, limit, starting_after, ...by }) => ({
      expand,
      filters: by as Filters,
      page: { created, ending_before, limit, starting_after },
    }))
}

export const sessionParams = z.strictObject({
  expand,
  mode: z.literal('payment', { error: 'This sandbox makes sessions with mode=payment only.' }),
  ui_mode: z.literal('hosted_page', { error: 'This sandbox has the hosted page only.' }).optional(),
  success_url: webAddress,
  cancel_url: webAddress.optional(),
  client_reference_id: text(200).optional(),
  customer_email: emailAddress.optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  locale: text(10).optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay']).optional(),
  metadata: metadata.default({}),
  // Since 2026 the API takes this in place of payment_method_types, which it refuses.
  allowed_payment_method_types: z
    .array(
      z.enum(['card', 'us_bank_account'], {
        error: 'This sandbox knows the types card and us_bank_account.',
      }),
    )
    .min(1)
    .optional(),
  expires_at: integer.optional(),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.default({}),
      description: text(1000).optional(),
      receipt_email: emailAddress.optional(),
      statement_descriptor: text(22).optional(),
      statement_descriptor_suffix: text(22).optional(),
    })
    .default({ metadata: {} }),
  line_items: z
    .array(
      z.strictObject({
        quantity: positive.default(1),
        price_data: z.strictObject({
          currency: z
            .string()
            .toLowerCase()
            .regex(/^[a-z]{3}$/, { error: issue => `Invalid currency: ${String(issue.input)}` }),
          unit_amount: notNegative,
          product_data: z.strictObject({
            name: text(),
            description: text().optional(),
            images: z.array(webAddress).max(8).optional(),
            metadata: metadata.default({}),
          }),
        }),
      }),
    )
    .min(1, { error: 'A session needs at least one line item.' })
    .max(100),
})
export type SessionParams = z.infer<typeof sessionParams>

export const refundParams = z.strictObject({
  expand,
  payment_intent: text().optional(),
  charge: text().optional(),
  amount: positive.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
})
export type RefundParams = z.infer<typeof refundParams>

/** Checks decoded parameters; the first fault becomes the provider's error. */
export function parseParams<T extends z.ZodType>(
  schema: T,
  input: { [name: string]: FormValue },
): z.infer<T> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new ApiError('Invalid parameters')
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? ''])
    throw new ApiError(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = paramName(issue.path)
  if (valueAt(input, issue.path) === undefined) {
    throw new ApiError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  throw new ApiError(issue.message, { code, param })
}

function paramName([first, ...rest]: readonly PropertyKey[]): string {
  return String(first ?? '') + rest.map(key => `[${String(key)}]`).join('')
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  )
}
