import type { ReactNode } from 'react'
import { type Decision, decisionRows } from '../../../domain/bookings/decision.ts'
import { type CalendarDate, formatMomentDate, formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { paragraphsOf } from '../../../domain/content/content-text.ts'
import { defineMail, newLink } from '../define-mail.ts'
import {
  ActionButton,
  BookingButton,
  Facts,
  Greeting,
  LinkButton,
  Paragraph,
  PhoneLink,
  Small,
  withLineBreaks,
} from '../layout.tsx'
import { Accepted } from './offers.tsx'

type EnteredBooking = {
  firstName: string
  applicationNumber: string
  applicationId: string
  startDate: CalendarDate
  endDate: CalendarDate
}

const Stay = (props: EnteredBooking) => (
  <Facts
    rows={[
      ['Booking', props.applicationNumber],
      ['Arrival', formatShortDate(props.startDate)],
      ['Departure', formatShortDate(props.endDate)],
    ]}
  />
)

/** To a guest whose booking the owner entered, and whose mailbox is not proven yet. */
const invitation = defineMail({
  kind: 'invitation',
  isSecret: true,
  render: async (
    props: EnteredBooking & {
      linkId: string
      /** Whether somebody registered the email, without proving that it is theirs. */
      isRegistered?: boolean
      offer?: { claimId: string } | undefined
    },
    context,
  ) => {
    const { deps, site, sources } = context
    const { offer } = props
    const link = await newLink(context, '/invitation#', props.linkId, `/application/${props.applicationId}`)
    return {
      subject: `Your stay at ${site.propertyName}: please set your password`,
      title: `Your stay at ${site.propertyName}`,
      preview: 'Set a password to see your booking.',
      body: (
        <>
          <Greeting name={props.firstName} />
          {offer && <Accepted facts={sources.offer(deps, offer)} lead="You accepted our offer." />}
          <Paragraph>
            {!offer && 'The owner has entered your booking. '}Set a password to see{' '}
            {offer ? 'your booking' : 'it'}, sign your lease and follow your payments.
          </Paragraph>
          {props.isRegistered && (
            <Paragraph>
              An account with this address exists already, but nobody has confirmed yet that the address is
              theirs. Your booking stays closed to it until you set a password here, which also logs everybody
              else out.
            </Paragraph>
          )}
          <Stay {...props} />
          <LinkButton link={link}>Set your password</LinkButton>
          <Small>
            The link works once, until {formatMomentDate(link.expiresAt, site.timeZone)}. If you know nothing
            of this booking, ignore this email.
          </Small>
        </>
      ),
    }
  },
})

/** To a guest who already has an account. */
const bookingEntered = defineMail({
  kind: 'booking-entered',
  render: (props: EnteredBooking, { site }) => ({
    subject: `Your stay at ${site.propertyName} is booked`,
    preview: 'The owner has entered your booking.',
    body: (
      <>
        <Greeting name={props.firstName} />
        <Paragraph>
          The owner has entered your booking. You see it in your account, with your lease and payments. We
          write to you when the lease is ready to sign.
        </Paragraph>
        <Stay {...props} />
        <BookingButton site={site} id={props.applicationId}>
          View your booking
        </BookingButton>
      </>
    ),
  }),
})

type OwnerApplication = {
  applicationNumber: string
  applicationId: string
  applicantName: string
  startDate: CalendarDate
  endDate: CalendarDate
  /** What the owner decides on; an earlier release wrote none. */
  decision?: Decision
  /** What the tenant has paid and a withdrawn application still holds, in cents, without card fees. */
  paidCents?: number
  /** No more mails of this kind follow within a day. */
  isLastOfDay?: true
}

/** To the owner: an application was submitted or withdrawn. */
const ownerApplication = <const Kind extends 'owner-new-application' | 'owner-withdrawn'>(kind: Kind) =>
  defineMail({
    kind,
    render: (props: OwnerApplication, { site }) => {
      const isNew = kind === 'owner-new-application'
      const { applicantName, applicationNumber, decision, isLastOfDay, paidCents } = props
      const [arrival, departure] = [formatShortDate(props.startDate), formatShortDate(props.endDate)]
      const title = `${isNew ? 'New application' : 'Application withdrawn'}: ${applicantName}`
      return {
        subject: `${title} (${applicationNumber})`,
        title,
        preview: `${applicantName}, ${arrival} to ${departure}`,
        body: (
          <>
            <Paragraph>
              {isNew
                ? `${applicantName} would like to stay at ${site.propertyName}.`
                : `${applicantName} no longer wants to stay at ${site.propertyName} on these dates.`}
            </Paragraph>
            <Facts
              rows={[
                ['Application', applicationNumber],
                ['Applicant', applicantName],
                ['Arrival', arrival],
                ['Departure', departure],
                ...(decision ? decisionFacts(decision) : []),
                ['Paid', paidCents !== undefined && formatCents(paidCents)],
              ]}
            />
            {paidCents !== undefined && (
              <Paragraph>This money was not returned. Open the application to refund it.</Paragraph>
            )}
            {isLastOfDay && (
              <Paragraph>
                There were many of these emails today, so the next ones are left out. Please look at the list
                of applications.
              </Paragraph>
            )}
            <BookingButton site={site} id={props.applicationId} forOwner>
              {isNew ? 'Review the application' : 'Open the application'}
            </BookingButton>
          </>
        ),
      }
    },
  })

const decisionFacts = (decision: Decision): [string, ReactNode][] => [
  ...decisionRows(decision).map(({ label, value }): [string, string] => [label, value]),
  ['Phone', <PhoneLink key="phone" phone={decision.phone} />],
]

/** The owner's own words to a guest (LOOK-81). */
const messageToGuest = defineMail({
  kind: 'message-to-guest',
  render: (
    props: { applicationId: string; firstName: string; subject: string; message: string },
    { site },
  ) => ({
    subject: props.subject,
    preview: props.message.slice(0, 140),
    body: (
      <>
        <Greeting name={props.firstName} />
        {paragraphsOf(props.message).map(text => (
          <Paragraph key={text}>{withLineBreaks(text)}</Paragraph>
        ))}
        <BookingButton site={site} id={props.applicationId}>
          View your booking
        </BookingButton>
        <Small>Your reply to this email goes to {site.ownerEmail}.</Small>
      </>
    ),
  }),
})

/** A guest who saw a door code looks for the new one on the stay page; no mail has a code (STAY-20). */
const codeChanged = defineMail({
  kind: 'code-changed',
  render: ({ applicationId, lock }: { applicationId: string; lock: string }, { site }) => ({
    subject: 'The code for your stay has changed',
    preview: `${lock}: the new code is on your stay page.`,
    body: (
      <>
        <Paragraph>The code of “{lock}” has changed. The new one is on your stay page.</Paragraph>
        <ActionButton href={`${site.origin}/stay/${applicationId}`}>Open your stay</ActionButton>
      </>
    ),
  }),
})

export const bookingMails = [
  codeChanged,
  messageToGuest,
  invitation,
  bookingEntered,
  ownerApplication('owner-new-application'),
  ownerApplication('owner-withdrawn'),
]
