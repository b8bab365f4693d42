import { plural } from '../../../domain/common/plural.ts'
import { type HidingReason, hidingReasons } from '../../../domain/stays/guest-review.ts'
import { defineMail, type MessageMailFacts, stillTrue } from '../define-mail.ts'
import { ActionButton, Greeting, LinkButton, Paragraph, Quote, Small } from '../layout.tsx'

type Range = { applicationId: string; after: number; upTo: number }

const maxMailedLength = 2000

const Messages = ({ from, messages }: { from: string } & Pick<MessageMailFacts, 'messages'>) =>
  messages.map(({ body, files, number }) => (
    <Quote
      key={number}
      label={from}
      text={[short(body), files > 0 && `(${plural(files, 'file')})`].filter(Boolean).join('\n')}
    />
  ))

const short = (body: string) =>
  body.length > maxMailedLength ? `${body.slice(0, maxMailedLength).replace(/[\ud800-\udbff]$/, '')}…` : body

const Foot = ({ name }: { name: string }) => (
  <Small>Please use the button. A mail goes to {name} directly and does not stand here.</Small>
)

/** New messages of the owner, with a link to answer. Secret, so that the outbox keeps no text. */
const toTenant = defineMail({
  kind: 'message-to-tenant',
  isSecret: true,
  render: async (props: Range, { deps, named, site, sources }) => {
    const facts = stillTrue(await sources.messages(deps, 'tenant', props))
    const { companyName } = site
    const link = { url: `${site.origin}/reply#${stillTrue(facts.token)}`, expiresAt: '' }
    return {
      subject: `Message from ${companyName} (${facts.applicationNumber})`,
      title: `Message from ${companyName}`,
      preview: facts.messages[0]?.body.slice(0, 140) ?? '',
      body: (
        <>
          <Greeting name={named(facts).firstName} />
          <Messages from={companyName} messages={facts.messages} />
          <LinkButton link={link}>Answer</LinkButton>
          <Foot name={companyName} />
        </>
      ),
    }
  },
})

/** New messages of a tenant. It leads to the login: who speaks as the owner has logged in. */
const toOwner = defineMail({
  kind: 'message-to-owner',
  isSecret: true,
  render: async (props: Range, { deps, site, sources }) => {
    const facts = stillTrue(await sources.messages(deps, 'owner', props))
    const name = `${facts.firstName} ${facts.lastName}`
    return {
      subject: `Message from ${name} (${facts.applicationNumber})`,
      title: `Message from ${name}`,
      preview: facts.messages[0]?.body.slice(0, 140) ?? '',
      body: (
        <>
          <Messages from={name} messages={facts.messages} />
          <ActionButton href={`${site.origin}/admin/messages/${props.applicationId}`}>Answer</ActionButton>
          <Foot name={facts.firstName} />
        </>
      ),
    }
  },
})

/** To the owner: a guest has written a review. */
const newReview = defineMail({
  kind: 'owner-new-review',
  render: (props: { applicationId: string; name: string; rating: number; text: string }, { site }) => ({
    subject: `New review: ${props.rating} of 5 from ${props.name}`,
    preview: props.text.slice(0, 140),
    body: (
      <>
        <Quote label={`${props.rating} of 5 stars`} text={props.text} />
        <Paragraph>
          You can publish it, or hide it for a reason. Without a decision it is published 14 days after it was
          written.
        </Paragraph>
        <ActionButton href={`${site.origin}/admin/reviews`}>Open the reviews</ActionButton>
      </>
    ),
  }),
})

type ReviewMail = { applicationId: string; firstName: string }

/** To the guest: the owner does not show the review. */
const reviewHidden = defineMail({
  kind: 'review-hidden',
  render: ({ applicationId, firstName, reason }: ReviewMail & { reason: HidingReason }, { site }) => ({
    subject: 'Your review is not shown',
    preview: hidingReasons[reason],
    body: (
      <>
        <Greeting name={firstName} />
        <Paragraph>
          {site.companyName} does not show your review of {site.propertyName}. The reason given:{' '}
          {hidingReasons[reason].toLowerCase()}. Its stars still count in the average.
        </Paragraph>
        <ActionButton href={`${site.origin}/review/${applicationId}`}>Open your review</ActionButton>
      </>
    ),
  }),
})

/** To the guest: the owner has replied below the review. */
const reviewReplied = defineMail({
  kind: 'review-replied',
  render: ({ applicationId, firstName, reply }: ReviewMail & { reply: string }, { site }) => ({
    subject: 'A reply to your review',
    preview: reply.slice(0, 140),
    body: (
      <>
        <Greeting name={firstName} />
        <Quote label={`Reply from ${site.companyName}`} text={reply} />
        <ActionButton href={`${site.origin}/review/${applicationId}`}>Open your review</ActionButton>
      </>
    ),
  }),
})

export const conversationMails = [toTenant, toOwner, newReview, reviewHidden, reviewReplied]
