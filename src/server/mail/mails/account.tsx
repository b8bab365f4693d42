import { describeBrowser } from '../../../domain/accounts/user-agent.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import { defineMail, newLink } from '../define-mail.ts'
import { ActionButton, Facts, LinkButton, Paragraph, Small } from '../layout.tsx'

/** The link to set a new password. */
const passwordReset = defineMail({
  kind: 'password-reset',
  isSecret: true,
  render: async (
    props: {
      email: string
      displayName: string
      linkId: string
      /** Whether the former password no longer works. */
      isPasswordGone?: boolean
      /** Whether the account is the owner's trial as a guest. */
      isTrial?: boolean
    },
    context,
  ) => {
    const { site } = context
    const link = await newLink(context, '/reset-password?token=', props.linkId)
    return {
      subject: props.isTrial
        ? `Your trial at ${site.companyName}`
        : `Choose a new ${site.companyName} password`,
      preview: 'Choose a new password for your account.',
      body: (
        <>
          <Paragraph>Hello {props.displayName},</Paragraph>
          <Paragraph>
            {props.isTrial
              ? `You try your site as a guest with ${props.email}. Press the button to choose a password, log in with it in a private window, and apply.`
              : props.isPasswordGone
                ? `The former password of ${props.email} no longer works. Press the button to choose a new one.`
                : `Somebody, hopefully you, asked for a new password for ${props.email}. Press the button to choose one.`}
          </Paragraph>
          <LinkButton link={link}>Choose a new password</LinkButton>
          <Small>
            {props.isPasswordGone
              ? 'The link works once, within an hour of this email. Later, ask for another one on the login page.'
              : 'The link works once, within an hour of this email. If you did not ask for it, ignore this email: your password stays as it is.'}{' '}
            Sent {formatMoment(site.sentAt, site.timeZone)}.
          </Small>
        </>
      ),
    }
  },
})

/** To an administrator: a login from a new browser and network. The link reports it and ends all sessions. */
const newLogin = defineMail({
  kind: 'new-login',
  isSecret: true,
  render: async (
    props: { displayName: string; at: string; browser: string; address: string; linkId: string },
    context,
  ) => {
    const { site } = context
    const link = await newLink(context, '/not-me#', props.linkId)
    return {
      subject: `New login to your ${site.companyName} account`,
      title: 'New login to your account',
      preview: `${props.browser}, ${props.address}`,
      body: (
        <>
          <Paragraph>Hello {props.displayName},</Paragraph>
          <Paragraph>
            Somebody logged in to your account from a browser and network that we have not seen in the last 90
            days.
          </Paragraph>
          <Facts
            rows={[
              ['When', formatMoment(props.at, site.timeZone)],
              ['Browser', props.browser],
              ['Network', props.address],
            ]}
          />
          <Paragraph>
            If this was you, there is nothing to do. If this was not you, press the button: all sessions end,
            the password stops working, and we send you a link to set a new one.
          </Paragraph>
          <LinkButton link={link}>This was not me</LinkButton>
          <Small>The link works for seven days after the login. Do not pass this email on.</Small>
        </>
      ),
    }
  },
})

type EmailChangeLink = {
  side: 'old' | 'new'
  newEmail: string
  linkId: string
  /** When and from where the change was requested. */
  at: string
  address: string
  userAgent: string
}

/** To the old and the new address: the link that confirms the change for this address. */
const emailChangeLink = defineMail({
  kind: 'email-change-link',
  isSecret: true,
  render: async (props: EmailChangeLink, context) => {
    const { site } = context
    const link = await newLink(context, '/email-change#', props.linkId)
    const isNew = props.side === 'new'
    const ifNotYou = isNew
      ? 'If you did not ask for it, ignore this email: nothing happens to this address.'
      : 'If this was not you, do not press the button: your email address stays as it is. Log in and change your password, because somebody is logged in to your account.'
    return {
      subject: isNew ? 'Confirm your new email address' : 'Confirm the change of your email address',
      preview: `New address: ${props.newEmail}`,
      body: (
        <>
          <Paragraph>
            {isNew
              ? `Somebody, hopefully you, wants to use this address for their account at ${site.companyName}.`
              : `Somebody, hopefully you, asked to change the email address of your account at ${site.companyName}.`}{' '}
            The address changes once both the former and the new one have confirmed it.
          </Paragraph>
          <Facts
            rows={[
              ['New address', props.newEmail],
              ['Requested', formatMoment(props.at, site.timeZone)],
              ['From', isNew ? null : `${describeBrowser(props.userAgent)}, ${props.address}`],
            ]}
          />
          <LinkButton link={link}>Confirm the change</LinkButton>
          <Small>
            The link works until {formatMoment(link.expiresAt, site.timeZone)}. {ifNotYou}
          </Small>
        </>
      ),
    }
  },
})

/** Instead of the link, to a new address that belongs to another account (SAFE-26). */
const emailChangeTaken = defineMail({
  kind: 'email-change-taken',
  render: ({ email }: { email: string }, { site }) => ({
    subject: 'This address already has an account',
    preview: 'Nothing was changed.',
    body: (
      <>
        <Paragraph>
          Somebody, hopefully you, wants to use {email} for another account at {site.companyName}. That is not
          possible: the address belongs to an account already. Nothing was changed.
        </Paragraph>
        <Paragraph>
          If it was you, log in with this address, or choose another one for the other account.
        </Paragraph>
        <ActionButton href={site.origin}>Open the site</ActionButton>
        <Small>If it was not you, there is nothing to do: nobody learned that there is an account.</Small>
      </>
    ),
  }),
})

/** To both addresses after the change; only the old one gets a link to undo it (SAFE-28). */
const emailChanged = defineMail({
  kind: 'email-changed',
  isSecret: true,
  render: async (
    props: { oldEmail: string; newEmail: string; at: string; undoLinkId: string | null },
    context,
  ) => {
    const { site } = context
    const undo = props.undoLinkId === null ? null : await newLink(context, '/email-undo#', props.undoLinkId)
    return {
      subject: 'Your email address was changed',
      preview: `New address: ${props.newEmail}`,
      body: (
        <>
          <Paragraph>
            From now on you log in to your account at {site.companyName} with the new address. Your password
            stays the same. Wherever you were logged in, you may have to log in again.
          </Paragraph>
          <Facts
            rows={[
              ['Former address', props.oldEmail],
              ['New address', props.newEmail],
              ['Changed', formatMoment(props.at, site.timeZone)],
            ]}
          />
          {undo ? (
            <>
              <Paragraph>
                If this was not you, undo it. The account comes back to this address, all its sessions end,
                and we send you a link to set a new password.
              </Paragraph>
              <LinkButton link={undo}>Undo the change</LinkButton>
              <Small>The link works until {formatMoment(undo.expiresAt, site.timeZone)}.</Small>
            </>
          ) : (
            <ActionButton href={site.origin}>Open the site</ActionButton>
          )}
        </>
      ),
    }
  },
})

export const accountMails = [passwordReset, newLogin, emailChangeLink, emailChangeTaken, emailChanged]
