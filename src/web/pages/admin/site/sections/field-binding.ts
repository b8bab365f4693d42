import type { ComponentType } from 'react'
import { z } from 'zod'
import type { FieldErrors } from '../../../../../domain/common/errors.ts'
import {
  requiredToPublish,
  type SectionName,
  type SiteContent,
  sections,
} from '../../../../../domain/content/content.ts'
import { labelOf } from '../../../../../domain/content/content-label.ts'

/** A location within a section. */
export type FieldLocation = {
  section: string
  /** Of a section that is not of the site's content. */
  schema?: z.ZodType
  /** The path within the section, such as `pictures.0.alt`; empty for the whole section. */
  path: string
  /** Errors by path within the section: `headline`, `pictures.0.alt`. */
  errors: FieldErrors
}

/** Binds a field to a section's content, from the whole body down to a single text: its value and change handler. */
export type FieldBinding<Value> = FieldLocation & {
  value: Value
  /** Called with the complete value on each change; it is saved after a second without changes. */
  onChange: (value: Value) => void
  /** Called when a field loses focus, to save immediately. */
  onLeave: () => void
}

/** Binds a whole section: the props of its form. */
export type SectionBinding<Name extends SectionName> = FieldBinding<SiteContent[Name]>
export type SectionForm<Name extends SectionName> = ComponentType<SectionBinding<Name>>
/** The form of some section. */
export type AnySectionForm = { [Name in SectionName]: SectionForm<Name> }[SectionName]

/** A field of an object. */
export function fieldOf<Value extends object, Key extends keyof Value & string>(
  field: FieldBinding<Value>,
  key: Key,
): FieldBinding<Value[Key]> {
  return {
    ...field,
    path: field.path ? `${field.path}.${key}` : key,
    value: field.value[key],
    onChange: value => field.onChange({ ...field.value, [key]: value }),
  }
}

/** An entry of a list. */
export function entryOf<Entry>(field: FieldBinding<Entry[]>, index: number): FieldBinding<Entry> {
  return {
    ...field,
    path: `${field.path}.${index}`,
    value: field.value[index] as Entry,
    onChange: entry => field.onChange(field.value.with(index, entry)),
  }
}

export const idOf = ({ path, section }: FieldLocation) => controlId(section, path)

export const errorOf = ({ errors, path }: FieldLocation): string | undefined => errors[path]

/** The number of errors in a field, including nested ones. */
export const errorCount = ({ errors, path }: FieldLocation): number =>
  Object.keys(errors).filter(key => key === path || key.startsWith(`${path}.`)).length

/** The field's name, as in the server's messages. */
export const labelOfPath = (path: string): string => labelOf(path.split('.'))

/** The schema of a path within a section. */
function schemaAt({ path, schema: own, section }: Omit<FieldLocation, 'errors'>): z.ZodType {
  return path.split('.').reduce<z.ZodType>(
    (given, key) => {
      const schema = bare(given)
      if (schema instanceof z.ZodArray) return schema.element as z.ZodType
      if (schema instanceof z.ZodObject && key in schema.shape) return schema.shape[key] as z.ZodType
      throw new Error(`no field ${path} in ${section}`)
    },
    own ?? sections[section as SectionName],
  )
}

/** Without its default value. */
const bare = (schema: z.ZodType) => (schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema)

type Limits = { min?: number; max?: number }

/** The maximum length of a text or list, or the range of a number. */
export function limitsOf(field: FieldLocation): Limits {
  const schema = bare(schemaAt(field))
  const inner = schema instanceof z.ZodPipe ? schema.def.out : schema
  if (inner instanceof z.ZodString && inner.maxLength !== null) return { max: inner.maxLength }
  if (inner instanceof z.ZodNumber && inner.minValue !== null && inner.maxValue !== null)
    return { min: inner.minValue, max: inner.maxValue }
  if (inner instanceof z.ZodArray) {
    const checks = inner.def.checks?.map(check => check._zod.def) ?? []
    const longest = checks.find(check => check.check === 'max_length')
    if (longest && 'maximum' in longest) return { max: Number(longest.maximum) }
  }
  return {}
}

/** Whether the field is required for publishing. */
export const isRequiredToPublish = (field: FieldLocation): boolean => requiredToPublish.has(schemaAt(field))

/** The control's id for a path within a section: `hero-headline`. */
const controlId = (section: string, path: string) => `${section}-${path}`

/**
 * Focuses the field at a path within a section, such as `headline` or `reviews.2.date`, or the nearest element around
 * it. Opens the entry that contains the field. Returns false if the section is not on the screen.
 */
export function focusField(section: SectionName, path: string): boolean {
  const found = nearestTo(section, path.split('.'))
  if (!found) return false
  if (found.getAttribute('aria-expanded') === 'false') {
    found.click()
    // The fields are rendered by then.
    requestAnimationFrame(() => show(nearestTo(section, path.split('.')) ?? found))
  } else show(found)
  return true
}

function nearestTo(section: SectionName, keys: readonly string[]): HTMLElement | undefined {
  if (keys.length === 0) return undefined
  return document.getElementById(controlId(section, keys.join('.'))) ?? nearestTo(section, keys.slice(0, -1))
}

function show(control: HTMLElement): void {
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
}

const renderTimeoutMs = 5000

/** The same for a section whose form may still be loading. */
export function focusFieldAfterRender(section: SectionName, path: string): void {
  const until = performance.now() + renderTimeoutMs
  const attempt = () => {
    if (!focusField(section, path) && performance.now() < until) requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
}
