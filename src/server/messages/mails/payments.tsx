import type { ReactNode } from 'react'
import { type CalendarDate, formatLongDate, formatMoment } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { planMessages } from '../../../domain/money/payment-plan-messages.ts'
import type { ReminderPart } from '../../../domain/money/payment-plan-reminder.ts'
import { defineMail, type MailSite, stillTrue } from '../define-mail.ts'
import { ActionButton, Facts, Greeting, Paragraph, Questions } from '../layout.tsx'

/** A payment; its application is null if it belongs to none. */
type Payment = {
  tenantName: string
  applicationNumber: string | null
  applicationId: string | null
  /** The displayed label, for example 'Rent'. */
  paymentTypeLabel: string
}
type TenantsApplication = { firstName: string; applicationNumber: string; applicationId: string }

const notLinked = 'Not linked to an application'

/** The owner's button to the payment's application, or to the revenue page if there is none. */
const OpenPayment = ({ id, site }: { id: string | null; site: MailSite }) =>
  id ? (
    <ActionButton href={`${site.origin}/admin/application/${id}`}>Open the application</ActionButton>
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
}

/** What a mail about a bank payment says to the tenant, and to the owner. */
const bankPayments = {
  /** The bank payment was requested from the bank; to the tenant only. */
  'bank-payment-on-its-way': {
    subject: 'Your bank payment is on its way',
    tenant: amount => [
      `Thank you. Your bank has been asked for ${amount}. This takes up to 4 business days.`,
      'There is nothing more to do. You get a receipt when the payment has arrived, and a mail if it fails.',
    ],
    owner: () => [],
  },
  /** The bank did not make the payment. */
  'bank-payment-failed': {
    subject: 'Bank payment failed',
    tenant: amount => [
      `Your bank payment of ${amount} has failed. It does not count as paid.`,
      'You can pay again now, from a bank account, by card or in another way.',
    ],
    owner: (amount, name) => [`A bank payment of ${amount} from ${name} has failed. ${name} can pay again.`],
  },
  /** The bank took back a payment that had arrived, or the payment will never arrive. */
  'bank-payment-returned': {
    subject: 'Bank payment returned',
    tenant: amount => [
      `Your bank has taken back your payment of ${amount}. It no longer counts as paid.`,
      'The amount is open again. Please pay it by card or in another way.',
    ],
    owner: (amount, name) => [
      `The bank of ${name} has taken back a payment of ${amount}. This is final: there is nothing to answer at the provider.`,
      'The payment no longer counts. The amount is open again.',
    ],
  },
} satisfies Record<
  string,
  {
    subject: string
    tenant: (amount: string) => string[]
    owner: (amount: string, name: string) => string[]
  }
>

