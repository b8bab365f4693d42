import { leftToPayCents } from '../../../domain/bookings/tenant-step.ts'
import { type CalendarDate, dateIn, formatShortDate, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { planMessages } from '../../../domain/money/payment-plan.ts'
import type { ReminderPart } from '../../../domain/money/payment-plan-reminder.ts'
import { type BalanceFacts, defineMail, type MailSite, stillTrue } from '../define-mail.ts'
import { ActionButton, BookingButton, Facts, Greeting, Paragraph, Questions, Quote } from '../layout.tsx'

type Booking = { firstName: string; applicationNumber: string; applicationId: string }

type BalanceProps = BalanceFacts & { applicationNumber: string; rows?: [label: string, value: string][] }

function Balance({ applicationNumber, balanceCents, onItsWayCents, rows = [] }: BalanceProps) {
  const label = balanceCents < 0 ? 'Overpaid' : 'Balance'
  const all: typeof rows = [
    ['Booking', applicationNumber],
    ...rows,
    [label, formatCents(Math.abs(balanceCents))],
  ]
  if (!onItsWayCents) return <Facts total={label} rows={all} />
  const left = formatCents(leftToPayCents({ balanceCents, onItsWayCents }))
  return (
    <Facts
      total="Left to pay"
      rows={[...all, ['On its way', formatCents(-onItsWayCents)], ['Left to pay', left]]}
    />
  )
}

/** To the tenant: the owner added a charge after the lease was signed. The balance includes it. */
const chargeAdded = defineMail({
  kind: 'charge-added',
  render: (props: Booking & BalanceFacts & { label: string; amountCents: number }, { site }) => {
    const { applicationId, applicationNumber, firstName, label } = props
    const amount = formatCents(props.amountCents)
    return {
      subject: `A charge was added to your booking (${applicationNumber})`,
      title: 'A charge was added to your booking',
      preview: `${label}: ${amount}`,
      body: (
        <>
          <Greeting name={firstName} />
          <Paragraph>The owner has added this to your booking.</Paragraph>
          <Balance {...props} rows={[[label, amount]]} />
          <Questions />
          {leftToPayCents(props) > 0 ? (
            <ActionButton href={`${site.origin}/payment?applicationId=${applicationId}`}>
              Proceed to Payment
            </ActionButton>
          ) : (
            <BookingButton site={site} id={applicationId}>
              View your booking
            </BookingButton>
          )}
        </>
      ),
    }
  },
})

/** Which installment of the plan was postponed or waived. Cents. */
export type PlanChangeMail = { label: string; amountCents: number } & (
  | { change: 'postponed'; dueDate: CalendarDate }
  | { change: 'waived' }
)

/** To the tenant: the owner postponed or waived an installment of the plan. The balance is that after the change. */
const planChanged = defineMail({
  kind: 'plan-changed',
  render: (props: PlanChangeMail & Booking & BalanceFacts, { site }) => {
    const { amountCents, applicationId, firstName, label } = props
    const sentence =
      props.change === 'postponed'
        ? planMessages.nowDue(label, amountCents, props.dueDate)
        : planMessages.notOwed(label, amountCents)
    return {
      subject: 'Your payment plan has changed',
      preview: sentence,
      body: (
        <>
          <Greeting name={firstName} />
          <Paragraph>{sentence}</Paragraph>
          <Balance {...props} />
          <Questions />
          <BookingButton site={site} id={applicationId}>
            View your payment plan
          </BookingButton>
        </>
      ),
    }
  },
})

type Reminder = {
  applicationId: string
  stageDate: CalendarDate
  /** The owner sent it, whatever the stages are, and perhaps with words of their own. */
  byOwner?: true
  message?: string
}

/** To the tenant: what is overdue, due today and due next, at the time of delivery. */
const paymentReminder = defineMail({
  kind: 'payment-reminder',
  isScheduled: true,
  render: (props: Reminder, { deps, named, site, sources }) => {
    const facts = named(stillTrue(sources.reminder(deps, props)))
    const { due, next, overdue, subject } = facts.content
    const parts = [...overdue, ...due, ...next]
    const [only] = parts.length === 1 ? parts : []
    const isMixed = ![overdue, due, next].some(({ length }) => length === parts.length)
    return {
      subject,
      preview: subject,
      body: (
        <>
          <Greeting name={facts.firstName} />
          {props.message && <Quote label="From the owner" text={props.message} />}
          {only?.dueDate ? (
            <>
              <Paragraph>
                {only.label} {dueWords(only.dueDate, site)}.
              </Paragraph>
              <Facts
                rows={[
                  ['Booking', facts.applicationNumber],
                  ['Stay', formatShortStay(facts.stay)],
                  ['Amount', formatCents(only.amountCents)],
                ]}
              />
            </>
          ) : (
            <>
              <Paragraph>
                For your booking {facts.applicationNumber} ({formatShortStay(facts.stay)}):
              </Paragraph>
              <Parts heading={isMixed && 'Overdue'} parts={overdue} />
              <Parts heading={isMixed && 'Due today'} parts={isMixed ? due.map(undated) : due} />
              <Parts heading={isMixed && 'Next'} parts={next} />
            </>
          )}
          <Paragraph>If you have already paid, thank you: there is nothing more to do.</Paragraph>
          <Questions />
          <ActionButton
            href={`${site.origin}/payment?applicationId=${encodeURIComponent(facts.applicationId)}`}
          >
            Proceed to Payment
          </ActionButton>
        </>
      ),
    }
  },
})

const undated = (part: ReminderPart): ReminderPart => ({ ...part, dueDate: null })

/** 'was due on Nov 21, 2026, 9 days ago'. */
function dueWords(dueDate: CalendarDate, { sentAt, timeZone }: MailSite): string {
  const days = nightsBetween(dueDate, dateIn(new Date(sentAt), timeZone))
  const day = formatShortDate(dueDate)
  return days > 0
    ? `was due on ${day}, ${plural(days, 'day').replace(' ', '\u00a0')} ago`
    : `is due on ${day}${days < 0 ? '' : ', today'}`
}

function Parts({ heading, parts }: { heading: string | false; parts: readonly ReminderPart[] }) {
  if (parts.length === 0) return null
  return (
    <>
      {heading && (
        <Paragraph>
          <strong>{heading}</strong>
        </Paragraph>
      )}
      <Facts
        rows={parts.map(({ amountCents, dueDate, label }) => [
          label,
          `${formatCents(amountCents)}${dueDate ? `, due ${formatShortDate(dueDate)}` : ''}`,
        ])}
      />
    </>
  )
}

export const planMails = [chargeAdded, planChanged, paymentReminder]
