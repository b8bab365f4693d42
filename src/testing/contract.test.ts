import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { fileRoutes } from '../server/http/file-routes.ts'
import { procedureList, restRoutes } from '../server/procedure-list.ts'
import { pendingInContract } from './pending.ts'
import { testApp } from './test-app.ts'

type ContractRow = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }
const contract: ContractRow[] = JSON.parse(
  readFileSync(join(projectRoot, 'src/testing/contract/rest-endpoints.json'), 'utf8'),
)
const nameOf = ({ method, path }: ContractRow) => `${method} ${path}`

test('every path of the contract is served or listed as pending', async () => {
  const http = await (await testApp()).fastify()
  const served = contract.filter(({ method, path }) =>
    http.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
  )
  const missing = contract.filter(row => !served.includes(row)).map(nameOf)
  expect(missing.toSorted()).toEqual([...pendingInContract].toSorted())
})

test('the contract contains every REST path of a procedure', () => {
  const known = new Set(contract.map(nameOf))
  expect(
    restRoutes.map(nameOf).filter(name => !known.has(name)),
    'add a row to src/testing/contract/rest-endpoints.json',
  ).toEqual([])
})

test('docs/api.md is up to date (`npx vitest run src/testing/contract.test.ts --update` writes it)', async () => {
  const cells = procedureList.map(({ call, type, access, cache, rest, summary }) => [
    `\`${call}\``,
    type,
    access,
    rest.map(route => `\`${route}\``).join('<br>'),
    cache ?? '',
    summary,
  ])
  const files = fileRoutes.map(({ method, path, access, summary }) => [
    `\`${method} ${path}\``,
    access,
    summary,
  ])
  const table = (heads: string[], rows: string[][]) =>
    [heads, heads.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
  await expect(`# API

Generated from the descriptions in \`src/server/**/*router.ts\`. A running site serves the reference at \`/api/docs\` and
OpenAPI 3.1 at \`/api/openapi.json\`. \`access\`: everyone, signed-in users (404 for another tenant's record), or
administrators. \`cache\`: whether a cached response depends on the database only (public) or also on the session.

## Procedures

${table(['procedure', 'kind', 'access', 'REST', 'cache', 'what it does'], cells)}

## Files and the webhook

${table(['path', 'access', 'what it does'], files)}
`).toMatchFileSnapshot(join(projectRoot, 'docs/api.md'))
})
