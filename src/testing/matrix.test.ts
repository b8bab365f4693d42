import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyDatabase, openExisting } from '../../db/open.ts'
import { projectRoot } from '../../db/project-root.ts'
import { type OpenApiDocument, openApiDocument } from '../server/http/openapi.ts'
import { enteredSince } from '../server/operations/upgrade/entered.ts'
import { procedureList } from '../server/procedure-list.ts'
import { procedureRows, routeRows, scenarios } from './matrix-rows.ts'
import { callers, type MatrixSite, openMatrixSite, seedMatrixSite } from './matrix-site.ts'
import { sendFile } from './matrix-upload.ts'
import type { TestApp } from './test-app.ts'
import { testApp } from './test-app.ts'
import { callRest, callTrpc, type TestResponse } from './transports.ts'

/** What the customer was promised. It is frozen: new procedures need no row. */
type ContractRow = { method: string; path: string; access: string; response: string[]; status: number }
const contract: ContractRow[] = JSON.parse(
  readFileSync(join(projectRoot, 'src/testing/contract/rest-endpoints.json'), 'utf8'),
)
const document: OpenApiDocument = await openApiDocument('http://localhost:3000')

let matrix: MatrixSite
beforeAll(async () => {
  matrix = await seedMatrixSite()
}, 60_000)
afterAll(() => matrix.close())

test('every procedure that needs input has valid input in matrix-rows.ts', () => {
  const isMissing = ({ input, inputs, type }: (typeof procedureRows)[number]) => {
    const withoutInput = type === 'mutation' ? {} : undefined
    return !input && inputs.some(schema => !schema.safeParse(withoutInput).success)
  }
  expect(procedureRows.filter(isMissing).map(({ call }) => call)).toEqual([])
})

describe('every procedure, over tRPC and REST, as guest, tenant, another tenant and admin', () => {
  test.each(procedureRows)('$call [REST-05, PLAN-42]', async row => {
    const isMutation = row.type === 'mutation'
    const { routes } = row
    for (const [index, caller] of callers.entries()) {
      const expected = row.statuses[index] ?? 0
      const request = { token: matrix.tokens[caller], input: row.input?.(matrix, caller) }
      const responses: TestResponse[] = []
      const transports: ((http: TestApp['http']) => Promise<TestResponse>)[] = [
        http => callTrpc(http, row.call, row.type, request),
        ...routes.map(route => (http: TestApp['http']) => callRest(http, route, request)),
      ]
      for (const transport of transports) {
        // Each transport starts from the same data.
        const site = await openMatrixSite(matrix)
        const before = site.snapshotState()
        const response = await transport(site.http)
        responses.push(response)
        if (expected >= 400) expect(site.snapshotState(), `${caller} changes something`).toEqual(before)
        else if (isMutation && !mayChangeNothing.has(row.call))
          expect(site.snapshotState()).not.toEqual(before)
      }
      const [trpc, ...rest] = responses
      expect(trpc?.status, `${caller}: ${JSON.stringify(trpc?.body)}`).toBe(expected)
      for (const [at, response] of rest.entries()) {
        const route = routes[at] ?? ''
        const promised = contractRow(route)
        expect(response.status, route).toBe(
          expected === 200 ? (promised?.status ?? row.status ?? 200) : expected,
        )
        const shown =
          row.call === 'accounts.verify' && expected >= 400 ? toVerifyError(trpc?.body) : trpc?.body
        expect(normalize(response.body), route).toEqual(normalize(shown))
        expectDocumented(route, response)
        if (expected === 200)
          expect(Object.keys(response.body as object)).toEqual(expect.arrayContaining(named(promised)))
      }
    }
  })
})

/** Logins, looks and what can be had again: going back to an older database need not ask about it. */
const notEntered = new Set([
  ...['accounts.login', 'accounts.logout', 'sessions.end', 'sessions.endOthers', 'factors.stepUp'],
  ...['factors.setUpTotp', 'factors.passkeyOptions', 'factors.passkeyLoginOptions', 'factors.passkeyLogin'],
  ...['editor.previewLink', 'wordings.sendSample', 'calendars.readNow'],
  ...['conversations.markRead', 'conversations.adminMarkRead', 'offers.open'],
])

