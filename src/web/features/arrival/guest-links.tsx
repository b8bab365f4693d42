import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { dateIn } from '../../../domain/common/dates.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { Card } from '../../ui/card.tsx'
import { useDay } from '../stays/today.ts'

const reviewStates = {
  waiting: 'Waiting',
  published: 'Published',
  hidden: 'Not shown',
  withdrawn: 'Withdrawn',
}

const gateStates = {
  open: 'Open',
  scheduled: 'Opens before the arrival',
  closed: 'Closed',
}

type Gate = NonNullable<Outputs['stays']['get']['stay']>['gate']

/** 'Opens after lease and payment': what keeps the page about the stay closed. */
export function lockedText(
  { missing, opensAt }: Pick<Gate, 'missing' | 'opensAt'>,
  { timeZone, today }: ReturnType<typeof useDay>,
): string {
  if (missing.every(({ kind }) => kind === 'on_its_way')) {
    if (missing.length === 0) return 'Not open yet'
    // A payment usually arrives before that, so that nothing is left to wait for.
    return dateIn(new Date(opensAt), timeZone) > today ? gateStates.scheduled : 'Opens when payment arrives'
  }
  const parts = new Set(missing.map(({ kind }) => (kind === 'lease' ? kind : 'payment')))
  return `Opens after ${[...parts].join(' and ')}`
}

type GuestLinksProps = {
  id: string
  isOwner?: boolean
  /** Whether the next step already links to the stay. */
  isStaySaid?: boolean
}

/** A line for each of the pages about an application that the owner has switched on. */
export function GuestLinks({ id, isOwner = false, isStaySaid = false }: GuestLinksProps) {
  const day = useDay()
  const on = useSite()?.forGuests ?? []
  const unread = api.conversations.unread.useQuery(undefined, { enabled: on.includes('messages') })
  const own = api.reviews.get.useQuery({ applicationId: id }, { enabled: on.includes('reviews') })
  const enabled = on.includes('stay') && !isStaySaid
  const found = api.stays.get.useQuery({ applicationId: id }, { enabled }).data?.stay
  const stay = isStaySaid ? null : found
  const thread = unread.data?.threads.find(({ applicationId }) => applicationId === id)
  const review = own.data?.review
  const hasReview = review !== undefined && (review !== null || (own.data?.canWrite && !isOwner))
  if (!on.includes('messages') && !hasReview && !stay) return null
  return (
    <Card aria-label="For guests" className="divide-y divide-line">
      {stay && (
        <LinkLine
          title={isOwner ? 'Arrival' : 'Your stay'}
          state={stay.gate.state === 'locked' ? lockedText(stay.gate, day) : gateStates[stay.gate.state]}
          href={isOwner ? `${paths.adminArrival}/${id}` : paths.stay(id)}
        />
      )}
      {on.includes('messages') && (
        <LinkLine
          title="Messages"
          state={isOwner && thread?.waiting ? 'Waiting for your answer' : unreadText(thread?.unread)}
          href={isOwner ? `${paths.adminMessages}/${id}` : paths.messages(id)}
        />
      )}
      {hasReview && (
        <LinkLine
          title={isOwner ? 'Review' : 'Your review'}
          state={review ? reviewStates[review.state] : 'Write one'}
          href={isOwner ? paths.adminReviews : paths.review(id)}
        />
      )}
    </Card>
  )
}

const unreadText = (unread = 0) => (unread > 0 ? `${unread} unread` : '')

function LinkLine({ href, state, title }: { href: string; state: string; title: string }) {
  return (
    <Link href={href} className="flex min-h-13 items-center gap-3 px-5 hover:bg-shell sm:px-6">
      <span className="mr-auto font-semibold text-navy">{title}</span>
      <span className="text-[0.9375rem] text-muted">{state}</span>
      <ChevronRight aria-hidden className="size-4.5 text-muted" />
    </Link>
  )
}
