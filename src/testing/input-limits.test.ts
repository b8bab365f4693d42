import { expect, test } from 'vitest'
import { z } from 'zod'
import { procedureList } from '../server/procedure-list.ts'
import { call, signUp } from './build-account.ts'
import { buildApplication } from './build-application.ts'
import { testApp } from './test-app.ts'

test.each<[string, unknown[]]>([
  ['900 numbers', Array(900).fill(0)],
  ['300 blank guests', Array(300).fill({})],
])('refuses %s in an application with one error [FIX-19]', async (_name, additionalGuests) => {
  const app = await testApp()
  const { token } = await signUp(app)
  for (const path of ['/api/application', '/trpc/applications.createAndSubmit']) {
    const body = { ...buildApplication(), additionalGuests }
    const { body: answer, status } = await call(app, 'POST', path, { body, token })
    expect(status).toBe(400)
    const { fields } = path.startsWith('/api') ? answer : answer.error.data
    expect(fields).toEqual({ additionalGuests: 'Please name at most 100 guests' })
  }
})

test.each<[string, unknown[]]>([
  ['49,000 numbers', Array(49_000).fill(0)],
  ['33,000 blank guests', Array(33_000).fill({})],
])('refuses %s in an application before it is parsed [FIX-19]', async (_name, additionalGuests) => {
  const app = await testApp()
  const { token } = await signUp(app)
  for (const path of ['/api/application', '/trpc/applications.createAndSubmit']) {
    const body = { ...buildApplication(), additionalGuests }
    expect((await call(app, 'POST', path, { body, token })).status).toBe(413)
  }
})

test('an answer names at most a hundred fields', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const body = { ...buildApplication(), additionalGuests: Array(100).fill({ firstName: 1, lastName: 1 }) }
  const { body: answer, status } = await call(app, 'POST', '/api/application', { body, token })
  expect(status).toBe(400)
  expect(Object.keys(answer.fields)).toHaveLength(100)
})

/** The schemas inside a schema, itself included. */
function partsOf(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): Set<z.core.$ZodType> {
  if (seen.has(schema)) return seen
  seen.add(schema)
  const inner = (value: unknown): void => {
    if (value instanceof z.core.$ZodType) partsOf(value, seen)
    else if (Array.isArray(value)) value.forEach(inner)
  }
  const { shape, ...def } = schema._zod.def as { shape?: object }
  Object.values(def).forEach(inner)
  Object.values(shape ?? {}).forEach(inner)
  return seen
}

test('every list and record in an input has a limit [FIX-19]', () => {
  const lists = new Map(
    procedureList.flatMap(({ call: name, inputs }) =>
      inputs.flatMap(input =>
        [...partsOf(input)]
          .filter(part => part instanceof z.ZodArray || part instanceof z.ZodRecord)
          .map(part => [part, name] as const),
      ),
    ),
  )
  expect(lists.size).toBeGreaterThan(8)
  const unlimited = [...lists].filter(([part]) => {
    const entries = Array.from({ length: 1000 }, (_, at) => [`entry ${at}`, 'approved'])
    const given = part instanceof z.ZodArray ? entries.map(() => Symbol()) : Object.fromEntries(entries)
    // A list is measured before its entries are read, so they have no errors.
    const paths = part.safeParse(given).error?.issues.map(({ path }) => path.join('.'))
    return paths?.join() !== ''
  })
  expect(unlimited.map(([, name]) => name)).toEqual([])
})
