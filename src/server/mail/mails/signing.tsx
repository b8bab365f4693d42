import { formatMomentDate } from '../../../domain/common/dates.ts'
import {
  defineMail,
  type MailLink,
  type MailSite,
  newLink,
  type SecretContext,
  type SignFacts,
  stillTrue,
} from '../define-mail.ts'
import { BookingButton, Facts, Greeting, LinkButton, Paragraph, Quote, Small } from '../layout.tsx'

const asWhom: Partial<Record<SignFacts['role'], string>> = {
  co_tenant: 'as co-applicant',
  occupant: 'as an adult guest',
  guarantor: 'as guarantor',
}

/** A document to sign, by a link that is the person's own. */
function signMail(facts: SignFacts, site: MailSite, link: MailLink, isReminder: boolean) {
  const { applicationNumber, document, firstName, role, stay, tenantName } = facts
  const what = `the ${document} for ${site.propertyName} (${applicationNumber})`
  return {
    subject: isReminder ? `Reminder: please sign ${what}` : `Please sign: ${what}`,
    title: `Please sign the ${document}`,
    preview: `${tenantName}, ${site.propertyName}`,
    body: (
      <>
        <Greeting name={firstName} />
        <Paragraph>
          {[
            isReminder
              ? `The ${document} still waits for your signature.`
              : `The ${document} is ready to sign.`,
            `Please read it, and sign it ${asWhom[role] ?? 'yourself'}. You need no account.`,
          ].join(' ')}
        </Paragraph>
        <Facts
          rows={[
            ['Property', site.propertyName],
            ['Stay', stay],
            ['Tenant', tenantName],
            ['Booking', applicationNumber],
          ]}
        />
        <LinkButton link={link}>Read and sign</LinkButton>
        <Small>
          The link is yours alone and is valid until {formatMomentDate(link.expiresAt, site.timeZone)}: please
          do not pass it on. If you know nothing of this, write to {site.ownerEmail}.
        </Small>
      </>
    ),
  }
}

const invitation = defineMail({
  kind: 'sign-invitation',
  isSecret: true,
  render: async (props: SignFacts & { linkId: string }, context) =>
    signMail(props, context.site, await newLink(context, '/sign#', props.linkId), false),
})

const reminder = defineMail({
  kind: 'sign-reminder',
  isSecret: true,
  isScheduled: true,
  render: async (props: { signerId: string; applicationId: string }, context: SecretContext) => {
    const { deps, named, site, sources, to } = context
    const facts = stillTrue(await sources.signReminder(deps, { signerId: props.signerId, to }))
    const { expiresAt, token } = facts
    return signMail(named(facts), site, { url: `${deps.config.origin}/sign#${token}`, expiresAt }, true)
  },
})

type Ended = {
  firstName: string
  applicationNumber: string
  applicationId: string
  document: 'lease' | 'addendum'
  reason: string
}

/** To somebody who has signed: the signature counts no more (SIGNER-10). */
const voided = defineMail({
  kind: 'signing-voided',
  render: ({ applicationNumber, document, firstName, reason }: Ended, { site }) => ({
    subject: `Your signature no longer counts (${applicationNumber})`,
    title: 'Your signature no longer counts',
    preview: `The ${document} was not signed by everybody.`,
    body: (
      <>
        <Greeting name={firstName} />
        <Paragraph>
          You signed the {document} for {site.propertyName}. The signatures on it no longer count, so you are
          not bound by it.
        </Paragraph>
        {reason && <Quote label="Reason" text={reason} />}
        <Paragraph>If it is to be signed after all, we write to you again.</Paragraph>
      </>
    ),
  }),
})

type Declined = { name: string; reason: string; applicationId: string; applicationNumber: string }

const declined = defineMail({
  kind: 'sign-declined',
  render: ({ applicationId, applicationNumber, name, reason }: Declined, { site }) => ({
    subject: `${name} declined to sign (${applicationNumber})`,
    title: `${name} declined to sign`,
    preview: reason.slice(0, 140),
    body: (
      <>
        <Quote label={name} text={reason} />
        <Paragraph>The link still works, so they may sign nevertheless.</Paragraph>
        <BookingButton site={site} id={applicationId} forOwner>
          Open the booking
        </BookingButton>
      </>
    ),
  }),
})

export const signingMails = [invitation, reminder, voided, declined]
