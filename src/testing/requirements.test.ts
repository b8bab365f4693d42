import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { pendingInRequirements } from './pending.ts'

const ids = [
  ...readFileSync(join(projectRoot, 'docs/product-spec.md'), 'utf8').matchAll(/^- \*\*([A-Z]+-\d+)\*\* /gm),
].map(match => match[1] ?? '')
/** Matches test('…'), it('…'), test.each(table)('…') and test.concurrent('…'), also with template strings. */
const titlePattern = /\b(?:test|it)(?:\.\w+)*\s*(\([^)]*\)\s*)?\(\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2/g
const titles = testTitles()
const covered = new Set(titles.flatMap(idsIn))

test('every requirement is named in a test title or listed as pending', () => {
  expect(ids.length).toBeGreaterThan(660)
  expect(new Set(ids).size).toBe(ids.length)
  const missing = ids.filter(id => !covered.has(id))
  expect(missing.toSorted()).toEqual([...pendingInRequirements].toSorted())
})

test('test titles name only existing requirements', () => {
  const known = new Set(ids)
  expect([...covered].filter(id => !known.has(id))).toEqual([])
})

test('a test title names at most six requirements', () => {
  expect(titles.filter(title => idsIn(title).length > 6)).toEqual([])
})

/** The titles of all tests, with their ids. */
function testTitles(): string[] {
  const files = ['src', 'db'].flatMap(folder =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map(path =>
      join(folder, path),
    ),
  )
  return files
    .filter(path => /\.(test|spec)\.tsx?$/.test(path))
    .map(path => readFileSync(join(projectRoot, path), 'utf8'))
    .flatMap(text => [...text.matchAll(titlePattern)].map(match => match[3] ?? ''))
}

/** The ids in square brackets, such as `[LOGIN-04]` or `[LOGIN-05, LOGIN-06]`. */
function idsIn(title: string): string[] {
  const brackets = [...title.matchAll(/\[([A-Z0-9\-, ]+)\]/g)].map(match => match[1] ?? '')
  return brackets.flatMap(list => list.match(/[A-Z]+-\d+/g) ?? [])
}
