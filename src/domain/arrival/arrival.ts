import { z } from 'zod'
import { pictureField } from '../content/content.ts'
import {
  contentMessages,
  fields,
  filled,
  integerField,
  lineField,
  list,
  oneOf,
  phoneField,
  textField,
} from '../content/content-text.ts'

const options = { error: contentMessages.invalid }
const from = (usual: 'booked' | 'open') => ({ from: oneOf(['booked', 'open']).default(usual) })
const line = (max: number) => lineField(max).default('')
const text = (max: number) => textField(max).default('')
const pictured = () => ({ picture: pictureField().default(null), alt: line(160) })
const isWebAddress = (given: string) => given === '' || (/^https:\/\//.test(given) && URL.canParse(given))

/** A lock with one code for everybody, or with another for each stay (STAY-16). */
export const lockFields = fields({
  id: z.string(options).regex(/^[\w-]{1,64}$/, options),
  name: filled(lineField(40)),
  kind: oneOf(['per_stay', 'standing']),
  /** With `one`, a new code replaces the previous guest's. */
  holds: oneOf(['one', 'many']).default('one'),
  digits: integerField(4, 8),
  hint: lineField(120),
})
export const mostLocks = 6
export type Lock = z.output<typeof lockFields>

/** The owner's words for guests who arrive, in the order of the stay page; codes and password are kept elsewhere. */
export const arrivalSections = {
  welcome: fields({ text: text(1500), ...from('open') }),
  directions: fields({
    address: line(160),
    mapLink: line(500).refine(isWebAddress, 'A map link begins with https://'),
    text: text(4000),
    ...pictured(),
    ...from('open'),
  }),
  entry: fields({
    text: text(2000),
    ...pictured(),
    locks: list(lockFields, mostLocks).default([]),
    ...from('open'),
  }),
  wifi: fields({ network: line(32), security: oneOf(['wpa', 'open']).default('wpa'), ...from('open') }),
  parking: fields({ text: text(2000), ...pictured(), ...from('open') }),
  manual: fields({
    entries: list(
      fields({ title: filled(lineField(60)), text: filled(textField(3000)), ...pictured() }),
      40,
    ).default([]),
    ...from('open'),
  }),
  checkout: fields({ items: list(filled(lineField(200)), 20).default([]), ...from('open') }),
  contacts: fields({
    people: list(
      fields({ name: filled(lineField(60)), role: lineField(60), phone: filled(phoneField()) }),
      8,
    ).default([]),
    ...from('booked'),
  }),
}
export type ArrivalSection = keyof typeof arrivalSections
export type ArrivalBody<Name extends ArrivalSection> = z.output<(typeof arrivalSections)[Name]>
export const arrivalSectionNames = Object.keys(arrivalSections) as ArrivalSection[]

export const isArrivalSection = (name: string): name is ArrivalSection => Object.hasOwn(arrivalSections, name)

/** Every text of a body that somebody typed, with its path, such as `entries.0.text`. */
export function arrivalTexts(body: unknown, path = ''): { path: string; text: string }[] {
  if (typeof body === 'string') return [{ path, text: body }]
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) =>
    ['id', 'kind', 'holds', 'from', 'security', 'picture'].includes(key)
      ? []
      : arrivalTexts(value, path ? `${path}.${key}` : key),
  )
}

/** The pictures of a body, with their paths. */
export function arrivalPictures(body: unknown, path = ''): { path: string; id: string }[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => {
    const at = path ? `${path}.${key}` : key
    if (key !== 'picture') return arrivalPictures(value, at)
    return typeof value === 'string' ? { path: at, id: value } : []
  })
}
