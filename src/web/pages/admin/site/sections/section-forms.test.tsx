import { text } from 'node:stream/consumers'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { expect, test } from 'vitest'
import type { FieldErrors } from '../../../../../domain/common/errors.ts'
import { type SectionName, type SiteContent, sectionNames } from '../../../../../domain/content/content.ts'
import { buildContent } from '../../../../../testing/build-content.ts'
import { formatCount, readNumber } from './bound-fields.tsx'
import {
  entryOf,
  errorCount,
  fieldOf,
  isRequiredToPublish,
  limitsOf,
  type SectionBinding,
} from './field-binding.ts'
import { sectionForms } from './section-forms.tsx'
import { sectionLabels } from './section-labels.ts'

const content = buildContent()

const bindingOf = <Name extends SectionName>(
  section: Name,
  value: SiteContent[Name],
  errors: FieldErrors = {},
): SectionBinding<Name> => ({
  section,
  path: '',
  value,
  errors,
  onChange: () => undefined,
  onLeave: () => undefined,
})

/** With the parts whose scripts load when a form opens. */
async function render<Name extends SectionName>(
  name: Name,
  body: SiteContent[Name],
  errors: FieldErrors = {},
) {
  const Form = sectionForms[name] as ComponentType<SectionBinding<Name>>
  const queries = new QueryClient()
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={queries}>
      <Form {...bindingOf(name, body, errors)} />
    </QueryClientProvider>,
  )
  return (await text(prelude)).replaceAll('<!-- -->', '')
}

/** The paths of all texts, numbers and switches within a section. */
function pathsOf(value: unknown, path: string[] = []): string[] {
  if (value === null || typeof value !== 'object') return [path.join('.')]
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
}

/** Fields that only the program sets, that are collapsed initially, or that another choice hides. */
const hidden = /^(gallery-pictures\.|reviews-reviews\.|hero-focal\.|location-(picture|alt)$|contact-picture$)/

test('every field of every section has a control with its path as the id [SITE-04]', async () => {
  for (const name of sectionNames) {
    const html = await render(name, content[name])
    const ids = pathsOf(content[name]).map(path => `${name}-${path}`)
    for (const id of ids.filter(each => !hidden.test(each))) expect(html).toContain(` id="${id}"`)
  }
  expect(Object.values(sectionLabels)).toHaveLength(sectionNames.length)
})

test('every section renders empty content, and shows what is missing at its field [SITE-05]', async () => {
  const empty = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (key, value) => {
      if (Array.isArray(value)) return []
      if (key === 'picture') return null
      return typeof value === 'string' && !['map', 'background'].includes(key) ? '' : value
    })
  for (const name of sectionNames)
    expect(await render(name, empty(content[name]) as SiteContent[typeof name])).toContain('<')
  const errors = { headline: 'Headline is required' }
  const html = await render('hero', { ...content.hero, headline: '' }, errors)
  expect(html).toMatch(/id="hero-headline"[^>]*aria-invalid="true"/)
  expect(html).toMatch(/aria-describedby="hero-headline-error hero-headline-counter"/)
  // The error is gone as soon as something is typed.
  expect(await render('hero', content.hero, errors)).not.toContain('Headline is required')
  expect(html).toMatch(/id="hero-headline-error".*?Headline is required/)
})

test('shows how much of the limit is used, and reports a text that is too long before saving [SITE-04]', async () => {
  const html = await render('hero', { ...content.hero, headline: `${'a'.repeat(61)} ` })
  expect(html).toMatch(/id="hero-headline-counter"[^>]*>61 of 60</)
  expect(html).toContain('Headline can be at most 60 characters long')
  expect(formatCount(1234, 6000)).toBe('1,234 of 6,000')
})

test('groups the fields of each entry under its name, because many have the same label', async () => {
  const named = async (name: SectionName) =>
    [...(await render(name, content[name])).matchAll(/<fieldset aria-label="([^"]*)"/g)].map(
      match => match[1],
    )
  expect(await named('facts')).toEqual(content.facts.items.map(({ text }) => text))
  expect(await named('waysToPay')).toEqual(content.waysToPay.ways.map(({ name }) => name))
  expect(await named('amenities')).toEqual(
    content.amenities.groups.flatMap(({ items, title }) => [title, ...items]),
  )
})

test('takes the limits of texts, lists and numbers from the schema', () => {
  const facts = bindingOf('facts', content.facts)
  const items = fieldOf(facts, 'items')
  expect(limitsOf(items)).toEqual({ max: 12 })
  expect(limitsOf(fieldOf(entryOf(items, 3), 'text'))).toEqual({ max: 40 })
  expect(limitsOf(fieldOf(facts, 'bathrooms'))).toEqual({ min: 0, max: 20 })
  const gallery = bindingOf('gallery', content.gallery)
  expect(limitsOf(fieldOf(gallery, 'pictures'))).toEqual({ max: 40 })
  const privacy = bindingOf('privacy', content.privacy)
  expect(limitsOf(fieldOf(privacy, 'text'))).toEqual({ max: 30_000 })
  expect([
    isRequiredToPublish(fieldOf(privacy, 'text')),
    isRequiredToPublish(fieldOf(gallery, 'title')),
  ]).toEqual([true, true])
})

test('a change to a field within a list produces the complete section', () => {
  let changed: SiteContent['facts'] | undefined
  const onChange = (body: SiteContent['facts']) => {
    changed = body
  }
  const root = {
    ...bindingOf('facts', content.facts),
    errors: { 'items.1.text': 'Text is required', 'items.10.text': 'Text is required' },
    onChange,
  }
  const item = entryOf(fieldOf(root, 'items'), 1)
  expect([item.path, errorCount(item)]).toEqual(['items.1', 1])
  fieldOf(item, 'text').onChange('Two bathrooms')
  expect(changed).toEqual({
    ...content.facts,
    items: content.facts.items.with(1, { icon: 'bath', text: 'Two bathrooms' }),
  })
})

test('a full list cannot grow, and explains why [SITE-04]', async () => {
  const items = Array.from({ length: 12 }, () => ({ icon: 'bed' as const, text: 'More' }))
  const html = await render('facts', { ...content.facts, items })
  expect(html).toMatch(/id="facts-items"[^>]*aria-disabled="true"/)
  expect(html).toContain('The limit is 12 facts. Remove one first.')
})

test('an invalid number does not replace the last valid one', () => {
  expect([readNumber(''), readNumber('-'), readNumber('2.5'), readNumber('0')]).toEqual([
    undefined,
    undefined,
    2.5,
    0,
  ])
})
