import type { ReactNode } from 'react'
import { formatTime } from '../../../domain/arrival/stay-messages.ts'
import { staySection } from '../../../domain/arrival/stay-settings.ts'
import {
  type CalendarDate,
  dateIn,
  formatMoment,
  formatShortDate,
  nightsBetween,
} from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { type MailWording, mailSamples, shippedMailWordings } from '../../../domain/content/mail-wording.ts'
import {
  applicationMailKinds,
  type MailWordingKind,
  type StayMailKind,
  stayMailKinds,
} from '../../../domain/content/wording.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { refundedLabel, shortTransactionId } from '../../../domain/money/payment.ts'
import type { Deps } from '../../kernel/deps.ts'
import { usableWording } from '../../site/content/wordings.ts'
import { readSection } from '../../site/settings.ts'
import { customizableMail, siteValues } from '../customizable-mail.tsx'
import {
  defineMail,
  type LeftFacts,
  type MailContent,
  type MailSite,
  type ReceiptFacts,
  type StayMailFacts,
  stillTrue,
} from '../define-mail.ts'
import { ActionButton, Facts, Paragraph, Quote, Small } from '../layout.tsx'
import { storedFile } from '../stored-attachment.ts'
import { Accepted } from './offers.tsx'

export type ApplicationMailKind = (typeof applicationMailKinds)[number]
type ApplicationMail = {
  firstName: string
  applicationNumber: string
  applicationId: string
  startDate: CalendarDate
  endDate: CalendarDate
  /** The owner's note to the tenant. */
  notes?: string
  /** The owner's words in this mail. */
  message?: string
  /** What a lease that is ready to sign asks for, and how much of it is the deposit. */
  totalCents?: number
  depositCents?: number
  /** Whether a lease that is ready to sign has charges besides the rent. */
  hasFees?: true
  /** Of an application that was received. */
  guests?: number
  /** The rent of an approved stay by the rates; null without rates for its dates. */
  estimateCents?: number | null
  /** The lease of a stay that is approved again. */
  hasLease?: true
  /** The unpaid balance of a completed stay, in cents. */
  owedCents?: number
  /** Set for a lease that follows an accepted offer. */
  offer?: { claimId: string }
}

/** To a tenant about an application, one wording for each status change. */
const applicationMail = <const Kind extends ApplicationMailKind>(kind: Kind) =>
  defineMail({
    kind,
    render: (props: ApplicationMail, { deps, site, sources }) => {
      const { checkIn, checkOut, enabled } = readSection(deps.db, staySection).body
      const times = enabled && kind === 'booking-complete' ? { checkIn, checkOut } : undefined
      const accepted = props.offer && (
        <Accepted facts={sources.offer(deps, props.offer)} lead="You accepted our offer." />
      )
      return applicationContent(kind, props, site, currentWording(deps, kind), times, accepted)
    },
  })

