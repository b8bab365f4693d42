import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { anySection, buildContent, identity } from '../../testing/build-content.ts'
import { type SectionName, sectionNames, sections } from './content.ts'
import { parseSection } from './content-errors.ts'
import { labelOf } from './content-label.ts'
import { cleanLine, cleanText } from './content-text.ts'

const today = '2026-11-22'
const content = buildContent()
const parse = <Name extends SectionName>(name: Name, changes: object) =>
  parseSection(name, { ...content[name], ...changes }, today)
const fieldsOf = (name: SectionName, changes: object) => parse(name, changes).fields

describe('cleaning', () => {
  test('converts text to NFC, trims it, replaces tabs and line breaks in a line by spaces, and drops other control characters [SITE-03]', () => {
    expect(cleanLine('  Cafe\u0301\tat\r\nthe\nsea \u0000\u0007\u007f\u009f ')).toBe('Café at the sea')
    expect(cleanText(' a\tb\r\nc\rd\u2028e\u2029f\n\n\ng\u0000\u001b ')).toBe('a b\nc\nd\ne\nf\n\n\ng')
  })

  test('drops bidirectional overrides, keeps joiners and marks [SITE-03]', () => {
    expect(cleanLine('\u202egnp\u202c.exe\u2066x\u2069')).toBe('gnp.exex')
    expect(cleanLine('👩‍👩‍👧 \u200eשלום\u200f')).toBe('👩‍👩‍👧 \u200eשלום\u200f')
  })

  test('is idempotent, and leaves no control characters and no unpaired surrogates [SITE-03]', () => {
    const any = fc.oneof(
      anyText(),
      fc.array(fc.integer({ max: 0xffff, min: 0 })).map(codes => String.fromCharCode(...codes)),
    )
    fc.assert(
      fc.property(any, given => {
        const [line, text] = [cleanLine(given), cleanText(given)]
        expect(cleanLine(line)).toBe(line)
        expect(cleanText(text)).toBe(text)
        expect(line).toBe(cleanLine(text))
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
        expect(text.normalize('NFC').trim()).toBe(text)
      }),
    )
  })

  test('applies to every field when saving, in lists too, and drops unknown fields [SITE-03]', () => {
    expect(parse('hero', { headline: ' Wake\tup ', secret: 1, focal: { x: 0.3, y: 0, z: 1 } }).body).toEqual({
      ...content.hero,
      headline: 'Wake up',
    })
    const rules = parse('houseRules', { rules: [' No\npets '] }).body
    expect(rules?.rules).toEqual(['No pets'])
    const overview = parse('overview', { intro: 'One\r\n\r\nTwo\tthree' }).body
    expect(overview?.intro).toBe('One\n\nTwo three')
  })

  test.each(sectionNames)('saving the stored %s again changes nothing [SITE-03]', name => {
    fc.assert(
      fc.property(anySection(name), ({ stored }) => {
        expect(sections[name].parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored)
      }),
      { numRuns: 50 },
    )
  })
})

