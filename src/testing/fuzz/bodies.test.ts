import fc from 'fast-check'
import type { InjectOptions, Response } from 'light-my-request'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyText } from '../any-text.ts'
import { scanPdf } from '../build-lease.ts'
import { webhookSecret } from '../build-payment.ts'
import { procedureRows, routeRows } from '../matrix-rows.ts'
import {
  callers,
  type MatrixSite,
  type OpenedMatrixSite,
  openMatrixSite,
  seedMatrixSite,
} from '../matrix-site.ts'
import { testNow } from '../test-app.ts'
import { bodySpecs, buildBody, type Json } from './bodies.ts'

/** Normal runs try a few fixed cases each; long runs try thousands, different every time. */
const isLong = process.env.LONG !== undefined
const settings = { numRuns: isLong ? 3000 : 12, ...(isLong ? {} : { seed: 20260304 }), endOnFailure: true }
const answersWithinMs = 15_000

let matrix: MatrixSite
beforeAll(async () => {
  matrix = await seedMatrixSite()
}, 60_000)
afterAll(() => matrix.close())

describe('no generated body causes a 500, hangs, or changes anything when it is rejected', () => {
  test.each(procedureRows)('$call', async row => {
    const targets = ['trpc', ...row.routes]
    const site = await watched()
    const tries = fc.record({
      bodySpec: bodySpecs(row.schema),
      caller: fc.constantFrom(...callers),
      target: fc.constantFrom(...targets),
    })
    await fc.assert(
      fc.asyncProperty(tries, async ({ caller, bodySpec, target }) => {
        const body = buildBody(bodySpec, row.input?.(matrix, caller) ?? {})
        const request = target === 'trpc' ? overTrpc(row.call, row.type, body) : overRest(target, body)
        await site.send(request, matrix.tokens[caller])
      }),
      { ...settings, numRuns: settings.numRuns * (isLong ? targets.length : 1) },
    )
  })
})

describe('no generated form, address or event causes a 500, hangs, or changes anything when it is rejected', () => {
  test.each(routeRows)('$route', async row => {
    const site = await watched()
    const signatures = fc.oneof(
      { weight: 4, arbitrary: fc.constant('right') },
      fc.string(),
      fc.constant('t=1,v1=0'),
    )
    const tries = fc.record({
      bodySpec: bodySpecs(undefined),
      caller: fc.constantFrom(...callers),
      at: fc.nat(1000),
      signature: signatures,
    })
    await fc.assert(
      fc.asyncProperty(tries, async ({ at, caller, bodySpec, signature }) => {
        const input = row.input?.(matrix) ?? {}
        const request = row.file
          ? asForm(row.route, buildBody(bodySpec, validParts(row.file, String(input.applicationId ?? ''))))
          : row.route.includes('webhook')
            ? asEvent(row.route, buildBody(bodySpec, validEvent(at)), signature)
            : overRest(row.route, buildBody(bodySpec, input))
        const status = await site.send(request, matrix.tokens[caller])
        // A lease can be stored only once: the next form would find none.
        if (row.file && status === 200) await site.renew()
      }),
      settings,
    )
  })
})

const validParts = (field: string, applicationId: string) => [
  { name: 'applicationId', content: applicationId },
  {
    name: field,
    filename: 'signed lease.pdf',
    type: 'application/pdf',
    content: scanPdf().toString('latin1'),
  },
]

/** A form built from these parts, with their values in headers and content. */
function asForm(route: string, parts: Json): InjectOptions {
  const lines = [parts].flat().map(part => {
    const { content, filename, name, type } = Object(part) as Record<string, Json>
    const head = `Content-Disposition: form-data; name="${asText(name)}"`
    const file = filename === undefined ? '' : `; filename="${asText(filename)}"`
    const typed = type === undefined ? '' : `\r\nContent-Type: ${asText(type)}`
    return Buffer.from(`--x\r\n${head}${file}${typed}\r\n\r\n${asText(content)}\r\n`, 'latin1')
  })
  return {
    method: 'POST',
    url: route.split(' ')[1] ?? '',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([...lines, Buffer.from('--x--\r\n')]),
  }
}

/** A provider event about one payment, sometimes with the type of another event. */
function validEvent(at: number): Json {
  const events = matrix.providerServer.provider.events()
  const types = [...new Set(events.map(({ type }) => type)), 'charge.refunded', 'charge.dispute.created']
  const event = events[at % events.length]
  return { ...event, id: `evt_${at}`, type: at % 3 === 0 ? types[at % types.length] : event?.type }
}

function asEvent(route: string, event: Json, signature: string): InjectOptions {
  const payload = JSON.stringify(event) ?? ''
  const timestamp = Date.parse(testNow) / 1000
  const right = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp })
  return {
    method: 'POST',
    url: route.split(' ')[1] ?? '',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signature === 'right' ? right : encodeURI(signature.toWellFormed()),
    },
    payload,
  }
}

