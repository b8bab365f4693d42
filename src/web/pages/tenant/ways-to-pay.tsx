import { api } from '../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The payment methods without a card fee. */
export function WaysToPay() {
  const ways = api.site.waysToPay.useQuery()
  if (ways.data?.waysToPay.length === 0) return null
  return (
    <Card aria-label="Other Ways to Pay">
      <CardHeader title="Other Ways to Pay" subtitle="These ways to pay have no fee" />
      <CardBody>
        <QueryView
          query={ways}
          loading={<Skeleton className="h-96 w-full" />}
          error="Failed to load the other ways to pay"
        >
          {({ waysToPay }) => (
            <dl className="grid gap-x-8 gap-y-4 sm:max-lg:grid-cols-2">
              {waysToPay.map(({ name, instructions }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two payment methods may have the same name
                <div key={index} className="min-w-0">
                  <dt className="font-semibold wrap-anywhere text-navy">{name}</dt>
                  <dd className="text-[0.9375rem] wrap-anywhere whitespace-pre-line text-muted">
                    {instructions}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}