test('whatever else changes the data counts as entered since a copy of the database [INST-38]', async () => {
  for (const row of procedureRows) {
    const index = row.statuses.lastIndexOf(200)
    const caller = callers[index]
    if (row.type !== 'mutation' || caller === undefined || notEntered.has(row.call)) continue
    const site = await openMatrixSite(matrix)
    const { databaseFile } = site.deps.config
    const former = `${databaseFile}.former`
    const sqlite = openExisting(databaseFile, { readonly: true })
    copyDatabase(sqlite, former)
    const before = JSON.stringify(site.snapshotState().tables)
    await callTrpc(site.http, row.call, row.type, {
      token: matrix.tokens[caller],
      input: row.input?.(matrix, caller),
    })
    if (JSON.stringify(site.snapshotState().tables) !== before)
      expect(enteredSince(sqlite, former), row.call).not.toEqual([])
    sqlite.close()
    rmSync(former)
  }
}, 120_000)

test('both transports reject missing input and unknown ids with the same message and fields, and change nothing [REST-01, REST-02, REST-05]', async () => {
  const site = await openMatrixSite(matrix)
  const before = site.snapshotState()
  const statuses: number[] = []
  for (const row of procedureRows) {
    for (const route of row.routes) {
      const ids = [...route.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
      const nowhere = Object.fromEntries(ids.map(name => [name, 'nowhere']))
      const caller = row.statuses[3] === 403 ? 'tenant' : 'admin'
      const validInput = row.input?.(matrix, caller)
      const cases = [
        ...(validInput && row.type === 'mutation' && row.call !== acceptsEmptyInput ? [nowhere] : []),
        ...(ids.length > 0 ? [{ ...validInput, ...nowhere }] : []),
      ]
      for (const input of cases) {
        const request = { token: matrix.tokens[caller], input }
        const rest = await callRest(site.http, route, request)
        const trpc = await callTrpc(site.http, row.call, row.type, request)
        expect(normalize(rest.body), `${route} ${JSON.stringify(input)}`).toEqual(normalize(trpc.body))
        expect(rest.status, route).toBe(trpc.status)
        expectDocumented(route, rest)
        statuses.push(rest.status)
      }
    }
  }
  expect(new Set(statuses)).toEqual(new Set([400, 404]))
  expect(statuses.length).toBeGreaterThan(40)
  expect(site.snapshotState()).toEqual(before)
})

test('returns 404 for any unknown id of a section, version, wording or picture [LTEXT-11]', async () => {
  const site = await openMatrixSite(matrix)
  const before = site.snapshotState()
  const checkedRoutes: string[] = []
  for (const row of procedureRows.filter(({ call }) => /^(editor|wordings|pictures)\./.test(call)))
    for (const route of row.routes.filter(path => path.includes('{')))
      for (const unknown of ['nowhere', 'x'.repeat(500), '__proto__', ' ', '-1', '1.5', '9'.repeat(20)]) {
        const named = route.replace(/\{\w+\}/, encodeURIComponent(unknown))
        const { status } = await callRest(site.http, named, {
          token: matrix.tokens.admin,
          input: { ...row.input?.(matrix, 'admin'), section: undefined, kind: undefined, id: undefined },
        })
        expect(status, named).toBe(404)
        checkedRoutes.push(route)
      }
  expect(new Set(checkedRoutes).size).toBe(14)
  expect(site.snapshotState()).toEqual(before)
})

describe('every path that is not a procedure', () => {
  test.each(routeRows)('$route', async row => {
    for (const [index, caller] of callers.entries()) {
      const expected = row.statuses[index] ?? 0
      const site = await openMatrixSite(matrix)
      const before = site.snapshotState()
      const response = await (row.file
        ? sendFile(site, matrix, row, matrix.tokens[caller])
        : callRest(site.http, row.route, {
            token: matrix.tokens[caller],
            input: row.input?.(matrix),
          }))
      // That a calendar was read is stored after its answer; writes run in order, so it is stored after this one.
      if (row.route.includes('/calendar/')) await site.deps.write(() => undefined)
      expect(response.status, `${caller}: ${String(response.body).slice(0, 200)}`).toBe(expected)
      if (expected >= 400) expect(site.snapshotState(), `${caller} changes something`).toEqual(before)
      if (!row.route.includes('/api/docs') && !row.route.includes('openapi'))
        expectDocumented(row.route, response)
    }
  })
})

test('a stranger’s lists and counts contain nothing of another tenant', async () => {
  const { http } = await openMatrixSite(matrix)
  const request = { token: matrix.tokens.other }
  const routes = ['GET /api/application/status', 'GET /api/lease/status', 'GET /api/payment/history']
  const calls = ['payments.options', 'applications.status', 'leases.status']
  const lists = [
    ...routes.map(route => callRest(http, route, request)),
    ...calls.map(call => callTrpc(http, call, 'query', request)),
  ]
  for (const { body, status } of await Promise.all(lists)) {
    expect(status).toBe(200)
    for (const secret of [matrix.tenantId, matrix.signedId, matrix.emails.tenant, 'APP-2026', 'Maya'])
      expect(JSON.stringify(body)).not.toContain(secret)
  }
})

test('a cached response is never served to anybody who may not have it', async () => {
  const { http } = await openMatrixSite(matrix)
  const wrong: string[] = []
  // Allowed callers come first and last; in between, everybody else sends the same request.
  for (const row of procedureRows.filter(({ type }) => type === 'query'))
    for (const route of [undefined, ...row.routes])
      for (const caller of ['admin', 'tenant', 'other', 'guest', 'tenant', 'admin'] as const) {
        const request = { token: matrix.tokens[caller], input: row.input?.(matrix, 'tenant') }
        const { body, status } = route
          ? await callRest(http, route, request)
          : await callTrpc(http, row.call, row.type, request)
        const said = `${route ?? row.call} as ${caller}: ${status}`
        if (status !== row.statuses[callers.indexOf(caller)]) wrong.push(said)
        const isForeign = row.statuses[0] !== 200 && caller === 'other' && status === 200
        if (isForeign && JSON.stringify(body).includes(matrix.emails.tenant)) wrong.push(said)
      }
  expect(wrong).toEqual([])
})

test('a guessed checkout session reveals nothing: unknown and foreign sessions look the same', async () => {
  const { http, snapshotState } = await openMatrixSite(matrix)
  const before = snapshotState()
  const ask = (sessionId: string) =>
    callRest(http, 'GET /api/payment/by-session/{sessionId}', {
      token: matrix.tokens.other,
      input: { sessionId },
    })
  const [foreign, unknown] = [await ask(matrix.sessionId), await ask('cs_test_of_nobody')]
  expect(foreign.status).toBe(404)
  expect(normalize(foreign.body)).toEqual(normalize(unknown.body))
  expect(snapshotState()).toEqual(before)
})

test('exactly these procedures are public', async () => {
  const { http } = await testApp({ env: { RATE_LIMITS: 'off' } })
  const open: string[] = []
  for (const { call, type, access } of procedureList) {
    const { status } = await callTrpc(http, call, type, {})
    if (status !== 401) open.push(call)
    expect({ call, isOpen: status !== 401 }).toEqual({ call, isOpen: access === 'public' })
  }
  expect(open.toSorted()).toEqual([
    'accounts.forgotPassword',
    'accounts.login',
    'accounts.logout',
    'accounts.register',
    'accounts.resetPassword',
    'availability.range',
    'bookings.rules',
    'chargeRules.quote',
    'contact.ready',
    'contact.send',
    'conversations.openReply',
    'conversations.reply',
    'emailChange.confirm',
    'emailChange.undo',
    'factors.challenge',
    'factors.passkeyLogin',
    'factors.passkeyLoginOptions',
    'install.account',
    'install.open',
    'manualBookings.acceptInvitation',
    'manualBookings.invitation',
    'offers.acceptByLink',
    'offers.declineByLink',
    'offers.open',
    'rates.list',
    'reviews.open',
    'reviews.writeByLink',
    'sessions.notMe',
    'signing.decline',
    'signing.open',
    'signing.sign',
    'site.content',
    'site.get',
    'site.health',
    'stays.open',
    'stays.openCode',
    'stays.openWifi',
  ])
})

test('every served path is listed, and every scenario belongs to one procedure', async () => {
  const calls = Object.keys(scenarios)
  const known = procedureRows.map(({ call }) => call).filter(call => calls.includes(call))
  expect(calls.toSorted()).toEqual(known.toSorted())
  const listed = [...procedureRows.flatMap(({ routes }) => routes), ...routeRows.map(({ route }) => route)]
  const served = await servedRoutes()
  const outside = [
    'ALL /trpc/{path}',
    'GET /media/*',
    'GET /robots.txt',
    'GET /site.webmanifest',
    'GET /sitemap.xml',
  ]
  expect(served.filter(route => !outside.includes(route))).toEqual(listed.toSorted())
})

test('the OpenAPI document is valid, lists every documented path, and requires a token where one is needed', async () => {
  const { http } = await testApp()
  const served = (await http.inject('/api/openapi.json')).json()
  expect(served).toEqual(document)
  expect(await new Validator().validate(served)).toMatchObject({ valid: true })
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path}`),
  )
  const undescribed = ['GET /api/openapi.json', 'GET /api/docs']
  const listed = [
    ...procedureRows.flatMap(({ routes, statuses }) => routes.map(route => ({ route, statuses }))),
    ...routeRows.filter(({ route }) => !undescribed.includes(route)),
  ]
  expect(described.toSorted()).toEqual(listed.map(({ route }) => route).toSorted())
  for (const { route, statuses } of listed) {
    const [method = '', path = ''] = route.split(' ')
    const needsToken = document.paths[path]?.[method.toLowerCase()]?.security !== undefined
    expect({ route, needsToken }).toEqual({ route, needsToken: statuses[0] === 401 })
  }
  for (const { method, path, access, status } of contract) {
    const operation = document.paths[path]?.[method.toLowerCase()]
    const needsToken = access !== 'public' && access !== 'signature'
    expect({ path, needsToken: operation?.security !== undefined }).toEqual({ path, needsToken })
    expect(Object.keys(operation?.responses ?? {})).toContain(String(status))
  }
})

test('the API documentation page runs no script, loads nothing, and lists every path', async () => {
  const { http } = await testApp()
  const { body, headers, statusCode } = await http.inject('/api/docs')
  expect(statusCode).toBe(200)
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(body).not.toMatch(/<script|<iframe|<object|src=|url\(|@import|\son\w+=/i)
  expect([...body.matchAll(/href="([^"]*)"/g)].map(match => match[1])).not.toContainEqual(
    expect.stringMatching(/^(https?:)?\/\//),
  )
  for (const path of Object.keys(document.paths)) expect(body).toContain(`<code>${path}</code>`)
})

// These may succeed without changing anything.
const mayChangeNothing = new Set([
  'accounts.logout',
  'manualBookings.invitation',
  'conversations.openReply',
  'signing.open',
  'offers.preview',
  'reviews.open',
  'payments.resendReceipt',
  'stays.preview',
  'wordings.preview',
])
/** Omitted fields stay unchanged, so empty input is valid. */
const acceptsEmptyInput = 'accounts.updateProfile'

const contractRow = (route: string) => contract.find(({ method, path }) => route === `${method} ${path}`)
/** The fields that a response always has: no files and no optional fields. */
const named = (row: ContractRow | undefined) => row?.response.filter(name => !/^\(|\?$/.test(name)) ?? []

/** Verify is the only path whose error responses have a different shape. */
const toVerifyError = (body: unknown) => ({ valid: false, error: (body as { error: string }).error })

/** Replaces the values that differ between any two calls, such as new ids and tokens. */
function normalize(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'uuid')
    .replaceAll(/"(token|invitationToken)":"[^"]+"/g, '"$1":"token"')
    .replaceAll(/"challenge":"[^"]+"/g, '"challenge":"challenge"')
    .replaceAll(/"(secret|otpauthUrl|qrSvg)":"(?:[^"\\]|\\.)*"/g, '"$1":"$1"')
    .replaceAll(/"recoveryCodes":\[[^\]]*\]/g, '"recoveryCodes":[]')
    .replaceAll(/"requestId":"[^"]+"/g, '"requestId":"request"')
    .replaceAll(/cs_test_\w+/g, 'cs_test')
    .replaceAll(/calendar\/[\w-]{43}\.ics/g, 'calendar/token.ics')
    .replaceAll(/preview=[\w-]{43}/g, 'preview=token')
  return JSON.parse(text)
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', ...document })
const compiled = new Map<string, ValidateFunction>()

/** Validates a live response against the OpenAPI document. */
function expectDocumented(route: string, { status, contentType, body }: TestResponse): void {
  const [method = '', path = ''] = route.split(' ')
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
  const key = responses[status] ? String(status) : `${Math.floor(status / 100)}XX`
  const type = Object.keys(responses[key]?.content ?? {})[0]
  expect(type, `${route} ${status} is not described`).toBeDefined()
  if (type !== 'application/json') {
    const found = contentType.split(';')[0]
    if (type === 'image/*') expect(found).toMatch(/^image\//)
    else expect(found).toBe(type?.startsWith('text/') ? type : 'application/pdf')
    return
  }
  expect(contentType).toMatch(/^application\/json/)
  const pointer = ['paths', path, method.toLowerCase(), 'responses', key, 'content', type, 'schema']
  const ref = `api#/${pointer
    .map(part => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/')}`
  const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref })
  compiled.set(ref, validate)
  expect(validate(body), `${route} ${status}: ${ajv.errorsText(validate.errors)}`).toBe(true)
}

/** All routes of the app, as `METHOD /path/{id}`. */
async function servedRoutes(): Promise<string[]> {
  const found: string[] = []
  const recordRoutes = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      const methods = [method].flat()
      const names = methods.length > 3 ? ['ALL'] : methods.filter(name => name !== 'HEAD')
      found.push(...names.map(name => `${name} ${url.replaceAll(/:(\w+)/g, '{$1}')}`))
    })
  subscribe('fastify.initialization', recordRoutes)
  await (await testApp()).fastify()
  unsubscribe('fastify.initialization', recordRoutes)
  return found.toSorted()
}
