import { formatCents } from '../../../domain/common/money.ts'
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

/** To the tenant: the owner added a charge after the lease was signed. */
export function chargeAddedMail(props: MailKinds['charge-added'], site: MailSite): MailContent {
  const { amountCents, applicationId, applicationNumber, balanceCents, firstName, label } = props
  return {
    subject: `A charge was added to ${applicationNumber}`,
    body: (
      <MailLayout
        site={site}
        preview={`${label}: ${formatCents(amountCents)}`}
        title="A charge was added to your booking"
      >
        <Greeting name={firstName} />
        <Paragraph>The owner has added this to your booking.</Paragraph>
        <Facts
          total={balanceCents < 0 ? 'Overpaid' : 'Balance'}
          rows={[
            ['Application', applicationNumber],
            [label, formatCents(amountCents)],
            [balanceCents < 0 ? 'Overpaid' : 'Balance', formatCents(Math.abs(balanceCents))],
          ]}
        />
        <Paragraph>Questions? Just reply to this mail.</Paragraph>
        <ActionButton href={`${site.origin}/application/${applicationId}`}>
          View your application
        </ActionButton>
      </MailLayout>
    ),
  }
}
