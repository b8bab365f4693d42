import { isPrintable } from '../common/printable.ts'

/** A placeholder of a wording; one that is `needed` must be used. */
export type Placeholder<Data> = { needed: boolean; fill: (data: Data) => string }
type Placeholders<Data> = Record<string, Placeholder<Data>>

/**
 * Fills a template. Values are single printable lines, or lists of them, and are never expanded as placeholders. A line
 * with only a placeholder without a value is left out.
 */
export function fillTemplate<Data>(placeholders: Placeholders<Data>, data: Data, template: string): string {
  const value = (name: string) => find(placeholders, name)?.fill(data)
  return template
    .replace(wholeLinePattern, (line, name: string) => (value(name.trim()) === '' ? '' : line))
    .replace(placeholderPattern, (whole, name: string) => value(name.trim()) ?? whole)
    .trim()
}

/** The placeholders of a template: name, whether it is required, and its value. */
export function listPlaceholders<Data>(
  placeholders: Placeholders<Data>,
  data: Data,
): { name: string; needed: boolean; value: string }[] {
  return Object.entries(placeholders).map(([name, { fill, needed }]) => ({ name, needed, value: fill(data) }))
}

/** All errors of a template, one sentence each. */
export function templateFaults<Data>(
  placeholders: Placeholders<Data>,
  template: string,
  of: 'lease' | 'addendum',
): string[] {
  const used = usedIn(template)
  const unknown = [...new Set(used)].filter(name => !find(placeholders, name))
  const missing = Object.keys(placeholders).filter(
    name => find(placeholders, name)?.needed && !used.includes(name),
  )
  const lines = template.split('\n')
  const faulty = (isFaulty: (line: string) => boolean) =>
    lines.flatMap((line, i) => (isFaulty(line) ? [i + 1] : []))
  const stray = faulty(line => /\{\{|\}\}/.test(line.replace(placeholderPattern, '')))
  const unprintable = faulty(line => !isPrintable(line))
  return [
    ...unknown.map(name => `The ${of} template has an unknown placeholder {{${name}}}.`),
    ...missing.map(name => `The ${of} template lacks the placeholder {{${name}}}.`),
    ...stray.map(
      line => `Line ${line} of the ${of} template has double braces that do not make a placeholder.`,
    ),
    ...unprintable.map(line => `Line ${line} of the ${of} template has a character that cannot be printed.`),
  ]
}

/**
 * A name may be surrounded by spaces. Each character can match in only one way, so that no template causes
 * backtracking.
 */
const placeholderPattern = /\{\{([\w\p{Zs}]*)\}\}/gu
/** A line with only a placeholder, and the empty line after it. */
const wholeLinePattern = /^\{\{([\w\p{Zs}]*)\}\}(?:\n\n?|$)/gmu

/** The names of the placeholders in a template. */
export const usedIn = (template: string): string[] =>
  [...template.matchAll(placeholderPattern)].map(([, name = '']) => name.trim())

const find = <Data>(placeholders: Placeholders<Data>, name: string): Placeholder<Data> | undefined =>
  Object.hasOwn(placeholders, name) ? placeholders[name] : undefined
