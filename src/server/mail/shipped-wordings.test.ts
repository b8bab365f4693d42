import { render, toPlainText } from '@react-email/components'
import { expect, test } from 'vitest'
import { fillMailWords, shippedMailWordings } from '../../domain/mail-wording.ts'
import { type MailWordingKind, mailWordingKinds } from '../../domain/wording.ts'
import { applicationMail } from './templates/application.tsx'
import type { MailContent, MailSite } from './templates/layout.tsx'
import { leaseSignedCopyMail } from './templates/lease-signed-copy.tsx'
import { paymentReceiptMail } from './templates/payment-receipt.tsx'

const site: MailSite = {
  companyName: 'Sea House LLC',
  propertyName: 'Sea House',
  propertyAddress: '1 Shore Road, Bay, FL 30000',
  ownerEmail: 'owner@sea.example',
  ownerPhone: '(555) 010-0199',
  timeZone: 'America/New_York',
  origin: 'https://condo.example',
  sentAt: '2026-11-22T12:00:00.000Z',
}
const props = {
  firstName: 'Anna',
  applicationNumber: 'APP-2026-0007',
  applicationId: 'a1',
  startDate: '2026-12-01',
  endDate: '2026-12-08',
}

function mailOf(kind: MailWordingKind): MailContent {
  if (kind === 'lease-signed-copy') return leaseSignedCopyMail({ ...props, fileId: 'f1' }, site)
  if (kind !== 'payment-receipt') return applicationMail(kind, props, site)
  return paymentReceiptMail(
    {
      firstName: 'Anna',
      email: 'anna@example.com',
      applicationNumber: 'APP-2026-0007',
      paymentTypeLabel: 'Rent',
      amountCents: 1000_00,
      feeCents: 25_00,
      totalCents: 1025_00,
      paidAt: '2026-11-22T12:00:00.000Z',
      transactionId: 't1',
      cardBrand: null,
      cardLast4: null,
    },
    site,
  )
}

test.each(mailWordingKinds)(
  'the shipped wording of %s is what the mail says [LTEXT-07] [SITE-01]',
  async kind => {
    const values = { firstName: 'Anna', applicationNumber: 'APP-2026-0007', total: '$1,025.00' }
    const { subject, ...words } = shippedMailWordings[kind]
    const mail = mailOf(kind)
    expect(mail.subject).toBe(fillMailWords(subject, values))
    const html = await render(mail.body)
    const text = toPlainText(html, { wordwrap: false })
    for (const part of Object.values(words))
      expect(text.toLowerCase()).toContain(fillMailWords(part, values).toLowerCase())
    const paragraphs = [...html.matchAll(/<p class="(?:ink|muted)"[^>]*>(.*?)<\/p>/g)].map(([, inner = '']) =>
      inner.replaceAll('<!-- -->', ''),
    )
    const written = [words.greeting, words.text, words.next]
      .filter(Boolean)
      .map(part => fillMailWords(part, values))
    expect(paragraphs.slice(0, written.length)).toEqual(written)
  },
)
