import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  drawLease,
  layoutLease,
  leaseFileName,
  type Measure,
  type PlacedLine,
  sampleTitle,
  wrapText,
} from './lease-layout.ts'

/** Every character is 2 mm wide, so 85 of them fill a line. */
const measure: Measure = text => text.length * 2
const texts = (pages: PlacedLine[][]) => pages.map(page => page.map(line => line.text))
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n')

describe('the layout of a lease', () => {
  test('centers the title at 105,20 in 20 points [LEASE-20]', () => {
    const [title] = layoutLease('text', measure)[0] ?? []
    expect(title).toEqual({
      text: 'Lease Agreement',
      xMm: 105,
      yMm: 20,
      sizePt: 20,
      align: 'center',
      weight: 'bold',
    })
  })

  test('has the first line of an addendum as its heading alone, as wide as the text at most, and half as high blank lines', () => {
    const first = `Addendum No. 1 to the lease agreement ${'A'.repeat(62)}`
    const pages = layoutLease(`${first}\n\none\n\ntwo`, measure, { heading: 'Addendum No. 1' })
    expect(pages.flat().map(({ sizePt, text, yMm }) => [text, yMm, sizePt])).toEqual([
      [first, 20, 17],
      ['one', 34, 10],
      ['two', 44.5, 10],
    ])
    const other = layoutLease(`one\n\ntwo`, measure, { heading: 'Addendum No. 1' })
    expect(other.flat().map(({ text, yMm }) => [text, yMm])).toEqual([
      ['Addendum No. 1', 20],
      ['one', 34],
      ['two', 48],
    ])
    const sample = layoutLease(`${first}\n\none`, measure, { heading: sampleTitle('Addendum No. 1') })
    expect(sample[0]?.[0]?.text).toBe(`${first} (sample)`)
  })

  test('has a first line of an addendum in its text, wrapped, if it were too small to read as a heading', () => {
    const first = `Addendum No. 1 to the lease agreement ${'word '.repeat(60)}`.trim()
    const [page = []] = layoutLease(`${first}\n\ntwo`, measure, { heading: 'Addendum No. 1' })
    expect(page[0]).toMatchObject({ text: 'Addendum No. 1', sizePt: 20 })
    expect(
      page
        .slice(1, -1)
        .map(({ text }) => text.trim())
        .join(' '),
    ).toBe(first)
    expect(page.slice(1).every(({ sizePt }) => sizePt === 10)).toBe(true)
  })

  test('sets the body in 10 points, 170 mm wide, 7 mm per line, with a page break at 270 mm [LEASE-21]', () => {
    const pages = layoutLease(`${'word '.repeat(40)}\n${numbered(100)}`, measure)
    const [, ...body] = pages[0] ?? []
    expect(body.map(line => line.yMm)).toEqual(Array.from({ length: 34 }, (_, i) => 34 + 7 * i))
    expect(pages[1]?.map(line => line.yMm)).toEqual(Array.from({ length: 36 }, (_, i) => 20 + 7 * i))
    for (const line of pages.flat().slice(1))
      expect(line).toMatchObject({ xMm: 20, sizePt: 10, align: 'left' })
    expect(body[0]?.text).toBe('word '.repeat(17).trim())
    expect(pages).toHaveLength(3)
  })

  test('loses no line, and keeps every line within its page, for any text', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'B', '9', '.', 'é', 'Ω'),
      minLength: 1,
      maxLength: 200,
    })
    const line = fc.oneof(
      fc.array(word, { maxLength: 30 }).map(words => words.join(' ')),
      fc.constantFrom('', '1. HEADING', '- a point', '   indented', 'a   b'),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), lines => {
        const pages = layoutLease(lines.join('\n'), measure)
        const body = pages.flat().slice(1)
        expect(
          body
            .map(line => line.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(
          lines
            .map(line => line.replace(/^- /, '• '))
            .join('')
            .replace(/\s/g, ''),
        )
        for (const { text, xMm, yMm, sizePt, weight } of body) {
          expect(xMm + measure(text, sizePt, weight)).toBeLessThanOrEqual(190)
          expect(xMm).toBeGreaterThanOrEqual(20)
          expect(yMm >= 20 && yMm < 270).toBe(true)
        }
        for (const page of pages.slice(1)) expect(page[0]?.yMm ?? 20).toBe(20)
      }),
      { numRuns: 50 },
    )
  })

  test('blank lines keep their height, but do not start a page', () => {
    const [, a, b] = layoutLease('a\n\n\nb', measure)[0] ?? []
    expect([a?.yMm, b?.yMm]).toEqual([34, 55])
    const pages = layoutLease(`${numbered(34)}\n\n\nnext`, measure)
    expect(pages[1]).toMatchObject([{ text: 'next', yMm: 20 }])
  })

  test('moves a heading to the next page together with its text', () => {
    const pages = layoutLease(`${numbered(32)}\n7. RENT\n\nThe rent is due.`, measure)
    expect(texts(pages)[1]).toEqual(['7. RENT', 'The rent is due.'])
    expect(pages[1]?.map(line => line.weight)).toEqual(['bold', 'normal'])
  })

  test('a paragraph leaves neither its first nor its last line alone on a page [LOOK-25]', () => {
    for (const count of [2, 3, 4, 5])
      for (let before = 28; before < 36; before++) {
        const paragraph = Array.from({ length: count }, (_, i) => `of the paragraph ${i + 1}`)
        const pages = layoutLease([...numbered(before).split('\n'), '', ...paragraph].join('\n'), measure)
        const counts = pages.map(page => page.filter(({ text }) => text.startsWith('of the')).length)
        expect([count, before, counts]).toEqual([count, before, expect.not.arrayContaining([1])])
      }
  })

  test('list items have a bullet and a hanging indent [LOOK-25]', () => {
    const [, first, second] = layoutLease(`- ${'word '.repeat(30)}`, measure)[0] ?? []
    expect(first).toMatchObject({ xMm: 23, text: expect.stringMatching(/^• word/) })
    expect(second).toMatchObject({ xMm: 27, text: expect.stringMatching(/^word/) })
  })

  test('keeps the signature section on one page with the clause before it, whatever the length of the text before [LOOK-25, LOOK-78]', () => {
    const signature = (name: string) =>
      `Tenant: ${name}\n\nSignature: ${'_'.repeat(40)}   Date: ${'_'.repeat(16)}`
    const block = `19. ENTIRE AGREEMENT\n\nThis is all.\n\n20. SIGNATURES\n\nBy signing, the Tenant agrees.\n\n${signature('Ann')}\n\n${signature('Ben')}`
    for (let before = 15; before < 45; before++) {
      for (const isSignedElectronically of [false, true]) {
        const pages = layoutLease(`${numbered(before)}\n\n${block}`, measure, { isSignedElectronically })
        const page = texts(pages).find(page => page.includes('20. SIGNATURES')) ?? []
        const signatures = page.slice(page.indexOf('20. SIGNATURES'))
        expect(signatures).toHaveLength(6)
        expect(page).toContain('19. ENTIRE AGREEMENT')
        // An electronically signed lease has no blank lines for signatures by hand.
        const isBlank = (text: string) => text.includes('____')
        expect(signatures.filter(isBlank)).toHaveLength(isSignedElectronically ? 0 : 2)
        expect(signatures.at(-1)).toMatch(
          isSignedElectronically ? /^Signature: electronic/ : /^Signature: __/,
        )
      }
    }
    // A section too long for one page is laid out like any other.
    expect(layoutLease(`1. ALL\n${numbered(80)}\n${signature('Ann')}`, measure)).toHaveLength(3)
  })

  test('handles Windows line ends, tabs and characters without a glyph', () => {
    expect(texts(layoutLease('a\r\nb\tc\n王🏖x\u0007', measure))).toEqual([
      ['Lease Agreement', 'a', 'b    c', '??x?'],
    ])
  })

  test('lays out only the title for an empty text', () => {
    expect(texts(layoutLease('', measure))).toEqual([['Lease Agreement']])
  })

  test('draws every placed line on its page', () => {
    const calls: unknown[] = []
    drawLease(
      {
        setFont: (name, style) => calls.push(['font', name, style]),
        setFontSize: () => undefined,
        getTextWidth: text => text.length * 2,
        text: (...call) => calls.push(call),
        addPage: () => calls.push('page'),
        addFileToVFS: () => undefined,
        addFont: () => undefined,
        setProperties: () => undefined,
        setLanguage: () => undefined,
      },
      `${numbered(34)}\n\nthe last line`,
    )
    expect(calls).toContainEqual(['Lease Agreement', 105, 20, { align: 'center' }])
    expect(calls.slice(-3)).toEqual([
      'page',
      ['font', 'NotoSerif', 'normal'],
      ['the last line', 20, 20, { align: 'left' }],
    ])
  })
})

test('breaks a word that is longer than a line', () => {
  expect(wrapText(`see ${'x'.repeat(12)} end`, line => line.length <= 5)).toEqual([
    'see',
    'xxxxx',
    'xxxxx',
    'xx',
    'end',
  ])
  expect(wrapText('abc', () => false)).toEqual(['a', 'b', 'c'])
})

test.each([
  ['Anna', 'Smith', 'lease-agreement-Anna-Smith.pdf'],
  ['Mary Jane', "O'Brien", "lease-agreement-Mary-Jane-O'Brien.pdf"],
  ['Юлія', 'Ґалаґан', 'lease-agreement-Юлія-Ґалаґан.pdf'],
  ['../../etc', 'a/b\\c:d"\r\n', 'lease-agreement-etc-a-b-c-d.pdf'],
  ['x'.repeat(300), 'y', `lease-agreement-${'x'.repeat(60)}-y.pdf`],
  ['', ' ', 'lease-agreement.pdf'],
])('the file of %j %j is %s [LEASE-22]', (firstName, lastName, fileName) => {
  expect(leaseFileName(firstName, lastName)).toBe(fileName)
})
