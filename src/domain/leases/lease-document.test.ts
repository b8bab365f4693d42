import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { leaseDocument } from './lease-document.ts'
import { renderLeaseText } from './lease-text.ts'
import { sampleLease } from './lease-wording.ts'

test('parses a lease into headings, paragraphs and lists [LOOK-24]', () => {
  const pieces = leaseDocument(renderLeaseText(sampleLease))
  expect(pieces.slice(1, 4)).toEqual([
    { kind: 'paragraph', text: 'Application number: APP-2026-0007' },
    { kind: 'heading', text: '1. PARTIES' },
    {
      kind: 'paragraph',
      text: 'Landlord: Seabreeze Rentals LLC\nContact: owner@seabreeze.example, (555) 010-2030',
    },
  ])
  expect(pieces.filter(({ kind }) => kind === 'heading')).toHaveLength(20)
  expect(pieces).toContainEqual({
    kind: 'list',
    items: ['Anna Smith, adult', 'Ben Jones, adult', 'Leo Smith, minor'],
  })
})

test('never loses, changes or moves a line [LOOK-24]', () => {
  const line = fc.oneof(
    fc.constantFrom('', ' ', '1. RENT', '2. NOT A heading', '- point', '-', '  - indented', 'a\tb  c'),
    anyText({ maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), lines => {
      const text = lines.join('\n')
      const shown = leaseDocument(text).flatMap(piece =>
        piece.kind === 'list' ? piece.items.map(item => `- ${item}`) : piece.text.split('\n'),
      )
      expect(shown).toEqual(text.split(/\r\n|[\r\n]/).filter(each => each.trim() !== ''))
    }),
  )
})
