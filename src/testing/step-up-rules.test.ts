import { afterAll, beforeAll, expect, test } from 'vitest'
import { stepUpRules } from '../server/auth/factors/step-up-rules.ts'
import { procedureRows } from './matrix-rows.ts'
import { callers, type MatrixSite, openMatrixSite, seedMatrixSite } from './matrix-site.ts'
import { callTrpc } from './transports.ts'

const tenMinutes = 10 * 60_000

let matrix: MatrixSite
beforeAll(async () => {
  matrix = await seedMatrixSite()
}, 60_000)
afterAll(() => matrix.close())

const mutations = procedureRows.filter(({ access, type }) => type === 'mutation' && access !== 'public')

test.each(mutations.map(row => [row.call, stepUpRules[row.call], row] as const))(
  '%s without a recent proof requires a step-up: %s [SAFE-16, FIX-32]',
  async (call, rule, row) => {
    if (rule === 'sometimes') return
    const caller = callers[row.statuses[3] === 200 ? 3 : row.statuses.indexOf(200)] ?? 'admin'
    const site = await openMatrixSite(matrix)
    site.advance(tenMinutes)
    const input = row.input?.(matrix, caller)
    const { body, status } = await callTrpc(site.http, call, 'mutation', {
      token: matrix.tokens[caller],
      input,
    })
    const { stepUp } = body as { stepUp?: unknown }
    expect({ isRefused: status === 403 && stepUp !== undefined }, JSON.stringify(body)).toEqual({
      isRefused: rule === 'always',
    })
  },
)
