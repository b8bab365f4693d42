import type { AnyProcedure } from '@trpc/server'
import fc from 'fast-check'
import type { InjectOptions, Response } from 'light-my-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Passwords } from '../../server/accounts/passwords.ts'
import { rootRouter } from '../../server/root-router.ts'
import { tenantPassword } from '../build-account.ts'
import { procedureRows, routeRows } from '../matrix-rows.ts'
import { buildWorld, type OpenedWorld, openWorld, people, type World } from '../matrix-world.ts'
import { bake, type Json, recipes } from './bodies.ts'

/** A few of each in the normal run, always the same; thousands, and other ones each time, in the long run. */
const isLong = process.env.LONG !== undefined
const settings = { numRuns: isLong ? 3000 : 20, ...(isLong ? {} : { seed: 20260304 }), endOnFailure: true }
const answersWithinMs = 15_000

const procedures = rootRouter._def.procedures as unknown as Record<string, AnyProcedure>
const definitionOf = (call: string) =>
  procedures[call]?._def as unknown as { type: string; inputs: z.ZodType[] }

/** The real ones take as long as they should. */
const passwords: Passwords = {
  hash: async () => 'no password fits',
  verify: async (_hash, password) => password === tenantPassword,
}

let world: World
beforeAll(async () => {
  world = { ...(await buildWorld()), passwords }
}, 60_000)
afterAll(() => world.close())

describe('no generated body makes a 500, hangs, or changes anything when it is refused', () => {
  test.each(procedureRows)('$call', async row => {
    const { inputs, type } = definitionOf(row.call)
    const targets = ['trpc', ...(row.rest ?? [])]
    const site = await watched()
    const tries = fc.record({
      recipe: recipes(inputs[0]),
      person: fc.constantFrom(...people),
      target: fc.constantFrom(...targets),
    })
    await fc.assert(
      fc.asyncProperty(tries, async ({ person, recipe, target }) => {
        const body = bake(recipe, row.input?.(world, person) ?? {})
        const request = target === 'trpc' ? overTrpc(row.call, type, body) : overRest(target, body)
        await site.send(request, world.tokens[person])
      }),
      settings,
    )
  })
})

test('no raw garbage, of whatever type it claims to be, makes a 500, hangs, or changes anything when it is refused', async () => {
  const site = await watched()
  const routes = [
    ...procedureRows.flatMap(({ call, rest = [] }) => [`POST /trpc/${call}`, `GET /trpc/${call}`, ...rest]),
    ...routeRows.map(({ route }) => route),
  ]
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
    fc.string({ unit: 'binary', maxLength: 300 }),
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
    person: fc.constantFrom(...people),
    body: garbage,
    type: types,
    id: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('%', '..', '%2e%2e', '\u0000', 'x'.repeat(3000)),
    ),
    query: fc.string({ maxLength: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(tries, async ({ body, id, person, query, route, type }) => {
      const [method = '', template = ''] = route.split(' ')
      const path = template.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed()))
      await site.send(
        {
          method: method as 'GET',
          url: `${path}?${encodeURI(query.toWellFormed()).replaceAll('#', '')}`,
          headers: { ...(type && { 'content-type': type }) },
          ...(method === 'GET' ? {} : { payload: body }),
        },
        world.tokens[person],
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
  const asText = (value: Json) =>
    (typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value}`).toWellFormed()
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

/** A site that is looked at after each request. Whoever was signed out by one finds a new site. */
async function watched() {
  let site: OpenedWorld = await openWorld(world)
  let known = site.everything()
  let version = site.deps.dataVersion()

  return {
    async send(request: InjectOptions, token: string | undefined): Promise<void> {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('no answer')), answersWithinMs).unref()
      })
      const asked = site.http.inject({
        ...request,
        headers: { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) },
      })
      const { body, statusCode }: Response = await Promise.race([asked, late])
      expect(statusCode, body.slice(0, 300)).toBeLessThan(500)
      const isSame = site.deps.dataVersion() === version
      version = site.deps.dataVersion()
      if (statusCode >= 400) {
        // A refusal inside a write ends in a commit of nothing: only then everything is compared.
        if (!isSame) expect(site.everything()).toEqual(known)
        expect(site.sentMails.length).toBe(known.mails)
        return
      }
      if (isSame) return
      if (site.deps.db.query.sessions.findMany().sync().length < 3) {
        site = await openWorld(world)
        version = site.deps.dataVersion()
      }
      known = site.everything()
    },
  }
}
