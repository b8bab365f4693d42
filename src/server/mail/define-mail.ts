import type { ReactNode } from 'react'
import type { CalendarDate, DateRange } from '../../domain/common/dates.ts'
import type { MailValues } from '../../domain/content/mail-wording.ts'
import type { MailAttachment } from '../../domain/content/outgoing-mail.ts'
import type { SignerRole } from '../../domain/leases/signing.ts'
import type { DeadlineKind } from '../../domain/money/deposit-case.ts'
import type { ReminderContent } from '../../domain/money/payment-plan-reminder.ts'
import type { Deps } from '../kernel/deps.ts'

/** The site details that a mail can show. */
export type MailSite = {
  companyName: string
  propertyName: string
  propertyAddress: string
  ownerEmail: string
  ownerPhone: string
  timeZone: string
  /** The public origin of the site: every link starts with it, never with a request's Host. */
  origin: string
  /** When the mail is sent, a UTC ISO string. */
  sentAt: string
}

/** A link with the token that was made for this mail. */
export type MailLink = { url: string; expiresAt: string }

/** A payment as shown on its receipt. Money in integer cents. */
export type ReceiptFacts = {
  firstName: string
  email: string
  applicationNumber: string | null
  /** The displayed label, for example 'Rent'. */
  paymentTypeLabel: string
  amountCents: number
  feeCents: number
  totalCents: number
  /** When the payment was made, a UTC ISO string. */
  paidAt: string
  transactionId: string
  /** The displayed brand, for example 'Visa'. */
  cardBrand: string | null
  cardLast4: string | null
  /** Refunded since, or taken by disputes, of amount and fee together. */
  refundedCents: number
  isDisputed: boolean
  /** Whether the payment came from a bank account: `cardLast4` then belongs to the account. */
  isBank?: boolean
  /** The payments of a checkout of two; missing for a single payment. */
  lines?: { label: string; amountCents: number }[]
  /** All charges of the application; missing if there are only rent and deposit. */
  charges?: { label: string; amountCents: number }[]
  /** What is left to pay after it. */
  left?: LeftFacts
}

/** What is left to pay of a booking in cents once what is on its way has arrived, and the next part of it by its plan. */
export type LeftFacts = {
  leftCents: number
  onItsWayCents?: number
  next?: { amountCents: number; dueDate: CalendarDate | null }
}

/** A balance in cents, negative if overpaid, and what is on its way of it. */
export type BalanceFacts = { balanceCents: number; onItsWayCents?: number }

export type ReminderMailFacts = {
  firstName: string
  applicationNumber: string
  applicationId: string
  stay: DateRange
  content: ReminderContent
}

/** The messages of a mail. A tenant gets a `token` to answer with, unless the booking awaits the proof of its mailbox. */
export type MessageMailFacts = {
  firstName: string
  lastName: string
  applicationNumber: string
  token: string | undefined
  /** Earlier ones stand on the site alone. */
  hasMore: boolean
  messages: { number: number; body: string; files: number }[]
}

/** The lines are what is missing, or to do before leaving; the token opens the form of a review. */
export type StayMailFacts = {
  values: MailValues
  /** The arrival has passed. */
  isHere?: boolean
  lines: string[]
  reviewToken: string | undefined
}

/** A document that waits for somebody's signature. */
export type SignFacts = {
  firstName: string
  role: SignerRole
  document: 'lease' | 'addendum'
  /** Its dates; an earlier release wrote none. */
  stay?: string
  tenantName: string
  applicationNumber: string
  applicationId: string
}
export type SignReminderFacts = SignFacts & { token: string; expiresAt: string }

/** An offer or a promise. `until` is its deadline in words; the application is the booking that it became. */
export type OfferMailFacts = {
  firstName: string
  name: string
  start: CalendarDate
  end: CalendarDate
  guests: number
  until: string
  lines: { label: string; amountCents: number }[]
  totalCents: number
  depositCents: number
  message: string
  /** What follows an acceptance; undefined without a deadline. */
  afterAccepting: string | undefined
  /** What the tenant has to do by the deadline after accepting an offer; empty once nothing is left. */
  missing: string[]
  /** Whether its booking lapses at the deadline. */
  lapses: boolean
  linkId: string | undefined
  applicationId: string | undefined
  applicationNumber: string | undefined
}

