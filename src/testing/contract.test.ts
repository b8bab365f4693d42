import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ZodType, z } from 'zod'
import { projectRoot } from '../../db/project-root.ts'
import { largeCalls } from '../domain/common/large-calls.ts'
import { fileRoutes } from '../server/http/file-routes.ts'
import { procedureList } from '../server/procedure-list.ts'
import { testApp } from './test-app.ts'

type ContractRow = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }
type LaterRow = ContractRow & { status: number; response: string[] }
const readContract = (name: string) =>
  JSON.parse(readFileSync(join(projectRoot, 'src/testing/contract', name), 'utf8'))
const later: LaterRow[] = readContract('later-endpoints.json')
const contract: ContractRow[] = [...readContract('rest-endpoints.json'), ...later]

test('every path that the customer was promised is served', async () => {
  const http = await (await testApp()).fastify()
  expect(contract).toHaveLength(53 + 154)
  expect(
    contract.filter(
      ({ method, path }) => !http.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
    ),
  ).toEqual([])
})

test('the later paths answer with the promised status and fields', () => {
  const withoutNames = (route: string) => route.replaceAll(/\{\w+\}/g, '{}')
  const served = new Map(
    [
      ...procedureList.flatMap(({ output, rest, status = 200 }) =>
        rest.map(route => ({ route, status, fields: fieldNames(output) })),
      ),
      ...fileRoutes.map(({ answer, method, path, status = 200 }) => ({
        route: `${method} ${path}`,
        status,
        fields: answer ? fieldNames(answer) : '',
      })),
    ].map(({ route, ...answer }) => [withoutNames(route), answer] as const),
  )
  const missing = later.flatMap(({ method, path, response, status }) => {
    const answer = served.get(withoutNames(`${method} ${path}`))
    const fields = answer?.fields.replaceAll('?', '').split(', ') ?? []
    const unserved = response.filter(field => !fields.includes(field))
    return answer?.status === status && unserved.length === 0
      ? []
      : [{ path, status: answer?.status, unserved }]
  })
  expect(missing).toEqual([])
})

test('every large call is a procedure', () => {
  const names = procedureList.map(({ call }) => call)
  expect(Object.keys(largeCalls).filter(name => !names.includes(name))).toEqual([])
})

test('docs/api.md is up to date (`npx vitest run src/testing/contract.test.ts --update` writes it)', async () => {
  const cells = procedureList.map(({ call, type, access, cache, output, rest, status, stepUp, summary }) => [
    `\`${call}\``,
    type,
    access,
    stepUp ?? '',
    rest.map(route => `\`${route}\`${status ? ` (${status})` : ''}`).join('<br>'),
    fieldNames(output),
    cache ?? '',
    summary,
  ])
  const files = fileRoutes.map(({ method, path, access, answer, status, stepUp, summary }) => [
    `\`${method} ${path}\`${status ? ` (${status})` : ''}`,
    access,
    stepUp ?? '',
    answer ? fieldNames(answer) : '',
    summary,
  ])
  const table = (heads: string[], rows: string[][]) =>
    [heads, heads.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
  await expect(`# API

Generated from the descriptions in \`src/server/**/*router.ts\`. A running site serves the reference at \`/api/docs\` and
OpenAPI 3.1 at \`/api/openapi.json\`. \`access\`: everyone, signed-in users (404 for another tenant's record), or
administrators. \`step-up\`: whether the call requires a recent proof of identity. \`returns\`: the fields of the
response; a status other than 200 is after the path. \`cache\`: public if the response is the same for
everybody and cached until the next write.

## Procedures

${table(['procedure', 'kind', 'access', 'step-up', 'REST', 'returns', 'cache', 'what it does'], cells)}

## Files and the webhook

${table(['path', 'access', 'step-up', 'returns', 'what it does'], files)}
`).toMatchFileSnapshot(join(projectRoot, 'docs/api.md'))
})

/** The fields of a response, of a union those of all its parts; optional ones end with `?`. */
function fieldNames(output: ZodType): string {
  // Without the ids of the registry, every part is in its place instead of a reference.
  const schema = z.toJSONSchema(output, { unrepresentable: 'any', metadata: z.registry() })
  const parts = (schema.anyOf ?? schema.oneOf ?? [schema]) as (typeof schema)[]
  const names = new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})))
  const isOptional = (name: string) => parts.some(({ required }) => !required?.includes(name))
  return [...names].map(name => (isOptional(name) ? `${name}?` : name)).join(', ')
}
