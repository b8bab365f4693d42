import type { AnyProcedure } from '@trpc/server'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { rootRouter } from '../root-router.ts'
import type { Access } from '../trpc.ts'
import { errorAnswer, type FileRoute, fileRoutes, procedureAnswers } from './rest-answers.ts'
import { restRows } from './rest-table.ts'

export type JsonSchema = { [keyword: string]: unknown; properties?: Record<string, JsonSchema> }
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>
}
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, object> }
}

type Described = {
  method: string
  path: string
  access: Access | 'signature'
  summary: string
  input?: z.ZodType | undefined
  query?: readonly string[] | undefined
  file?: string | undefined
  fileType?: string | undefined
  status?: number | undefined
  answer?: z.ZodType | undefined
  failure?: z.ZodType | undefined
}

const whoMay: Record<Described['access'], string> = {
  public: 'Open to anybody.',
  session: 'For anybody signed in; a record that is another’s answers 404.',
  admin: 'For administrators.',
  signature: 'For the payment provider: its signature decides.',
}
const procedures = rootRouter._def.procedures as unknown as Record<string, AnyProcedure>
const verifyFailure = z.strictObject({ valid: z.literal(false), error: z.string() })

/** The documented paths as an OpenAPI 3.1 document, made from the very table and schemas that serve them. */
export function openApiDocument(origin: string): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const row of [...restRows.map(describeProcedure), ...fileRoutes.map(describeFileRoute)]) {
    paths[row.path] ??= {}
    Object.assign(paths[row.path] ?? {}, { [row.method.toLowerCase()]: operation(row, schemas) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Condo portal',
      version: packageJson.version,
      description:
        'Payments are in US cents; rent, deposit and rates in US dollars. Stays are calendar dates without a zone, moments are UTC. Send the token of a login as “Authorization: Bearer …”.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function describeProcedure(row: (typeof restRows)[number]): Described {
  const procedure = procedures[row.call]
  const described = procedureAnswers[row.call]
  if (!procedure || !described) throw new Error(`${row.call} is not described`)
  const { inputs, meta } = procedure._def as unknown as { inputs: z.ZodType[]; meta: { access: Access } }
  return {
    method: row.method,
    path: row.path.replaceAll(/:(\w+)/g, '{$1}'),
    access: meta.access,
    input: inputs[0],
    status: row.status,
    failure: row.failure && verifyFailure,
    ...described,
  }
}

const describeFileRoute = (route: FileRoute): Described => route

function operation(row: Described, schemas: Record<string, JsonSchema>): Operation {
  const { method, path, access, summary } = row
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  const input = row.input ? inputSchema(row.input) : { properties: {}, required: [] }
  const others = Object.entries(input.properties).filter(([name]) => !ids.includes(name))
  const query = method === 'GET' ? others : []
  const parameters: Operation['parameters'] = [
    ...ids.map(name => ({ name, in: 'path' as const, required: true, schema: { type: 'string' } })),
    ...query.map(([name, schema]) => ({
      name,
      in: 'query' as const,
      required: input.required.includes(name),
      schema,
    })),
    ...(row.query ?? []).map(name => ({
      name: name.replace('?', ''),
      in: 'query' as const,
      required: !name.endsWith('?'),
      schema: { type: 'string' },
    })),
  ]
  const body = method === 'GET' ? undefined : bodyOf(row, others, input.required)
  const answered = row.answer ? schemaOf(row.answer, 'output', schemas) : { type: 'string', format: 'binary' }
  const failed = schemaOf(row.failure ?? errorAnswer, 'output', schemas)
  const failure = { content: { 'application/json': { schema: failed } } }
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [path.split('/')[2] ?? 'api'],
    summary,
    description: whoMay[access],
    ...(access === 'session' || access === 'admin' ? { security: [{ bearer: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [row.status ?? 200]: {
        description: 'Done',
        content: {
          [row.answer ? 'application/json' : (row.fileType ?? 'application/*')]: { schema: answered },
        },
      },
      '4XX': { description: 'Refused; nothing has changed', ...failure },
      '5XX': { description: 'Failed, or not possible at the moment', ...failure },
    },
  }
}

function bodyOf(
  row: Described,
  fields: [string, JsonSchema][],
  required: readonly string[],
): Operation['requestBody'] {
  if (row.access === 'signature')
    return { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  if (row.file) {
    const properties = { applicationId: { type: 'string' }, [row.file]: { type: 'string', format: 'binary' } }
    const schema = { type: 'object', properties, required: Object.keys(properties) }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (fields.length === 0) return undefined
  const wanted = required.filter(name => fields.some(([field]) => field === name))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(wanted.length > 0 ? { required: wanted } : {}),
  }
  return { required: wanted.length > 0, content: { 'application/json': { schema } } }
}

/** The fields that a procedure takes. What is brought into shape before it is checked is described by its shape. */
function inputSchema(input: z.ZodType): { properties: Record<string, JsonSchema>; required: string[] } {
  const taken = propertiesOf(schemaOf(input, 'input', {}))
  const shaped = propertiesOf(schemaOf(input, 'output', {}))
  const properties = Object.entries(taken).map(([name, schema]) => [
    name,
    Object.keys(schema).length > 0 ? schema : (shaped[name] ?? schema),
  ])
  // What nothing at all is refused for; the schema says it too strictly of what is brought into shape first.
  const missing = input.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
  const isRequired = (name: string) => missing.includes(name)
  return {
    properties: Object.fromEntries(properties),
    required: Object.keys(taken).filter(isRequired),
  }
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const parts = [schema, ...((schema.allOf as JsonSchema[] | undefined) ?? [])]
  return Object.assign({}, ...parts.map(part => part.properties ?? {}))
}

/** As JSON Schema; what has a name of its own goes among the components. */
function schemaOf(
  schema: z.ZodType,
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
