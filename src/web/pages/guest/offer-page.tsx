import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { offerMessages, untilText } from '../../../domain/bookings/claim.ts'
import { pleaseSecure, secureSentence } from '../../../domain/bookings/offer-words.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { api, type Outputs } from '../../api/api.ts'
import { usePageContent, useSite } from '../../api/site.ts'
import { EmailLink } from '../../features/applications/contact-links.tsx'
import { Picture } from '../../features/content/picture.tsx'
import { isOpen, OfferCard } from '../../features/offers/offer-card.tsx'
import { useDay } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { OpenedLink } from './opened-link.tsx'

type GuestOffer = Outputs['offers']['open']['claim']
type Next = Outputs['offers']['acceptByLink']['next']

/** The offer of a mailed link; it can be accepted without an account. */
export function OfferPage() {
  const { client } = api.useUtils()
  return (
    <OpenedLink
      title="Your offer"
      open={token => client.offers.open.mutate({ token })}
      hint="Please ask the owner for a new one."
      failed="Failed to load your offer"
    >
      {(opened, token) => <Offer key={token} token={token} opened={opened} />}
    </OpenedLink>
  )
}

function Offer({ opened: { claim: offer }, token }: { opened: { claim: GuestOffer }; token: string }) {
  const { client } = api.useUtils()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [next, setNext] = useState<Next>()
  const hero = usePageContent('home').data?.hero
  if (!isOpen(offer))
    return (
      <Card aria-label="Your offer" role="status">
        <Answered offer={offer} next={next} />
      </Card>
    )
  return (
    <OfferCard
      offer={offer}
      byLink
      picture={
        <div className="aspect-video bg-glass-light sm:aspect-[21/9]">
          {hero && (
            <Picture
              picture={hero.picture}
              alt={hero.alt}
              sizes="(max-width: 48rem) 100vw, 45rem"
              loading="eager"
              className="size-full object-cover"
            />
          )}
        </div>
      }
      accept={async ({ typedName = '', ...answer }) => {
        const { next } = await client.offers.acceptByLink.mutate({ token, typedName, ...answer })
        if (next.kind === 'application') navigate(paths.signLease(next.applicationId))
        else setNext(next)
      }}
      decline={(reason = '') => client.offers.declineByLink.mutate({ token, reason })}
      reload={() => queries.refetchQueries({ queryKey: ['link'] })}
    />
  )
}

function Answered({ next, offer }: { next: Next | undefined; offer: GuestOffer }) {
  const day = useDay()
  const site = useSite()
  const { endDate: end, endedAs, missing, secureUntil, startDate: start, state } = offer
  const stay = formatShortStay({ start, end })
  const isTheirs = state === 'accepted' || endedAs === 'done' || endedAs === 'incomplete'
  const ask = secureUntil ? secureSentence(missing, secureUntil, day) : pleaseSecure(missing)
  const before = {
    password: 'First choose a password: then the lease opens.',
    login: 'First log in: then the lease opens.',
    application: 'No password yet? Use the link in our email.',
  }[next?.kind ?? 'application']
  if (!isTheirs)
    return (
      <EmptyState
        title={endTitle(offer, day.timeZone)}
        hint={stay}
        action={site && <EmailLink email={site.ownerEmail} />}
      />
    )
  return (
    <EmptyState
      title="The dates are yours."
      hint={`${stay}. ${ask} ${before}`}
      action={
        <Button size="lg" asChild>
          {next?.kind === 'password' ? (
            <Link href={`/invitation#${next.invitationToken}${paths.application(next.applicationId)}`}>
              Set Your Password
            </Link>
          ) : (
            <Link href={next ? paths.signLease(next.applicationId) : paths.login}>Log In</Link>
          )}
        </Button>
      }
    />
  )
}

function endTitle({ endedAs, until }: GuestOffer, timeZone: string): string {
  if (endedAs === 'lapsed') return 'The time to sign and pay is over, and the booking has lapsed.'
  if (endedAs !== 'expired' && endedAs !== 'passed') return offerMessages.closed
  return offerMessages.ended(until ? untilText(until, timeZone) : '')
}
