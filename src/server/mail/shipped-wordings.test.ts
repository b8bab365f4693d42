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
  expect(text).toMatch(/Your stay +\$3,000\.00\s+Security deposit +\$500\.00/)
})

test('the snapshots cover every mail with a wording [SITE-01]', () => {
  expect(new Set(mails.map(({ kind }) => kind))).toEqual(new Set(mailWordingKinds))
})
