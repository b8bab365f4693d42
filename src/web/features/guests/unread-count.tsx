import { Mail } from 'lucide-react'
import { api } from '../../api/api.ts'

/** The envelope in the header, with how many messages are unread. */
export function UnreadCount() {
  const { data } = api.conversations.unread.useQuery(undefined, { refetchInterval: 30_000 })
  return (
    <>
      <Mail aria-hidden className="size-4.5 text-muted" />
      <span className="xl:sr-only">Messages</span>
      {(data?.unread ?? 0) > 0 && (
        <span className="rounded-full bg-lagoon-dark px-2 text-sm text-white">
          {data?.unread}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </>
  )
}
