import { useState } from 'react'
import { messageTexts } from '../../../domain/conversations/message.ts'
import { api, type Outputs } from '../../api/api.ts'
import { Composer } from '../../features/messages/composer.tsx'
import { MessageList } from '../../features/messages/conversation.tsx'
import { Card, CardBody } from '../../ui/card.tsx'

type ReplyProps = { token: string; opened: Outputs['conversations']['openReply'] }

/** The messages of a mail, and an answer to them without a login (MSG-12). */
export function Reply({ opened, token }: ReplyProps) {
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
