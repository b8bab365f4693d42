import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const terms = [...read('docs/design.md').matchAll(/^\| [^|]+ \| (?!not |---)([^|]+) \|$/gm)].flatMap(
  ([, not = '']) => not.split(', '),
)
/** What the customer's specification gives word for word, a status of the API, and one of the calendar format. */
const given =
  /Check-in from|Check-out by|Sign out now|(were|will be) signed out (after|in)\b|second applicant$|signing.ts: Co-tenant$|approved, rejected or completed|CANCELLED|^\S+ Please give the e-mail address of $/
const forbidden = new RegExp(
  terms.map(term => `(?<![\\w'.-])${term.replace('$', '\\$')}(?![a-z])`).join('|'),
  'i',
)

/** Texts with a space or a capital letter: a code such as 'rejected' is not read by people. */
function textsOf(path: string): string[] {
  const texts: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && 'value' in node && /^(Literal|JSXText)$/.test(String(node.type)))
      texts.push(String(node.value))
    if ('cooked' in node) texts.push(String(node.cooked))
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseAst(read(path), { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body)
  return texts.map(text => text.replaceAll(/\s+/g, ' ')).filter(text => /[A-Z ]/.test(text))
}

const spec = read('docs/product-spec.md').replaceAll(/\s+/g, ' ')
/** Names, and labels beside similar ones that the customer's specification gives. */
const named =
  /^((Back|Go) to .*|Google Calendar|ACH Direct Debit|(Weekly|Nightly) Rate|Max Stay|Change Password)$/
const capitals = /^[A-Z][^ .:]*( (?:[A-Z][^ .:]*|of|and|or|to|an?|the|for|in|with))* [A-Z][^ .:]*[a-z?]$/
const texts = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(path => /(?<!\.(test|spec))\.tsx?$/.test(path) && !path.startsWith('testing'))
  .flatMap(path => textsOf(`src/${path}`).map(text => `${path}: ${text}`))

test('nothing that people read has a word that the terms of docs/design.md replace [LOOK-53]', () => {
  expect(terms.length).toBeGreaterThan(15)
  expect(texts.length).toBeGreaterThan(3000)
  expect(texts.filter(text => forbidden.test(text) && !given.test(text))).toEqual([])
})

test('titles and buttons that the product specification does not give have one capital letter [LOOK-53]', () => {
  const isTitle = (text: string) => capitals.test(text) && !named.test(text) && !spec.includes(text)
  expect(
    texts.filter(
      line => /^(web|server.messages)/.test(line) && isTitle(line.slice(line.indexOf(': ') + 2).trim()),
    ),
  ).toEqual([])
})
