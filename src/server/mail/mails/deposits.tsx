import { type CalendarDate, dateIn, formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { type DeadlineKind, deadlineTexts, deadlineToDo } from '../../../domain/money/deposit-case.ts'
import { defineMail, stillTrue } from '../define-mail.ts'
import { BookingButton, Facts, Greeting, Paragraph, Questions, Quote } from '../layout.tsx'
import { storedFile } from '../stored-attachment.ts'

type Booking = { firstName: string; applicationNumber: string; applicationId: string }
const nameOf = (about: string, number: string) => `${about}, ${number}`

/** To the tenant, once all of a return has ended: the ways in which money came back, with their amounts. */
const returned = defineMail({
  kind: 'deposit-returned',
  render: (
    props: Booking & { ways: [way: string, cents: number][]; feeCents?: number; byHand?: boolean },
    { named, site },
  ) => {
    const { applicationNumber, firstName, ways } = named(props)
    const { feeCents = 0 } = props
    const totalCents = ways.reduce((sum, [, cents]) => sum + cents, 0)
    const [deposit, total] = [formatCents(totalCents - feeCents), formatCents(totalCents)]
    return {
      subject: nameOf('Your security deposit', applicationNumber),
      title: 'Your security deposit',
      preview: `${deposit} went back to you`,
      body: (
        <>
          <Greeting name={firstName} />
          <Paragraph>
            {deposit} of your security deposit went back to you
            {feeCents > 0 && `, with ${formatCents(feeCents)} of the card fee`}.
          </Paragraph>
          <Facts
            areAmounts
            rows={[
              ...ways.map(([way, cents]): [string, string] => [way, formatCents(cents)]),
              ['Total', ways.length > 1 && total],
            ]}
            total="Total"
          />
          {!props.byHand && <Paragraph>A card or a bank can take some days to show it.</Paragraph>}
          <Questions />
          <BookingButton site={site} id={props.applicationId}>
            Open your booking
          </BookingButton>
        </>
      ),
    }
  },
})

type Statement = Booking & { fileId: string; claimedCents: number; objectionUntil: CalendarDate } & {
  /** The deposit that is still held, what is claimed, and by when the rest goes back. Mails from older versions do not have them. */
  depositCents?: number
  items?: { label: string; amountCents: number }[]
  restUntil?: CalendarDate
}

/** To the tenant: what the owner claims of the deposit, with the statement. */
const statement = defineMail({
  kind: 'deposit-statement',
  render: async (props: Statement, { deps, named, site }) => {
    const { applicationNumber, firstName } = named(props)
    const { claimedCents, depositCents = 0, items = [], restUntil } = props
    const claimed = formatCents(claimedCents)
    const restCents = depositCents - claimedCents
    const backToYou = `Back to you${restUntil ? ` by ${formatShortDate(restUntil)}` : ''}`
    return {
      subject: nameOf('Statement of your security deposit', applicationNumber),
      title: 'Statement of your security deposit',
      preview: `${claimed} is claimed of your deposit`,
      body: (
        <>
          <Greeting name={firstName} />
          <Paragraph>
            We claim {claimed} of your security deposit. The attached statement has the details.
          </Paragraph>
          {depositCents > 0 && (
            <Facts
              areAmounts
              rows={[
                ['Deposit that we hold', formatCents(depositCents)],
                // Numbered as in the statement.
                ...items.map(({ amountCents, label }, at): [string, string] => [
                  `${at + 1}. ${label}`,
                  formatCents(-amountCents),
                ]),
                [backToYou, restCents > 0 && formatCents(restCents)],
              ]}
              total={backToYou}
            />
          )}
          <Paragraph>
            You can object until {formatShortDate(props.objectionUntil)}, on the page of your booking.
          </Paragraph>
          <Questions />
          <BookingButton site={site} id={props.applicationId}>
            Open your booking
          </BookingButton>
        </>
      ),
      attachments: [await storedFile(deps, props.fileId, `deposit-statement-${applicationNumber}`)],
    }
  },
})

/** To the owner: the tenant objects, in the tenant's words. */
const objection = defineMail({
  kind: 'owner-deposit-objection',
  render: (props: Omit<Booking, 'firstName'> & { tenantName: string; text: string }, { site }) => ({
    subject: nameOf('Objection to the deposit’s statement', props.applicationNumber),
    title: `${props.tenantName} objects`,
    preview: props.text.slice(0, 100),
    body: (
      <>
        <Paragraph>{props.tenantName} objects to what you claim of the deposit:</Paragraph>
        <Quote label={props.tenantName} text={props.text} />
        <Paragraph>Keep nothing before you have agreed, or before it was decided.</Paragraph>
        <BookingButton site={site} id={props.applicationId} forOwner>
          Open the booking
        </BookingButton>
      </>
    ),
  }),
})

/** To the owner: the tenant agrees. */
const agreement = defineMail({
  kind: 'owner-deposit-agreed',
  render: (props: Omit<Booking, 'firstName'> & { tenantName: string; claimedCents: number }, { site }) => {
    const sentence = `${props.tenantName} agrees that you keep ${formatCents(props.claimedCents)} of the deposit.`
    return {
      subject: nameOf('Agreement to the deposit’s statement', props.applicationNumber),
      title: `${props.tenantName} agrees`,
      preview: sentence,
      body: (
        <>
          <Paragraph>{sentence}</Paragraph>
          <BookingButton site={site} id={props.applicationId} forOwner>
            Open the booking
          </BookingButton>
        </>
      ),
    }
  },
})

/** To the owner, before a date of a deposit and once it is missed. Withdrawn when it is done or has another date. */
const due = defineMail({
  kind: 'owner-deposit-due',
  isScheduled: true,
  render: (
    props: { applicationId: string; date: CalendarDate; deadline: DeadlineKind; title: string },
    { deps, site, sources },
  ) => {
    const { claimedCents, hasLeft, heldCents, tenantName, vacatedOn } = stillTrue(
      sources.deposit(deps, props),
    )
    const { afterwards, late } = deadlineTexts[props.deadline]
    const [held, by] = [formatCents(heldCents), formatShortDate(props.date)]
    const isPast = props.date < dateIn(new Date(site.sentAt), site.timeZone)
    const toDo = isPast ? late : deadlineToDo(props.deadline, claimedCents)
    return {
      subject: props.title,
      preview: `${toDo}: ${held} of ${tenantName}`,
      body: (
        <>
          <Paragraph>
            {hasLeft ? `${tenantName} left` : `The booking of ${tenantName} ended`} on{' '}
            {formatShortDate(vacatedOn)}, and you hold {held} of the deposit.{' '}
            {isPast ? afterwards : `${toDo} by ${by}.`}
          </Paragraph>
          <BookingButton site={site} id={props.applicationId} forOwner>
            Open the booking
          </BookingButton>
        </>
      ),
    }
  },
})

export const depositMails = [returned, statement, objection, agreement, due]