/** A mail to a tenant about an application, in this wording. */
export function applicationContent(
  kind: ApplicationMailKind,
  props: ApplicationMail,
  site: MailSite,
  words: MailWording,
  /** When a booked stay begins and ends, where guests get their arrival information here. */
  times?: { checkIn: string; checkOut: string },
  /** What an accepted offer asks for. */
  accepted?: ReactNode,
): MailContent {
  const {
    applicationId,
    applicationNumber,
    depositCents = 0,
    estimateCents,
    firstName,
    guests,
    hasFees,
    hasLease,
    message,
    notes,
    owedCents = 0,
    totalCents = 0,
  } = props
  const isShipped = words.text === shippedMailWordings[kind].text
  const isHere =
    kind === 'booking-complete' && props.startDate <= dateIn(new Date(site.sentAt), site.timeZone)
  const [arrival, departure] = [formatShortDate(props.startDate), formatShortDate(props.endDate)]
  const paths: Partial<Record<ApplicationMailKind, string>> = {
    'application-approved': '/dashboard',
    'lease-ready': `/application/${applicationId}#sign`,
  }
  return customizableMail({
    kind,
    words: {
      ...words,
      ...(owedCents > 0 && isShipped && { text: owesText }),
      ...(isHere && words.next === shippedMailWordings[kind].next && { next: hereText }),
    },
    site,
    values: { ...siteValues(site), firstName, applicationNumber, arrival, departure },
    href: `${site.origin}${paths[kind] ?? `/application/${applicationId}`}`,
    facts: (
      <>
        {accepted}
        {message && <Quote label="From the owner" text={message} />}
        <Facts
          rows={[
            [kind.startsWith('application-') ? 'Application' : 'Booking', applicationNumber],
            ['Arrival', times ? `${arrival}, from ${formatTime(times.checkIn)}` : arrival],
            ['Departure', times ? `${departure}, by ${formatTime(times.checkOut)}` : departure],
            ['Address', times && site.propertyAddress],
            ['Nights', guests !== undefined && String(nightsBetween(props.startDate, props.endDate))],
            ['Guests', guests !== undefined && String(guests)],
            ['Rent (estimate)', estimateCents != null && formatCents(estimateCents)],
            [
              hasFees ? 'Rent and charges' : 'Rent',
              totalCents > depositCents && formatCents(totalCents - depositCents),
            ],
            ['Security deposit', depositCents > 0 && formatCents(depositCents)],
            ['Still to be paid', owedCents > 0 && formatCents(owedCents)],
          ]}
        />
        {notes && <Quote label="A note from the owner" text={notes} />}
      </>
    ),
    ...(hasLease && {
      next: (
        <Paragraph>Your lease stands as it was. What is still to be done is on your dashboard.</Paragraph>
      ),
    }),
  })
}

/** In place of 'Everything is in place'. */
const owesText = 'Your booking is confirmed. Part of it is still to be paid.'
/** Replaces the sentence about the arrival once that day has come. */
const hereText = 'Everything about your stay is in the portal.'

type SignedLease = {
  firstName: string
  applicationNumber: string
  applicationId: string
  fileId: string
  /** The tenant who entered the co-applicant's address; only in the co-applicant's mail. */
  givenBy?: string
  /** The owner's copy; an earlier release wrote only `true`. */
  forOwner?: true | { tenantName: string; stay: string }
  /** The tenant's stay, and what is left to pay for it. */
  stay?: string
  left?: LeftFacts
  /** To somebody who signed by an own link and has no account. */
  byLink?: true
}

/** To tenant, owner and co-applicant, with the signed PDF attached. */
const leaseSignedCopy = defineMail({
  kind: 'lease-signed-copy',
  render: async (props: SignedLease, { deps, site }) => ({
    ...leaseContent(props, site, currentWording(deps, 'lease-signed-copy')),
    attachments: [await storedFile(deps, props.fileId, `lease-${props.applicationNumber}`)],
  }),
})

/** The mail with the signed lease, in this wording. */
export function leaseContent(
  { applicationId, applicationNumber, byLink, firstName, forOwner, givenBy, left, stay }: SignedLease,
  site: MailSite,
  words: MailWording,
): MailContent {
  const isOwed = left !== undefined && left.leftCents > 0
  const isShipped = words.button === shippedMailWordings['lease-signed-copy'].button
  return customizableMail({
    kind: 'lease-signed-copy',
    words: isOwed && isShipped ? { ...words, button: 'See what is due' } : words,
    site,
    values: { ...siteValues(site), firstName, applicationNumber },
    preview: 'The signed lease is attached.',
    nextAs: Small,
    ...(typeof forOwner === 'object' && {
      facts: (
        <Facts
          rows={[
            ['Guest', forOwner.tenantName],
            ['Stay', forOwner.stay],
          ]}
        />
      ),
    }),
    ...(stay && { facts: <Facts rows={[['Stay', stay], ...leftRows(left)]} /> }),
    ...(forOwner && { next: <Small>The same file is on the page of the booking.</Small> }),
    // People without an account: a fixed text explains where we got the address.
    ...(givenBy || byLink
      ? {
          next: (
            <Small>
              {`Please keep it. ${givenBy ? `${givenBy} gave us your address for this copy when you signed together; we use it for nothing else.` : 'You signed by the link that we sent to this address.'} If this email is not for you, please delete it and tell us: ${site.ownerEmail}.`}
            </Small>
          ),
        }
      : { href: `${site.origin}${forOwner ? '/admin' : ''}/application/${applicationId}` }),
  })
}

