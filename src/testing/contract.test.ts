import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { restRows } from '../server/http/rest-table.ts'
import { notYetInContract } from './not-yet.ts'
import { testApp } from './test-app.ts'

type ContractRow = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }
const contract: ContractRow[] = JSON.parse(
  readFileSync(join(projectRoot, 'src/testing/contract/rest-endpoints.json'), 'utf8'),
)
const nameOf = ({ method, path }: ContractRow) => `${method} ${path}`

test('every path of the contract is served, or stands in the one list of what is not there yet', async () => {
  const { http } = await testApp()
  const served = contract.filter(({ method, path }) =>
    http.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
  )
  const missing = contract.filter(row => !served.includes(row)).map(nameOf)
  expect(missing.toSorted()).toEqual([...notYetInContract].toSorted())
})

test('every row of the REST table is in the contract', () => {
  const known = new Set(contract.map(nameOf))
  const unknown = restRows.map(({ method, path }) =>
    nameOf({ method, path: path.replaceAll(/:(\w+)/g, '{$1}') }),
  )
  expect(unknown.filter(name => !known.has(name))).toEqual([])
})
