import { expect, test } from 'vitest'
import { shippedMailWordings } from '../../domain/content/mail-wording.ts'
import { mailWordingKinds, stayMailKinds } from '../../domain/content/wording.ts'
import { sha256 } from '../lib/sha256.ts'
import { renderMail } from './compose.ts'
import type { MailContent, ReceiptFacts } from './define-mail.ts'
import {
  type ApplicationMailKind,
  applicationContent,
  leaseContent,
  receiptContent,
  stayContent,
} from './mails/customizable.tsx'
import type { MailKinds } from './outbox.ts'
import asShipped from './shipped-mails.json' with { type: 'json' }

const { mails, site } = asShipped

function mailOf(kind: string, props: unknown): MailContent {
  if (kind === 'lease-signed-copy')
    return leaseContent(props as MailKinds['lease-signed-copy'], site, shippedMailWordings[kind])
  if (kind === 'payment-receipt')
    return receiptContent(props as ReceiptFacts, site, shippedMailWordings[kind])
  const stayKind = stayMailKinds.find(each => each === kind)
  if (stayKind)
    return stayContent(
      stayKind,
      props as Parameters<typeof stayContent>[1],
      site,
      shippedMailWordings[stayKind],
    )
  const known = kind as ApplicationMailKind
  return applicationContent(known, props as MailKinds[ApplicationMailKind], site, shippedMailWordings[known])
}

// A mail whose wording nobody has saved is exactly the shipped one.
test.each(mails)(
  '$name in the shipped wording matches its snapshot byte for byte [SITE-01, LTEXT-07]',
  async ({ htmlSha256, kind, props, ...snapshot }) => {
    const { html, subject, text } = await renderMail(site, mailOf(kind, props))
    expect({ subject, text }).toEqual({ subject: snapshot.subject, text: snapshot.text })
    expect(sha256(html)).toBe(htmlSha256)
  },
)

test('a mail says in subject and title the same, with amounts where they are known, and fits a phone [LOOK-90]', async () => {
  for (const { subject, title } of Object.values(shippedMailWordings))
    expect(subject.replace(' ({{applicationNumber}})', '')).toBe(title)
  const ready = mails.find(({ name }) => name === 'lease-ready')
  const { html, text } = await renderMail(site, mailOf('lease-ready', ready?.props))
  expect(html).toContain('name="viewport"')
  expect(text).toMatch(/Rent +\$3,000\.00\s+Security deposit +\$500\.00/)
})

test('mails name amounts, dates and times instead of sending their reader to the portal [LOOK-90]', async () => {
  const of = (kind: string) => mails.find(mail => mail.kind === kind)?.props
  const textOf = async (content: MailContent) => (await renderMail(site, content)).text
  const left = { leftCents: 1992_62, next: { amountCents: 996_31, dueDate: '2026-11-21' } }
  const receipt = await textOf(mailOf('payment-receipt', { ...of('payment-receipt'), left }))
  expect(receipt).toMatch(/Left to pay +\$1,992\.62\s+Next payment +\$996\.31, due Nov 21, 2026/)
  const next = 'You see in the portal whether anything is left to pay, and when.'
  const facts = { ...(of('payment-receipt') as ReceiptFacts), left }
  const saved = receiptContent(facts, site, { ...shippedMailWordings['payment-receipt'], next })
  for (const each of [receipt, await textOf(saved)]) expect(each).not.toContain('You see in the portal')
  const signed = { ...of('lease-signed-copy'), stay: 'June 1 to July 1', left: { leftCents: 0 } }
  expect(await textOf(mailOf('lease-signed-copy', signed))).toMatch(
    /Stay +June 1 to July 1\s+Left to pay +Nothing\s+Please keep it[\s\S]+Open the booking/,
  )
  expect(await textOf(mailOf('lease-signed-copy', { ...signed, left }))).toContain('See what is due')
  const booked = of('booking-complete') as MailKinds['booking-complete']
  const words = shippedMailWordings['booking-complete']
  const times = { checkIn: '16:00', checkOut: '10:00' }
  expect(await textOf(applicationContent('booking-complete', booked, site, words, times))).toMatch(
    /Arrival +.+, from 4:00 PM\s+Departure +.+, by 10:00 AM\s+Address/,
  )
  const late = applicationContent('booking-complete', { ...booked, startDate: '2020-01-01' }, site, words)
  expect(await textOf(late)).not.toContain('look forward')
  const opened = await textOf(mailOf('stay-open', { ...of('stay-open'), isHere: true }))
  expect(opened).toContain('You can come in now.')
  expect(opened).not.toContain('You can come in from')
})

test('the snapshots cover every mail with a wording [SITE-01]', () => {
  expect(new Set(mails.map(({ kind }) => kind))).toEqual(new Set(mailWordingKinds))
})
