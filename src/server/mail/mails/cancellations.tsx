import { type CalendarDate, formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { defineMail } from '../define-mail.ts'
import { BookingButton, Facts, Greeting, Paragraph, PhoneLink, Questions, Quote } from '../layout.tsx'

type Booking = {
  applicationId: string
  applicationNumber: string
  firstName: string
  tenantName: string
  startDate: CalendarDate
  endDate: CalendarDate
}

const stayRows = ({ applicationNumber, endDate, startDate }: Booking): [string, string][] => [
  ['Booking', applicationNumber],
  ['Arrival', formatShortDate(startDate)],
  ['Departure', formatShortDate(endDate)],
]

type Requested = Booking & {
  reason: string
  /** An earlier release wrote neither the phone nor the amounts. */
  phone?: string
  paidCents?: number
  /** What would go back by the rules and the day of the request. */
  refundCents?: number
}

/** To the owner: the tenant asks to cancel, in the tenant's words. */
const requested = defineMail({
  kind: 'cancellation-requested',
  render: (props: Requested, { site }) => ({
    subject: `Cancellation requested: ${props.applicationNumber}`,
    title: `${props.tenantName} asks to cancel`,
    preview: props.reason.slice(0, 100),
    body: (
      <>
        <Paragraph>{props.tenantName} asks to cancel this stay. Nothing has changed yet.</Paragraph>
        <Quote label={props.tenantName} text={props.reason} />
        <Facts
          rows={[
            ...stayRows(props),
            ['Phone', props.phone && <PhoneLink key="phone" phone={props.phone} />],
            ['Paid', props.paidCents !== undefined && formatCents(props.paidCents)],
            ['Would go back', props.refundCents !== undefined && formatCents(props.refundCents)],
          ]}
        />
        <Paragraph>Cancel the stay, or keep the booking and say why. To ask, answer this email.</Paragraph>
        <BookingButton site={site} id={props.applicationId} forOwner>
          Open the booking
        </BookingButton>
      </>
    ),
  }),
})

/** To the tenant: the owner keeps the booking. */
const declined = defineMail({
  kind: 'cancellation-declined',
  render: (props: Booking & { note: string }, { named, site }) => ({
    subject: `Your booking stands (${props.applicationNumber})`,
    title: 'Your booking stands',
    preview: props.note.slice(0, 100),
    body: (
      <>
        <Greeting name={named(props).firstName} />
        <Paragraph>
          You asked to cancel your stay. The owner has not agreed, so your booking stands.
        </Paragraph>
        <Quote label="The owner" text={props.note} />
        <Facts rows={stayRows(props)} />
        <Questions />
        <BookingButton site={site} id={props.applicationId}>
          View your booking
        </BookingButton>
      </>
    ),
  }),
})

type Cancelled = Booking & {
  paidCents: number
  refundCents: number
  keptCents: number
  onItsWayCents: number
  /** How money goes back, with the total of each way. */
  ways: [way: string, cents: number][]
}

/** To the tenant: the stay is cancelled, and what goes back. */
const cancelled = defineMail({
  kind: 'stay-cancelled',
  render: (props: Cancelled, { named, site }) => {
    const { keptCents, onItsWayCents, paidCents, refundCents, ways } = props
    return {
      subject: `Your stay is cancelled (${props.applicationNumber})`,
      title: 'Your stay is cancelled',
      preview:
        refundCents > 0 ? `${formatCents(refundCents)} goes back to you` : 'Nothing more is to be paid',
      body: (
        <>
          <Greeting name={named(props).firstName} />
          <Paragraph>Your stay is cancelled. Nothing more is to be paid for it.</Paragraph>
          <Facts
            rows={[
              ...stayRows(props),
              ['Paid', formatCents(paidCents)],
              ...(keptCents > 0 ? [['Kept', formatCents(-keptCents)] as [string, string]] : []),
              ['Goes back to you', formatCents(refundCents)],
            ]}
            total="Goes back to you"
          />
          {ways.length > 0 && (
            <>
              <Paragraph>It goes back in this way, with the card fee of what was paid by card:</Paragraph>
              <Facts rows={ways.map(([way, cents]) => [way, formatCents(cents)])} />
            </>
          )}
          {onItsWayCents > 0 && (
            <Paragraph>
              A bank payment of {formatCents(onItsWayCents)} is still on its way. It is given back after it
              has arrived.
            </Paragraph>
          )}
          <Questions />
          <BookingButton site={site} id={props.applicationId}>
            View your booking
          </BookingButton>
        </>
      ),
    }
  },
})

export const cancellationMails = [requested, declined, cancelled] as const
