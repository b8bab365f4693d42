import { expect, test } from 'vitest'
import { shippedMailWordings } from '../../domain/content/mail-wording.ts'
import { mailWordingKinds } from '../../domain/content/wording.ts'
import { sha256 } from '../lib/sha256.ts'
import { renderMail } from './compose.ts'
import type { MailContent, ReceiptFacts } from './define-mail.ts'
import {
  type ApplicationMailKind,
  applicationContent,
  leaseContent,
  receiptContent,
} from './mails/customizable.tsx'
import type { MailKinds } from './outbox.ts'
import asShipped from './shipped-mails.json' with { type: 'json' }

const { mails, site } = asShipped

function mailOf(kind: string, props: unknown): MailContent {
  if (kind === 'lease-signed-copy')
    return leaseContent(props as MailKinds['lease-signed-copy'], site, shippedMailWordings[kind])
  if (kind === 'payment-receipt')
    return receiptContent(props as ReceiptFacts, site, shippedMailWordings[kind])
  const known = kind as ApplicationMailKind
  return applicationContent(known, props as MailKinds[ApplicationMailKind], site, shippedMailWordings[known])
}

// Snapshots from the templates before wordings became editable.
test.each(mails)(
  '$name in the shipped wording matches its snapshot byte for byte [SITE-01, LTEXT-07]',
  async ({ htmlSha256, kind, props, ...snapshot }) => {
    const { html, subject, text } = await renderMail(site, mailOf(kind, props))
    expect({ subject, text }).toEqual({ subject: snapshot.subject, text: snapshot.text })
    expect(sha256(html)).toBe(htmlSha256)
  },
)

test('the snapshots cover every mail with a wording [SITE-01]', () => {
  expect(new Set(mails.map(({ kind }) => kind))).toEqual(new Set(mailWordingKinds))
})
