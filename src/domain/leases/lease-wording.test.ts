import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { isPrintable } from '../common/printable.ts'
import { leaseTemplate } from './lease-template.ts'
import { checkTemplate, renderLeaseText } from './lease-text.ts'
import {
  leaseWordingPlaceholders,
  parseLeaseWording,
  sampleLease,
  shippedLeaseWording,
} from './lease-wording.ts'

const { text: shipped } = shippedLeaseWording

describe("the lease's wording", () => {
  test('stores the shipped wording unchanged, and renders the same lease byte for byte [LTEXT-01, SITE-01]', () => {
    expect(parseLeaseWording({ text: leaseTemplate, extra: 1 })).toEqual({ body: { text: shipped } })
    expect(parseLeaseWording({ text: shipped })).toEqual({ body: { text: shipped } })
    expect(renderLeaseText(sampleLease, shipped)).toBe(renderLeaseText(sampleLease))
    const plain = { ...sampleLease, charges: [] }
    expect(renderLeaseText(plain, shipped)).toBe(renderLeaseText(plain))
  })

  test('has 1 to 40,000 characters [LTEXT-01]', () => {
    const padded = (length: number) => `${shipped}\n${'x'.repeat(length - shipped.length - 1)}`
    expect(parseLeaseWording({ text: padded(40_000) }).body?.text).toHaveLength(40_000)
    expect(parseLeaseWording({ text: padded(40_001) }).fields).toEqual({
      text: 'Text can be at most 40,000 characters long',
    })
    expect(parseLeaseWording({ text: ' \n ' }).fields).toEqual({ text: 'Text is required' })
    for (const given of [null, 7, {}, { text: null }, { text: [shipped] }])
      expect(parseLeaseWording(given).fields).toEqual({ text: 'This value is not valid' })
  })

  test('reports all errors, one per line, with the line numbers of the stored text [LTEXT-01]', () => {
    const broken = `\n\n${shipped.replace('{{deposit}}', '{{depozit}}').replace('This short-term', 'This 海 short-term')}`
    expect(parseLeaseWording({ text: broken }).fields?.text?.split('\n')).toEqual([
      'The lease template has an unknown placeholder {{depozit}}.',
      'The lease template lacks the placeholder {{deposit}}.',
      'Line 1 of the lease template has a character that cannot be printed.',
    ])
  })

  test('is cleaned before it is checked [LTEXT-01, SITE-03]', () => {
    const typed = shipped.replaceAll('\n', '\r\n').replace('This short-term', '\ufeffThis\tshort-term\u0000')
    expect(parseLeaseWording({ text: typed }).body?.text).toBe(
      shipped.replace('This short-term', 'This short-term'),
    )
    const decomposed = `${shipped}\nCafe\u0301`
    expect(parseLeaseWording({ text: decomposed }).body?.text).toBe(`${shipped}\nCafé`)
  })
})

test.each(['{{', ' ', '{{ ', '}} {{', '{ ', '\u00a0'])(
  'checks a wording full of %j quickly [LTEXT-01]',
  piece => {
    const text = `{{${piece.repeat(Math.floor(39_990 / piece.length))}x`
    const start = performance.now()
    expect(parseLeaseWording({ text }).fields?.text).toContain('double braces that do not make a placeholder')
    expect(renderLeaseText({ ...sampleLease, charges: [] }, text).length).toBeGreaterThan(0)
    expect(performance.now() - start).toBeLessThan(2000)
  },
)

test('a placeholder may have spaces around its name, and no other characters [LTEXT-01]', () => {
  const spaced = shipped.replace('{{deposit}}', '{{ \u00a0deposit  }}')
  expect(renderLeaseText(sampleLease, parseLeaseWording({ text: spaced }).body?.text)).toBe(
    renderLeaseText(sampleLease),
  )
  for (const broken of ['{{de posit}}', '{{\ndeposit}}', '{{deposit.}}', '{{deposit}', '{ {deposit}}'])
    expect(parseLeaseWording({ text: shipped.replace('{{deposit}}', broken) }).fields?.text).toContain(
      'The lease template lacks the placeholder {{deposit}}.',
    )
})

test('each placeholder of a lease has a description and a sample [LTEXT-01]', () => {
  const placeholders = leaseWordingPlaceholders()
  for (const { meaning, name, sample } of placeholders) {
    expect(meaning, name).not.toBe('')
    expect(sample, name).not.toBe('')
  }
  const everything = placeholders.map(({ name }) => `{{${name}}}`).join('\n')
  expect(checkTemplate(everything)).toEqual([])
  const needed = placeholders.filter(placeholder => placeholder.needed)
  expect(checkTemplate('x')).toEqual(
    needed.map(({ name }) => `The lease template lacks the placeholder {{${name}}}.`),
  )
  expect(placeholders.find(({ name }) => name === 'totalDue')?.sample).toBe('$9,175.00')
})

test('any wording is rejected, or renders printable lines without a placeholder left [LTEXT-01]', () => {
  const names = leaseWordingPlaceholders().map(({ name }) => name)
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names.map(name => `{{${name}}}`)) },
    fc.constantFrom(
      '{{x}}',
      '{{ deposit }}',
      '{{',
      '}}',
      '{',
      '\n',
      '\n\n',
      '\t',
      '$&',
      '1. RENT',
      '- point',
      '{{constructor}}',
    ),
    anyText({ maxLength: 4 }),
    fc.lorem({ maxCount: 3 }),
  )
  const whole = fc
    .tuple(fc.shuffledSubarray(names, { minLength: names.length }), fc.array(piece, { maxLength: 10 }))
    .map(([all, pieces]) => [...all.map(name => `{{${name}}}`), ...pieces])
  const any = fc.oneof(fc.array(piece, { maxLength: 40 }), whole)
  let rendered = 0
  fc.assert(
    fc.property(any, pieces => {
      const { body, fields } = parseLeaseWording({ text: pieces.join('') })
      expect(fields?.text).not.toBe('')
      if (body === undefined) return
      rendered++
      const lease = renderLeaseText(sampleLease, body.text)
      expect(lease.split('\n').filter(line => !isPrintable(line))).toEqual([])
      expect(lease).not.toMatch(/\{\{|\}\}/)
    }),
    { numRuns: 250 },
  )
  expect(rendered).toBeGreaterThan(20)
})
