import { type ZodType, z } from 'zod'

export type JsonSchema = { [keyword: string]: unknown; properties?: Record<string, JsonSchema> }

/** Converts a schema to JSON Schema; a part with an id is moved to `components` and referenced. */
export function toJsonSchema(
  schema: ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const {
    $schema: _,
    $defs = {},
    id,
    ...rest
  } = JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema & {
    $defs?: Record<string, JsonSchema>
    id?: string
  }
  for (const [name, { id: __, ...definition }] of Object.entries($defs)) components[name] = definition
  if (id === undefined) return rest
  components[id] = rest
  return { $ref: `#/components/schemas/${id}` }
}

/** The input fields of a procedure. A preprocessed field has no input type and is described by its output type. */
export function inputFields(input: ZodType): { properties: Record<string, JsonSchema>; required: string[] } {
  const accepted = propertiesOf(toJsonSchema(input, 'input', {}))
  const parsed = propertiesOf(toJsonSchema(input, 'output', {}))
  const properties = Object.entries(accepted).map(([name, schema]) => [
    name,
    Object.keys(schema).length > 0 ? schema : (parsed[name] ?? schema),
  ])
  // Found by parsing an empty object, because the schema marks every preprocessed field as required.
  const missing = input.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
  return {
    properties: Object.fromEntries(properties),
    required: Object.keys(accepted).filter(name => missing.includes(name)),
  }
}

/**
 * Converts query values, which are all text: numbers to numbers, `true` and `false` to booleans. An empty optional
 * value counts as missing.
 */
export function createQueryParser(
  input: ZodType | undefined,
): (query: Record<string, unknown>) => Record<string, unknown> {
  // Created on first use, to keep the start fast.
  let fields: ReturnType<typeof inputFields> | undefined
  return query => {
    const given = Object.entries(query)
    if (!input || given.length === 0) return query
    fields ??= inputFields(input)
    const { properties, required } = fields
    const read = (name: string, value: unknown) => {
      const type = String(properties[name]?.type)
      const isNumber = type === 'number' || type === 'integer'
      // An empty value must not become 0.
      if (isNumber) return String(value).trim() === '' ? value : Number(value)
      const isTruth = type === 'boolean' && (value === 'true' || value === 'false')
      return isTruth ? value === 'true' : value
    }
    return Object.fromEntries(
      given
        .filter(([name, value]) => value !== '' || required.includes(name))
        .map(([name, value]) => [name, read(name, value)]),
    )
  }
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const parts = ['allOf', 'anyOf'].flatMap(keyword => (schema[keyword] as JsonSchema[] | undefined) ?? [])
  return Object.assign({}, ...[schema, ...parts].map(part => part.properties ?? {}))
}