const asText = (value: Json) =>
  (typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value}`).toWellFormed()

test('no malformed body of any content type causes a 500, hangs, or changes anything when it is rejected', async () => {
  const site = await watched()
  const routes = [
    ...procedureRows.flatMap(({ call, routes }) => [`POST /trpc/${call}`, `GET /trpc/${call}`, ...routes]),
    ...routeRows.map(({ route }) => route),
  ]
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
    anyText({ maxLength: 300 }),
    fc.json(),
    fc.constantFrom(
      '{',
      '[',
      '"',
      'null',
      '{"__proto__":{}}',
      '{"a":1}}',
      '--x\r\nContent-Disposition: form-data; name="',
    ),
  )
  const types = fc.constantFrom(
    ...['application/json', 'application/json; charset=utf-16', 'text/plain', 'application/octet-stream'],
    ...[
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'x',
      '',
    ],
  )
  const tries = fc.record({
    route: fc.constantFrom(...routes),
    caller: fc.constantFrom(...callers),
    body: garbage,
    type: types,
    id: fc.oneof(
      anyText({ maxLength: 60 }),
      fc.constantFrom('%', '..', '%2e%2e', '\u0000', 'x'.repeat(3000)),
    ),
    query: fc.string({ maxLength: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(tries, async ({ body, id, caller, query, route, type }) => {
      const [method = '', template = ''] = route.split(' ')
      const path = template.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed()))
      await site.send(
        {
          method: method as 'GET',
          url: `${path}?${encodeURI(query.toWellFormed()).replaceAll('#', '')}`,
          headers: { ...(type && { 'content-type': type }) },
          ...(method === 'GET' ? {} : { payload: body }),
        },
        matrix.tokens[caller],
      )
    }),
    { ...settings, numRuns: settings.numRuns * 20 },
  )
})

function overTrpc(call: string, type: string, body: Json): InjectOptions {
  const text = JSON.stringify(body) ?? ''
  if (type === 'query') return { method: 'GET', url: `/trpc/${call}?input=${encodeURIComponent(text)}` }
  return {
    method: 'POST',
    url: `/trpc/${call}`,
    headers: { 'content-type': 'application/json' },
    payload: text,
  }
}

function overRest(route: string, body: Json): InjectOptions {
  const [method = '', template = ''] = route.split(' ')
  const given = typeof body === 'object' && body !== null ? (body as Record<string, Json>) : {}
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(given[name])))
  const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, asText(value)]))
  if (method === 'GET') return { method, url: `${path}?${query}` }
  return {
    method: method as 'POST',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body) ?? '',
  }
}

/** Counters that a failed proof may change although the request is rejected. */
const tries: Record<string, readonly string[]> = {
  sessions: ['step_up_tries', 'ended_at'],
  login_challenges: ['tries', 'used_at'],
}
const triesInTheAuditLog = ['account.second_step_failed', 'account.step_up_failed', 'account.session_ended']

function withoutTries({ tables, ...others }: ReturnType<OpenedMatrixSite['snapshotState']>) {
  const known = Object.entries(tables).filter(([name]) => name !== 'sqlite_sequence')
  const cleaned = known.map(([name, text]) => {
    const rows = JSON.parse(text) as Record<string, unknown>[]
    const untried =
      name === 'events' ? rows.filter(row => !triesInTheAuditLog.includes(String(row.kind))) : rows
    return [
      name,
      untried.map(row => ({ ...row, ...Object.fromEntries((tries[name] ?? []).map(column => [column, 0])) })),
    ]
  })
  return { ...others, tables: Object.fromEntries(cleaned) as unknown }
}

/** A site that is checked after each request. Starts a new site after a request that ends its caller's session. */
async function watched() {
  let site: OpenedMatrixSite = await openMatrixSite(matrix)
  let known = site.snapshotState()
  let version = site.deps.dataVersion()

  return {
    /** Restores the initial state. */
    async renew(): Promise<void> {
      site = await openMatrixSite(matrix)
      known = site.snapshotState()
      version = site.deps.dataVersion()
    },
    /** Sends the request, checks the result, and returns the status. */
    async send(request: InjectOptions, token: string | undefined): Promise<number> {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('no answer')), answersWithinMs).unref()
      })
      const asked = site.http.inject({
        ...request,
        headers: { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) },
      })
      const { body, statusCode }: Response = await Promise.race([asked, late])
      expect(statusCode, body.slice(0, 300)).toBeLessThan(500)
      // That a calendar was read is stored after its answer; writes run in order, so it is stored after this one.
      if (String(request.url).startsWith('/calendar/')) await site.deps.write(() => undefined)
      const isSame = site.deps.dataVersion() === version
      version = site.deps.dataVersion()
      if (statusCode >= 400) {
        // A rejection inside a transaction still commits, without changes; only then is everything compared.
        if (isSame) return statusCode
        const now = site.snapshotState()
        expect(withoutTries(now)).toEqual(withoutTries(known))
        known = now
        if (
          site.deps.db.query.sessions
            .findMany()
            .sync()
            .some(({ endedAt }) => endedAt !== null)
        )
          await this.renew()
        return statusCode
      }
      if (isSame) return statusCode
      if (site.deps.db.query.sessions.findMany().sync().length < 3) {
        site = await openMatrixSite(matrix)
        version = site.deps.dataVersion()
      }
      known = site.snapshotState()
      return statusCode
    },
  }
}
