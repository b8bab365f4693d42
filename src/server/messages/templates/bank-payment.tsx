import type { ReactNode } from 'react'
import { formatCents } from '../../../domain/common/money.ts'
import type { BankPaymentMail } from '../outbox.ts'
import {
  ActionButton,
  Facts,
  Greeting,
  type MailContent,
  MailLayout,
  type MailSite,
  Paragraph,
} from './layout.tsx'
import { openPaymentButton } from './owner.tsx'

/** To the tenant: the bank payment was requested from the bank. */
export function bankProcessingMail(props: BankPaymentMail, site: MailSite): MailContent {
  return bankMail(props, site, {
    subject: 'Your bank payment is on its way',
    paragraphs: [
      `Thank you. Your bank has been asked for ${formatCents(props.amountCents)}. This takes up to 4 business days.`,
      'There is nothing more to do. You get a receipt when the payment has arrived, and a mail if it fails.',
    ],
    action: <ActionButton href={`${site.origin}/payment/history`}>View your payments</ActionButton>,
  })
}

/** To the tenant or the owner: the bank did not make the payment. */
export function bankFailedMail(props: BankPaymentMail, site: MailSite): MailContent {
  const amount = formatCents(props.amountCents)
  return bankMail(props, site, {
    subject: 'Bank payment failed',
    paragraphs: props.forOwner
      ? [
          `A bank payment of ${amount} from ${props.tenantName} has failed. ${props.tenantName} can pay again.`,
        ]
      : [
          `Your bank payment of ${amount} has failed. It does not count as paid.`,
          'You can pay again now, from a bank account, by card or in another way.',
        ],
    action: payAgain(props, site),
  })
}

/** To the tenant or the owner: the bank took back a payment that had arrived, or the payment will never arrive. */
export function bankReturnedMail(props: BankPaymentMail, site: MailSite): MailContent {
  const amount = formatCents(props.amountCents)
  return bankMail(props, site, {
    subject: 'Bank payment returned',
    paragraphs: props.forOwner
      ? [
          `The bank of ${props.tenantName} has taken back a payment of ${amount}. This is final: there is nothing to answer at the provider.`,
          'The payment no longer counts. The amount is open again.',
        ]
      : [
          `Your bank has taken back your payment of ${amount}. It no longer counts as paid.`,
          'The amount is open again. Please pay it by card or in another way.',
        ],
    action: payAgain(props, site),
  })
}

function payAgain({ applicationId, forOwner }: BankPaymentMail, site: MailSite): ReactNode {
  if (forOwner) return openPaymentButton(site, applicationId)
  const href = `${site.origin}/payment${applicationId ? `?applicationId=${applicationId}` : ''}`
  return <ActionButton href={href}>Pay again</ActionButton>
}

type Words = { subject: string; paragraphs: string[]; action: ReactNode }

function bankMail(
  props: BankPaymentMail,
  site: MailSite,
  { action, paragraphs, subject }: Words,
): MailContent {
  const amount = formatCents(props.amountCents)
  return {
    subject,
    body: (
      <MailLayout
        site={site}
        preview={props.forOwner ? `${props.tenantName}, ${amount}` : `${props.paymentTypeLabel}: ${amount}`}
        title={subject}
      >
        {!props.forOwner && <Greeting name={props.firstName} />}
        {paragraphs.map(text => (
          <Paragraph key={text}>{text}</Paragraph>
        ))}
        <Facts
          rows={[
            ['Payment type', props.paymentTypeLabel],
            [
              'Application',
              props.applicationNumber ?? (props.forOwner ? 'Not linked to an application' : null),
            ],
            ['Amount', amount],
            ['Reason', props.reason],
          ]}
        />
        {!props.forOwner && <Paragraph>Questions? Just reply to this mail.</Paragraph>}
        {action}
      </MailLayout>
    ),
  }
}
