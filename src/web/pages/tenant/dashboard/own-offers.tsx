import { useLocation } from 'wouter'
import { secureSentence } from '../../../../domain/bookings/offer-words.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { OfferCard } from '../../../features/offers/offer-card.tsx'
import { useDay } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Notice } from '../../../ui/notice.tsx'

type OwnOffersProps = { offers: Outputs['offers']['mine']['claims']; reload: () => unknown }

/** Offers and promises from own bookings; who is signed in needs no typed name. */
export function OwnOffers({ offers, reload }: OwnOffersProps) {
  const utils = api.useUtils()
  const [, navigate] = useLocation()
  const day = useDay()
  return (
    <div className="mt-8 grid gap-6">
      {offers.map(offer =>
        offer.secureUntil ? (
          <Notice key={offer.id} tone="warning" title={secureSentence(offer.missing, offer.secureUntil, day)}>
            {[`${formatShortStay({ start: offer.startDate, end: offer.endDate })}.`, ...offer.missing].join(
              ' ',
            )}
          </Notice>
        ) : (
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
        ),
      )}
    </div>
  )
}
