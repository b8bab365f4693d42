import type { ReactNode } from 'react'
import { formatMoment } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { defineMail, type MailSite } from '../define-mail.ts'
import { ActionButton, BookingButton, Facts, Greeting, Paragraph, Questions } from '../layout.tsx'

/** A payment; its application is null if it belongs to none. */
type Payment = {
  tenantName: string
  applicationNumber: string | null
  applicationId: string | null
  /** The displayed label, for example 'Rent'. */
  paymentTypeLabel: string
}

const notLinked = 'Not linked to a booking'

/** The owner's button to the payment's application, or to the revenue page if there is none. */
const OpenPayment = ({ id, site }: { id: string | null; site: MailSite }) =>
  id ? (
    <BookingButton site={site} id={id} forOwner>
      Open the booking
    </BookingButton>
  ) : (
    <ActionButton href={`${site.origin}/admin/revenue`}>Open the revenue page</ActionButton>
  )

type BankPayment = Payment & {
  firstName: string
  amountCents: number
  /** Why the payment failed or was returned, if the bank gave a reason. */
  reason: string | null
  /** The owner's copy. */
  forOwner?: true
  /** The booking is declined, deleted or paid, or there is none. */
  owesNothing?: true
}

type BankMailText = {
  subject: string
  tenant: (amount: string, owesNothing: boolean) => string[]
  /** Missing if the owner gets no copy. */
  owner?: (amount: string, tenantName: string, owesNothing: boolean) => string[]
}
type BankMailKind = 'bank-payment-on-its-way' | 'bank-payment-failed' | 'bank-payment-returned'

const noneToPay = 'You do not need to pay it again.'
const noneAsked = (name: string) =>
  `No booking is waiting for this money, so ${name} is not asked to pay it again.`

const bankMailTexts: Record<BankMailKind, BankMailText> = {
  /** The bank payment was requested from the bank. */
  'bank-payment-on-its-way': {
    subject: 'Your bank payment is on its way',
    tenant: amount => [
      `Thank you. Your bank has been asked for ${amount}. This takes up to 4 business days.`,
      'There is nothing more to do. You get a receipt when the payment has arrived, and an email if it fails.',
    ],
  },
  /** The bank did not make the payment. */
  'bank-payment-failed': {
    subject: 'Bank payment failed',
    tenant: (amount, owesNothing) => [
      `Your bank payment of ${amount} has failed. It does not count as paid.`,
      owesNothing ? noneToPay : 'You can pay again now, from a bank account, by card or in another way.',
    ],
    owner: (amount, name, owesNothing) => [
      `A bank payment of ${amount} from ${name} has failed. ${owesNothing ? noneAsked(name) : `${name} can pay again.`}`,
    ],
  },
  /** The bank took back a payment that had arrived, or the payment will never arrive. */
  'bank-payment-returned': {
    subject: 'Bank payment returned',
    tenant: (amount, owesNothing) => [
      `Your bank has taken back your payment of ${amount}. It no longer counts as paid.`,
      owesNothing ? noneToPay : 'The amount is open again. Please pay it by card or in another way.',
    ],
    owner: (amount, name, owesNothing) => [
      `The bank of ${name} has taken back a payment of ${amount}. This is final: there is nothing to answer at the provider.`,
      `The payment no longer counts. ${owesNothing ? noneAsked(name) : 'The amount is open again.'}`,
    ],
  },
}

const bankPayment = <const Kind extends BankMailKind>(kind: Kind) =>
  defineMail({
    kind,
    render: (props: BankPayment, { site }) => {
      const { applicationNumber, forOwner, owesNothing = false, paymentTypeLabel, reason, tenantName } = props
      const amount = formatCents(props.amountCents)
      const { owner, subject, tenant } = bankMailTexts[kind]
      return {
        subject,
        preview: forOwner ? `${tenantName}, ${amount}` : `${paymentTypeLabel}: ${amount}`,
        body: (
          <>
            {!forOwner && <Greeting name={props.firstName} />}
            {(forOwner ? owner?.(amount, tenantName, owesNothing) : tenant(amount, owesNothing))?.map(
              text => (
                <Paragraph key={text}>{text}</Paragraph>
              ),
            )}
            <Facts
              rows={[
                ['Payment type', paymentTypeLabel],
                ['Booking', applicationNumber ?? (forOwner ? notLinked : null)],
                ['Amount', amount],
                ['Reason', reason],
              ]}
            />
            {!forOwner && <Questions />}
            {bankButton(kind, props, site)}
          </>
        ),
      }
    },
  })

