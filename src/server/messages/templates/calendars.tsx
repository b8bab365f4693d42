import { calendarNotices } from '../../../domain/calendars/calendar-messages.ts'
import { formatLongDate, formatMoment } from '../../../domain/common/dates.ts'
import type { MailKinds } from '../outbox.ts'
import { ActionButton, Facts, type MailContent, MailLayout, type MailSite, Paragraph } from './layout.tsx'

/** To the owner: nights were booked twice. */
export function doubleBookingMail(props: MailKinds['owner-double-booking'], site: MailSite): MailContent {
  const other = props.applicationNumber ?? props.otherFeedName ?? ''
  const { more = 0 } = props
  return {
    subject: calendarNotices.conflict(props.feedName, other),
    body: (
      <MailLayout
        site={site}
        preview={`${formatLongDate(props.startDate)} to ${formatLongDate(props.endDate)}`}
        title="The same nights were booked twice"
      >
        <Paragraph>
          {props.feedName} has a booking for nights that {other} has as well. Both stand: nothing was
          canceled. Please decide which guest stays, and clear the other one where it was booked.
        </Paragraph>
        <Facts
          rows={[
            ['First calendar', props.feedName],
            ['Second', other],
            ['From', formatLongDate(props.startDate)],
            ['To', formatLongDate(props.endDate)],
          ]}
        />
        {more > 0 && <Paragraph>{calendarNotices.moreConflicts(more)}</Paragraph>}
        <ActionButton href={`${site.origin}/admin/calendars`}>Open the calendars</ActionButton>
      </MailLayout>
    ),
  }
}

/** To the owner: another platform's calendar has not been read for a day. */
export function feedFailingMail(props: MailKinds['owner-feed-failing'], site: MailSite): MailContent {
  const since = props.lastSuccessAt && formatMoment(props.lastSuccessAt, site.timeZone)
  return {
    subject: calendarNotices.failing(props.feedName),
    body: (
      <MailLayout site={site} preview={props.lastError} title="A calendar cannot be read">
        <Paragraph>
          The site keeps the nights that it already has from {props.feedName}, but new bookings there do not
          reach it. Until it can be read again, the same nights can be booked twice.
        </Paragraph>
        <Facts
          rows={[
            ['Calendar', props.feedName],
            ['Last read', since ?? 'Never'],
            ['What went wrong', props.lastError],
          ]}
        />
        <ActionButton href={`${site.origin}/admin/calendars`}>Open the calendars</ActionButton>
      </MailLayout>
    ),
  }
}
