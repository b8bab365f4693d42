import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileRoutes } from '../server/http/file-routes.ts'
import { procedureRows, type RouteRow, routeRows } from './matrix-rows.ts'
import { callers, type MatrixSite, openMatrixSite, seedMatrixSite } from './matrix-site.ts'
import { sendFile } from './matrix-upload.ts'
import { callRest, callTrpc, type TestResponse } from './transports.ts'

const tenMinutes = 10 * 60_000

let matrix: MatrixSite
beforeAll(async () => {
  matrix = await seedMatrixSite()
}, 60_000)
afterAll(() => matrix.close())

const mutations = procedureRows.filter(({ access, type }) => type === 'mutation' && access !== 'public')

test.each(mutations.map(row => [row.call, row.stepUp, row] as const))(
  '%s without a recent proof requires a step-up: %s [SAFE-16, FIX-32]',
  async (call, rule, row) => {
    if (rule === 'sometimes') return
    const caller = callers[callerOf(row)] ?? 'admin'
    const site = await openMatrixSite(matrix)
    site.advance(tenMinutes)
    const input = row.input?.(matrix, caller)
    const { body, status } = await callTrpc(site.http, call, 'mutation', {
      token: matrix.tokens[caller],
      input,
    })
    expectRule(rule, { body, status })
  },
)

/** Paths that change something, or lead data out, and are not procedures: uploads and files. */
const routes = routeRows.filter(
  ({ route, statuses }) => statuses[0] === 401 && (!route.startsWith('GET ') || ruleOf(route)),
)

test.each(routes.map(row => [row.route, ruleOf(row.route), row] as const))(
  '%s without a recent proof requires a step-up: %s [SAFE-16, FIX-32]',
  async (route, rule, row) => {
    const caller = callers[callerOf(row)] ?? 'admin'
    const site = await openMatrixSite(matrix)
    site.advance(tenMinutes)
    const token = matrix.tokens[caller]
    const answer = row.file
      ? await sendFile(site, matrix, row, token)
      : await callRest(site.http, route, { token, input: row.input?.(matrix) })
    expect(rule, '`stepUp` is missing in file-routes.ts').toBeDefined()
    expectRule(rule, answer)
  },
)

function ruleOf(route: string) {
  return fileRoutes.find(({ method, path }) => `${method} ${path}` === route)?.stepUp
}

/** The administrator if they are allowed, otherwise the first caller who is. */
const callerOf = ({ statuses }: Pick<RouteRow, 'statuses'>) => {
  const isDone = (status: number) => status < 300
  return isDone(statuses[3]) ? 3 : statuses.findIndex(isDone)
}

function expectRule(rule: string | undefined, { body, status }: Pick<TestResponse, 'body' | 'status'>) {
  const isRefused = status === 403 && (body as { stepUp?: unknown }).stepUp !== undefined
  expect({ isRefused }, JSON.stringify(body)).toEqual({ isRefused: rule === 'always' })
}
