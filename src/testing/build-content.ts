import fc from 'fast-check'
import { z } from 'zod'
import {
  type Identity,
  resolveContent,
  type SectionName,
  type SiteContent,
  sections,
} from '../domain/content/content.ts'
import { shippedContent } from '../server/site/content/shipped-content.ts'
import { anyText } from './any-text.ts'

export const identity: Identity = {
  companyName: 'Seabreeze Rentals LLC',
  propertyName: 'Seabreeze Condo',
  propertyAddress: '100 Ocean Drive, Unit 4B, Beachtown, FL 32000',
  ownerEmail: 'owner@seabreeze.example',
  ownerPhone: '(555) 010-2030',
}

/** The shipped content with some sections changed. */
export const buildContent = (changes: Partial<SiteContent> = {}): SiteContent => ({
  ...resolveContent(shippedContent, identity),
  ...changes,
})

/** Input that tends to break fields. */
const edgeCaseStrings = [
  '',
  ' ',
  '<b>bold</b>',
  '"quoted" & \'more\'',
  '</script><script>alert(1)</script>',
  'a\tb\r\nc\n\n\nd',
  'Zoe\u0308 \u202egnp.exe \u2066x\u2069',
  '\ud83c\udfd6 \ud83d',
  'a\u0000b\u2028c',
  '{ownerEmail} and {cardFee}',
  '{{deposit}}',
  '**a** [b](https://example.com) `c`',
  '$& $1 $$',
  '__proto__',
]

const anyString = fc.oneof(
  fc.constantFrom(...edgeCaseStrings),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  anyText({ maxLength: 12 }),
)
const ids = fc.constantFrom('a', 'b', 'c', 'd-1', 'e_2')
/** Values for fields that accept only certain ones. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  id: ids,
  picture: fc.option(ids, { freq: 8 }),
  applicationId: fc.constant(null),
  ownerEmail: fc.constantFrom('', 'owner@seabreeze.example', 'a.b+c@d.example'),
  ownerPhone: fc.constantFrom('', '(555) 010-2030', '+49 30 901820'),
  date: fc.constantFrom('', '2024-02-29', '2025-12-31'),
  x: fc.integer({ min: 0, max: 20 }).map(steps => steps / 20),
  y: fc.integer({ min: 0, max: 20 }).map(steps => steps / 20),
  bathrooms: fc.integer({ min: 0, max: 40 }).map(halves => halves / 2),
}

/** Any value that a content schema accepts, before parsing. */
function arbitraryInput(schema: z.ZodType, name = ''): fc.Arbitrary<unknown> {
  if (Object.hasOwn(byName, name)) return byName[name] as fc.Arbitrary<unknown>
  if (schema instanceof z.ZodObject)
    return fc.record(
      Object.fromEntries(
        Object.entries(schema.shape).map(([key, field]) => [key, arbitraryInput(field, key)]),
      ),
    )
  if (schema instanceof z.ZodArray) {
    const entry = arbitraryInput(schema.element as z.ZodType)
    const idOf = (value: unknown) => {
      const { id, picture } = (value ?? {}) as { id?: string; picture?: string | null }
      return id ?? picture ?? Symbol('no id')
    }
    return fc.uniqueArray(entry, { maxLength: 5, selector: idOf })
  }
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNumber)
    return fc.integer({ min: schema.minValue ?? 0, max: schema.maxValue ?? 0 })
  return anyString.filter(text => schema.safeParse(text).success)
}

/** A section before parsing, and as stored. */
export const anySection = (name: SectionName): fc.Arbitrary<{ input: unknown; stored: unknown }> =>
  arbitraryInput(sections[name]).map(input => ({ input, stored: sections[name].parse(input) }))

/** Any content that the schemas accept, as stored. */
export const anyContent: fc.Arbitrary<SiteContent> = fc.record(
  Object.fromEntries(
    (Object.keys(sections) as SectionName[]).map(name => [
      name,
      anySection(name).map(({ stored }) => stored),
    ]),
  ),
) as fc.Arbitrary<unknown> as fc.Arbitrary<SiteContent>
