import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { Conversation, useThread } from '../../features/messages/conversation.tsx'
import { toastFailure } from '../../forms/failure-toast.ts'
import { BackLink } from '../../routing/back-link.tsx'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** The owner's conversation with a tenant. */
export function ThreadPage({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const { client, conversations, notices } = api.useUtils()
  const query = useThread(id)
  const thread = query.data?.thread
  const last = thread?.messages.at(-1)?.number ?? 0
  const firstUnread = thread?.messages.findLast(({ side }) => side === 'tenant')?.number
  const change = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
    onError: error => toastFailure(error, 'Failed to change the conversation'),
    onSettled: () => Promise.all([conversations.invalidate(), notices.invalidate()]),
  })
  const { adminMarkRead, answered } = client.conversations
  const markUnread = async (number: number) => {
    await adminMarkRead.mutate({ applicationId: id, number, unread: true })
    navigate(paths.adminMessages)
  }
  return (
    <Page
      title={thread?.tenantName ?? 'Messages'}
      width="narrow"
      subtitle={
        thread ? (
          <Link href={paths.adminApplication(id)} className="link">
            {thread.applicationNumber}
          </Link>
        ) : (
          ' '
        )
      }
      back={<BackLink href={paths.adminMessages}>Back to Messages</BackLink>}
      action={
        <>
          {thread?.waiting && (
            <Button
              variant="secondary"
              size="sm"
              busy={change.isPending}
              onClick={() => change.mutate(() => answered.mutate({ applicationId: id, number: last }))}
            >
              No answer needed
            </Button>
          )}
          {firstUnread && (
            <Button variant="ghost" size="sm" onClick={() => change.mutate(() => markUnread(firstUnread))}>
              Mark as unread
            </Button>
          )}
        </>
      }
    >
      <QueryView query={query} loading="Loading messages..." error="Failed to load messages">
        {({ thread }) =>
          thread ? <Conversation thread={thread} /> : <EmptyState title="Messages are switched off here." />
        }
      </QueryView>
    </Page>
  )
}
