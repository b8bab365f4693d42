// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  button,
  fill,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../testing/component.tsx'
import { visitor } from '../../../testing/test-app.ts'

const site = appOfFile()
const message = {
  'Full Name': 'Wanda Wave',
  'Email Address': 'wanda@guest.example',
  Message: 'Is there a parking space?',
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const values = (labels: string[]) => labels.map(label => field(label).value)
const sent = "Message sent successfully! We'll get back to you soon."

async function openContact() {
  await openScreen(site.app, '/contact')
  await screen.findByRole('button', { name: 'Send Message' })
}

test('the screen shows the form and the owner’s contact [CONTACT-02, CONTACT-04, CONTACT-06]', async () => {
  await openContact()
  const isRequired = (label: string) => field(label).getAttribute('aria-required') === 'true'
  expect(['Full Name', 'Email Address', 'Message', 'Phone Number', 'Subject'].map(isRequired)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ])
  expect([field('Email Address').type, field('Message').getAttribute('rows')]).toEqual(['email', '5'])
  const main = within(screen.getByRole('main'))
  const { ownerEmail, ownerPhone } = (await site.app.as(visitor).site.get()).site
  for (const text of [ownerEmail, ownerPhone])
    expect(await main.findByRole('link', { name: name => name.includes(String(text)) })).toBeTruthy()
})

test('missing fields are reported and nothing is sent [CONTACT-05]', async () => {
  await openContact()
  const inputs = recordInputs('contact.send')
  fill({ 'Full Name': 'Wanda Wave' })
  await press('Send Message')
  await says('Please fill in all required fields')
  expect(field('Email Address').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field('Email Address'))
  expect(inputs).toEqual([])
})

test('a message is sent to the owner once, and the form is cleared [CONTACT-03, CONTACT-07, CONTACT-08, CONTACT-09, CONTACT-10]', async () => {
  await openContact()
  const inputs: object[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  onCall('contact.send', async (send, input) => {
    inputs.push(input)
    await held
    return send()
  })
  fill(message)
  await press('Send Message')
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Sending...' })
  expect(busy.disabled).toBe(true)
  release()
  await says(sent)
  expect(values(['Full Name', 'Email Address', 'Phone Number', 'Subject', 'Message'])).toEqual([
    '',
    '',
    '',
    '',
    '',
  ])
  await waitFor(() => expect((button('Send Message') as HTMLButtonElement).disabled).toBe(false))
  expect(inputs).toEqual([
    expect.objectContaining({ phone: 'Not provided', subject: 'Contact Form Submission' }),
  ])
})

const failures: [string, () => Response | Promise<Response>, string][] = [
  ['a 503', () => refusal({ status: 503 }), 'Email service is not ready. Please try again in a moment.'],
  [
    'a 400',
    () => refusal({ status: 400 }),
    'Contact service temporarily unavailable. Please email us directly at owner@condo.example',
  ],
  [
    'a 429',
    () => refusal({ status: 429 }),
    'Failed to send message. Please try again or contact us directly.',
  ],
  [
    'a 500',
    () => refusal({ status: 500 }),
    'Failed to send message. Please try again or contact us directly.',
  ],
  ['no response', noAnswer, 'An error occurred while sending your message. Please try again.'],
]

test.each(failures)(
  'after %s the screen shows the reason and keeps the message in the form [CONTACT-10, CONTACT-12, CONTACT-13, CONTACT-14, CONTACT-15]',
  async (_, answer, reason) => {
    await openContact()
    onCall('contact.send', answer)
    fill(message)
    await press('Send Message')
    await says(reason)
    expect(values(Object.keys(message))).toEqual(Object.values(message))
    onCall('contact.send', send => send())
    await press('Send Message')
    await says(sent)
    expect(document.body.textContent).not.toContain(reason)
  },
)
