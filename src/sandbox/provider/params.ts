import { z } from 'zod'
import type { FormValue } from './form.ts'
import { ApiError } from './http.ts'

/** The columns by which lists can be filtered. */
export type Filters = Partial<Record<'payment_intent' | 'charge' | 'status' | 'type', string>>
export type Page = { limit: number; starting_after?: string; created?: { gte?: number } }

// Form values are text. A refinement's `params.code` becomes the error code.
const integer = z
  .string()
  .refine(text => /^-?\d{1,15}$/.test(text), {
    error: issue => `Invalid integer: ${String(issue.input)}`,
    params: { code: 'parameter_invalid_integer' },
  })
  .transform(Number)
const atLeast = (min: number) =>
  integer.refine(value => value >= min, {
    error: `This value must be greater than or equal to ${min}.`,
    params: { code: 'parameter_invalid_integer' },
  })
const text = (max = 5000) => z.string().min(1).max(max)
const webAddress = text().refine(value => /^https?:\/\//i.test(value) && URL.canParse(value), {
  error: 'Not a valid URL',
  params: { code: 'url_invalid' },
})
const emailAddress = text(800).refine(value => /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(value), {
  error: issue => `Invalid email address: ${String(issue.input)}`,
  params: { code: 'email_invalid' },
})
const metadata = z.record(z.string().max(40), z.string().max(500)).default({})
const expand = z.array(z.string()).max(20).optional()

export const retrieveParams = z.strictObject({ expand })

/** The parameters of a list call; `columns` are its filters. */
export function listParams(columns: readonly (keyof Filters)[]) {
  return z
    .strictObject({
      expand,
      limit: atLeast(1)
        .refine(value => value <= 100, { error: 'This value must be less than or equal to 100.' })
        .default(10),
      starting_after: text().optional(),
      created: z.strictObject({ gte: integer.optional() }).optional(),
      ...Object.fromEntries(columns.map(column => [column, text().optional()])),
    })
    .transform(({ created, expand, limit, starting_after, ...filters }) => {
      const page: Page = { created, limit, starting_after }
      return { expand, filters: filters as Filters, page }
    })
}

const lineItem = z.strictObject({
  quantity: atLeast(1).default(1),
  price_data: z.strictObject({
    currency: z.string().regex(/^[a-z]{3}$/, { error: issue => `Invalid currency: ${String(issue.input)}` }),
    unit_amount: atLeast(0),
    product_data: z.strictObject({ name: text(), description: text().optional() }),
  }),
})

export const sessionParams = z.strictObject({
  expand,
  mode: z.literal('payment', { error: 'This sandbox makes sessions with mode=payment only.' }),
  success_url: webAddress,
  cancel_url: webAddress,
  client_reference_id: text(200).optional(),
  customer_email: emailAddress.optional(),
  metadata,
  // Since 2026, the API accepts this instead of payment_method_types, which it rejects.
  allowed_payment_method_types: z
    .array(z.enum(['card', 'us_bank_account']))
    .min(1)
    .optional(),
  payment_method_options: z
    .strictObject({
      us_bank_account: z.strictObject({
        verification_method: z.enum(['automatic', 'instant', 'microdeposits']),
      }),
    })
    .optional(),
  expires_at: integer.optional(),
  payment_intent_data: z
    .strictObject({ metadata, description: text(1000).optional() })
    .default({ metadata: {} }),
  line_items: z.array(lineItem).min(1).max(100),
})
export type SessionParams = z.infer<typeof sessionParams>

export const refundParams = z.strictObject({
  expand,
  payment_intent: text().optional(),
  charge: text().optional(),
  amount: atLeast(1).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
})
export type RefundParams = z.infer<typeof refundParams>

export const endpointParams = z.strictObject({
  expand,
  url: webAddress,
  enabled_events: z.array(text()).min(1),
  api_version: text().optional(),
  metadata,
})
export type EndpointParams = z.infer<typeof endpointParams>

/** Checks decoded parameters; the first issue becomes the provider's error. */
export function parseParams<T extends z.ZodType>(
  schema: T,
  input: { [name: string]: FormValue },
): z.infer<T> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw new ApiError('Invalid parameters')
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? ''])
    throw new ApiError(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = paramName(issue.path)
  if (issue.input === undefined)
    throw new ApiError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  throw new ApiError(issue.message, { code, param })
}

function paramName([first, ...rest]: readonly PropertyKey[]): string {
  return String(first ?? '') + rest.map(key => `[${String(key)}]`).join('')
}