/** Mail content that only other features can provide, loaded when the mail is sent; undefined withdraws the mail. */
export type MailSources = {
  /** Undefined once the payment was removed or returned. */
  receipt: (deps: Deps, paymentId: string) => Promise<{ facts: ReceiptFacts; pdf: Uint8Array } | undefined>
  /** Undefined when the code has expired. */
  mailboxCode: (deps: Deps, challengeId: string) => string | undefined
  /** Undefined when the reminder no longer applies. */
  reminder: (
    deps: Deps,
    reminder: { applicationId: string; stageDate: string; byOwner?: true },
  ) => ReminderMailFacts | undefined
  /** Undefined once all of them are read, messages are switched off, or `to` is not the reader's address any more. */
  messages: (
    deps: Deps,
    side: 'tenant' | 'owner',
    mail: { applicationId: string; after: number; upTo: number; to: string },
  ) => Promise<MessageMailFacts | undefined>
  /** Undefined once a deposit's date is not due any more, or is another one. */
  deposit: (
    deps: Deps,
    mail: { applicationId: string; deadline: DeadlineKind; date: CalendarDate },
  ) =>
    | {
        tenantName: string
        heldCents: number
        claimedCents: number
        vacatedOn: CalendarDate
        hasLeft: boolean
      }
    | undefined
  /** Undefined once the mail is not true any more. */
  stay: (
    deps: Deps,
    mail: { applicationId: string; key: string; to: string },
  ) => Promise<StayMailFacts | undefined>
  /** With the token of a further link; undefined once the person has signed, or nobody waits for the signature. */
  signReminder: (deps: Deps, mail: { signerId: string; to: string }) => Promise<SignReminderFacts | undefined>
  /** With a round, undefined once the offer was told anew, answered or is over, or `to` is not its person's address any more. */
  offer: (deps: Deps, mail: { claimId: string; round?: number; to?: string }) => OfferMailFacts | undefined
  /** Makes a token for the mail that is about to be sent; undefined when the link has ended. */
  token: (deps: Deps, linkId: string) => Promise<{ token: string; expiresAt: string } | undefined>
  /** A link into a booking for the guest at this address who cannot log in to it; undefined for everybody else. */
  wayIn: (
    deps: Deps,
    mail: { applicationId: string; to: string },
  ) => Promise<{ token: string; expiresAt: string } | undefined>
  /** Only notices that are still on the notice board; undefined if there are none, or a newer mail lists them. */
  criticalNotices: (
    deps: Deps,
    mail: { date: string; noticeIds: string[] },
  ) => { id: string; title: string; detail: string }[] | undefined
}

/** What a mail can use at delivery. */
export type MailContext = {
  deps: Deps
  /** The address that it goes to. */
  to: string
  site: MailSite
  sources: Omit<MailSources, 'token' | 'mailboxCode' | 'wayIn'>
  /** Without `firstName` for an account that somebody may have registered with another person's address (FIX-27). */
  named: <Facts extends object>(facts: Facts) => Facts
}
/** Only a mail that says that it is secret can have a link with a token or a code. */
export type SecretContext = MailContext & { sources: MailSources }

/** `body` is framed by the layout, whose title is the subject unless given. */
export type MailContent = {
  subject: string
  title?: string
  /** What an inbox shows next to the subject. */
  preview: string
  body: ReactNode
  attachments?: MailAttachment[]
}

type MailDefinition<Kind extends string, Props> = {
  /** Stored with a queued mail: a migration renames it. */
  kind: Kind
  /** Due on a date: it is not sent while the clock is known to be wrong (PLAN-40). */
  isScheduled?: true
} & (
  | { isSecret?: undefined; render: Render<Props, MailContext> }
  /** It has a link or a code: of a mail server's answer, which may quote it, only the status is stored (FIX-28). */
  | { isSecret: true; render: Render<Props, SecretContext> }
)
/**
 * Runs at delivery. `props` is the plain JSON that `enqueueMail` stored, so it refers to a link or a code instead of
 * containing it.
 * @throws MailObsoleteError
 */
type Render<Props, Context> = (props: Props, context: Context) => MailContent | Promise<MailContent>

/** Defines a kind of mail, for the list of its file. */
export const defineMail = <const Kind extends string, Props extends object>(
  mail: MailDefinition<Kind, Props>,
): MailDefinition<Kind, Props> => mail

/** Thrown while rendering a mail that no longer applies, so that it is withdrawn. */
export class MailObsoleteError extends Error {}

/** What a source returned. @throws MailObsoleteError for undefined */
export function stillTrue<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new MailObsoleteError()
  return found
}

/** The URL of a link with a new token, and the page that it leads to. @throws MailObsoleteError when the link has ended */
export async function newLink(
  { deps, sources }: SecretContext,
  page: string,
  linkId: string,
  then = '',
): Promise<MailLink> {
  const { expiresAt, token } = stillTrue(await sources.token(deps, linkId))
  return { url: `${deps.config.origin}${page}${token}${then}`, expiresAt }
}
