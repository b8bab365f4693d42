import { formatLongDate, formatMomentDate } from '../../../domain/common/dates.ts'
import type { MailKinds } from '../outbox.ts'
import {
  ActionButton,
  Facts,
  Greeting,
  type MailContent,
  MailLayout,
  type MailLink,
  type MailSite,
  Paragraph,
  PlainLink,
  Small,
} from './layout.tsx'

const Stay = (props: MailKinds['booking-entered']) => (
  <Facts
    rows={[
      ['Booking', props.applicationNumber],
      ['Arrival', formatLongDate(props.startDate)],
      ['Departure', formatLongDate(props.endDate)],
    ]}
  />
)

/** To a guest whose booking the owner entered, and whose mailbox is not proven yet. */
export function invitationMail(props: MailKinds['invitation'], link: MailLink, site: MailSite): MailContent {
  return {
    subject: `Your stay at ${site.propertyName}: please set your password`,
    body: (
      <MailLayout
        site={site}
        preview="Set a password to see your booking."
        title={`Your stay at ${site.propertyName}`}
      >
        <Greeting name={props.firstName} />
        <Paragraph>
          The owner has entered your booking. Set a password to see it, sign your lease and follow your
          payments.
        </Paragraph>
        {props.isRegistered && (
          <Paragraph>
            An account with this address exists already, but nobody has confirmed yet that the address is
            theirs. Your booking stays closed to it until you set a password here, which also signs everybody
            else out.
          </Paragraph>
        )}
        <Stay {...props} />
        <ActionButton href={link.url}>Set your password</ActionButton>
        <Small>
          Or open this address: <PlainLink href={link.url} />
        </Small>
        <Small>
          The link works once, until {formatMomentDate(link.expiresAt, site.timeZone)}. If you know nothing of
          this booking, ignore this mail.
        </Small>
      </MailLayout>
    ),
  }
}

/** To a guest who already has an account. */
export function bookingEnteredMail(props: MailKinds['booking-entered'], site: MailSite): MailContent {
  return {
    subject: `Your stay at ${site.propertyName} is booked`,
    body: (
      <MailLayout
        site={site}
        preview="The owner has entered your booking."
        title={`Your stay at ${site.propertyName} is booked`}
      >
        <Greeting name={props.firstName} />
        <Paragraph>The owner has entered your booking. You can see it in your account.</Paragraph>
        <Stay {...props} />
        <ActionButton href={`${site.origin}/application/${props.applicationId}`}>
          View your booking
        </ActionButton>
      </MailLayout>
    ),
  }
}
