import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { secondSteps } from '../../domain/accounts/factor.ts'
import type { Access } from '../kernel/trpc.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { restRoutes } from '../procedure-list.ts'
import { fileRoutes } from './file-routes.ts'
import { inputFields, type JsonSchema, toJsonSchema } from './json-schema.ts'

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

type DescribedRoute = {
  method: string
  path: string
  access: Access | 'signature'
  summary: string
  input?: z.ZodType | undefined
  query?: readonly string[] | undefined
  file?: string | undefined
  fields?: readonly string[] | undefined
  fileType?: string | undefined
  refusalType?: string | undefined
  status?: number | undefined
  answer?: z.ZodType | undefined
  failure?: z.ZodType | undefined
}

const routesAtOnce = 20
const accessSentences: Record<DescribedRoute['access'], string> = {
  public: 'Open to anybody.',
  session: 'For anybody signed in; a record that is another’s answers 404.',
  admin: 'For administrators.',
  signature: 'For the payment provider: its signature decides.',
}
const errorBody = z
  .strictObject({
    error: z.string().meta({ description: 'A sentence that a person can act on' }),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Sentences by the dotted path of their field' }),
    current: z.unknown().optional().meta({
      description:
        'What is stored now, where the change was based on something older; with fields.overrideCalendar, the key that accepts these nights as overrideCalendar',
    }),
    stepUp: z
      .array(z.enum([...secondSteps, 'password']))
      .optional()
      .meta({ description: 'The ways to confirm who it is, where that is missing' }),
    requestId: z.string().meta({ description: 'To be named when asking about this failure' }),
  })
  .meta({ id: 'Error' })

/** The OpenAPI 3.1 document, generated from the route descriptions and schemas that the server uses. */
export async function openApiDocument(origin: string): Promise<OpenApiDocument> {
  const schemas: Record<string, JsonSchema> = {}
  const paths: OpenApiDocument['paths'] = {}
  const described: DescribedRoute[] = [...restRoutes.map(describeProcedure), ...fileRoutes]
  for (const [at, row] of described.entries()) {
    // Describing all routes at once would delay other requests.
    if (at % routesAtOnce === 0) await yieldToEventLoop()
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

function describeProcedure({ method, path, procedure }: (typeof restRoutes)[number]): DescribedRoute {
  const { access, summary, status, failure, input, output } = procedure
  return { method, path, access, summary, input, status, answer: output, failure: failure?.schema }
}

function operation(row: DescribedRoute, schemas: Record<string, JsonSchema>): Operation {
  const { method, path, access, summary } = row
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  const input = row.input ? inputFields(row.input) : { properties: {}, required: [] }
  const fields = Object.entries(input.properties).filter(([name]) => !ids.includes(name))
  const inQuery = method === 'GET' || method === 'DELETE'
  const text = { type: 'string' }
  const parameters: Operation['parameters'] = [
    ...ids.map(name => ({ name, in: 'path' as const, required: true, schema: text })),
    ...(inQuery ? fields : []).map(([name, schema]) => ({
      name,
      in: 'query' as const,
      required: input.required.includes(name),
      schema,
    })),
    ...(row.query ?? []).map(name => ({
      name: name.replace('?', ''),
      in: 'query' as const,
      required: !name.endsWith('?'),
      schema: text,
    })),
  ]
  const body = inQuery ? undefined : bodyOf(row, fields, input.required)
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [/^\/(?:api\/)?(\w+)/.exec(path)?.[1] ?? 'api'],
    summary,
    description: accessSentences[access],
    ...(access === 'session' || access === 'admin' ? { security: [{ bearer: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(row, schemas),
  }
}

function responsesOf(row: DescribedRoute, schemas: Record<string, JsonSchema>): Operation['responses'] {
  const success = row.answer
    ? { 'application/json': { schema: toJsonSchema(row.answer, 'output', schemas) } }
    : { [row.fileType ?? 'application/*']: { schema: { type: 'string', format: 'binary' } } }
  const schema = toJsonSchema(row.failure ?? errorBody, 'output', schemas)
  const failure = { content: { 'application/json': { schema } } }
  const asText = row.refusalType && { [row.refusalType]: { schema: { type: 'string' } } }
  return {
    [row.status ?? 200]: { description: 'Done', content: success },
    '4XX': { description: 'Refused; nothing has changed', content: { ...failure.content, ...asText } },
    '5XX': { description: 'Failed, or not possible at the moment', ...failure },
  }
}

function bodyOf(
  row: DescribedRoute,
  fields: [string, JsonSchema][],
  required: readonly string[],
): Operation['requestBody'] {
  if (row.access === 'signature')
    return { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  if (row.file) {
    const given = row.fields ?? []
    const texts = given.map(name => [name.replace('?', ''), { type: 'string' }])
    const properties = { ...Object.fromEntries(texts), [row.file]: { type: 'string', format: 'binary' } }
    const needed = [...given.filter(name => !name.endsWith('?')), row.file]
    const schema = { type: 'object', properties, required: needed }
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
