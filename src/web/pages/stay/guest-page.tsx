import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { EmailLink, PhoneLink } from '../../features/applications/contact-links.tsx'
import { paths } from '../../routing/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

const Stay = lazy(() => import('./stay.tsx').then(m => ({ default: m.StayPage })))
const GuestStay = lazy(() => import('./stay.tsx').then(m => ({ default: m.GuestStay })))
const Messages = lazy(() => import('./messages.tsx').then(m => ({ default: m.Messages })))
const OwnReview = lazy(() => import('./own-review.tsx').then(m => ({ default: m.OwnReview })))
const Review = lazy(() => import('./review.tsx').then(m => ({ default: m.Review })))
const Sign = lazy(() => import('./sign.tsx').then(m => ({ default: m.SignDocument })))
const Offer = lazy(() => import('./offer.tsx').then(m => ({ default: m.Offer })))
const Reply = lazy(() => import('./reply.tsx').then(m => ({ default: m.Reply })))

/** What guests have besides their booking: of an application, or by a mailed link. */
export function GuestPage({ id }: { id?: string }) {
  const [path] = useLocation()
  if (!id) return <ByLink />
  const Shown = path === paths.stay(id) ? Stay : path === paths.review(id) ? OwnReview : Messages
  return (
    <Suspense>
      <Shown id={id} />
    </Suspense>
  )
}

/** The pages of mailed links. The token is in the URL's fragment, which browsers do not send to servers. */
function ByLink() {
  const { client } = api.useUtils()
  const token = useSyncExternalStore(onFragmentChange, () => window.location.hash.slice(1))
  const [path] = useLocation()
  const queries = useQueryClient()
  if (path === '/stay')
    return (
      <Opened
        title="Your stay"
        token={token}
        open={() => client.stays.open.mutate({ token })}
        everyMs={30_000}
        hint="Please ask the person who booked for another one, or write to us."
      >
        {opened => <GuestStay token={token} {...opened} />}
      </Opened>
    )
  if (path === '/sign')
    return (
      <Opened
        title="Please sign"
        token={token}
        open={() => client.signing.open.mutate({ token })}
        hint="Please ask the owner for a new one."
      >
        {opened => <Sign key={token} token={token} opened={opened} />}
      </Opened>
    )
  if (path === '/offer')
    return (
      <Opened
        title="Your offer"
        token={token}
        open={() => client.offers.open.mutate({ token })}
        hint="Please ask the owner for a new one."
        failed="Failed to load your offer"
      >
        {opened => <Offer key={token} token={token} opened={opened} />}
      </Opened>
    )
  if (path === '/review')
    return (
      <Opened title="Your review" token={token} open={() => client.reviews.open.mutate({ token })}>
        {opened => (
          <Review
            own={opened}
            firstName={opened.stay.firstName}
            save={async form => {
              await client.reviews.writeByLink.mutate({ token, ...form })
              await queries.refetchQueries({ queryKey: ['link'] })
            }}
          />
        )}
      </Opened>
    )
  return (
    <Opened title="Your answer" token={token} open={() => client.conversations.openReply.mutate({ token })}>
      {opened => <Reply key={token} token={token} opened={opened} />}
    </Opened>
  )
}

function onFragmentChange(listener: () => void) {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

type OpenedProps<Data> = {
  title: string
  token: string
  open: () => Promise<Data>
  /** How often it is asked for again; once if missing. */
  everyMs?: number
  /** What to do about a dead link. */
  hint?: string
  failed?: string
  children: (opened: Data) => ReactNode
}

/** What a link opens; a dead one leads to the owner. */
function Opened<Data>({
  children,
  everyMs,
  failed = 'Failed to open this link',
  hint = 'Please log in, or write to us.',
  open,
  title,
  token,
}: OpenedProps<Data>) {
  const site = useSite()
  const query = useQuery({
    queryKey: ['link', title, token],
    queryFn: open,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchInterval: everyMs ?? false,
  })
  const failure = query.error ? failureOf(query.error) : undefined
  const isDead = failure?.kind === 'refused' && failure.status === 404
  return (
    <Page title={title} subtitle={site?.propertyName} width="narrow">
      {isDead && site ? (
        <EmptyState
          title="This link is no longer valid"
          hint={hint}
          action={
            <span className="grid gap-1">
              <EmailLink email={site.ownerEmail} />
              <PhoneLink phone={site.ownerPhone} />
            </span>
          }
        />
      ) : (
        <QueryView query={query} loading="Loading..." error={failed}>
          {opened => <Suspense>{children(opened)}</Suspense>}
        </QueryView>
      )}
    </Page>
  )
}
