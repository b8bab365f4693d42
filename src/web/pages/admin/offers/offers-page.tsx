import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type ClaimEnd, lastDayOf, untilText } from '../../../../domain/bookings/claim.ts'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { hourMs } from '../../../../domain/common/durations.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api } from '../../../api/api.ts'
import { RelativeTime, useNow } from '../../../features/stays/relative-time.tsx'
import { useDay, useTimeZone } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { LinkTabs } from '../../../routing/link-tabs.tsx'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MenuItem, MoreActions } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Row } from '../../../ui/row.tsx'
import { Dotted } from '../dotted.tsx'
import type { Claim, ClaimAction } from './claim-dialog.tsx'

const OfferDialog = lazy(() => import('./offer-dialog.tsx').then(m => ({ default: m.OfferDialog })))
const ClaimDialog = lazy(() => import('./claim-dialog.tsx').then(m => ({ default: m.ClaimDialog })))

const tabs = {
  open: { label: 'Open', empty: 'No offers are open.' },
  promised: { label: 'Promised', empty: 'No dates are promised.' },
  ended: { label: 'Ended', empty: 'No offer has ended.' },
}
type Tab = keyof typeof tabs
const names = Object.keys(tabs) as Tab[]
const tabOf = ({ kind, state }: Claim): Tab =>
  state === 'ended' ? 'ended' : kind === 'promise' ? 'promised' : 'open'

/** Nights that are kept for somebody. The URL stores the tab, and for whom an offer is being made. */
export function OffersPage() {
  const readAgain = useReadAgain()
  const [address, setAddress] = useSearchParams()
  const tab = names.find(name => name === address.get('show')) ?? 'open'
  const list = api.offers.adminList.useQuery({}, { refetchInterval: 30_000 })
  const [asked, setAsked] = useState<{ id: string; action: ClaimAction }>()
  const claim = list.data?.claims.find(({ id }) => id === asked?.id)
  const count = (name: Tab) => list.data?.claims.filter(claim => tabOf(claim) === name).length
  const recipient = address.get('for')
  const close = () => setAddress({}, { replace: true })
  return (
    <Page
      title="Offers"
      subtitle="Nights that are held for somebody or promised to a guest"
      back={<BackLink href={paths.adminAvailability}>Back to Availability</BackLink>}
      action={<Button onClick={() => setAddress({ for: 'new' })}>Make an Offer</Button>}
      tabs={
        <LinkTabs
          label="Offers"
          className="mb-6 border-b border-line"
          tabs={names.map(name => ({
            href: `${paths.adminOffers()}?show=${name}`,
            isCurrent: name === tab,
            content:
              list.data && name !== 'ended' ? `${tabs[name].label} (${count(name)})` : tabs[name].label,
          }))}
        />
      }
    >
      <QueryView query={list} loading="Loading offers..." error="Failed to load offers">
        {({ claims }) => (
          <Card aria-label={tabs[tab].label}>
            {count(tab) === 0 && <EmptyState title={tabs[tab].empty} />}
            <ul className="divide-y divide-line">
              {claims
                .filter(claim => tabOf(claim) === tab)
                // What ends first comes first. What has ended has no time left and keeps its order.
                .sort((a, b) => (a.until ?? '').localeCompare(b.until ?? ''))
                .map(claim => (
                  <li key={claim.id} className="px-4 py-3 sm:px-6 max-sm:[&>div>:first-child]:basis-full">
                    <ClaimRow claim={claim} onAsk={action => setAsked({ id: claim.id, action })} />
                  </li>
                ))}
            </ul>
          </Card>
        )}
      </QueryView>
      <Suspense>
        {recipient !== null && (
          <OfferDialog
            applicationId={recipient}
            onClose={close}
            onMade={() => {
              void readAgain()
              close()
            }}
          />
        )}
        {asked && claim && (
          <ClaimDialog action={asked.action} claim={claim} onClose={() => setAsked(undefined)} />
        )}
      </Suspense>
    </Page>
  )
}

