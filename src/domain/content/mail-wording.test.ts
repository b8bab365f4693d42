import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { interpolateMail, mailPlaceholders, parseMailWording, shippedMailWordings } from './mail-wording.ts'
import { isWordingKind, mailWordingKinds, wordingKinds, wordingLabels } from './wording.ts'

const words = shippedMailWordings['application-received']
const fieldsOf = (changes: object) =>
  parseMailWording('application-received', { ...words, ...changes }).fields

test('only the lease and seven mails have a wording [LTEXT-07]', () => {
  expect(wordingKinds).toEqual(Object.keys(wordingLabels))
  for (const kind of wordingKinds) expect(isWordingKind(kind)).toBe(true)
  for (const kind of ['password-reset', 'invitation', 'owner-new-application', 'toString', ''])
    expect(isWordingKind(kind)).toBe(false)
})

describe('the wording of a mail', () => {
  test.each(mailWordingKinds)('%s is stored as shipped [LTEXT-07]', kind => {
    expect(parseMailWording(kind, shippedMailWordings[kind])).toEqual({ body: shippedMailWordings[kind] })
  })

  test('has limits and three required fields [LTEXT-07]', () => {
    const long = { subject: 121, title: 121, greeting: 81, text: 1501, next: 1501, button: 41 }
    expect(
      fieldsOf(Object.fromEntries(Object.entries(long).map(([field, count]) => [field, 'x'.repeat(count)]))),
    ).toEqual({
      subject: 'Subject can be at most 120 characters long',
      title: 'Title can be at most 120 characters long',
      greeting: 'Greeting can be at most 80 characters long',
      text: 'Text can be at most 1,500 characters long',
      next: 'Next can be at most 1,500 characters long',
      button: 'Button can be at most 40 characters long',
    })
    expect(fieldsOf({ subject: ' ', title: '', greeting: '', text: '\n', next: '', button: '' })).toEqual({
      subject: 'Subject is required',
      title: 'Title is required',
      text: 'Text is required',
    })
    expect(fieldsOf({ subject: null, extra: 1 })).toEqual({ subject: 'This value is not valid' })
    expect(parseMailWording('lease-ready', null).body).toBeUndefined()
  })

  test('is cleaned: a single line for subject and title, multiple lines for texts [LTEXT-07, SITE-03]', () => {
    const { body } = parseMailWording('application-received', {
      ...words,
      subject: ' Hello\r\nBcc: x@y.example ',
      text: ' one\r\n\r\ntwo\u0000 ',
      secret: 'x',
    })
    expect(body).toEqual({ ...words, subject: 'Hello Bcc: x@y.example', text: 'one\n\ntwo' })
  })
})

describe('placeholders of a mail', () => {
  test('depend on the kind of mail [LTEXT-08]', () => {
    const names = (kind: (typeof mailWordingKinds)[number]) => mailPlaceholders(kind).map(({ name }) => name)
    const common = [
      'firstName',
      'applicationNumber',
      'companyName',
      'propertyName',
      'ownerEmail',
      'ownerPhone',
    ]
    expect(names('booking-complete')).toEqual([...common, 'arrival', 'departure'])
    expect(names('payment-receipt')).toEqual([...common, 'total', 'paymentType'])
    expect(names('lease-signed-copy')).toEqual(common)
    for (const kind of mailWordingKinds)
      for (const { meaning, needed, sample } of mailPlaceholders(kind)) {
        expect(meaning && sample).not.toBe('')
        expect(needed).toBe(false)
      }
  })

  test('that are unknown are reported for their field [LTEXT-08]', () => {
    expect(
      fieldsOf({
        subject: '{{total}}',
        text: 'a {{firstName}} {{x}} {{y}}',
        button: '{{}}',
        next: '{{ first name }}',
      }),
    ).toEqual({
      subject: 'Unknown placeholder {{total}}',
      text: 'Unknown placeholder {{x}}',
      next: 'Unknown placeholder {{first name}}',
      button: 'Unknown placeholder {{}}',
    })
    expect(fieldsOf({ text: '{{ arrival }} to {{departure}}, {braces} and {{' })).toBeUndefined()
    expect(fieldsOf({ text: '{{constructor}}' })).toEqual({ text: 'Unknown placeholder {{constructor}}' })
  })

  test('are filled as text, in one pass, as one line [LTEXT-08]', () => {
    expect(
      interpolateMail('Hi {{ firstName }}, {{total}} {{firstName}}', {
        firstName: 'A\r\nBcc: x',
        total: '{{firstName}} $& <b>',
      }),
    ).toBe('Hi A Bcc: x, {{firstName}} $& <b> A Bcc: x')
    expect(interpolateMail('{{total}}{{constructor}}{{}}', { firstName: 'A' })).toBe(
      '{{total}}{{constructor}}{{}}',
    )
  })

  test('an empty value also removes the space before it', () => {
    expect(interpolateMail('Hello {{ firstName }}, it is {{companyName}}', { firstName: '' })).toBe(
      'Hello, it is {{companyName}}',
    )
  })

  test('a value never adds a line and never acts as a placeholder [LTEXT-08]', () => {
    const value = fc.oneof(anyText(), fc.constantFrom('{{ownerEmail}}', 'a\nb', '$&$1', '\u2028'))
    fc.assert(
      fc.property(value, value, (firstName, ownerEmail) => {
        const filled = interpolateMail('1 {{firstName}}\n2 {{ownerEmail}}.', { firstName, ownerEmail })
        const lines = filled.split(/[\n\r\u0085\u2028\u2029]/)
        expect(lines).toHaveLength(2)
        expect(lines[0]?.startsWith(firstName === '' ? '1' : '1 ')).toBe(true)
        if (ownerEmail === '{{firstName}}') expect(lines[1]).toBe('2 {{firstName}}.')
      }),
    )
  })
})
