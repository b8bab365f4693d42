import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { OpenedLink } from './opened-link.tsx'
import { Review } from './review-form.tsx'

/** The review by the link of a mail, without an account. */
export function ReviewPage() {
  const { client } = api.useUtils()
  const queries = useQueryClient()
  return (
    <OpenedLink title="Your review" open={token => client.reviews.open.mutate({ token })}>
      {(opened, token) => (
        <Review
          own={opened}
          firstName={opened.stay.firstName}
          save={async form => {
            await client.reviews.writeByLink.mutate({ token, ...form })
            await queries.refetchQueries({ queryKey: ['link'] })
          }}
        />
      )}
    </OpenedLink>
  )
}
