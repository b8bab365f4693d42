import { formatLongDate, formatMoment } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import type { MailKinds } from '../outbox.ts'
import { ActionButton, Facts, type MailContent, MailLayout, type MailSite, Paragraph } from './layout.tsx'

const adminLink = (site: MailSite, applicationId: string) =>
  `${site.origin}/admin/application/${applicationId}`

/** The owner's button to the payment's application, or to the revenue page if there is none. */
export const openPaymentButton = (site: MailSite, applicationId: string | null) =>
  applicationId ? (
    <ActionButton href={adminLink(site, applicationId)}>Open the application</ActionButton>
  ) : (
    <ActionButton href={`${site.origin}/admin/revenue`}>Open the revenue page</ActionButton>
  )

/** To the owner: an application was submitted or withdrawn. */
export function ownerApplicationMail(
  kind: 'owner-new-application' | 'owner-withdrawn',
  props: MailKinds['owner-new-application'],
  site: MailSite,
): MailContent {
  const isNew = kind === 'owner-new-application'
  return {
    subject: `${isNew ? 'New application' : 'Application withdrawn'}: ${props.applicantName} (${props.applicationNumber})`,
    body: (
      <MailLayout
        site={site}
        preview={`${props.applicantName}, ${formatLongDate(props.startDate)} to ${formatLongDate(props.endDate)}`}
        title={isNew ? 'A new application' : 'An application was withdrawn'}
      >
        <Paragraph>
          {isNew
            ? `${props.applicantName} would like to stay at ${site.propertyName}.`
            : `${props.applicantName} no longer wants to stay at ${site.propertyName} on these dates.`}
        </Paragraph>
        <Facts
          rows={[
            ['Application', props.applicationNumber],
            ['Applicant', props.applicantName],
            ['Arrival', formatLongDate(props.startDate)],
            ['Departure', formatLongDate(props.endDate)],
            ['Paid', props.paidCents !== undefined && formatCents(props.paidCents)],
          ]}
        />
        {props.paidCents !== undefined && (
          <Paragraph>This money was not returned. Open the application to refund it.</Paragraph>
        )}
        {props.isLastOfDay && (
          <Paragraph>
            There were many of these mails today, so the next ones are left out. Please look at the list of
            applications.
          </Paragraph>
        )}
        <ActionButton href={adminLink(site, props.applicationId)}>
          {isNew ? 'Review the application' : 'Open the application'}
        </ActionButton>
      </MailLayout>
    ),
  }
}

/** To the owner: a card payment arrived. */
export function ownerPaymentMail(props: MailKinds['owner-payment-received'], site: MailSite): MailContent {
  const amount = formatCents(props.amountCents)
  return {
    subject: `Payment received: ${amount} from ${props.tenantName}`,
    body: (
      <MailLayout site={site} preview={`${props.paymentTypeLabel} of ${amount}`} title="A payment arrived">
        <Paragraph>
          {props.tenantName} has paid {amount}.
        </Paragraph>
        <Facts
          rows={[
            ['Payment type', props.paymentTypeLabel],
            ['Application', props.applicationNumber ?? 'Not linked to an application'],
            ['Amount', amount],
            ['Card fee', props.feeCents > 0 && formatCents(props.feeCents)],
            ['Date', formatMoment(props.paidAt, site.timeZone)],
          ]}
        />
        {openPaymentButton(site, props.applicationId)}
      </MailLayout>
    ),
  }
}

/** To the owner: a card payment was disputed. */
export function ownerDisputeMail(props: MailKinds['owner-payment-disputed'], site: MailSite): MailContent {
  const amount = formatCents(props.totalCents)
  const dueBy = props.dueBy && formatMoment(props.dueBy, site.timeZone)
  return {
    subject: `Payment disputed: ${amount} from ${props.tenantName}`,
    body: (
      <MailLayout
        site={site}
        preview={dueBy ? `Answer by ${dueBy}` : `${props.tenantName}, ${amount}`}
        title="A payment is disputed"
      >
        <Paragraph>
          The bank of {props.tenantName} has taken a card payment of {amount} back. It does not count as paid
          while the dispute is open.
        </Paragraph>
        <Paragraph>
          Answer it at the card provider{dueBy ? ` by ${dueBy}` : ' in time'}; without an answer the money is
          lost.
        </Paragraph>
        <Facts
          rows={[
            ['Dispute', props.disputeId],
            ['Disputed', amount],
            ['Answer by', dueBy],
            ['Payment type', props.paymentTypeLabel],
            ['Application', props.applicationNumber ?? 'Not linked to an application'],
            ['Paid', props.paidAt && formatMoment(props.paidAt, site.timeZone)],
          ]}
        />
        {openPaymentButton(site, props.applicationId)}
      </MailLayout>
    ),
  }
}
