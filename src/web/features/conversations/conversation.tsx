import { useEffect, useRef, useState } from 'react'
import { formatMoment } from '../../../domain/common/dates.ts'
import { type Side, splitLinks } from '../../../domain/conversations/message.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { useDownload } from '../../forms/download-button.tsx'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../stays/relative-time.tsx'
import { useTimeZone } from '../stays/today.ts'
import { Composer } from './composer.tsx'
import { QuickReplies } from './quick-replies.tsx'

type Thread = NonNullable<Outputs['conversations']['thread']['thread']>
type Message = Omit<Thread['messages'][number], 'files'> & { files?: Thread['messages'][number]['files'] }

/** A thread with its messages and where the next one is written. What is on the screen is read (MSG-05). */
export function Conversation({ thread }: { thread: Thread }) {
  const { applicationId, tenantName, unread } = thread
  const { client, conversations } = api.useUtils()
  const user = useUser()
  const isOwner = user.role === 'admin'
  const calls = client.conversations
  const [earlier, setEarlier] = useState<{ messages: Message[]; hasMore: boolean }>()
  const [isNote, setNote] = useState(false)
  const marked = useRef(0)
  const last = thread.messages.at(-1)?.number ?? 0
  useEffect(() => {
    if (unread === 0 || last <= marked.current || document.visibilityState !== 'visible') return
    marked.current = last
    const mark = { applicationId, number: last }
    // Read again with the next message if it fails.
    const marking = isOwner ? calls.adminMarkRead.mutate(mark) : calls.markRead.mutate(mark)
    marking.then(() => conversations.unread.invalidate()).catch(() => undefined)
  }, [applicationId, calls, conversations, isOwner, last, unread])
  const first = thread.messages[0]?.number ?? 1
  // With a gap before the newest page they are loaded again.
  const known = earlier && (earlier.messages.at(-1)?.number ?? 0) >= first - 1 ? earlier : undefined
  const shown = [...(known?.messages.filter(({ number }) => number < first) ?? []), ...thread.messages]
  const loadEarlier = async () => {
    const before = shown[0]?.number ?? 1
    const { thread: page } = await calls.thread.query({ applicationId, before, limit: 200 })
    if (page) setEarlier({ messages: [...page.messages, ...shown], hasMore: page.hasMore })
  }
  const path = `/api/message/${isOwner ? 'admin/' : ''}${applicationId}/file`
  return (
    <Card aria-label="Conversation">
      <CardBody className="grid gap-5">
        {(known ?? thread).hasMore && (
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-center"
            onClick={() => void loadEarlier()}
          >
            Earlier messages
          </Button>
        )}
        <MessageList messages={shown} own={isOwner ? 'owner' : 'tenant'} tenantName={tenantName} />
        {thread.closed ? (
          <Notice>{thread.closed}</Notice>
        ) : (
          <Composer
            {...(isOwner && {
              tools: append => (
                <>
                  {!isNote && <QuickReplies applicationId={applicationId} onFill={append} />}
                  <CheckboxField
                    label="Record a call or letter"
                    checked={isNote}
                    onChange={({ target }) => setNote(target.checked)}
                  />
                </>
              ),
            })}
            key={applicationId}
            person={user.id}
            thread={applicationId}
            label={
              isNote ? `What ${tenantName} wrote or said` : `Message to ${isOwner ? tenantName : 'the owner'}`
            }
            upload={{ path }}
            send={async message => {
              const input = { applicationId, ...message }
              if (isNote) await calls.note.mutate(input)
              else await (isOwner ? calls.adminSend.mutate(input) : calls.send.mutate(input))
              setNote(false)
              await conversations.invalidate()
            }}
          />
        )}
      </CardBody>
    </Card>
  )
}

const viaTexts = { site: '', link: ' · by link', noted: ' · Noted by the owner' }

type MessageListProps = { messages: readonly Message[]; own: Side; tenantName: string }

/** Messages as typed, oldest first; only `https://` addresses become links (MSG-02). */
export function MessageList({ messages, own, tenantName }: MessageListProps) {
  const owner = useSite()?.companyName ?? ''
  const timeZone = useTimeZone()
  if (messages.length === 0)
    return (
      <EmptyState
        compact
        title="No messages yet"
        hint={own === 'tenant' && 'Ask us anything about your stay.'}
      />
    )
  return (
    <ol className="grid gap-3">
      {messages.map(({ body, createdAt, files = [], id, saidAt, side, via }) => (
        <li
          key={id}
          className={classNames(
            'w-fit max-w-[min(40rem,90%)] rounded-card border border-line px-4 py-3',
            side === own ? 'ml-auto bg-glass-light' : 'bg-white',
          )}
        >
          <p className="text-sm text-muted">
            <strong className="font-semibold">
              {side === own ? 'You' : side === 'owner' ? owner : tenantName}
            </strong>{' '}
            · <RelativeTime at={createdAt} />
            {viaTexts[via]}
            {saidAt && saidAt !== createdAt && `, from ${formatMoment(saidAt, timeZone)}`}
          </p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line" dir="auto">
            {splitLinks(body).map(({ isLink, text }, at) =>
              isLink ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that does not change
                <a key={at} href={text} rel="noreferrer nofollow" target="_blank" className="link">
                  {text}
                </a>
              ) : (
                text
              ),
            )}
          </p>
          {files.map(file => (
            <FileButton key={file.id} {...file} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function FileButton({ id, name }: { id: string; name: string }) {
  const failedText = 'The file could not be opened'
  const { isPending, mutate } = useDownload({ path: `/api/message/file/${id}`, saveAs: name, failedText })
  return (
    <button type="button" className="mt-2 flex items-center gap-2 text-left link" onClick={() => mutate()}>
      <span className="wrap-anywhere">{isPending ? 'Opening...' : name}</span>
    </button>
  )
}
