import { sumOf } from '../../../domain/charge.ts'
import { formatMoment } from '../../../domain/dates.ts'
import { formatCents } from '../../../domain/money.ts'
import {
  ActionButton,
  Facts,
  type MailContent,
  MailLayout,
  type MailSite,
  Paragraph,
  Small,
} from './layout.tsx'

/** A payment as its receipt tells it. Money in integer cents. */
export type ReceiptFacts = {
  firstName: string
  email: string
  applicationNumber: string | null
  /** As it is shown, for example 'Rent'. */
  paymentTypeLabel: string
  amountCents: number
  feeCents: number
  totalCents: number
  /** When it was paid, a UTC ISO text. */
  paidAt: string
  transactionId: string
  /** As it is shown, for example 'Visa'. */
  cardBrand: string | null
  cardLast4: string | null
  /** All that is owed for the application; missing where it is rent and deposit alone. */
  charges?: { label: string; amountCents: number }[]
}

export function paymentReceiptMail(facts: ReceiptFacts, site: MailSite): MailContent {
  const total = formatCents(facts.totalCents)
  return {
    subject: `Your receipt for ${total}`,
    body: (
      <MailLayout
        site={site}
        preview={`We received your payment of ${total}. Thank you.`}
        title="Thank you for your payment"
      >
        <Paragraph>Hello {facts.firstName},</Paragraph>
        <Paragraph>
          We received your payment of {total}. This is your receipt; it is attached as a PDF too.
        </Paragraph>
        <Facts
          total="Total charged"
          rows={[
            ['Payment type', facts.paymentTypeLabel],
            ['Application', facts.applicationNumber],
            ['Date', formatMoment(facts.paidAt, site.timeZone)],
            ['Transaction', facts.transactionId],
            ['Card', card(facts)],
            ['Amount', formatCents(facts.amountCents)],
            ['Card fee', facts.feeCents > 0 && formatCents(facts.feeCents)],
            ['Total charged', total],
          ]}
        />
        {facts.charges && (
          <Facts
            total="Total due"
            rows={[
              ...facts.charges.map(({ amountCents, label }): [string, string] => [
                label,
                formatCents(amountCents),
              ]),
              ['Total due', formatCents(sumOf(facts.charges))],
            ]}
          />
        )}
        <ActionButton href={`${site.origin}/payment/history`}>See all your payments</ActionButton>
        <Small>
          Sent to {facts.email} on {formatMoment(site.sentAt, site.timeZone)}.
        </Small>
      </MailLayout>
    ),
  }
}

function card({ cardBrand, cardLast4 }: ReceiptFacts): string | null {
  return cardLast4 ? `${cardBrand || 'Card'} ending in ${cardLast4}` : null
}
