import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { Opened, useLinkToken } from '../../features/arrival/opened-link.tsx'
import { paths } from '../../routing/paths.ts'

const Stay = lazy(() => import('./stay.tsx').then(m => ({ default: m.StayPage })))
const GuestStay = lazy(() => import('./stay.tsx').then(m => ({ default: m.GuestStay })))
const Messages = lazy(() => import('./messages.tsx').then(m => ({ default: m.Messages })))
const OwnReview = lazy(() => import('./own-review.tsx').then(m => ({ default: m.OwnReview })))
const Review = lazy(() => import('./review.tsx').then(m => ({ default: m.Review })))
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

/** The pages of mailed links. */
function ByLink() {
  const { client } = api.useUtils()
  const token = useLinkToken()
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
