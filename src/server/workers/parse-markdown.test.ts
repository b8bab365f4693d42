import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Block, blockView, isAllowedLink, type Span } from '../../domain/content/content-blocks.ts'
import { cleanText } from '../../domain/content/content-text.ts'
import { anyText } from '../../testing/any-text.ts'
import { parseMarkdown } from './parse-markdown.ts'

const blocksOf = (text: string) => parseMarkdown(text).blocks
const spansOf = (block: Block | undefined): Span[] =>
  block === undefined ? [] : block.kind === 'list' ? block.items.flat() : block.spans
const allSpans = (text: string) => blocksOf(text).flatMap(spansOf)
const paragraph = (...spans: Span[]): Block => ({ kind: 'paragraph', spans })
/** One paragraph with the unchanged text. */
const typed = (text: string) => [paragraph({ text })]

describe('limited Markdown', () => {
  test('supports two heading levels, paragraphs, two kinds of lists, bold, italic and links [SITE-08]', () => {
    const text = [
      '## Sharing',
      'We share **little**, *very* little.\nSee [our terms](/terms).',
      '### What\n- one\n- **two** and [three](mailto:a@b.example)\n\n1. first\n2. second',
    ].join('\n\n')
    expect(blocksOf(text)).toEqual([
      { kind: 'heading', level: 2, spans: [{ text: 'Sharing' }] },
      paragraph(
        { text: 'We share ' },
        { text: 'little', bold: true },
        { text: ', ' },
        { text: 'very', italic: true },
        { text: ' little.\nSee ' },
        { text: 'our terms', href: '/terms' },
        { text: '.' },
      ),
      { kind: 'heading', level: 3, spans: [{ text: 'What' }] },
      {
        kind: 'list',
        ordered: false,
        items: [
          [{ text: 'one' }],
          [{ text: 'two', bold: true }, { text: ' and ' }, { text: 'three', href: 'mailto:a@b.example' }],
        ],
      },
      { kind: 'list', ordered: true, items: [[{ text: 'first' }], [{ text: 'second' }]] },
    ])
  })

  test('allows nested styles and links [SITE-08]', () => {
    expect(blocksOf('***both*** **a [b *c*](/d)**')).toEqual([
      paragraph(
        { text: 'both', bold: true, italic: true },
        { text: ' ' },
        { text: 'a ', bold: true },
        { text: 'b ', bold: true, href: '/d' },
        { text: 'c', bold: true, italic: true, href: '/d' },
      ),
    ])
  })

  test.each([
    '# One',
    '#### Four',
    '##',
    '* star',
    '+ plus',
    '1) bracket',
    '3. later',
    '_one_',
    '__two__',
    '~~gone~~',
    '`code`',
    '```\ncode\n```',
    '> quote',
    '---',
    '***',
    'Title\n=====',
    'Title\n---',
    '<b>bold</b>',
    '<script>alert(1)</script>',
    '<https://example.com>',
    'https://example.com',
    '&amp; &#60;',
    '\\# not',
    '![picture](/x.png "t")',
    '[words]',
    '[words][ref]',
    '[ref]: https://example.com',
    '[words](https://example.com "title")',
    '[words](<https://example.com>)',
    '[words] (https://example.com)',
    '[](https://example.com)',
    '| a | b |\n| - | - |',
    'a[^1]',
    '- [x](',
  ])('shows %j literally [SITE-08]', text => {
    const spans = allSpans(text)
    expect(spans.map(span => span.text).join('')).toBe(text.replace(/^- /, ''))
    for (const span of spans) expect(Object.keys(span)).toEqual(['text'])
  })

  test('shows unsupported markup literally, and applies supported markup inside it [SITE-08]', () => {
    expect(blocksOf('# A **b**')).toEqual([paragraph({ text: '# A ' }, { text: 'b', bold: true })])
    expect(blocksOf('* a [b](/c)\n* d')).toEqual([
      paragraph({ text: '* a ' }, { text: 'b', href: '/c' }, { text: '\n* d' }),
    ])
    expect(blocksOf('![sea](/sea.jpg)')).toEqual([
      paragraph({ text: '!' }, { text: 'sea', href: '/sea.jpg' }),
    ])
    expect(blocksOf('    indented')).toEqual(typed('indented'))
  })

  test('does not nest lists [SITE-08]', () => {
    expect(blocksOf('- a\n  - b **c**\n\n  more\n- d')).toEqual([
      {
        kind: 'list',
        ordered: false,
        items: [[{ text: 'a\n- b ' }, { text: 'c', bold: true }, { text: '\n\nmore' }], [{ text: 'd' }]],
      },
    ])
  })

  test('returns no blocks for blank text [SITE-08]', () => {
    for (const text of ['', ' ', '\n\n']) expect(blocksOf(text)).toEqual([])
  })

  test('ignores a byte order mark at the start [SITE-08]', () => {
    expect(blocksOf('\ufeff# A __b__')).toEqual(typed('# A __b__'))
  })
})

