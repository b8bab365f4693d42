import { type ZodType, z } from 'zod'

export type JsonSchema = { [keyword: string]: unknown; properties?: Record<string, JsonSchema> }

/** A schema as JSON Schema; what has a name of its own goes among the components and is referred to. */
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

/** The fields that a procedure takes. What is brought into shape before it is checked is described by its shape. */
export function inputFields(input: ZodType): { properties: Record<string, JsonSchema>; required: string[] } {
  const taken = propertiesOf(toJsonSchema(input, 'input', {}))
  const shaped = propertiesOf(toJsonSchema(input, 'output', {}))
  const properties = Object.entries(taken).map(([name, schema]) => [
    name,
    Object.keys(schema).length > 0 ? schema : (shaped[name] ?? schema),
  ])
  // What nothing at all is refused for; the schema says it too strictly of what is brought into shape first.
  const missing = input.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
  return {
    properties: Object.fromEntries(properties),
    required: Object.keys(taken).filter(name => missing.includes(name)),
  }
}

/** Values in an address are texts: numbers become numbers, and an empty text is left out where it may be missing. */
export function queryReader(
  input: ZodType | undefined,
): (query: Record<string, unknown>) => Record<string, unknown> {
  // Read when it is first needed: the start does not wait for it.
  let fields: ReturnType<typeof inputFields> | undefined
  return query => {
    const given = Object.entries(query)
    if (!input || given.length === 0) return query
    fields ??= inputFields(input)
    const { properties, required } = fields
    const isNumber = (name: string) => ['number', 'integer'].includes(String(properties[name]?.type))
    return Object.fromEntries(
      given
        .filter(([name, value]) => value !== '' || required.includes(name))
        .map(([name, value]) => [name, isNumber(name) ? Number(value) : value]),
    )
  }
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const parts = ['allOf', 'anyOf'].flatMap(keyword => (schema[keyword] as JsonSchema[] | undefined) ?? [])
  return Object.assign({}, ...[schema, ...parts].map(part => part.properties ?? {}))
}
