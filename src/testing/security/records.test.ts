import { createHash } from 'node:crypto'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootRouter } from '../../server/root-router.ts'
import { procedureRows } from '../matrix-rows.ts'
import { callers, type MatrixSite, seedMatrixSite } from '../matrix-site.ts'
import { openPortal, type Portal, type PortalResponse } from './portal.ts'

let matrix: MatrixSite
let portal: Portal
beforeAll(async () => {
  matrix = await seedMatrixSite()
  renewSessions(join(matrix.folder, 'portal.sqlite'))
  portal = await openPortal({ folder: matrix.folder })
}, 60_000)
afterAll(async () => {
  await portal.close()
  await matrix.close()
})

/** The matrix site's clock is stopped in the past; makes its sessions and their step-ups valid today. */
function renewSessions(file: string): void {
  const db = new SqliteDatabase(file)
  const now = new Date().toISOString()
  db.prepare(
    `update sessions set created_at = $now, last_used_at = $now,
    step_up_at = iif(step_up_at is null, null, $now), factor_at = iif(factor_at is null, null, $now)`,
  ).run({ now })
  db.close()
}

const procedures = rootRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
const isQuery = (call: string) => procedures[call]?._def.type === 'query'

function overRest(
  route: string,
  input: Record<string, unknown> = {},
  token: string | undefined,
): Promise<PortalResponse> {
  const [method = '', template = ''] = route.split(' ')
  const ids = [...template.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const others = Object.entries(input).filter(([name]) => !ids.includes(name))
  if (method !== 'GET')
    return portal.call(method, path, {
      token,
      ...(others.length > 0 && { body: Object.fromEntries(others) }),
    })
  const search = new URLSearchParams(others.map(([name, value]) => [name, String(value)]))
  return portal.call(method, `${path}?${search}`, { token })
}

test('a stranger’s lists and counts contain nothing of another tenant', async () => {
  const token = matrix.tokens.other
  const lists = [
    portal.call('GET', '/api/application/status', { token }),
    portal.call('GET', '/api/lease/status', { token }),
    portal.call('GET', '/api/payment/history', { token }),
    portal.query('payments.options', { token }),
    portal.query('applications.status', { token }),
    portal.query('leases.status', { token }),
  ]
  for (const reply of await Promise.all(lists)) {
    expect(reply.status).toBe(200)
    for (const secret of [matrix.tenantId, matrix.signedId, matrix.emails.tenant, 'APP-2026', 'Maya'])
      expect(reply.text).not.toContain(secret)
  }
  expect((await portal.query('payments.options', { token })).body.result.data.applications).toEqual([])
})

test('a cached response is never served to anybody who may not have it', async () => {
  const wrong: string[] = []
  let tried = 0
  for (const row of procedureRows.filter(({ call }) => isQuery(call))) {
    const ways = [
      (caller: (typeof callers)[number]) => {
        const input = row.input?.(matrix, 'tenant')
        return portal.query(row.call, { token: matrix.tokens[caller], ...(input && { body: input }) })
      },
      ...row.routes.map(
        route => (caller: (typeof callers)[number]) =>
          overRest(route, row.input?.(matrix, 'tenant'), matrix.tokens[caller]),
      ),
    ]
    for (const ask of ways) {
      // Allowed callers come first and last; in between, everybody else sends the same request.
      for (const caller of ['admin', 'tenant', 'other', 'guest', 'tenant', 'admin'] as const) {
        const expected = row.statuses[callers.indexOf(caller)]
        const { status, text } = await ask(caller)
        tried++
        // Here it is today, and the stays of the matrix are over.
        const isOver = row.call === 'addenda.preview' && expected === 200 && status === 409
        if (status !== expected && !isOver) wrong.push(`${row.call} as ${caller}: ${status} for ${expected}`)
        const isPublic = row.statuses[0] === 200
        if (!isPublic && caller === 'other' && status === 200 && text.includes(matrix.emails.tenant))
          wrong.push(`${row.call} as ${caller}: ${text.slice(0, 100)}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(150)
})

test('a guessed checkout session reveals nothing: unknown and foreign sessions look the same', async () => {
  const token = matrix.tokens.other
  const foreign = await portal.expectRejected(404, () =>
    portal.call('GET', `/api/payment/by-session/${matrix.sessionId}`, { token }),
  )
  const unknown = await portal.expectRejected(404, () =>
    portal.call('GET', `/api/payment/by-session/cs_test_${createHash('md5').update('x').digest('hex')}`, {
      token,
    }),
  )
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
})
