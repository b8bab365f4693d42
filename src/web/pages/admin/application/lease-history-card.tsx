import { useState } from 'react'
import { formatLongDate, formatMoment } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { formatStay } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { planLabels } from '../price-labels.ts'
import type { Application } from './application-data.ts'

/** The lease's history, newest first. */
export function LeaseHistoryCard({ application }: { application: Application }) {
  const history = api.leases.trail.useQuery({ id: application.id })
  return (
    <Card aria-label="Lease History">
      <CardHeader title="Lease History" />
      <CardBody>
        <QueryView
          query={history}
          loading="Loading..."
          error="Failed to load the lease’s history"
          empty={({ events }) =>
            events.length === 0 && <p className="text-muted">Nothing has happened to the lease yet.</p>
          }
        >
          {({ events }) => <LeaseEventsList newestFirst={events.toReversed()} />}
        </QueryView>
      </CardBody>
    </Card>
  )
}

const shownEvents = 4

/** Who viewed, signed, uploaded or removed which part of the lease, and from where. */
function LeaseEventsList({ newestFirst }: { newestFirst: readonly LeaseEvent[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const first = latestEvents(newestFirst, shownEvents)
  return (
    <>
      <ol className="grid gap-3">
        {(showsAll ? newestFirst : first).map(event => (
          <HistoryEntry key={event.id} event={event} />
        ))}
      </ol>
      {newestFirst.length > first.length && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-3 -ml-3"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show less' : `Show all ${newestFirst.length}`}
        </Button>
      )}
    </>
  )
}

function HistoryEntry({ event }: { event: LeaseEvent }) {
  const timeZone = useTimeZone()
  const more = detailPairs(event)
  return (
    <li className="border-l-2 border-linen pl-3">
      <p className="font-semibold text-navy">{event.label}</p>
      <p className="text-[0.9375rem] wrap-anywhere text-muted">
        {formatMoment(event.at, timeZone)}, {actorText(event)}
      </p>
      {more.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-lagoon-dark">Details</summary>
          <dl className="mt-1 grid gap-x-3 gap-y-0.5 sm:grid-cols-[auto_minmax(0,1fr)]">
            {more.map(([label, value]) => (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
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
        formatStay({ start: leaseStartDate, end: leaseEndDate }),
    ],
    ['Monthly rent', typeof rentCents === 'number' && formatCents(rentCents)],
    ['Deposit', typeof depositCents === 'number' && formatCents(depositCents)],
    ['Payment plan', typeof planKind === 'string' && (planKindLabels[planKind] ?? planKind)],
    ['Amount', typeof amountCents === 'number' && formatCents(amountCents)],
    ['Proposed late fee', typeof proposedCents === 'number' && formatCents(proposedCents)],
    ['Due before', typeof from === 'string' && formatLongDate(from)],
    ['Due now', typeof to === 'string' && formatLongDate(to)],
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
  coApplicantEmail: 'Co-applicant’s e-mail',
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
