import { formatMoment } from '../../../domain/common/dates.ts'
import type { MailKinds } from '../outbox.ts'
import { Facts, type MailContent, MailLayout, type MailSite, PlainLink, Quote, Small } from './layout.tsx'

/** A visitor's message to the owner. */
export function contactMessageMail(props: MailKinds['contact-message'], site: MailSite): MailContent {
  return {
    subject: `${props.subject} (from ${props.from_name})`,
    body: (
      <MailLayout site={site} preview={props.message.slice(0, 140)} title="A message from your website">
        <Facts
          rows={[
            ['From', props.from_name],
            ['E-mail', <PlainLink key="email" href={`mailto:${props.from_email}`} text={props.from_email} />],
            ['Phone', props.phone],
            ['Subject', props.subject],
            ['Sent', formatMoment(props.sent_date, site.timeZone)],
          ]}
        />
        <Quote label="Message" text={props.message} />
        <Small>
          Your reply to this mail goes to {props.from_name}. This message was sent to {props.recipient}{' '}
          through the contact form.
        </Small>
      </MailLayout>
    ),
  }
}
