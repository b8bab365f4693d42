import { isFields, isSameBody } from '../common/same-body.ts'
import { type SectionName, type SiteContent, sectionNames } from './content.ts'

/** A changed field. `path` is within the section; `before` or `after` is null if that side has no value (SITE-24). */
export type ContentChange = { section: SectionName; path: string; before: unknown; after: unknown }
type Change = Omit<ContentChange, 'section'>
type Fields = Record<string, unknown>

/** Lists whose entries are matched by this field; all other lists are matched by position. */
const identifiers: Record<string, string> = { pictures: 'picture', reviews: 'id' }

/** The changes from one content to another; none if they are equal. Applying them to `from` gives `to`. */
export function compareContent(from: SiteContent, to: SiteContent): ContentChange[] {
  return sectionNames.flatMap(section =>
    compareFields(from[section], to[section], []).map(change => ({ section, ...change })),
  )
}

function compareFields(from: Fields, to: Fields, path: string[]): Change[] {
  return Object.keys(to).flatMap(key => compareValues(from[key], to[key], [...path, key]))
}

function compareValues(from: unknown, to: unknown, path: string[]): Change[] {
  if (isSameBody(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to)) {
    const identifier = identifierOf(path, from, to)
    return identifier === undefined
      ? compareByPosition(from, to, path)
      : compareById(from, to, path, identifier)
  }
  if (isFields(from) && isFields(to)) return compareFields(from, to, path)
  return [{ path: path.join('.'), before: from, after: to }]
}

/** Undefined if entries lack an id or share one, as in an unfinished draft. */
function identifierOf(path: readonly string[], from: unknown[], to: unknown[]): string | undefined {
  const identifier = identifiers[path.at(-1) ?? '']
  if (identifier === undefined) return undefined
  const isIdentified = (list: unknown[]) => {
    const ids = list.map(entry => (entry as Fields)[identifier])
    return ids.every(id => typeof id === 'string') && new Set(ids).size === ids.length
  }
  return isIdentified(from) && isIdentified(to) ? identifier : undefined
}

/** Removed, changed and new entries, then the order, if these alone do not produce it. */
function compareById(from: unknown[], to: unknown[], path: string[], identifier: string): Change[] {
  const [before, after] = [byId(from, identifier), byId(to, identifier)]
  const gone = [...before].filter(([id]) => !after.has(id))
  const entries = [...gone, ...after].flatMap(([id]) => {
    const [old, now] = [before.get(id), after.get(id)]
    if (old && now) return compareFields(old, now, [...path, id])
    return [{ path: [...path, id].join('.'), before: old ?? null, after: now ?? null }]
  })
  const kept = [...before.keys()].filter(id => after.has(id))
  const added = [...after.keys()].filter(id => !before.has(id))
  const ids = [...after.keys()]
  return isSameBody([...kept, ...added], ids)
    ? entries
    : [...entries, { path: [...path, 'order'].join('.'), before: [...before.keys()], after: ids }]
}

function compareByPosition(from: unknown[], to: unknown[], path: string[]): Change[] {
  if (isPermutation(from, to)) return [{ path: [...path, 'order'].join('.'), before: from, after: to }]
  return Array.from({ length: Math.max(from.length, to.length) }, (_, index) =>
    index < from.length && index < to.length
      ? compareValues(from[index], to[index], [...path, String(index)])
      : [{ path: [...path, index].join('.'), before: from[index] ?? null, after: to[index] ?? null }],
  ).flat()
}

function isPermutation(from: unknown[], to: unknown[]): boolean {
  const rest = [...to]
  return (
    from.length === to.length &&
    from.every(entry => {
      const index = rest.findIndex(other => isSameBody(entry, other))
      if (index >= 0) rest.splice(index, 1)
      return index >= 0
    })
  )
}

const byId = (list: unknown[], identifier: string) =>
  new Map(list.map(entry => [String((entry as Fields)[identifier]), entry as Fields]))
