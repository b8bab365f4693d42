import { Fragment } from 'react'
import type { ClaimKind } from '../../../domain/bookings/claim.ts'
import { calendarNotices } from '../../../domain/calendars/calendar-messages.ts'
import { type CalendarDate, formatMoment, formatShortDate } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { defineMail, stillTrue } from '../define-mail.ts'
import { ActionButton, Facts, Paragraph, PlainLink, Quote, Small } from '../layout.tsx'

type DoubleBooking = {
  /** The conflict whose notice this mail replaces in the daily mail; an earlier version did not store it. */
  conflictId?: string
  feedName: string
  /** The booking here; null if the other booking is a reservation on another platform. */
  applicationNumber: string | null
  applicationId: string | null
  otherFeedName: string | null
  /** Who the nights are kept for; older rows have no kind. */
  claimKind?: ClaimKind | undefined
  claimName?: string
  /** The nights in both bookings, half-open. */
  startDate: CalendarDate
  endDate: CalendarDate
  /** How many more double bookings there are since the last mail. */
  more?: number
}

/** Nights were booked on another platform, and also here or on a third platform. */
const doubleBooking = defineMail({
  kind: 'owner-double-booking',
  render: ({ feedName, more = 0, ...props }: DoubleBooking, { site }) => {
    const { claimKind = 'offer', claimName } = props
    const kept = claimKind === 'promise' ? 'promised to' : 'held for'
    const other = props.applicationNumber ?? claimName ?? props.otherFeedName ?? ''
    const [from, to] = [formatShortDate(props.startDate), formatShortDate(props.endDate)]
    return {
      subject: claimName
        ? calendarNotices.kept(feedName, claimName, claimKind)
        : calendarNotices.conflict(feedName, other),
      title: claimName
        ? `${claimKind === 'promise' ? 'Promised' : 'Held'} nights were booked elsewhere`
        : 'The same nights were booked twice',
      preview: `${from} to ${to}`,
      body: (
        <>
          <Paragraph>
            {feedName} has a booking for nights that{' '}
            {claimName ? `are ${kept} ${other}` : `${other} has as well`}. Both stand: nothing was canceled.
            Please decide{' '}
            {claimName ? `who gets them: withdraw the ${claimKind}, or` : 'which guest stays, and'} clear the
            other one where it was booked.
          </Paragraph>
          <Facts
            rows={[
              ['First calendar', feedName],
              ['Second', other],
              ['From', from],
              ['To', to],
            ]}
          />
          {more > 0 && <Paragraph>{calendarNotices.moreConflicts(more)}.</Paragraph>}
          <ActionButton href={`${site.origin}/admin/availability/other-platforms`}>
            Open the calendars
          </ActionButton>
        </>
      ),
    }
  },
})

/** Another platform's calendar could not be read for a day. */
const feedFailing = defineMail({
  kind: 'owner-feed-failing',
  render: (
    {
      feedName,
      lastError,
      lastSuccessAt,
    }: { feedName: string; lastSuccessAt: string | null; lastError: string },
    { site },
  ) => ({
    subject: calendarNotices.failing(feedName),
    title: 'A calendar cannot be read',
    preview: lastError,
    body: (
      <>
        <Paragraph>
          The site keeps the nights that it already has from {feedName}, but new bookings there do not reach
          it. Until it can be read again, the same nights can be booked twice.
        </Paragraph>
        <Facts
          rows={[
            ['Calendar', feedName],
            ['Last read', lastSuccessAt ? formatMoment(lastSuccessAt, site.timeZone) : 'Never'],
            ['What went wrong', lastError],
          ]}
        />
        <ActionButton href={`${site.origin}/admin/availability/other-platforms`}>
          Open the calendars
        </ActionButton>
      </>
    ),
  }),
})

/** Words that tenants rely on were changed, and who did it. */
export type ContactChange = {
  /** Plain text, possibly with line breaks. */
  changes: { label: string; before: string; after: string }[]
  /** The path below /admin/site that shows the earlier versions; an earlier release wrote none. */
  where?: string
  /** Name and email of the administrator who made the change. */
  by: string
  at: string
  address: string
  userAgent: string
}

/** At the old and the new owner address. */
const contactChanged = defineMail({
  kind: 'owner-contact-changed',
  render: (props: ContactChange, { site }) => {
    const what = props.changes.map(({ label }) => label).join(', ')
    return {
      subject: 'Contact, payment details or terms were changed',
      preview: `${what}, by ${props.by}`,
      body: (
        <>
          <Paragraph>
            Tenants of {site.propertyName} read other words from now on. If this was not you or somebody you
            trust, log in, change your password and bring the earlier words back.
          </Paragraph>
          <Facts
            rows={[
              ['Changed', what],
              ['By', props.by],
              ['When', formatMoment(props.at, site.timeZone)],
              ['From', `${props.address}, ${props.userAgent}`],
            ]}
          />
          {props.changes.map(({ after, before, label }) => (
            <Fragment key={label}>
              <Quote label={`${label} before`} text={before} />
              <Quote label={`${label} now`} text={after} />
            </Fragment>
          ))}
          <ActionButton href={`${site.origin}/admin/site/${props.where ?? 'versions'}`}>
            Open the words
          </ActionButton>
        </>
      ),
    }
  },
})