describe('limits when saving', () => {
  test('labels are the names of fields in words [SITE-04]', () => {
    expect(labelOf(['headline'])).toBe('Headline')
    expect(labelOf(['ownerPhone'])).toBe('Owner phone')
    expect(labelOf(['pictures', 0, 'alt'])).toBe('Picture description')
    expect(labelOf(['groups', '2', 'items', '0'])).toBe('Items')
  })

  test('reports every value that is too long or of the wrong type by its path within the section [SITE-04]', () => {
    expect(
      fieldsOf('hero', { headline: 'x'.repeat(61), text: 'x'.repeat(241), focal: { x: 0.33, y: 2 } }),
    ).toEqual({
      headline: 'Headline can be at most 60 characters long',
      text: 'Text can be at most 240 characters long',
      'focal.x': 'This value is not valid',
      'focal.y': 'This value is not valid',
    })
    expect(fieldsOf('hero', { headline: 7, picture: 'no such name!', focal: null })).toEqual({
      headline: 'This value is not valid',
      picture: 'This value is not valid',
      focal: 'This value is not valid',
    })
    expect(fieldsOf('privacy', { text: 'x'.repeat(30_001) })).toEqual({
      text: 'Text can be at most 30,000 characters long',
    })
    expect(fieldsOf('identity', { ownerEmail: `${'x'.repeat(250)}@d.example` })).toEqual({
      ownerEmail: 'Owner email can be at most 254 characters long',
    })
  })

  test('lists have a maximum number of entries, and entries have their own paths [SITE-04]', () => {
    const picture = content.gallery.pictures[0]
    const pictures = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...picture, picture: `p${i}` }))
    expect(fieldsOf('gallery', { pictures: pictures(41) })).toEqual({
      pictures: 'Pictures can have at most 40 entries',
    })
    expect(fieldsOf('gallery', { pictures: pictures(40) })).toBeUndefined()
    expect(
      fieldsOf('gallery', { pictures: [picture, { ...picture, picture: 'x', alt: 'x'.repeat(201) }] }),
    ).toEqual({
      'pictures.1.alt': 'Picture description can be at most 200 characters long',
    })
    expect(fieldsOf('amenities', { groups: [{ icon: 'boat', title: '', items: ['x'.repeat(61)] }] })).toEqual(
      {
        'groups.0.icon': 'This value is not valid',
        'groups.0.items.0': 'Items can be at most 60 characters long',
      },
    )
  })

  test('lengths are checked after cleaning [SITE-03, SITE-04]', () => {
    expect(parse('hero', { headline: `  ${'e\u0301'.repeat(60)}\u0000 ` }).body?.headline).toBe(
      'é'.repeat(60),
    )
  })

  test.each([
    ['bedrooms', [0, 20], [-1, 21, 1.5, '2', null]],
    ['bathrooms', [0, 0.5, 20], [-0.5, 20.5, 1.25]],
    ['sleeps', [1, 30], [0, 31, 1.5]],
    ['squareFeet', [0, 20_000], [-1, 20_001, 0.5]],
    ['floor', [-2, 99], [-3, 100, 0.5]],
  ] as const)('%s accepts the numbers of its range [SITE-04]', (field, right, wrong) => {
    for (const value of right)
      expect(parse('facts', { [field]: value }).body).toMatchObject({ [field]: value })
    for (const value of wrong)
      expect(fieldsOf('facts', { [field]: value })).toEqual({ [field]: 'This value is not valid' })
  })

  test('stores the focal point in exact steps of a twentieth [SITE-04]', () => {
    expect(parse('hero', { focal: { x: 0.1 + 0.2, y: 1 } }).body?.focal).toEqual({ x: 0.3, y: 1 })
    expect(fieldsOf('hero', { focal: { x: -0.05, y: 0.025 } })).toEqual({
      'focal.x': 'This value is not valid',
      'focal.y': 'This value is not valid',
    })
  })

  test('rejects any body that is not a whole section [SITE-04]', () => {
    for (const given of [null, 7, 'x', [], undefined])
      expect(parseSection('hero', given, today)).toEqual({ fields: { body: 'This value is not valid' } })
    expect(Object.keys(parseSection('search', { title: '' }, today).fields ?? {})).toEqual(['description'])
    fc.assert(
      fc.property(fc.constantFrom(...sectionNames), fc.object(), (name, given) => {
        const { body, fields } = parseSection(name, given, today)
        expect(body === undefined).toBe(fields !== undefined)
      }),
    )
  })

  test('a picture is in the gallery only once [PIC-14]', () => {
    const [first, second] = content.gallery.pictures
    expect(fieldsOf('gallery', { pictures: [first, second, first] })).toEqual({
      'pictures.2.picture': 'This picture is in the gallery already.',
    })
    const unchosen = { ...first, picture: null }
    expect(fieldsOf('gallery', { pictures: [unchosen, unchosen] })).toBeUndefined()
  })
})

