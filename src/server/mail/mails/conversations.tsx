import { plural } from '../../../domain/common/plural.ts'
import { defineMail, type MessageMailFacts, type SecretContext, stillTrue } from '../define-mail.ts'
import { ActionButton, Greeting, Paragraph, Quote, Small } from '../layout.tsx'

type Range = { applicationId: string; after: number; upTo: number }
type Frame = { name: string; other: string; isToTenant?: true; href: string }

/** Longer messages are cut in the mail and shown whole on the site: rendering thousands of lines takes a second. */
const maxMailedLength = 2000
const maxMailedLines = 40

function shorten(body: string): string {
  const text = body.slice(0, maxMailedLength).split('\n', maxMailedLines).join('\n')
  return text.length < body.length ? `${text}…` : body
}

/** New messages, and a button to answer. Secret, so that the outbox keeps no text. */
function messageMail({ applicationNumber, firstName, hasMore, messages }: MessageMailFacts, frame: Frame) {
  const from = `Message from ${frame.name}`
  return {
    subject: `${from} (${applicationNumber})`,
    title: frame.isToTenant ? 'A message for you' : from,
    preview: messages[0]?.body.slice(0, 140) ?? '',
    body: (
      <>
        {frame.isToTenant && <Greeting name={firstName} />}
        {hasMore && <Paragraph>Earlier messages are on the site.</Paragraph>}
        {messages.map(({ body, files, number }) => {
          const count = files > 0 ? `(${plural(files, 'file')})` : ''
          return <Quote key={number} text={[shorten(body), count].filter(Boolean).join('\n')} />
        })}
        <ActionButton href={frame.href}>Reply</ActionButton>
        <Small>
          You can also reply to this email: it goes straight to {frame.other}. The site keeps only what you
          send with the button.
        </Small>
      </>
    ),
  }
}

/** With a link to answer without a login. */
const toTenant = defineMail({
  kind: 'message-to-tenant',
  isSecret: true,
  render: async (props: Range, { deps, named, site, sources, to }: SecretContext) => {
    const facts = stillTrue(await sources.messages(deps, 'tenant', { ...props, to }))
    const { companyName: name, origin } = site
    const href = `${origin}/${facts.token ? `reply#${facts.token}` : `messages/${props.applicationId}`}`
    return messageMail(named(facts), { name, other: 'us', isToTenant: true, href })
  },
})

/** It leads to the login: who speaks as the owner has logged in. */
const toOwner = defineMail({
  kind: 'message-to-owner',
  isSecret: true,
  render: async (props: Range, { deps, site, sources, to }: SecretContext) => {
    const facts = stillTrue(await sources.messages(deps, 'owner', { ...props, to }))
    const { firstName: other, lastName } = facts
    const href = `${site.origin}/admin/messages/${props.applicationId}`
    return messageMail(facts, { name: `${other} ${lastName}`, other, href })
  },
})

type ReviewMail = {
  applicationId: string
  subject: string
  firstName?: string
  label: string
  quote: string
  note?: string
  /** The path that the button opens. */
  path: string
}

/** A new, hidden or answered review. */
const review = defineMail({
  kind: 'review',
  render: ({ firstName, label, note, path, quote, subject }: ReviewMail, { site }) => ({
    subject,
    preview: quote.slice(0, 140),
    body: (
      <>
        {firstName && <Greeting name={firstName} />}
        <Quote label={label} text={quote} />
        {note && <Paragraph>{note}</Paragraph>}
        <ActionButton href={`${site.origin}${path}`}>Open the review</ActionButton>
      </>
    ),
  }),
})

export const conversationMails = [toTenant, toOwner, review]
