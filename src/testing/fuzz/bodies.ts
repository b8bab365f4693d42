import fc from 'fast-check'
import { z } from 'zod'
import { anyText } from '../any-text.ts'

export type Json = unknown
type Schema = { [keyword: string]: unknown }
/** How to build a body: from a valid one or from the schema with a few changes, or from garbage. */
export type BodySpec = { base: 'valid' | 'schema' | 'garbage'; made: Json; changes: Change[] }
type Change = { at: number; how: 'replace' | 'drop' | 'add' | 'nest'; value: Json }

const edgeCases: readonly Json[] = [
  ...['', ' ', '\u0000', '\uD800', '\u202E', '\r\nBcc: x@guest.example', 'x'.repeat(6000), '😀'.repeat(60)],
  ...['__proto__', 'constructor', 'toString', '../../etc/passwd', "' or '1'='1", '%00', '%', '{{7*7}}', '-'],
  ...[
    '0000-00-00',
    '2026-02-30',
    '9999-12-31',
    '1900-01-01',
    '2026-06-01T00:00:00Z',
    '+275760-09-13',
    '1e309',
  ],
  ...[
    'a@b',
    'ä@guest.example',
    'null',
    'NaN',
    'true',
    '0',
    '50000',
    'data:image/png;base64,',
    'iVBORw0KGgo=',
  ],
  ...[0, -0, -1, 1, 0.1, 0.005, 1e-9, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 99_999_999, 1_000_000_000],
  ...[null, true, false, [], {}, [[]], [null], { length: 1e9 }, { toJSON: 1 }, { valueOf: null }],
]
const hostile: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...edgeCases) },
  anyText({ maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
)
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1000),
  how: fc.constantFrom(
    'replace' as const,
    'replace' as const,
    'drop' as const,
    'add' as const,
    'nest' as const,
  ),
  value: hostile,
})

/** Specs of bodies for a procedure; `input` is its schema. */
export function bodySpecs(input: z.ZodType | undefined): fc.Arbitrary<BodySpec> {
  const schema = input ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema) : {}
  const changes = fc.array(change, { maxLength: 3 })
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ base: fc.constant('valid' as const), made: fc.constant(null), changes }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ base: fc.constant('schema' as const), made: fromSchema(schema), changes }),
    },
    { weight: 1, arbitrary: fc.record({ base: fc.constant('garbage' as const), made: hostile, changes }) },
  )
}

/** Builds the body of a spec; `valid` is a body that would be accepted. */
export function buildBody({ base, changes, made }: BodySpec, valid: Json): Json {
  const body: Holder = structuredClone({ body: base === 'valid' ? valid : made })
  for (const { at, how, value: given } of changes) {
    // A copy, because a later change may modify it, and all runs share the edge cases.
    const value = structuredClone(given)
    const places = placesIn(body)
    const [holder, key] = places[at % places.length] ?? [body, 'body']
    if (how === 'drop' && holder !== body) delete holder[key]
    else if (how === 'add') holder[String(at)] = value
    else holder[key] = how === 'nest' ? [holder[key], value] : value
  }
  return body.body
}

type Holder = Record<string, Json>
function placesIn(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([key, value]) => [
    [holder, key] as [Holder, string],
    ...(typeof value === 'object' && value !== null ? placesIn(value as Holder) : []),
  ])
}

const isoDate = fc
  .date({ min: new Date('2025-01-01'), max: new Date('2029-12-31'), noInvalidDate: true })
  .map(day => day.toISOString().slice(0, 10))
// One for all fields: making it takes longer than the values of a whole test.
const plausibleText = fc.oneof(
  isoDate,
  fc.emailAddress(),
  fc.uuid(),
  fc.string({ maxLength: 30 }),
  fc.lorem({ maxCount: 3 }),
)

function fromSchema(schema: Schema): fc.Arbitrary<Json> {
  const { allOf, anyOf, const: only, enum: values, items, properties, type } = schema
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(fromSchema))
  if (Array.isArray(allOf))
    return fc.tuple(...allOf.map(fromSchema)).map(parts => Object.assign({}, ...(parts as object[])))
  if (properties) {
    const fields = Object.entries(properties as Record<string, Schema>)
    const arbitraries = Object.fromEntries(fields.map(([name, field]) => [name, fromSchema(field)]))
    return fc.record(arbitraries, { requiredKeys: (schema.required as string[] | undefined) ?? [] })
  }
  if (type === 'array') return fc.array(fromSchema((items as Schema | undefined) ?? {}), { maxLength: 5 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  const limits = { min: Number(schema.minimum ?? -1000), max: Math.min(Number(schema.maximum ?? 1e9), 1e9) }
  if (type === 'integer') return fc.integer(limits)
  if (type === 'number') return fc.oneof(fc.integer(limits), fc.double({ ...limits, noNaN: true }))
  if (type === 'string') return plausibleText
  return hostile
}
