import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '' && existsSync(join(projectRoot, path)))
const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const withoutCode = (text: string) => text.replaceAll(/`[^`\n]*`/g, '')
const documents = files.filter(path => path.endsWith('.md'))
const sources = files.filter(path => /\.(tsx?|mjs|css)$/.test(path))

test('every relative link in a document resolves', () => {
  const broken = documents.flatMap(path =>
    [...withoutCode(textOf(path)).matchAll(/\]\(([^)\s#]+)(#[^)]*)?\)/g)]
      .map(match => match[1] ?? '')
      .filter(target => !/^[a-z]+:/.test(target))
      .filter(target => !existsSync(join(projectRoot, dirname(path), target)))
      .map(target => `${path}: ${target}`),
  )
  expect(documents.length).toBeGreaterThan(20)
  expect(broken).toEqual([])
})

test('every project path in a document exists', () => {
  const named = /`((?:src|db|docs|deploy|scripts)\/[\w./-]+\.(?:ts|tsx|mjs|md|sql|tsv|yml|yaml))`/g
  const broken = documents.flatMap(path =>
    [...textOf(path).matchAll(named)]
      .map(match => match[1] ?? '')
      .filter(target => !existsSync(join(projectRoot, target)))
      .map(target => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every shortened path of a source file in a document is the end of a project path', () => {
  const broken = documents.flatMap(path =>
    [...textOf(path).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.tsx?)`/g)]
      .map(match => match[1] ?? '')
      .filter(target => !files.some(file => `/${file}`.endsWith(`/${target}`)))
      .map(target => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('no comment refers to a document outside the repository', () => {
  const broken = sources.flatMap(path =>
    [...textOf(path).matchAll(/§\s?\d+|\((?:spec|decisions|architecture)\b[^)]*\)|\b[\w/-]+\.md\b/g)]
      .map(match => match[0])
      .filter(reference => !existsSync(join(projectRoot, reference)))
      .filter(reference => !existsSync(join(projectRoot, dirname(path), reference)))
      .map(reference => `${path}: ${reference}`),
  )
  expect(broken).toEqual([])
})
