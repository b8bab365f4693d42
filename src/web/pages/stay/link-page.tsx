import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { messageTexts } from '../../../domain/conversations/message.ts'
import { api, type Outputs } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { EmailLink, PhoneLink } from '../../features/applications/contact-links.tsx'
import { Composer } from '../../features/messages/composer.tsx'
import { MessageList } from '../../features/messages/conversation.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** The pages of mailed links. The token is in the URL's fragment, which browsers do not send to servers. */
export function LinkPage() {
  const { client } = api.useUtils()
  const token = useSyncExternalStore(onFragmentChange, () => window.location.hash.slice(1))
  return (
    <Opened title="Your answer" token={token} open={() => client.conversations.openReply.mutate({ token })}>
      {opened => <Reply key={token} token={token} opened={opened} />}
    </Opened>
  )
}

function onFragmentChange(listener: () => void) {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

type OpenedProps<Data> = {
  title: string
  token: string
  open: () => Promise<Data>
  children: (opened: Data) => ReactNode
}

/** What a link opens; a dead one leads to the owner. */
function Opened<Data>({ children, open, title, token }: OpenedProps<Data>) {
  const site = useSite()
  const query = useQuery({
    queryKey: ['link', title, token],
    queryFn: open,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const failure = query.error ? failureOf(query.error) : undefined
  const isDead = failure?.kind === 'refused' && failure.status === 404
  return (
    <Page title={title} subtitle={site?.propertyName} width="narrow">
      {isDead && site ? (
        <EmptyState
          title="This link is no longer valid"
          hint="Please log in, or write to us."
          action={
            <span className="grid gap-1">
              <EmailLink email={site.ownerEmail} />
              <PhoneLink phone={site.ownerPhone} />
            </span>
          }
        />
      ) : (
        <QueryView query={query} loading="Loading..." error="Failed to open this link">
          {children}
        </QueryView>
      )}
    </Page>
  )
}

type ReplyProps = { token: string; opened: Outputs['conversations']['openReply'] }

/** The messages of a mail, and an answer to them without a login (MSG-12). */
function Reply({ opened, token }: ReplyProps) {
  const { client } = api.useUtils()
  const [sent, setSent] = useState<Outputs['conversations']['reply']['message'][]>([])
  return (
    <Card aria-label="Messages">
      <CardBody className="grid gap-5">
        <MessageList messages={[...opened.messages, ...sent]} own="tenant" tenantName={opened.firstName} />
        {opened.canWrite ? (
          <Composer
            draftKey={`message-draft link ${token.slice(-8)}`}
            upload={{ path: '/api/message/reply/file', token }}
            send={async message => {
              const answer = await client.conversations.reply.mutate({ token, ...message })
              setSent(before => [...before, answer.message])
            }}
          />
        ) : (
          <p>{messageTexts.ended}</p>
        )}
      </CardBody>
    </Card>
  )
}