describe('name and address', () => {
  test.each(['', 'owner@sea.example', "o'neil+x@sea.example"])(
    'accepts the email address %j [SITE-06]',
    ownerEmail => {
      expect(parse('identity', { ownerEmail }).body?.ownerEmail).toBe(ownerEmail)
    },
  )

  test.each(['owner', 'a@b.example, c@d.example', 'Owner <a@b.example>', 'a@b.example\nBcc: c@d.example'])(
    'rejects the email address %j [SITE-06]',
    ownerEmail => {
      expect(fieldsOf('identity', { ownerEmail })).toEqual({
        ownerEmail: 'Please enter a valid email address',
      })
    },
  )

  test.each(['', '5550102', '+1 (555) 010-0199', '555.010.2030', '+123456789012345'])(
    'accepts the phone %j [SITE-06]',
    ownerPhone => {
      expect(parse('identity', { ownerPhone }).body?.ownerPhone).toBe(ownerPhone)
    },
  )

  test.each(['555010', '1234567890123456', '555 010 2030 ext. 4', 'call me', '(555) 010/2030', '٥٥٥٠١٠٢٠٣٠'])(
    'rejects the phone %j [SITE-06]',
    ownerPhone => {
      expect(fieldsOf('identity', { ownerPhone })).toEqual({
        ownerPhone: 'Please enter a valid phone number',
      })
    },
  )

  test('rejects text that a lease cannot print, and names the characters [SITE-06]', () => {
    const cannot = 'Please use Latin, Greek or Cyrillic letters: the lease cannot print 海'
    for (const field of ['companyName', 'propertyName', 'propertyAddress'])
      expect(fieldsOf('identity', { [field]: 'Villa 海' })).toEqual({ [field]: cannot })
    expect(fieldsOf('houseRules', { rules: ['Quiet', 'No 海'] })).toEqual({ 'rules.1': cannot })
    expect(fieldsOf('hero', { headline: 'Villa 海' })).toBeUndefined()
    expect(parse('identity', { companyName: 'Ζωή & Søn, Москва' }).body?.companyName).toBe(
      'Ζωή & Søn, Москва',
    )
  })
})

describe('placeholders', () => {
  test('reports an unknown placeholder in the texts that allow placeholders [SITE-07]', () => {
    const ways = [{ name: 'Check', instructions: 'To {companyName}, {OwnerEmail}, {x}' }]
    expect(fieldsOf('waysToPay', { ways })).toEqual({
      'ways.0.instructions': 'Unknown placeholder {OwnerEmail}',
    })
    expect(fieldsOf('privacy', { intro: '{x}', text: '## {y}' })).toEqual({
      intro: 'Unknown placeholder {x}',
      text: 'Unknown placeholder {y}',
    })
    const known =
      '{companyName} {propertyName} {propertyAddress} {ownerEmail} {ownerPhone} {cardFee} { } {a b} {'
    expect(parse('terms', { intro: known }).body?.intro).toBe(known)
  })

  test('all other texts keep braces unchanged [SITE-07]', () => {
    expect(parse('hero', { text: '{x} {ownerEmail}' }).body?.text).toBe('{x} {ownerEmail}')
  })
})

describe('reviews', () => {
  const review = { ...content.reviews.reviews[0], sample: false, verified: false }

  test('rejects a date after today, and a duplicate id or application [SITE-10]', () => {
    const reviews = [
      { ...review, id: 'a', date: '2026-11-23', applicationId: 'app' },
      { ...review, id: 'b', date: '2026-11-22', applicationId: null },
      { ...review, id: 'a', date: '2026-11-22', applicationId: null },
      { ...review, id: 'c', date: '2026-11-22', applicationId: 'app' },
    ]
    expect(fieldsOf('reviews', { reviews })).toEqual({
      'reviews.2.id': 'This value is not valid',
      'reviews.3.applicationId': 'This value is not valid',
    })
    expect(fieldsOf('reviews', { reviews: reviews.slice(0, 2) })).toEqual({
      'reviews.0.date': 'This value is not valid',
    })
    expect(fieldsOf('reviews', { reviews: reviews.slice(1, 2) })).toBeUndefined()
  })

  test.each(['2026-02-30', '2026-2-3', 'soon', '20260203'])('rejects the date %s [SITE-10]', date => {
    expect(fieldsOf('reviews', { reviews: [{ ...review, date }] })).toEqual({
      'reviews.0.date': 'This value is not valid',
    })
  })

  test('a rating is a whole number from 1 to 5 [SITE-04]', () => {
    for (const rating of [0, 6, 4.5, '5'])
      expect(fieldsOf('reviews', { reviews: [{ ...review, rating }] })).toEqual({
        'reviews.0.rating': 'This value is not valid',
      })
  })

  test.each(['order', '7', '', 'a.b', 'x'.repeat(65)])('rejects the review id %j [SITE-24]', id => {
    expect(fieldsOf('reviews', { reviews: [{ ...review, id }] })).toEqual({
      'reviews.0.id': 'This value is not valid',
    })
  })
})

test('accepts the identity of the environment [SITE-06]', () => {
  expect(parse('identity', identity).body).toEqual(identity)
})
