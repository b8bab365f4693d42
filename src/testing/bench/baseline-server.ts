// The baseline for the site: plain node:http that sends the same bytes from memory, or after the same queries.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import SqliteDatabase from 'better-sqlite3'
import { createPasswords } from '../../server/kernel/passwords.ts'

/** The response for a path; without further options, `body` from memory. */
export type BaselineRoute = {
  status: number
  headers: Record<string, string>
  body: string
  /** One query, whose rows are the response under this name. */
  query?: { sql: string; name: string }
  /** Queries to run before `response` is serialized to JSON. */
  statements?: { sql: string; params: unknown[] }[]
  response?: unknown
  /** A password to verify first, at most two at a time. */
  login?: { stored: string; password: string }
}
export type BaselinePlan = { database: string; routes: Record<string, BaselineRoute> }

const plan: BaselinePlan = JSON.parse(readFileSync(process.env.PLAN ?? '', 'utf8'))
const sqlite = new SqliteDatabase(plan.database, { readonly: true })
const handlers = new Map(Object.entries(plan.routes).map(([path, route]) => [path, bodyOf(route)]))

function bodyOf({ status, headers, body, query, statements, response }: BaselineRoute) {
  const sent = Object.entries({ 'Content-Type': 'application/json; charset=utf-8', ...headers }).flat()
  if (query) {
    const statement = sqlite.prepare(query.sql)
    return { status, sent, make: () => JSON.stringify({ [query.name]: statement.all() }) }
  }
  if (statements) {
    const prepared = statements.map(({ sql, params }) => ({ statement: sqlite.prepare(sql), params }))
    return {
      status,
      sent,
      make: () => {
        for (const { statement, params } of prepared) statement.all(...params)
        return JSON.stringify(response)
      },
    }
  }
  const bytes = Buffer.from(body, 'base64')
  return { status, sent, make: () => bytes }
}

const passwords = createPasswords()
createServer(async (request, response) => {
  const handler = handlers.get(request.url ?? '')
  if (!handler) {
    response.writeHead(404).end()
    return
  }
  const login = plan.routes[request.url ?? '']?.login
  if (login) await passwords.verify(login.stored, login.password)
  const body = handler.make()
  response.writeHead(handler.status, [...handler.sent, 'Content-Length', String(Buffer.byteLength(body))])
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
