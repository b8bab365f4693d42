import { render, toPlainText } from '@react-email/components'
import { expect, test } from 'vitest'
import { shippedMailWordings } from '../../domain/content/mail-wording.ts'
import { mailWordingKinds } from '../../domain/content/wording.ts'
import { sha256 } from '../lib/sha256.ts'
import type { MailKinds } from './outbox.ts'
import asShipped from './shipped-mails.json' with { type: 'json' }
import { type ApplicationMailKind, applicationMail } from './templates/application.tsx'
import type { MailContent } from './templates/layout.tsx'
import { leaseSignedCopyMail } from './templates/lease-signed-copy.tsx'
import { paymentReceiptMail, type ReceiptFacts } from './templates/payment-receipt.tsx'

const { mails, site } = asShipped

function mailOf(kind: string, props: unknown): MailContent {
  if (kind === 'lease-signed-copy')
    return leaseSignedCopyMail(props as MailKinds['lease-signed-copy'], site, shippedMailWordings[kind])
  if (kind === 'payment-receipt')
    return paymentReceiptMail(props as ReceiptFacts, site, shippedMailWordings[kind])
  const known = kind as ApplicationMailKind
  return applicationMail(known, props as MailKinds[ApplicationMailKind], site, shippedMailWordings[known])
}

// Snapshots from the templates before wordings became editable.
test.each(mails)(
  '$name in the shipped wording matches its snapshot byte for byte [SITE-01, LTEXT-07]',
  async ({ htmlSha256, kind, props, subject, text }) => {
    const mail = mailOf(kind, props)
    expect(mail.subject).toBe(subject)
    const html = await render(mail.body)
    const selectors = [
      { selector: 'table.facts', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ]
    expect(toPlainText(html, { selectors })).toBe(text)
    expect(sha256(html)).toBe(htmlSha256)
  },
)

test('the snapshots cover every mail with a wording [SITE-01]', () => {
  expect(new Set(mails.map(({ kind }) => kind))).toEqual(new Set(mailWordingKinds))
})