describe('links', () => {
  test.each(['https://example.com/a', 'http://example.com', 'mailto:a@b.example', 'tel:+1555', '/terms'])(
    'to %s are allowed [SITE-09]',
    href => {
      expect(parseMarkdown(`[x](${href})`)).toEqual({
        blocks: [paragraph({ text: 'x', href })],
        refusedLinks: [],
      })
    },
  )

  test.each([
    'javascript:alert`1`',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'terms',
    '#top',
    '',
  ])('to %j are refused and shown literally [SITE-09]', href => {
    const text = `see [x](${href}) and [y](/ok)`
    const { blocks, refusedLinks } = parseMarkdown(text)
    expect(refusedLinks).toEqual([href])
    expect(blocks).toEqual([paragraph({ text: `see [x](${href}) and ` }, { text: 'y', href: '/ok' })])
  })
})

const mark = fc.constantFrom(
  '#',
  '##',
  '###',
  '- ',
  '1. ',
  '2) ',
  '* ',
  '+ ',
  '*',
  '**',
  '_',
  '__',
  '`',
  '```',
  '[',
  ']',
  '(',
  ')',
  '](',
  '![',
  '<',
  '>',
  '\\',
  '&amp;',
  '\n',
  '\n\n',
  '  ',
  '    ',
  '\t',
  '---',
  '===',
  '|',
  '~~',
  '[x](/y)',
  '[x](javascript:y)',
  '[x](https://e.example/y)',
  'https://e.example',
  '<b>',
  '</b>',
  '<!--',
  '{ownerEmail}',
  '\u0000',
  '\r\n',
  '\u2028',
)
const anyMarkdown = fc
  .array(fc.oneof({ weight: 3, arbitrary: mark }, anyText({ maxLength: 4 }), fc.lorem({ maxCount: 2 })), {
    maxLength: 40,
  })
  .map(pieces => pieces.map((piece, index) => piece.replace('/y', `/y${index}`)).join(''))

test('parses any text without an error into valid blocks [SITE-08]', () => {
  fc.assert(
    fc.property(anyMarkdown, text => {
      for (const given of [text, cleanText(text)])
        for (const block of blocksOf(given)) expect(blockView.parse(block)).toEqual(block)
    }),
    { numRuns: 1500 },
  )
})

test('renders only the links in the text, and only to allowed targets [SITE-08, SITE-09]', () => {
  fc.assert(
    fc.property(anyMarkdown.map(cleanText), text => {
      const { refusedLinks } = parseMarkdown(text)
      for (const { href } of allSpans(text)) {
        if (href === undefined) continue
        expect(isAllowedLink(href)).toBe(true)
        expect(text).toContain(`](${href})`)
      }
      for (const href of refusedLinks) {
        expect(isAllowedLink(href)).toBe(false)
        expect(text).toContain(`](${href})`)
      }
    }),
    { numRuns: 1500 },
  )
})

test('shows every letter of any text in order [SITE-08]', () => {
  fc.assert(
    fc.property(anyMarkdown.map(cleanText), text => {
      const shown = blocksOf(text)
        .map(block =>
          block.kind === 'list' ? block.items.map(textWithLinks).join('\n') : textWithLinks(block.spans),
        )
        .join('\n')
      // Compare letters only: markup can join or split words, and the page renders list numbers itself.
      const lettersOf = (given: string) => given.replace(/[^\p{L}\p{M}<>&|~`=^{}]/gu, '')
      expect(lettersOf(shown)).toBe(lettersOf(text))
    }),
    { numRuns: 1500 },
  )
})

/** The text with the address after each link, as in the source. */
function textWithLinks(spans: readonly Span[]): string {
  return spans
    .map((span, index) => {
      const isLast = span.href !== undefined && spans[index + 1]?.href !== span.href
      return isLast ? `${span.text}](${span.href})` : span.text
    })
    .join('')
}

test.each([
  '[',
  '*a ',
  '**',
  '- ',
  '1. ',
  '[a](',
  '[a](/b)',
  '*a_',
  'a**b',
  '_a*',
  '![',
  '](',
  '- a\n',
  '- \n  ',
  '- - - a\n',
  '**a** [b](/c)\n\n',
])('parses 30,000 characters of %j fast [SITE-08]', piece => {
  expectFast(piece)
})

test('parses the largest text that is treated as Markdown fast [SITE-08]', () => {
  for (const [piece, count] of [
    ['*a_', 195],
    ['[a](', 195],
    ['[a](/b)', 195],
    ['a**b', 195],
  ] as const)
    expectFast(`${piece.repeat(count)}\n\n`, 10)
  expectFast(`${'- '.repeat(30)}\n`, 50)
  expectFast('- a\n', 1500)
})

function expectFast(piece: string, count = Math.ceil(30_000 / piece.length)): void {
  const text = piece.repeat(count).slice(0, 30_000)
  const start = performance.now()
  expect(blocksOf(text).length).toBeGreaterThan(0)
  expect(performance.now() - start).toBeLessThan(4000)
}
