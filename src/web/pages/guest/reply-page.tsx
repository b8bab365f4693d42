import { useState } from 'react'
import { messageTexts } from '../../../domain/conversations/message.ts'
import { api, type Outputs } from '../../api/api.ts'
import { Composer } from '../../features/conversations/composer.tsx'
import { MessageList } from '../../features/conversations/conversation.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { OpenedLink } from './opened-link.tsx'

type ReplyProps = { token: string; opened: Outputs['conversations']['openReply'] }

/** The messages of a mail, and an answer to them without a login (MSG-12). */
export function ReplyPage() {
  const { client } = api.useUtils()
  return (
    <OpenedLink title="Your answer" open={token => client.conversations.openReply.mutate({ token })}>
      {(opened, token) => <Reply key={token} token={token} opened={opened} />}
    </OpenedLink>
  )
}

function Reply({ opened, token }: ReplyProps) {
  const { client } = api.useUtils()
  const [sent, setSent] = useState<Outputs['conversations']['reply']['message'][]>([])
  return (
    <Card aria-label="Messages">
      <CardBody className="grid gap-5">
        <MessageList messages={[...opened.messages, ...sent]} own="tenant" tenantName={opened.firstName} />
        {opened.canWrite ? (
          <Composer
            person="link"
            thread={token.slice(-8)}
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
