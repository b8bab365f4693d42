import { type MailWording, mailSamples } from '../../../domain/content/mail-wording.ts'
import type { MailWordingKind } from '../../../domain/content/wording.ts'
import { applicationMail } from './application.tsx'
import type { MailContent, MailSite } from './layout.tsx'
import { leaseSignedCopyMail } from './lease-signed-copy.tsx'
import { paymentReceiptMail } from './payment-receipt.tsx'

const { applicationNumber, firstName } = mailSamples
const common = { firstName, applicationNumber, applicationId: 'sample' }

/** A mail of this kind in this wording with sample data: the editor's preview and the sample mailed to the owner. */
export function sampleMail(kind: MailWordingKind, words: MailWording, site: MailSite): MailContent {
  if (kind === 'lease-signed-copy') return leaseSignedCopyMail({ ...common, fileId: 'sample' }, site, words)
  if (kind !== 'payment-receipt')
    return applicationMail(kind, { ...common, startDate: '2026-06-01', endDate: '2026-09-13' }, site, words)
  const facts = {
    ...common,
    email: 'anna@guest.example',
    paymentTypeLabel: mailSamples.paymentType,
    amountCents: 1000_00,
    feeCents: 25_00,
    totalCents: 1025_00,
    refundedCents: 0,
    isDisputed: false,
    paidAt: site.sentAt,
    transactionId: 'pi_sample',
    cardBrand: 'Visa',
    cardLast4: '4242',
  }
  return paymentReceiptMail(facts, site, words)
}
