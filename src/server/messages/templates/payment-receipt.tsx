import type { ReactNode } from 'react'
import { formatMoment } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import type { MailWording } from '../../../domain/content/mail-wording.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { refundedLabel } from '../../../domain/money/payment-labels.ts'
import { customizableMail, siteValues } from './customizable-mail.tsx'
import { Facts, type MailContent, type MailSite, Small } from './layout.tsx'

/** A payment as shown on its receipt. Money in integer cents. */
export type ReceiptFacts = {
  firstName: string
  email: string
  applicationNumber: string | null
  /** The displayed label, for example 'Rent'. */
  paymentTypeLabel: string
  amountCents: number
  feeCents: number
  totalCents: number
  /** When the payment was made, a UTC ISO string. */
  paidAt: string
  transactionId: string
  /** The displayed brand, for example 'Visa'. */
  cardBrand: string | null
  cardLast4: string | null
  /** Refunded since, or taken by disputes, of amount and fee together. */
  refundedCents: number
  isDisputed: boolean
  /** Whether the payment came from a bank account: `cardLast4` then belongs to the account. */
  isBank?: boolean
  /** All charges of the application; missing if there are only rent and deposit. */
  charges?: { label: string; amountCents: number }[]
}

/** To the tenant: the receipt of a payment, in the owner's wording (LTEXT-07). */
export function paymentReceiptMail(facts: ReceiptFacts, site: MailSite, words: MailWording): MailContent {
  const total = formatCents(facts.totalCents)
  return customizableMail({
    kind: 'payment-receipt',
    words,
    site,
    values: {
      ...siteValues(site),
      firstName: facts.firstName,
      applicationNumber: facts.applicationNumber ?? '',
      total,
      paymentType: facts.paymentTypeLabel,
    },
    preview: `We received your payment of ${total}. Thank you.`,
    href: `${site.origin}/payment/history`,
    facts: (
      <>
        <Facts total="Total charged" rows={paymentRows(facts, site)} />
        {facts.charges && <Facts total="Total due" rows={chargeRows(facts.charges)} />}
      </>
    ),
    foot: (
      <Small>
        Sent to {facts.email} on {formatMoment(site.sentAt, site.timeZone)}.
      </Small>
    ),
  })
}

const paymentRows = (facts: ReceiptFacts, { timeZone }: MailSite): [string, ReactNode][] => [
  ['Payment type', facts.paymentTypeLabel],
  ['Application', facts.applicationNumber],
  ['Date', formatMoment(facts.paidAt, timeZone)],
  ['Transaction', facts.transactionId],
  [facts.isBank ? 'Paid from' : 'Card', source(facts)],
  ['Amount', formatCents(facts.amountCents)],
  ['Card fee', facts.feeCents > 0 && formatCents(facts.feeCents)],
  ['Total charged', formatCents(facts.totalCents)],
  [refundedLabel(facts), facts.refundedCents > 0 && formatCents(-facts.refundedCents)],
]

const chargeRows = (charges: NonNullable<ReceiptFacts['charges']>): [string, string][] => [
  ...charges.map(({ amountCents, label }): [string, string] => [label, formatCents(amountCents)]),
  ['Total due', formatCents(sumOf(charges))],
]

function source({ cardBrand, cardLast4, isBank }: ReceiptFacts): string | null {
  if (!cardLast4) return isBank ? 'Bank account' : null
  return `${cardBrand || 'Card'} ending in ${cardLast4}`
}
