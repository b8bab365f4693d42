import { Conversation, useThread } from '../../features/messages/conversation.tsx'
import { BackToApplication } from '../../routing/back-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** The tenant's conversation about an application. */
export function MessagesPage({ id }: { id: string }) {
  const query = useThread(id)
  return (
    <Page
      title="Messages"
      width="narrow"
      subtitle={query.data?.thread?.applicationNumber ?? ' '}
      back={<BackToApplication id={id} />}
    >
      <QueryView query={query} loading="Loading messages..." error="Failed to load messages">
        {({ thread }) =>
          thread ? <Conversation thread={thread} /> : <EmptyState title="Messages are switched off here." />
        }
      </QueryView>
    </Page>
  )
}
