import { formatLongDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import type { ReminderContent, ReminderPart } from '../../../domain/money/payment-plan-reminder.ts'
import {
  ActionButton,
  Facts,
  Greeting,
  type MailContent,
  MailLayout,
  type MailSite,
  Paragraph,
} from './layout.tsx'

export type ReminderMailFacts = {
  firstName: string
  applicationNumber: string
  applicationId: string
  content: ReminderContent
}

/** To the tenant: what is overdue, what is due today, and what is due next. */
export function paymentReminderMail(
  { applicationId, applicationNumber, content, firstName }: ReminderMailFacts,
  site: MailSite,
): MailContent {
  const { due, next, overdue, subject } = content
  const title = titleOf(content)
  return {
    subject,
    body: (
      <MailLayout site={site} preview={subject} title={title}>
        <Greeting name={firstName} />
        <Paragraph>This is where the payments for your booking {applicationNumber} are today.</Paragraph>
        <Parts heading="Overdue" parts={overdue} />
        <Parts heading="Due today" parts={due} />
        <Parts heading="Next" parts={next} />
        <ActionButton href={`${site.origin}/payment?applicationId=${encodeURIComponent(applicationId)}`}>
          Proceed to Payment
        </ActionButton>
        <Paragraph>If you have already paid, thank you: there is nothing more to do.</Paragraph>
        <Paragraph>Questions? Just reply to this mail.</Paragraph>
      </MailLayout>
    ),
  }
}

function titleOf({ due, overdue }: ReminderContent): string {
  if (overdue.length > 0) return 'A payment is overdue'
  return due.length > 0 ? 'A payment is due today' : 'Your next payment'
}

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