const bankPayment = <const Kind extends keyof typeof bankPayments>(kind: Kind) =>
  defineMail({
    kind,
    render: (props: BankPayment, { site }) => {
      const { applicationNumber, forOwner, paymentTypeLabel, reason, tenantName } = props
      const amount = formatCents(props.amountCents)
      const { owner, subject, tenant } = bankPayments[kind]
      return {
        subject,
        preview: forOwner ? `${tenantName}, ${amount}` : `${paymentTypeLabel}: ${amount}`,
        body: (
          <>
            {!forOwner && <Greeting name={props.firstName} />}
            {(forOwner ? owner(amount, tenantName) : tenant(amount)).map(text => (
              <Paragraph key={text}>{text}</Paragraph>
            ))}
            <Facts
              rows={[
                ['Payment type', paymentTypeLabel],
                ['Application', applicationNumber ?? (forOwner ? notLinked : null)],
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

function bankButton(kind: string, { applicationId, forOwner }: BankPayment, site: MailSite): ReactNode {
  if (kind === 'bank-payment-on-its-way')
    return <ActionButton href={`${site.origin}/payment/history`}>View your payments</ActionButton>
  if (forOwner) return <OpenPayment id={applicationId} site={site} />
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
      title: 'A payment arrived',
      preview: `${props.paymentTypeLabel} of ${amount}`,
      body: (
        <>
          <Paragraph>
            {props.tenantName} has paid {amount}.
          </Paragraph>
          <Facts
            rows={[
              ['Payment type', props.paymentTypeLabel],
              ['Application', props.applicationNumber ?? notLinked],
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
}

/** To the owner: a card payment was disputed. */
const ownerPaymentDisputed = defineMail({
  kind: 'owner-payment-disputed',
  render: (props: DisputedPayment, { site }) => {
    const amount = formatCents(props.totalCents)
    const dueBy = props.dueBy && formatMoment(props.dueBy, site.timeZone)
    return {
      subject: `Payment disputed: ${amount} from ${props.tenantName}`,
      title: 'A payment is disputed',
      preview: dueBy ? `Answer by ${dueBy}` : `${props.tenantName}, ${amount}`,
      body: (
        <>
          <Paragraph>
            The bank of {props.tenantName} has taken a card payment of {amount} back. It does not count as
            paid while the dispute is open.
          </Paragraph>
          <Paragraph>
            Answer it at the card provider{dueBy ? ` by ${dueBy}` : ' in time'}; without an answer the money
            is lost.
          </Paragraph>
          <Facts
            rows={[
              ['Dispute', props.disputeId],
              ['Disputed', amount],
              ['Answer by', dueBy],
              ['Payment type', props.paymentTypeLabel],
              ['Application', props.applicationNumber ?? notLinked],
              ['Paid', props.paidAt && formatMoment(props.paidAt, site.timeZone)],
            ]}
          />
          <OpenPayment id={props.applicationId} site={site} />
        </>
      ),
    }
  },
})

/** To the tenant: the owner added a charge after the lease was signed. The balance includes it. */
const chargeAdded = defineMail({
  kind: 'charge-added',
  render: (
    props: TenantsApplication & { label: string; amountCents: number; balanceCents: number },
    { site },
  ) => {
    const { applicationId, applicationNumber, balanceCents, firstName, label } = props
    const amount = formatCents(props.amountCents)
    const balanceLabel = balanceCents < 0 ? 'Overpaid' : 'Balance'
    return {
      subject: `A charge was added to ${applicationNumber}`,
      title: 'A charge was added to your booking',
      preview: `${label}: ${amount}`,
      body: (
        <>
          <Greeting name={firstName} />
          <Paragraph>The owner has added this to your booking.</Paragraph>
          <Facts
            total={balanceLabel}
            rows={[
              ['Application', applicationNumber],
              [label, amount],
              [balanceLabel, formatCents(Math.abs(balanceCents))],
            ]}
          />
          <Questions />
          <ActionButton href={`${site.origin}/application/${applicationId}`}>
            View your application
          </ActionButton>
        </>
      ),
    }
  },
})

/** Which installment of the plan was postponed or waived. Cents. */
export type PlanChangeMail = { label: string; amountCents: number } & (
  | { change: 'postponed'; dueDate: CalendarDate }
  | { change: 'waived' }
)

/** To the tenant: the owner postponed or waived an installment of the plan. The balance is that after the change. */
const planChanged = defineMail({
  kind: 'plan-changed',
  render: (props: PlanChangeMail & TenantsApplication & { balanceCents: number }, { site }) => {
    const { amountCents, applicationId, applicationNumber, balanceCents, firstName, label } = props
    const sentence =
      props.change === 'postponed'
        ? planMessages.nowDue(label, amountCents, props.dueDate)
        : planMessages.notOwed(label, amountCents)
    const balanceLabel = balanceCents < 0 ? 'Overpaid' : 'Balance'
    return {
      subject: 'Your payment plan has changed',
      preview: sentence,
      body: (
        <>
          <Greeting name={firstName} />
          <Paragraph>{sentence}</Paragraph>
          <Facts
            total={balanceLabel}
            rows={[
              ['Application', applicationNumber],
              [balanceLabel, formatCents(Math.abs(balanceCents))],
            ]}
          />
          <Questions />
          <ActionButton href={`${site.origin}/application/${applicationId}`}>
            View your payment plan
          </ActionButton>
        </>
      ),
    }
  },
})

/** To the tenant: what is overdue, due today and due next, at the time of delivery. */
const paymentReminder = defineMail({
  kind: 'payment-reminder',
  isScheduled: true,
  render: (props: { applicationId: string; stageDate: CalendarDate }, { deps, named, site, sources }) => {
    const facts = named(stillTrue(sources.reminder(deps, props)))
    const { due, next, overdue, subject } = facts.content
    const isDue = due.length > 0 ? 'A payment is due today' : 'Your next payment'
    return {
      subject,
      title: overdue.length > 0 ? 'A payment is overdue' : isDue,
      preview: subject,
      body: (
        <>
          <Greeting name={facts.firstName} />
          <Paragraph>
            This is where the payments for your booking {facts.applicationNumber} are today.
          </Paragraph>
          <Parts heading="Overdue" parts={overdue} />
          <Parts heading="Due today" parts={due} />
          <Parts heading="Next" parts={next} />
          <ActionButton
            href={`${site.origin}/payment?applicationId=${encodeURIComponent(facts.applicationId)}`}
          >
            Proceed to Payment
          </ActionButton>
          <Paragraph>If you have already paid, thank you: there is nothing more to do.</Paragraph>
          <Questions />
        </>
      ),
    }
  },
})

function Parts({ heading, parts }: { heading: string; parts: readonly ReminderPart[] }) {
  if (parts.length === 0) return null
  return (
    <>
      <Paragraph>
        <strong>{heading}</strong>
      </Paragraph>
      <Facts
        rows={parts.map(part => [
          `${part.label}, ${formatLongDate(part.dueDate)}`,
          formatCents(part.amountCents),
        ])}
      />
    </>
  )
}

export const paymentMails = [
  bankPayment('bank-payment-on-its-way'),
  bankPayment('bank-payment-failed'),
  bankPayment('bank-payment-returned'),
  ownerPaymentReceived,
  ownerPaymentDisputed,
  chargeAdded,
  planChanged,
  paymentReminder,
]
