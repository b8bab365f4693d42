import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { formatShortStay, stayOf } from '../../../domain/common/stay.ts'
import { api } from '../../api/api.ts'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { Conversation } from '../../features/conversations/conversation.tsx'
import { useReadAgain } from '../../forms/change.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { BackLink, BackToApplication } from '../../routing/back-link.tsx'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** The conversation about an application, for its tenant and for the owner. */
export function MessagesPage({ id }: { id: string }) {
  const [path, navigate] = useLocation()
  const { client } = api.useUtils()
  const query = api.conversations.thread.useQuery({ applicationId: id }, { refetchInterval: 15_000 })
  const isOwner = path === `${paths.adminMessages}/${id}`
  const thread = query.data?.thread
  const last = thread?.messages.at(-1)?.number ?? 0
  const newest = thread?.messages.findLast(({ side }) => side === 'tenant')?.number
  const change = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
    onError: error => toastFailure(error, 'Failed to change the conversation'),
    onSettled: useReadAgain(),
  })
  const { adminMarkRead, answered } = client.conversations
  const markUnread = async (number: number) => {
    await adminMarkRead.mutate({ applicationId: id, number, unread: true })
    navigate(paths.adminMessages)
  }
  return (
    <Page
      title={(isOwner && thread?.tenantName) || 'Messages'}
      width="narrow"
      subtitle={<About id={id} isOwner={isOwner} number={thread?.applicationNumber} />}
      back={
        isOwner ? (
          <BackLink href={paths.adminMessages}>Back to Messages</BackLink>
        ) : (
          <BackToApplication id={id} />
        )
      }
      action={
        isOwner && (
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
            {newest && (
              <Button variant="ghost" size="sm" onClick={() => change.mutate(() => markUnread(newest))}>
                Mark as unread
              </Button>
            )}
          </>
        )
      }
    >
      <QueryView query={query} loading="Loading messages..." error="Failed to load messages">
        {({ thread }) =>
          thread ? (
            <Conversation key={id} thread={thread} />
          ) : (
            <EmptyState title="Messages are switched off here." />
          )
        }
      </QueryView>
    </Page>
  )
}

type AboutProps = { id: string; isOwner: boolean; number: string | undefined }

/** The stay that the messages are about, for the owner with its status. */
function About({ id, isOwner, number = 'Application' }: AboutProps) {
  const own = api.applications.get.useQuery({ id }, { enabled: !isOwner })
  const owners = api.applications.adminGet.useQuery({ id }, { enabled: isOwner })
  const application = (isOwner ? owners : own).data?.application
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        {application && `${formatShortStay(stayOf(application))} · `}
        <Link href={isOwner ? paths.adminApplication(id) : paths.application(id)} className="link">
          {number}
        </Link>
      </span>
      {isOwner && application && <ApplicationStatusBadge status={application.status} screen="details" />}
    </span>
  )
}