function bankButton(
  kind: BankMailKind,
  { applicationId, forOwner, owesNothing }: BankPayment,
  site: MailSite,
): ReactNode {
  if (kind === 'bank-payment-on-its-way')
    return <ActionButton href={`${site.origin}/payment/history`}>View your payments</ActionButton>
  if (forOwner) return <OpenPayment id={applicationId} site={site} />
  if (owesNothing) return null
  const href = `${site.origin}/payment${applicationId ? `?applicationId=${applicationId}` : ''}`
  return <ActionButton href={href}>Pay again</ActionButton>
}

/** To the owner: a card payment arrived. */
const ownerPaymentReceived = defineMail({
  kind: 'owner-payment-received',
  render: (props: Payment & { amountCents: number; feeCents: number; paidAt: string }, { site }) => {
    const amount = formatCents(props.amountCents)
    return {
      subject: `Payment received: ${amount} from ${props.tenantName}`,
      preview: `${props.paymentTypeLabel} of ${amount}`,
      body: (
        <>
          <Paragraph>
            {props.tenantName} has paid {amount}.
          </Paragraph>
          <Facts
            rows={[
              ['Payment type', props.paymentTypeLabel],
              ['Booking', props.applicationNumber ?? notLinked],
              ['Amount', amount],
              ['Card fee', props.feeCents > 0 && formatCents(props.feeCents)],
              ['Date', formatMoment(props.paidAt, site.timeZone)],
            ]}
          />
          <OpenPayment id={props.applicationId} site={site} />
        </>
      ),
    }
  },
})

type DisputedPayment = Payment & {
  disputeId: string
  totalCents: number
  /** The provider's deadline for a response. */
  dueBy: string | null
  paidAt: string | null
  /** The bank only asks so far. */
  isInquiry?: true
}

/** To the owner: a card payment was disputed, or its bank asks about it before. */
const ownerPaymentDisputed = defineMail({
  kind: 'owner-payment-disputed',
  render: (props: DisputedPayment, { site }) => {
    const amount = formatCents(props.totalCents)
    const dueBy = props.dueBy && formatMoment(props.dueBy, site.timeZone)
    const { isInquiry, tenantName } = props
    const answer = `Answer it at the card provider${dueBy ? ` by ${dueBy}` : ' in time'}`
    return {
      subject: `${isInquiry ? 'Question about a payment' : 'Payment disputed'}: ${amount} from ${tenantName}`,
      title: isInquiry ? 'A bank asks about a payment' : 'A payment is disputed',
      preview: dueBy ? `Answer by ${dueBy}` : `${props.tenantName}, ${amount}`,
      body: (
        <>
          <Paragraph>
            {isInquiry
              ? `The bank of ${tenantName} asks about a card payment of ${amount}. It has taken nothing yet.`
              : `The bank of ${tenantName} has taken a card payment of ${amount} back. It does not count as paid while the dispute is open.`}
          </Paragraph>
          <Paragraph>
            {isInquiry
              ? `${answer}, or refund it, so that it does not become a dispute.`
              : `${answer}; without an answer the money is lost.`}
          </Paragraph>
          <Facts
            rows={[
              ['Dispute', props.disputeId],
              [isInquiry ? 'Asked about' : 'Disputed', amount],
              ['Answer by', dueBy],
              ['Payment type', props.paymentTypeLabel],
              ['Booking', props.applicationNumber ?? notLinked],
              ['Paid', props.paidAt && formatMoment(props.paidAt, site.timeZone)],
            ]}
          />
          <OpenPayment id={props.applicationId} site={site} />
        </>
      ),
    }
  },
})

export const paymentMails = [
  bankPayment('bank-payment-on-its-way'),
  bankPayment('bank-payment-failed'),
  bankPayment('bank-payment-returned'),
  ownerPaymentReceived,
  ownerPaymentDisputed,
]
