import { useLocation } from 'wouter'
import { api, type Outputs } from '../../../api/api.ts'
import { OfferCard } from '../../../features/offers/offer-card.tsx'
import { paths } from '../../../routing/paths.ts'

type OwnOffersProps = { offers: Outputs['offers']['mine']['claims']; reload: () => unknown }

/** Offers and promises from own bookings; who is signed in needs no typed name. */
export function OwnOffers({ offers, reload }: OwnOffersProps) {
  const utils = api.useUtils()
  const [, navigate] = useLocation()
  return (
    <div className="mt-8 grid gap-6">
      {offers.map(offer => (
        <OfferCard
          key={offer.id}
          offer={offer}
          accept={async answer => {
            const { next } = await utils.client.offers.accept.mutate({ claimId: offer.id, ...answer })
            void utils.applications.invalidate()
            if (next.kind === 'application') navigate(paths.signLease(next.applicationId))
          }}
          decline={reason =>
            utils.client.offers.decline.mutate({ claimId: offer.id, ...(reason && { reason }) })
          }
          reload={reload}
        />
      ))}
    </div>
  )
}