/** To the tenant, with the receipt as PDF; `applicationId` is set if the payment belongs to an application. */
const paymentReceipt = defineMail({
  kind: 'payment-receipt',
  render: async (props: { paymentId: string; applicationId?: string }, { deps, named, site, sources }) => {
    const { facts, pdf } = stillTrue(await sources.receipt(deps, props.paymentId))
    const attachment = { filename: 'receipt.pdf', contentType: 'application/pdf', content: pdf }
    const words = currentWording(deps, 'payment-receipt')
    return { ...receiptContent(named(facts), site, words), attachments: [attachment] }
  },
})

/** The mail with a receipt, in this wording. */
export function receiptContent(facts: ReceiptFacts, site: MailSite, words: MailWording): MailContent {
  const total = formatCents(facts.totalCents)
  return customizableMail({
    kind: 'payment-receipt',
    words,
    site,
    values: {
      ...siteValues(site),
      firstName: facts.firstName,
      applicationNumber: facts.applicationNumber ?? '',
      total,
      paymentType: facts.paymentTypeLabel,
    },
    preview: `We received your payment of ${total}. Thank you.`,
    href: `${site.origin}/payment/history`,
    // The rows say it.
    ...(facts.left && words.next === formerNext && { next: '' }),
    facts: (
      <>
        <Facts total="Total charged" rows={[...paymentRows(facts, site), ...leftRows(facts.left)]} />
        {facts.charges && <Facts total="Total due" rows={chargeRows(facts.charges)} />}
      </>
    ),
    foot: (
      <Small>
        Sent to {facts.email} on {formatMoment(site.sentAt, site.timeZone)}.
      </Small>
    ),
  })
}

/** A former default sentence, which saved wordings still contain. */
const formerNext = 'You see in the portal whether anything is left to pay, and when.'

const paymentRows = (facts: ReceiptFacts, { timeZone }: MailSite): [string, ReactNode][] => [
  ['Payment type', facts.paymentTypeLabel],
  ['Booking', facts.applicationNumber],
  ['Date', formatMoment(facts.paidAt, timeZone)],
  ['Transaction', shortTransactionId(facts.transactionId)],
  [facts.isBank ? 'Paid from' : 'Card', sourceOf(facts)],
  ...(facts.lines ?? [{ ...facts, label: 'Amount' }]).map(({ amountCents, label }): [string, string] => [
    label,
    formatCents(amountCents),
  ]),
  ['Card fee', facts.feeCents > 0 && formatCents(facts.feeCents)],
  ['Total charged', formatCents(facts.totalCents)],
  [refundedLabel(facts), facts.refundedCents > 0 && formatCents(-facts.refundedCents)],
]

const leftRows = (left?: LeftFacts): [string, ReactNode][] =>
  left
    ? [
        ['On its way', left.onItsWayCents && formatCents(-left.onItsWayCents)],
        ['Left to pay', left.leftCents > 0 ? formatCents(left.leftCents) : 'Nothing'],
        ['Next payment', left.next && nextText(left.next)],
      ]
    : []

const nextText = ({ amountCents, dueDate }: NonNullable<LeftFacts['next']>) =>
  `${formatCents(amountCents)}${dueDate ? `, due ${formatShortDate(dueDate)}` : ''}`

const chargeRows = (charges: NonNullable<ReceiptFacts['charges']>): [string, string][] => [
  ...charges.map(({ amountCents, label }): [string, string] => [label, formatCents(amountCents)]),
  ['Total due', formatCents(sumOf(charges))],
]

function sourceOf({ cardBrand, cardLast4, isBank }: ReceiptFacts): string | null {
  if (!cardLast4) return isBank ? 'Bank account' : null
  return `${cardBrand || 'Card'} ending in ${cardLast4}`
}