/** The mail server, the keys of card payments or a calendar were changed. */
const connectionChanged = defineMail({
  kind: 'owner-connection-changed',
  render: (
    props: {
      what: string
      /** The path below /admin that shows the settings; missing in mails that an earlier version queued. */
      where?: string
      by: string
      at: string
      address: string
      userAgent: string
    },
    { site },
  ) => ({
    subject: `${props.what}: the settings were changed`,
    preview: `By ${props.by}`,
    body: (
      <>
        <Paragraph>
          If this was not you or somebody you trust, log in, change your password and enter the settings
          again.
        </Paragraph>
        <Facts
          rows={[
            ['Changed', props.what],
            ['By', props.by],
            ['When', formatMoment(props.at, site.timeZone)],
            ['From', `${props.address}, ${props.userAgent}`],
          ]}
        />
        <ActionButton href={`${site.origin}/admin/${props.where ?? 'site/server'}`}>
          Open the settings
        </ActionButton>
      </>
    ),
  }),
})

/** A published version is damaged, and visitors see an older one; 0 stands for the shipped content. */
const contentUnreadable = defineMail({
  kind: 'owner-content-unreadable',
  render: (props: { version: number; shown: number }, { site }) => {
    const shown = props.shown === 0 ? 'the words that the site came with' : `version ${props.shown}`
    return {
      subject: 'The published content could not be read',
      preview: `Visitors see ${shown}`,
      body: (
        <>
          <Paragraph>
            Version {props.version} of the site’s words is damaged, or another release of the program wrote
            it. Until something is published, visitors see {shown}.
          </Paragraph>
          <Facts
            rows={[
              ['Cannot be read', `Version ${props.version}`],
              ['Shown instead', props.shown === 0 ? 'Original content' : `Version ${props.shown}`],
            ]}
          />
          <ActionButton href={`${site.origin}/admin/site`}>Open the site’s words</ActionButton>
        </>
      ),
    }
  },
})

/** The critical notices that are new on the notice board; those that are gone at delivery are left out. */
const criticalNotices = defineMail({
  kind: 'owner-critical-notices',
  isScheduled: true,
  render: (props: { date: CalendarDate; noticeIds: string[] }, { deps, site, sources }) => {
    const notices = stillTrue(sources.criticalNotices(deps, props))
    const [first] = notices
    const subject =
      notices.length === 1 && first ? first.title : `${plural(notices.length, 'notice')} on your dashboard`
    return {
      subject,
      title: 'Your site needs you',
      preview: first?.title ?? subject,
      body: (
        <>
          <Paragraph>This is new on the notice board of your dashboard:</Paragraph>
          {notices.map(({ detail, id, title }) => (
            <Quote key={id} label={title} text={detail} />
          ))}
          <Paragraph>
            You get one email about each, and at most one email a day. The dashboard shows what is still open.
          </Paragraph>
          <ActionButton href={`${site.origin}/admin/dashboard`}>Open the dashboard</ActionButton>
        </>
      ),
    }
  },
})

type ContactMessage = {
  from_name: string
  from_email: string
  phone: string
  subject: string
  message: string
  recipient: string
  sent_date: string
}

/** A visitor's message. */
const contactMessage = defineMail({
  kind: 'contact-message',
  render: (props: ContactMessage, { site }) => ({
    subject: `${props.subject} (from ${props.from_name})`,
    title: 'A message from your website',
    preview: props.message.slice(0, 140),
    body: (
      <>
        <Facts
          rows={[
            ['From', props.from_name],
            ['Email', <PlainLink key="email" href={`mailto:${props.from_email}`} text={props.from_email} />],
            ['Phone', props.phone],
            ['Subject', props.subject],
            ['Sent', formatMoment(props.sent_date, site.timeZone)],
          ]}
        />
        <Quote label="Message" text={props.message} />
        <Small>
          Your reply to this email goes to {props.from_name}. This message was sent to {props.recipient}{' '}
          through the contact form.
        </Small>
      </>
    ),
  }),
})

/** With which the owner tests mail delivery. A mail with a code is never in the outbox. */
const testMail = defineMail({
  kind: 'test-mail',
  render: ({ code }: { code?: string }, { site }) => ({
    subject: `Test mail from ${site.companyName}`,
    title: code ? 'Your code' : 'Mail works',
    preview: code ? `${code} is the code that turns mail on.` : 'Mail from your portal works.',
    body: (
      <>
        <Paragraph>
          This mail was sent from {site.origin} on {formatMoment(site.sentAt, site.timeZone)}. If you can read
          it, reset links, receipts and status mails reach people too.
        </Paragraph>
        {code && (
          <>
            <Paragraph>
              Type this code on the page that sent this mail, within 15 minutes, to turn mail on:
            </Paragraph>
            <Facts rows={[['Code', code]]} />
          </>
        )}
      </>
    ),
  }),
})

export const ownerMails = [
  doubleBooking,
  feedFailing,
  contactChanged,
  connectionChanged,
  contentUnreadable,
  criticalNotices,
  contactMessage,
  testMail,
]
