import { formatCents } from '../../../domain/common/money.ts'
import { planMessages } from '../../../domain/money/payment-plan-messages.ts'
import type { MailKinds } from '../outbox.ts'
import {
  ActionButton,
  Facts,
  Greeting,
  type MailContent,
  MailLayout,
  type MailSite,
  Paragraph,
} from './layout.tsx'

/** To the tenant: the owner postponed or waived an installment of the plan. */
export function planChangedMail(props: MailKinds['plan-changed'], site: MailSite): MailContent {
  const { amountCents, applicationId, applicationNumber, balanceCents, firstName, label } = props
  const sentence =
    props.change === 'postponed'
      ? planMessages.nowDue(label, amountCents, props.dueDate)
      : planMessages.notOwed(label, amountCents)
  const balanceLabel = balanceCents < 0 ? 'Overpaid' : 'Balance'
  return {
    subject: 'Your payment plan has changed',
    body: (
      <MailLayout site={site} preview={sentence} title="Your payment plan has changed">
        <Greeting name={firstName} />
        <Paragraph>{sentence}</Paragraph>
        <Facts
          total={balanceLabel}
          rows={[
            ['Application', applicationNumber],
            [balanceLabel, formatCents(Math.abs(balanceCents))],
          ]}
        />
        <Paragraph>Questions? Just reply to this mail.</Paragraph>
        <ActionButton href={`${site.origin}/application/${applicationId}`}>
          View your payment plan
        </ActionButton>
      </MailLayout>
    ),
  }
}
