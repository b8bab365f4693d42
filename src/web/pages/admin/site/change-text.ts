import { formatShortDate, isCalendarDate } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { labelOf } from '../../../../domain/content/content-label.ts'
import type { Outputs } from '../../../api/api.ts'

/** A field in which two states of the content differ. */
export type Change = Outputs['editor']['compare']['changes'][number]
/** The name of an entry: a picture's caption, or a review's author. */
export type EntryName = (list: string, id: string) => string | undefined

const entryNouns: Record<string, string> = {
  groups: 'Group',
  items: 'Item',
  pictures: 'Picture',
  reviews: 'Review',
  rules: 'Rule',
  walks: 'Walk',
  ways: 'Way to pay',
}
const fieldLabels: Record<string, string> = {
  next: 'What comes next',
  'focal.x': 'What stays in view, across',
  'focal.y': 'What stays in view, down',
}
const hiddenFields = ['id', 'applicationId', 'verified', 'sample']

/** Describes where a change is: `Headline`, `Group 1, Item 3`, `Picture “Balcony”, Caption`. */
export function changeLabel(path: string, nameOf: EntryName): string {
  const whole = fieldLabels[path]
  if (whole) return whole
  const keys = path.split('.')
  const words = keys.flatMap((key, index) => {
    const list = keys[index - 1] ?? ''
    const noun = entryNouns[list]
    if (noun && key !== 'order') return [entryLabel(noun, list, key, nameOf)]
    // The label of the entry or of the order already names the list.
    if (key in entryNouns && index < keys.length - 1) return []
    if (key === 'order') return [`Order of the ${labelOf([list]).toLowerCase()}`]
    return [fieldLabels[key] ?? labelOf([key])]
  })
  return words.join(', ')
}

function entryLabel(noun: string, list: string, key: string, nameOf: EntryName): string {
  if (/^\d+$/.test(key)) return `${noun} ${Number(key) + 1}`
  const name = nameOf(list, key)
  return name ? `${noun} “${name}”` : noun
}

/** Describes a new order in a sentence. */
export function orderText({ after, path }: Omit<Change, 'section'>, nameOf: EntryName): string {
  const list = path.split('.').at(-2) ?? ''
  const names = (Array.isArray(after) ? after : []).map(entry =>
    typeof entry !== 'string' ? firstText(entry) : list === 'rules' ? entry : nameOf(list, entry),
  )
  return names.every(name => name !== undefined)
    ? `The new order: ${names.join(', ')}.`
    : 'The order has changed.'
}

/** What a section is about: without it, its heading alone says nothing. */
const mainFields = ['groups', 'reviews', 'text']

/**
 * The summary of a closed section: the number of its pictures, what it lacks below its heading, else its heading, its
 * first text, the entries of its lists, or its numbers.
 */
export function summaryOf(body: unknown): string {
  const { headline, title, ...rest } = (body ?? {}) as Record<string, unknown>
  if (Array.isArray(rest.pictures)) return plural(rest.pictures.length, 'picture')
  const lacking = mainFields.find(key =>
    Array.isArray(rest[key]) ? rest[key].length === 0 : rest[key] === '',
  )
  if (title && lacking) return `No ${lacking} yet`
  const heading = [headline, title, firstText(rest)].find(text => typeof text === 'string' && text !== '')
  if (heading) return String(heading)
  const entries = Object.values(rest).flatMap(value => (Array.isArray(value) ? value : []))
  const numbers = Object.entries(rest).flatMap(([key, value]) =>
    typeof value === 'number' && value > 0 ? [`${labelOf([key])} ${value}`] : [],
  )
  const texts = entries.map(entry => (typeof entry === 'string' ? entry : (firstText(entry) ?? '')))
  return (texts.length > 0 ? texts : numbers).join(' · ')
}

const firstText = (entry: unknown): string | undefined =>
  Object.entries(entry ?? {}).find(
    ([key, value]) => key !== 'icon' && key !== 'map' && typeof value === 'string' && value !== '',
  )?.[1]

/** Formats a value for people. */
export function valueText(path: string, value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (path.startsWith('focal.')) return `${Math.round(Number(value) * 100)}%`
  if (Array.isArray(value)) return value.map(entry => valueText(path, entry)).join(', ')
  if (typeof value === 'object') return firstText(value) ?? ''
  const text = String(value)
  const field = path.split('.').at(-1)
  if (field === 'date' && isCalendarDate(text)) return formatShortDate(text)
  return field === 'icon' || field === 'map' || field === 'background' ? labelOf([text]) : text
}

/** The non-empty fields of an added or removed entry, with their labels. */
export function entryFields(entry: unknown): { key: string; label: string; text: string }[] {
  if (typeof entry !== 'object' || entry === null) return [{ key: '', label: '', text: String(entry) }]
  return Object.entries(entry)
    .filter(
      ([key, value]) => !hiddenFields.includes(key) && key !== 'picture' && value !== '' && value !== null,
    )
    .map(([key, value]) => ({
      key,
      label: fieldLabels[key] ?? labelOf([key]),
      text: valueText(key, value),
    }))
}

/** The id of the picture of an entry or a field. */
export function pictureOf(path: string, value: unknown): string | undefined {
  const isPicture = path.split('.').at(-1) === 'picture'
  if (isPicture) return typeof value === 'string' ? value : undefined
  if (typeof value !== 'object' || value === null || !('picture' in value)) return undefined
  return typeof value.picture === 'string' ? value.picture : undefined
}
