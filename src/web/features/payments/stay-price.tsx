import { lazy, Suspense } from 'react'
import type { Outputs } from '../../api/api.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

// Few screens show it, so the rules of prices are not loaded with every screen.
const PendingPrice = lazy(() => import('./pending-price.tsx').then(m => ({ default: m.PendingPrice })))

export const PriceSkeleton = () => <Skeleton className="h-12 w-60 max-w-full" />

export type StayPriceProps = {
  application: Outputs['applications']['get']['application']
  className?: string
}

/** What an application in review would cost, as its form said; nothing for any other, or without a rate. */
export function StayPrice(props: StayPriceProps) {
  const { rentalAmount, status } = props.application
  if (status !== 'pending' || rentalAmount !== null) return null
  return (
    <Suspense fallback={<PriceSkeleton />}>
      <PendingPrice {...props} />
    </Suspense>
  )
}
