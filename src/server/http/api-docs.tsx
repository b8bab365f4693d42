import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Config } from '../kernel/config.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { JsonSchema } from './json-schema.ts'
import type { OpenApiDocument, Operation } from './openapi.ts'
import { asDocument, type Document, send } from './pages.ts'

/** Serves the documentation of the REST API: the OpenAPI document and an HTML page. */
export function mountApiDocs(app: FastifyInstance, config: Config): void {
  // Created on the first request, because it would take a fifth of the startup time.
  let document: Promise<OpenApiDocument> | undefined
  const readDocument = () => {
    document ??= import('./openapi.ts').then(({ openApiDocument }) => openApiDocument(config.origin))
    return document
  }
  const renderPage = async () => {
    const made = await readDocument()
    // Building and rendering are both slow the first time.
    await yieldToEventLoop()
    return `<!doctype html>${renderToStaticMarkup(<Page document={made} />)}`
  }
  const styleHash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`
  // Compressed once: anyone may request it, and compressing takes several milliseconds.
  let json: Promise<Document> | undefined
  let html: Promise<Document> | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    json ??= readDocument().then(made => asDocument(JSON.stringify(made)))
    const made = await json
    return send(request, reply.header('Cache-Control', 'no-store'), made, 'application/json; charset=utf-8')
  })
  app.get('/api/docs', async (request, reply) => {
    html ??= renderPage().then(asDocument)
    const made = await html
    return send(
      request,
      reply.headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy }),
      made,
    )
  })
}

type Entry = { method: string; path: string; operation: Operation }

function Page({ document }: { document: OpenApiDocument }) {
  const entries: Entry[] = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = Object.entries(Object.groupBy(entries, ({ operation }) => operation.tags[0] ?? ''))
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>REST interface</title>
        <style>{style}</style>
      </head>
      <body>
        <main>
          <h1>REST interface</h1>
          <p>{document.info.description}</p>
          <p>
            For programs: <a href="/api/openapi.json">the same as an OpenAPI {document.openapi} document</a>.
            A refusal answers <code>{'{"error": "a sentence", "fields": {…}, "requestId": "…"}'}</code> and
            changes nothing.
          </p>
          <nav aria-label="Groups">
            {groups.map(([name]) => (
              <a key={name} href={`#${name}`}>
                {name}
              </a>
            ))}
            <a href="#objects">objects</a>
          </nav>
          {groups.map(([name, group = []]) => (
            <section key={name} id={name}>
              <h2>{name}</h2>
              {group.map(entry => (
                <EntryArticle key={entry.operation.operationId} {...entry} />
              ))}
            </section>
          ))}
          <section id="objects">
            <h2>Objects</h2>
            {Object.entries(document.components.schemas).map(([name, schema]) => (
              <article key={name} id={`object-${name}`}>
                <h3>{name}</h3>
                <Fields fields={fieldsOf(schema)} caption={`Fields of ${name}`} />
              </article>
            ))}
          </section>
        </main>
      </body>
    </html>
  )
}

function EntryArticle({ method, path, operation }: Entry) {
  const body = operation.requestBody?.content
  const [bodyType = '', bodySchema] = Object.entries(body ?? {})[0] ?? []
  const [status = '', success] = Object.entries(operation.responses)[0] ?? []
  const [answerType = '', answer] = Object.entries(success?.content ?? {})[0] ?? []
  const parameters = (operation.parameters ?? []).map(({ name, required, schema, in: place }) => ({
    name,
    type: `${typeOf(schema)}, in the ${place}`,
    required,
  }))
  return (
    <article id={operation.operationId}>
      <h3>
        <span className={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
      </h3>
      <p>
        {operation.summary}. <span className="quiet">{operation.description}</span>
      </p>
      {parameters.length > 0 && <Fields fields={parameters} caption="Parameters" />}
      {bodySchema && <Fields fields={fieldsOf(bodySchema.schema)} caption={`Body, ${bodyType}`} />}
      <p>
        Answers <b>{status}</b>, {answerType}
        {answer && answerType === 'application/json' && (
          <>
            : <code>{typeOf(answer.schema)}</code>
          </>
        )}
      </p>
    </article>
  )
}

type Field = { name: string; type: string; required: boolean }

function Fields({ fields, caption }: { fields: Field[]; caption: string }) {
  if (fields.length === 0) return null
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {fields.map(({ name, type, required }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {!required && <span className="quiet"> optional</span>}
            </th>
            <td>{type}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function fieldsOf(schema: JsonSchema): Field[] {
  const required = (schema.required as string[] | undefined) ?? []
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field),
    required: required.includes(name),
  }))
}

/** A short description of a type: `string, at most 100 characters`, `list of Application`, `{name: string}`. */
function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, const: only, description, enum: values, format, items, properties, type } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map(value => JSON.stringify(value)).join(' | ')
  if (type === 'array') return `list of ${typeOf((items as JsonSchema | undefined) ?? {})}`
  if (properties) {
    const inner = Object.entries(properties).map(([name, field]) => `${name}: ${typeOf(field)}`)
    return `{${inner.join(', ')}}`
  }
  const limits = [
    typeof schema.maxLength === 'number' && `at most ${schema.maxLength} characters`,
    typeof schema.minimum === 'number' && schema.minimum > -1e9 && `from ${schema.minimum}`,
    typeof schema.maximum === 'number' && schema.maximum < 1e12 && `to ${schema.maximum}`,
  ]
  return [String(type ?? 'anything'), format, description, ...limits].filter(Boolean).join(', ')
}

const style = `
:root{color-scheme:light;font:16px/1.55 system-ui,sans-serif;color:#1d2b3c;background:#faf8f3}
body{margin:0}main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 5rem}
h1,h2{font-family:Georgia,serif;font-weight:500;color:#1e3552;line-height:1.15}h1{font-size:2.5rem;margin:0 0 1rem}
h2{font-size:1.6rem;margin:3rem 0 1rem;text-transform:capitalize}h3{font-size:1rem;font-weight:500;margin:0 0 .5rem;overflow-wrap:anywhere}
a{color:#22636d;text-underline-offset:.15em}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}nav a{padding:.35rem 0}
article{background:#fff;border:1px solid #e1d9ca;border-radius:12px;padding:1rem 1.25rem;margin:0 0 1rem}
article p{margin:.25rem 0}code{font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.method{display:inline-block;font:600 .75rem/1 system-ui,sans-serif;letter-spacing:.04em;padding:.35rem .5rem;border-radius:6px;color:#fff;background:#1e3552}
.post{background:#1d6444}.put{background:#6e4d00}.delete{background:#a3261f}.quiet{color:#556070}
table{width:100%;border-collapse:collapse;margin:.75rem 0;font-size:.9375rem}caption{text-align:left;color:#556070;padding-bottom:.25rem}
th,td{text-align:left;vertical-align:top;font-weight:400;border-top:1px solid #e6dccb;padding:.35rem .75rem .35rem 0;overflow-wrap:anywhere}th{width:38%}
@media(max-width:40rem){th,td{display:block;width:auto;padding-right:0}td{border-top:0;padding-top:0}}
`
