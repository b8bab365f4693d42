import type { ReactNode } from 'react'
import { whoseTime } from '../../../domain/bookings/claim.ts'
import { inYear, toSecure } from '../../../domain/bookings/offer-words.ts'
import { type CalendarDate, dateIn, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import {
  defineMail,
  MailObsoleteError,
  newLink,
  type OfferMailFacts,
  type SecretContext,
  stillTrue,
} from '../define-mail.ts'
import {
  ActionButton,
  BookingButton,
  Facts,
  Greeting,
  LinkButton,
  Paragraph,
  Questions,
  Quote,
} from '../layout.tsx'

type Told = { claimId: string; round: number; applicationId?: string }
/** `deadline` is shown below the price; without it, `lines` name the deadline. */
type Words = { subject: string; lines: string[]; deadline?: string; button: string }

const stayOf = (facts: OfferMailFacts) => formatShortStay(facts)

const Price = ({ depositCents, guests, lines, totalCents, ...facts }: OfferMailFacts) => (
  <Facts
    rows={[
      ['Dates', formatShortStay(facts)],
      ['Nights', String(nightsBetween(facts.start, facts.end))],
      ['Guests', String(guests)],
      ...lines.map(({ amountCents, label }): [string, ReactNode] => [label, formatCents(amountCents)]),
      // A single amount is its own total.
      ['Total', lines.length !== 1 && formatCents(totalCents)],
      ['Security deposit', formatCents(depositCents)],
    ]}
    total={lines.length === 1 ? lines[0]?.label : 'Total'}
  />
)

/** A mail to the guest with the link to the offer. It is withdrawn once it was told anew, answered or is over. */
const guestMail = <const Kind extends string>(
  kind: Kind,
  isScheduled: boolean,
  wordsOf: (facts: OfferMailFacts, today: CalendarDate) => Words,
) =>
  defineMail({
    kind,
    ...(isScheduled && { isScheduled }),
    isSecret: true,
    render: async (props: Told, context: SecretContext) => {
      const facts = stillTrue(context.sources.offer(context.deps, { ...props, to: context.to }))
      const today = dateIn(new Date(context.site.sentAt), context.site.timeZone)
      const { button, deadline, lines, subject } = wordsOf(facts, today)
      const link = await newLink(context, '/offer#', stillTrue(facts.linkId))
      return {
        subject,
        preview: lines[0] ?? '',
        body: (
          <>
            <Greeting name={context.named(facts).firstName} />
            {facts.message && <Quote label={context.site.companyName} text={facts.message} />}
            {lines.map(line => (
              <Paragraph key={line}>{line}</Paragraph>
            ))}
            <Price {...facts} />
            {deadline && <Paragraph>{deadline}</Paragraph>}
            {facts.afterAccepting && <Paragraph>{facts.afterAccepting}</Paragraph>}
            <Questions />
            <LinkButton link={link}>{button}</LinkButton>
          </>
        ),
      }
    },
  })

const open = 'See the offer'

const offer = guestMail('offer', false, facts => ({
  subject: `An offer for you: ${stayOf(facts)}`,
  lines: ['These dates are held for you.'],
  deadline: `This offer ends on ${facts.until}${whoseTime(facts.until)}.`,
  button: open,
}))

const offerEnds = guestMail('offer-ends', true, facts => ({
  subject: `Your offer ends on ${facts.until}`,
  lines: [`These dates are kept for you until ${facts.until}.`],
  button: open,
}))

const promise = guestMail('promise', false, (facts, today) => ({
  subject: `Your dates for ${inYear(facts.start, today).replace('in ', '')}: ${stayOf(facts)}`,
  lines: [
    `We promise you these dates until ${facts.until}: nobody else gets them before we have asked you.`,
    'You can book them at any time until then.',
  ],
  button: 'See your dates',
}))

const promiseEnds = guestMail('promise-ends', true, facts => ({
  subject: `Your dates are kept until ${facts.until}`,
  lines: [`You can book these dates until ${facts.until}.`],
  button: 'See your dates',
}))

const promiseAsked = guestMail('promise-asked', false, facts => ({
  subject: `Somebody asks for your dates: please answer by ${facts.until}`,
  lines: [
    'Somebody else asks for the dates that we promised you.',
    `They are yours first: please book or decline them by ${facts.until}.`,
  ],
  button: 'Answer',
}))

/** The lead, and what the tenant has to do by the deadline of an accepted offer, if anything is left to do. */
export function Accepted({ facts, lead }: { facts: OfferMailFacts | undefined; lead: string }) {
  const tasks = facts && toSecure(facts.missing)
  if (!tasks) return <Paragraph>{lead}</Paragraph>
  return (
    <>
      <Paragraph>
        {lead} Please {tasks} by {facts.until}
        {facts.lapses ? ', or the booking lapses.' : '.'}
      </Paragraph>
      <Paragraph>{facts.missing.join(' ')}</Paragraph>
    </>
  )
}

/** Names what is missing; withdrawn once nothing is. */
const secure = defineMail({
  kind: 'offer-secure',
  isScheduled: true,
  render: (props: Told, { deps, named, site, sources }) => {
    const facts = stillTrue(sources.offer(deps, props))
    const tasks = toSecure(facts.missing)
    if (!tasks) throw new MailObsoleteError()
    return {
      subject: `Please ${tasks} by ${facts.until}`,
      preview: facts.missing.join(' '),
      body: (
        <>
          <Greeting name={named(facts).firstName} />
          <Accepted facts={facts} lead="Your dates are booked." />
          <BookingButton site={site} id={facts.applicationId}>
            Open your booking
          </BookingButton>
        </>
      ),
    }
  },
})

type Ended = { claimId: string; reason?: string }

const over = defineMail({
  kind: 'offer-over',
  render: ({ claimId, reason }: Ended, { deps, named, site, sources }) => {
    const facts = stillTrue(sources.offer(deps, { claimId }))
    const subject = `Your offer for ${stayOf(facts)} has ended`
    return {
      subject,
      preview: 'These dates are not kept for you any more.',
      body: (
        <>
          <Greeting name={named(facts).firstName} />
          <Paragraph>The dates {stayOf(facts)} are not kept for you any more.</Paragraph>
          {reason && <Quote label={site.companyName} text={reason} />}
          <Questions />
        </>
      ),
    }
  },
})

const lapsed = defineMail({
  kind: 'offer-lapsed',
  render: ({ claimId, who }: Ended & { who: 'guest' | 'owner' }, { deps, named, site, sources }) => {
    const facts = stillTrue(sources.offer(deps, { claimId }))
    const isOwner = who === 'owner'
    return {
      subject: `The booking for ${stayOf(facts)} has lapsed`,
      preview: 'The lease was not signed and nothing was paid in time.',
      body: (
        <>
          {!isOwner && <Greeting name={named(facts).firstName} />}
          <Paragraph>
            {isOwner ? `The booking of ${facts.name}` : 'Your booking'} for {stayOf(facts)} has lapsed: the
            lease was not signed and nothing was paid in time. The dates are free again.
          </Paragraph>
          {isOwner ? (
            <BookingButton site={site} id={facts.applicationId} forOwner>
              Open the application
            </BookingButton>
          ) : (
            <Questions />
          )}
        </>
      ),
    }
  },
})

/** To the owner. */
const accepted = defineMail({
  kind: 'offer-accepted',
  render: (props: { claimId: string; applicationId: string; name: string }, { deps, site, sources }) => {
    const facts = stillTrue(sources.offer(deps, props))
    return {
      subject: `${props.name} accepted your offer`,
      preview: stayOf(facts),
      body: (
        <>
          <Paragraph>
            {props.name} accepted your offer. It is booked as {facts.applicationNumber}, and its lease waits
            to be signed.
          </Paragraph>
          <Price {...facts} />
          <BookingButton site={site} id={props.applicationId} forOwner>
            Open the booking
          </BookingButton>
        </>
      ),
    }
  },
})

/** To the owner. */
const declined = defineMail({
  kind: 'offer-declined',
  render: ({ claimId, name, reason }: Ended & { name: string }, { deps, site, sources }) => {
    const facts = stillTrue(sources.offer(deps, { claimId }))
    return {
      subject: `${name} declined your offer`,
      preview: stayOf(facts),
      body: (
        <>
          <Paragraph>
            {name} declined your offer for {stayOf(facts)}. The dates are free again.
          </Paragraph>
          {reason && <Quote label={name} text={reason} />}
          <ActionButton href={`${site.origin}/admin/offers`}>Open your offers</ActionButton>
        </>
      ),
    }
  },
})

export const offerMails = [
  ...[offer, offerEnds, promise, promiseEnds, promiseAsked],
  ...[secure, over, lapsed, accepted, declined],
]