function ClaimRow({ claim, onAsk }: { claim: Claim; onAsk: (action: ClaimAction) => void }) {
  const { depositCents, endDate: end, kind, nights, openedAt, startDate: start, state, totalCents } = claim
  const timeZone = useTimeZone()
  const booking = claim.acceptedApplicationId ?? (kind === 'addendum' ? claim.applicationId : null)
  const isKept = (state === 'open' || state === 'asked') && kind !== 'addendum'
  const price =
    totalCents === null ? [] : [formatCents(totalCents), `${formatCents(depositCents ?? 0)} deposit`]
  const name = `${claim.firstName} ${claim.lastName}`.trim()
  return (
    <Row
      title={
        <span className="flex flex-wrap items-center gap-x-3 text-navy">
          {kind === 'addendum' ? `${name} · addendum` : name}
          {state === 'accepted' && <Badge tone="green">Accepted</Badge>}
        </span>
      }
      text={
        <>
          <Dotted parts={[formatShortStay({ start, end }), plural(nights, 'night'), ...price]} />
          <span className="block text-[0.9375rem]">
            <Clock claim={claim} />
            {isKept && openedAt && noBreak(`, opened ${formatMomentDate(openedAt, timeZone)}`)}
          </span>
          {claim.overlapping.map(({ applicationId, applicationNumber }) => (
            <Link key={applicationId} href={paths.adminApplication(applicationId)} className="block link">
              {applicationNumber} asks for these dates
            </Link>
          ))}
        </>
      }
    >
      {booking && (
        <Button size="sm" variant="secondary" asChild>
          <Link href={paths.adminApplication(booking)} aria-label={`Open: ${name}`}>
            Open
          </Link>
        </Button>
      )}
      {isKept && (
        <>
          {kind === 'promise' && state === 'open' && (
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Ask Now: ${name}`}
              onClick={() => onAsk('ask')}
            >
              Ask Now
            </Button>
          )}
          <Button
            size="sm"
            variant="secondary"
            aria-label={`Extend: ${name}`}
            onClick={() => onAsk('extend')}
          >
            Extend
          </Button>
          <MoreActions>
            {state === 'open' && <MenuItem onSelect={() => onAsk('price')}>Change Price</MenuItem>}
            <MenuItem onSelect={() => onAsk('send')}>Send Again</MenuItem>
            <MenuItem danger onSelect={() => onAsk('withdraw')}>
              Withdraw
            </MenuItem>
          </MoreActions>
        </>
      )}
    </Row>
  )
}

const ends: Record<ClaimEnd, string> = {
  done: 'Booked',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  passed: 'Not answered',
  lapsed: 'Lapsed',
  incomplete: 'Booked, something missing',
  closed: 'Closed',
}

const soonMs = 48 * hourMs

/** Which clock runs, and until when; in the color of a warning in its last two days. */
function Clock({ claim }: { claim: Claim }) {
  const { timeZone } = useDay()
  const now = useNow().getTime()
  const { endedAs, endedAt, until } = claim
  if (!until) return endedAs && endedAt && `${ends[endedAs]}, ${formatMomentDate(endedAt, timeZone)}`
  const leftMs = Date.parse(until) - now
  return (
    <span className={leftMs > 0 && leftMs < soonMs ? 'font-semibold text-yellow' : undefined}>
      <Until claim={claim} until={until} />
    </span>
  )
}

function Until({ claim: { kind, lapses, missing, state }, until }: { claim: Claim; until: string }) {
  const { timeZone, today } = useDay()
  const text = untilText(until, timeZone)
  if (state === 'accepted' && lastDayOf(until, timeZone) < today) return 'Its payment is being checked.'
  if (state === 'accepted' && lapses) return [`Lapses after ${text}.`, ...missing].join(' ')
  if (state === 'accepted') return [`Open until ${text}.`, ...missing].join(' ')
  if (state === 'asked') return `Asked, the guest answers by ${text}`
  if (kind === 'promise') return `Promised until ${text}`
  return (
    <>
      Ends <RelativeTime at={until} ahead />, {text}
    </>
  )
}