/** To the tenant by the clock; only the thanks have a link with a token. */
const stayMail = <const Kind extends StayMailKind>(kind: Kind) =>
  defineMail({
    kind,
    isScheduled: true,
    isSecret: true,
    render: async (props: { applicationId: string; key: string }, { deps, named, site, sources, to }) => {
      const { values, ...facts } = stillTrue(await sources.stay(deps, { ...props, to }))
      return stayContent(
        kind,
        { ...props, ...facts, values: named(values) },
        site,
        currentWording(deps, kind),
      )
    },
  })

/** A mail of a stay, in this wording. Its button leads to a login, never to a code (STAY-28). */
export function stayContent(
  kind: StayMailKind,
  { applicationId, isHere, lines, reviewToken, values }: StayMailFacts & { applicationId: string },
  site: MailSite,
  words: MailWording,
): MailContent {
  const page = kind === 'stay-thanks' ? 'application' : 'stay'
  const { text } = shippedMailWordings['stay-open']
  const isLate = isHere && kind === 'stay-open' && words.text === text
  return customizableMail({
    kind,
    words: isLate
      ? { ...words, text: text.replace(/You can come in from .*/, 'You can come in now.') }
      : words,
    site,
    values: { ...siteValues(site), ...values },
    href: `${site.origin}/${page}/${applicationId}`,
    facts: lines.map(line => <Paragraph key={line}>• {line}</Paragraph>),
    foot: reviewToken && (
      <ActionButton href={`${site.origin}/review#${reviewToken}`}>Write a review</ActionButton>
    ),
  })
}

/** One of the mails above with sample data, in a wording that is being edited. */
const wordingSample = defineMail({
  kind: 'wording-sample',
  render: ({ kind, words }: { kind: MailWordingKind; words: MailWording }, { site }) =>
    sampleContent(kind, words, site),
})

/** A mail of this kind in this wording with sample data: the editor's preview and the sample mailed to the owner. */
export function sampleContent(kind: MailWordingKind, words: MailWording, site: MailSite): MailContent {
  const { applicationNumber, firstName } = mailSamples
  const common = { firstName, applicationNumber, applicationId: 'sample' }
  if (kind === 'lease-signed-copy') return leaseContent({ ...common, fileId: 'sample' }, site, words)
  const stayKind = stayMailKinds.find(each => each === kind)
  if (stayKind) {
    const lines = kind === 'stay-missing' ? ['Pay the deposit of $500.00'] : []
    return stayContent(
      stayKind,
      { ...common, values: mailSamples, lines, reviewToken: undefined },
      site,
      words,
    )
  }
  if (kind !== 'payment-receipt')
    return applicationContent(
      kind as ApplicationMailKind,
      {
        ...common,
        startDate: '2026-06-01',
        endDate: '2026-09-13',
        ...(kind === 'lease-ready' && { totalCents: 3500_00, depositCents: 500_00 }),
      },
      site,
      words,
    )
  const facts = {
    ...common,
    email: 'anna@guest.example',
    paymentTypeLabel: mailSamples.paymentType,
    amountCents: 1000_00,
    feeCents: 25_00,
    totalCents: 1025_00,
    refundedCents: 0,
    isDisputed: false,
    paidAt: site.sentAt,
    transactionId: 'pi_sample',
    cardBrand: 'Visa',
    cardLast4: '4242',
  }
  return receiptContent(facts, site, words)
}

/** The current wording of a mail; the shipped wording if the saved one cannot be used (LTEXT-09). */
function currentWording({ db, log }: Deps, kind: MailWordingKind): MailWording {
  const { body, fault, version } = usableWording(db, kind)
  if (body) return body
  log.warn(
    { kind, version, fault },
    'a saved mail wording cannot be used; the mail is sent in the shipped wording',
  )
  return shippedMailWordings[kind]
}

export const customizableMails = [
  ...applicationMailKinds.map(applicationMail),
  leaseSignedCopy,
  paymentReceipt,
  ...stayMailKinds.map(stayMail),
  wordingSample,
]
