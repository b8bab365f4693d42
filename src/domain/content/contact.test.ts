import { expect, test } from 'vitest'
import { contactForm } from './contact.ts'

const filled = { name: 'Jonas', email: 'jonas@guest.example', message: 'Hello\nthere' }

test('shows the specified text for an empty phone and subject [CONTACT-07, CONTACT-08]', () => {
  for (const empty of [
    {},
    { phone: '', subject: '' },
    { phone: '  ', subject: ' ' },
    { phone: null, subject: null },
  ])
    expect(contactForm.parse({ ...filled, ...empty })).toMatchObject({
      phone: 'Not provided',
      subject: 'Contact Form Submission',
    })
})

test.each(['name', 'email', 'message'])(
  "rejects a missing %s with 'Please fill in all required fields' [CONTACT-05]",
  field => {
    for (const value of [undefined, '', '   ', null]) {
      const { error } = contactForm.safeParse({ ...filled, [field]: value })
      expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
        [field, 'Please fill in all required fields'],
      ])
    }
  },
)

test('rejects an email with two addresses or a line break', () => {
  for (const email of [
    'a@x.example,b@x.example',
    'a@x.example b@x.example',
    'a@x.example\r\nBcc: b@x.example',
    'a',
  ])
    expect(contactForm.safeParse({ ...filled, email }).error?.issues[0]?.message, email).toBe(
      'Please enter a valid email address',
    )
})

test('keeps line breaks only in the message', () => {
  const parsed = contactForm.parse({
    ...filled,
    name: 'Jonas\r\nBcc: b@x.example',
    subject: 'May\u2028or\u0000June',
    phone: '1\n2',
  })
  expect(parsed).toMatchObject({
    name: 'Jonas Bcc: b@x.example',
    subject: 'May or June',
    phone: '1 2',
    message: 'Hello\nthere',
  })
})

test('rejects texts that are too long, in plain words', () => {
  const long = {
    name: 'x'.repeat(101),
    phone: '1'.repeat(51),
    subject: 'x'.repeat(151),
    message: 'x'.repeat(5001),
  }
  const { error } = contactForm.safeParse({ ...filled, ...long })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Please keep the name under 100 characters',
    'Please keep the phone number under 50 characters',
    'Please keep the subject under 150 characters',
    'Please keep the message under 5,000 characters',
  ])
})
