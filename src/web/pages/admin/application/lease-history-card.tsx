import { type ReactNode, useState } from 'react'
import { formatMoment, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { planLabels } from '../price-labels.ts'
import type { Application, OpenModal } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'

/** Who viewed, signed, uploaded or removed which part of the lease, and from where; newest first. */
export function LeaseHistoryCard({ application }: { application: Application }) {
  const history = api.leases.trail.useQuery({ id: application.id })
  if (!application.leaseGenerated && !history.isError && !history.data?.events.length) return null
  return (
    <Card aria-label="Lease history">
      <CardHeader title="Lease history" />
      <CardBody>
        <QueryView query={history} loading="Loading..." error="Failed to load the lease’s history">
          {({ events }) => {
            const newestFirst = events.toReversed()
            return (
              <FoldedList items={newestFirst} first={latestEvents(newestFirst, shownAtFirst)}>
                {event => <HistoryEntry key={event.id} event={event} />}
              </FoldedList>
            )
          }}
        </QueryView>
      </CardBody>
    </Card>
  )
}

const shownAtFirst = 4

type FoldedListProps<Item> = {
  items: readonly Item[]
  /** The items that are shown until all are asked for. */
  first?: readonly Item[]
  children: (item: Item) => ReactNode
}

function FoldedList<Item>({ items, first = items.slice(0, shownAtFirst), children }: FoldedListProps<Item>) {
  const [showsAll, setShowsAll] = useState(false)
  return (
    <>
      <ol className="grid gap-3">{(showsAll ? items : first).map(children)}</ol>
      {items.length > first.length && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-3 -ml-3"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show less' : `Show all ${items.length}`}
        </Button>
      )}
    </>
  )
}

type SentCardProps = { application: Application; open: OpenModal }

