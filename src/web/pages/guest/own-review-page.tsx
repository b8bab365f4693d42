import { api } from '../../api/api.ts'
import { BackToApplication } from '../../routing/back-link.tsx'
import { useUser } from '../../session/session.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Review } from './review-form.tsx'

/** The tenant's review of a stay. */
export function OwnReviewPage({ id: applicationId }: { id: string }) {
  const { client, reviews } = api.useUtils()
  const query = api.reviews.get.useQuery({ applicationId })
  const { firstName } = useUser()
  const calls = client.reviews
  const refresh = () => reviews.invalidate()
  return (
    <Page title="Your review" width="narrow" back={<BackToApplication id={applicationId} />}>
      <QueryView query={query} loading="Loading your review..." error="Failed to load your review">
        {own => (
          <Review
            own={own}
            firstName={firstName}
            save={async ({ version, ...form }) => {
              const input = { ...form, applicationId }
              await (version === undefined
                ? calls.write.mutate(input)
                : calls.change.mutate({ ...input, version }))
              await refresh()
            }}
            withdraw={() => calls.withdraw.mutate({ applicationId }).then(refresh)}
          />
        )}
      </QueryView>
    </Page>
  )
}
