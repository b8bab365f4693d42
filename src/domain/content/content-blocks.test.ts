import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Block,
  blockView,
  interpolateBlocks,
  interpolateSpans,
  isAllowedLink,
} from './content-blocks.ts'
import {
  firstUnknownPlaceholder,
  interpolate,
  placeholderNames,
  placeholderValues,
  splitAtPlaceholders,
} from './content-placeholders.ts'

const values = placeholderValues(
  {
    companyName: 'Sea House LLC',
    propertyName: 'Sea House',
    propertyAddress: '1 Shore Road, Bay, FL 30000',
    ownerEmail: 'owner@sea.example',
    ownerPhone: '+1 (555) 010-0199',
  },
  250,
)

describe('placeholders', () => {
  test('are filled from the name, the address and the card fee [SITE-07]', () => {
    const all = placeholderNames.map(name => `{${name}}`).join('; ')
    expect(interpolate(all, values)).toBe(
      'Sea House LLC; Sea House; 1 Shore Road, Bay, FL 30000; owner@sea.example; +1 (555) 010-0199; 2.5%',
    )
    expect(firstUnknownPlaceholder(`${all} {x} {y}`)).toBe('x')
    expect(firstUnknownPlaceholder(`${all} { x} {} {a b}`)).toBeUndefined()
  })

  test('are filled in one pass, so a value is never treated as a placeholder [SITE-07]', () => {
    const hostile = { ...values, companyName: '{ownerEmail} $& $1 {x}' }
    expect(interpolate('{companyName}!', hostile)).toBe('{ownerEmail} $& $1 {x}!')
    expect(interpolateSpans([{ text: '{companyName}!' }], hostile)).toEqual([
      { text: '{ownerEmail} $& $1 {x}' },
      { text: '!' },
    ])
  })

  test('split a text into parts that add up to the text [SITE-07]', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom(...placeholderNames.map(name => `{${name}}`), '{x}', '{{', '}'),
    )
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const text = pieces.join('')
        const parts = splitAtPlaceholders(text)
        expect(
          parts.map(part => (part.placeholder === undefined ? part.text : `{${part.placeholder}}`)).join(''),
        ).toBe(text)
        const filled = parts
          .map(part => (part.placeholder === undefined ? part.text : values[part.placeholder]))
          .join('')
        expect(filled).toBe(interpolate(text, values))
      }),
    )
  })

  test("become links to the owner's contacts, but not inside another link [SITE-08]", () => {
    expect(
      interpolateSpans([{ text: 'Write to {ownerEmail} or {ownerPhone}.', bold: true }], values),
    ).toEqual([
      { text: 'Write to ', bold: true },
      { text: 'owner@sea.example', bold: true, href: 'mailto:owner@sea.example' },
      { text: ' or ', bold: true },
      { text: '+1 (555) 010-0199', bold: true, href: 'tel:+15550100199' },
      { text: '.', bold: true },
    ])
    expect(interpolateSpans([{ text: 'to {ownerEmail}', href: '/contact' }], values)).toEqual([
      { text: 'to ', href: '/contact' },
      { text: 'owner@sea.example', href: '/contact' },
    ])
  })

  test('in a link address are encoded; if the address becomes invalid, the text stays without a link [SITE-09]', () => {
    const linked = (href: string) => interpolateSpans([{ text: 'x', href }], values)[0]?.href
    expect(linked('mailto:{ownerEmail}')).toBe('mailto:owner@sea.example')
    expect(linked('tel:{ownerPhone}')).toBe('tel:+15550100199')
    expect(linked('/contact?about={propertyName}')).toBe('/contact?about=Sea%20House')
    const hostile = { ...values, companyName: '//evil.example' }
    expect(interpolateSpans([{ text: 'x', href: '/{companyName}' }], hostile)[0]?.href).toBe(
      '/%2F%2Fevil.example',
    )
    expect(
      interpolateSpans([{ text: 'x', href: 'mailto:{ownerEmail}' }], { ...values, ownerEmail: 'a b' }),
    ).toEqual([{ text: 'x' }])
  })

  test('are filled in every kind of block [SITE-08]', () => {
    const spans = [{ text: '{propertyName}' }]
    const blocks: Block[] = [
      { kind: 'heading', level: 2, spans },
      { kind: 'paragraph', spans },
      { kind: 'list', ordered: true, items: [spans, spans] },
    ]
    const filled = interpolateBlocks(blocks, values)
    for (const block of filled) expect(blockView.parse(block)).toEqual(block)
    expect(JSON.stringify(filled)).not.toContain('{propertyName}')
    expect(JSON.stringify(filled).match(/Sea House/g)).toHaveLength(4)
  })
})

test.each([
  'https://example.com',
  'http://example.com/a?b=c#d',
  'HTTPS://EXAMPLE.COM',
  'mailto:owner@sea.example',
  'tel:+15550100199',
  '/',
  '/contact#form',
])('allows a link to %s [SITE-09]', href => {
  expect(isAllowedLink(href)).toBe(true)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/x',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https:\\\\evil.example',
  'https:///evil.example',
  'https://a b',
  'https://',
  'mailto:',
  'tel:',
  'contact',
  'example.com',
  '#top',
  '?a=b',
  '.',
  '',
])('rejects a link to %j [SITE-09]', href => {
  expect(isAllowedLink(href)).toBe(false)
})

test('a browser resolves every allowed link to one of four schemes or to this site [SITE-09]', () => {
  const parts = fc.constantFrom(
    '/',
    '\\',
    'https:',
    'HTTP:',
    'mailto:',
    'tel:',
    'javascript:',
    'data:',
    '\t',
    '\n',
    ' ',
    '\u00a0',
    'a',
    '.',
    '@',
    '?',
    '#',
    '%09',
    'evil.example',
    ':',
    '\u0000',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), pieces => {
      const href = pieces.join('')
      if (!isAllowedLink(href)) return
      const url = new URL(href, 'https://condo.example')
      expect(['https:', 'http:', 'mailto:', 'tel:']).toContain(url.protocol)
      if (href.startsWith('/')) expect(url.origin).toBe('https://condo.example')
    }),
    { numRuns: 3000 },
  )
})