/** Every email about the booking, newest first, with the words that were sent (LOOK-81). */
export function SentCard({ application, open }: SentCardProps) {
  const query = api.applications.adminMails.useQuery({ id: application.id })
  return (
    <Card aria-label="Sent">
      <CardHeader
        title="Sent"
        action={
          <ModalButton open={open} modal={{ kind: 'write-to-guest' }}>
            Write to the guest
          </ModalButton>
        }
      />
      <CardBody>
        <QueryView
          query={query}
          loading="Loading..."
          error="Failed to load the emails"
          empty={({ mails }) => mails.length === 0 && <p className="text-muted">No email was sent yet.</p>}
        >
          {({ mails }) => (
            <FoldedList items={mails}>
              {mail => <MailEntry key={mail.id} mail={mail} number={application.applicationNumber} />}
            </FoldedList>
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}

const mailStates = { queued: 'Waiting', sent: 'Sent', failed: 'Could not be sent', withdrawn: 'Not sent' }

type MailEntryProps = { mail: Outputs['applications']['adminMails']['mails'][number]; number: string }

/** Without the number of the application, which the screen has in its heading. */
function MailEntry({ mail, number }: MailEntryProps) {
  const timeZone = useTimeZone()
  const { createdAt, sentAt, state, subject, to, words } = mail
  return (
    <Entry
      title={subject.replace(` (${number})`, '')}
      detail={
        <>
          <span className={state === 'failed' ? 'text-red' : undefined}>{mailStates[state]}</span>{' '}
          {formatMoment(sentAt ?? createdAt, timeZone)}, to {to}
        </>
      }
    >
      {words !== null && <p className="text-sm whitespace-pre-line wrap-anywhere">{words}</p>}
    </Entry>
  )
}

type EntryProps = { title: string; detail: ReactNode; children: ReactNode }

/** What happened and when; with `children` it unfolds. */
function Entry({ title, detail, children }: EntryProps) {
  const lines = (
    <span className="min-w-0">
      {title}
      <span className="block text-[0.9375rem] font-normal text-muted">{detail}</span>
    </span>
  )
  return (
    <li className="[&_summary]:items-start [&_summary>svg]:mt-1 [&_details>div]:pl-5.5">
      {children ? (
        <Disclosure summary={lines}>{children}</Disclosure>
      ) : (
        <p className="in-[ol:has(summary)]:pl-5.5 font-semibold wrap-anywhere text-navy">{lines}</p>
      )}
    </li>
  )
}

function HistoryEntry({ event }: { event: LeaseEvent }) {
  const timeZone = useTimeZone()
  const more = detailPairs(event)
  return (
    <Entry title={event.label} detail={`${formatMoment(event.at, timeZone)}, ${actorText(event)}`}>
      {more.length > 0 && (
        <dl className="grid gap-x-3 gap-y-0.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
          {more.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Entry>
  )
}

export type LeaseEvent = Outputs['leases']['trail']['events'][number]

const viewKinds = ['lease.viewed', 'lease.downloaded', 'lease.signed_viewed']

/** The newest events, except those where the owner only viewed the lease. */
export function latestEvents(newestFirst: readonly LeaseEvent[], count: number): LeaseEvent[] {
  return newestFirst
    .filter(({ actorRole, kind }) => actorRole !== 'admin' || !viewKinds.includes(kind))
    .slice(0, count)
}

/** `by Sam Carter (tenant)` */
function actorText({ actorName, actorRole }: LeaseEvent): string {
  if (actorRole === 'system') return 'by the site itself'
  return actorName ? `by ${actorName} (${actorRole})` : `by the ${actorRole}`
}

/** The details of an event, as labels and values. Row ids are left out. */
export function detailPairs({ detail, address, userAgent }: LeaseEvent): [string, string][] {
  const { leaseStartDate, leaseEndDate, rentCents, depositCents, wordingVersion, ...others } = detail
  const { amountCents, from, planKind, proposedCents, to, ...rest } = others
  const pairs: [string, unknown][] = [
    [
      'Term',
      typeof leaseStartDate === 'string' &&
        typeof leaseEndDate === 'string' &&
        formatShortStay({ start: leaseStartDate, end: leaseEndDate }),
    ],
    [
      rentLabel(text(leaseStartDate), text(leaseEndDate)),
      typeof rentCents === 'number' && formatCents(rentCents),
    ],
    ['Deposit', typeof depositCents === 'number' && formatCents(depositCents)],
    ['Payment plan', typeof planKind === 'string' && (planKindLabels[planKind] ?? planKind)],
    ['Amount', typeof amountCents === 'number' && formatCents(amountCents)],
    ['Proposed late fee', typeof proposedCents === 'number' && formatCents(proposedCents)],
    ['Due before', typeof from === 'string' && formatShortDate(from)],
    ['Due now', typeof to === 'string' && formatShortDate(to)],
    // The built-in wording has no saved version.
    ['Version of the wording', wordingVersion !== 0 && wordingVersion],
    ...Object.entries(rest).map(([key, value]): [string, unknown] => [labels[key] ?? key, value]),
    ['From address', address],
    ['Browser', userAgent],
  ]
  return pairs.flatMap(([label, value]): [string, string][] =>
    isNothing(value) || isRowId(value) ? [] : [[label, String(value)]],
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const isNothing = (value: unknown) => value === null || value === false || value === undefined || value === ''

const isRowId = (value: unknown) =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)

const planKindLabels: Record<string, string> = { ...planLabels, off: 'No plan' }

const labels: Record<string, string> = {
  leaseTextSha256: 'SHA-256 of the text',
  textShown: 'Text shown',
  noticeSha256: 'SHA-256 of the notice',
  noticeShown: 'Notice shown',
  consent: 'Consent',
  coApplicantConsent: 'Co-applicant’s consent',
  coApplicantEmail: 'Co-applicant’s email',
  planVersion: 'Version of the plan',
  label: 'Payment',
  reason: 'Reason',
  payments: 'Payments',
  fileSha256: 'SHA-256 of the file',
  originalName: 'File name',
  contentType: 'File type',
  sizeBytes: 'Bytes',
  signedBy: 'Signed by',
}
