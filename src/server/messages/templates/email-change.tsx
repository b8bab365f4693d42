import { describeBrowser } from '../../../domain/accounts/user-agent.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import type { MailKinds } from '../outbox.ts'
import {
  ActionButton,
  Facts,
  type MailContent,
  MailLayout,
  type MailLink,
  type MailSite,
  Paragraph,
  PlainLink,
  Small,
} from './layout.tsx'

/** To the old and the new address: the link that confirms the change for this address. */
export function emailChangeLinkMail(
  props: MailKinds['email-change-link'],
  link: MailLink,
  site: MailSite,
): MailContent {
  const isNew = props.side === 'new'
  const title = isNew ? 'Confirm your new e-mail address' : 'Confirm the change of your e-mail address'
  const ifNotYou = isNew
    ? 'If you did not ask for it, ignore this mail: nothing happens to this address.'
    : 'If this was not you, do not press the button: your e-mail address stays as it is. Log in and change your password, because somebody is signed in to your account.'
  return {
    subject: title,
    body: (
      <MailLayout site={site} preview={`New address: ${props.newEmail}`} title={title}>
        <Paragraph>
          {isNew
            ? `Somebody, hopefully you, wants to use this address for their account at ${site.companyName}.`
            : `Somebody, hopefully you, asked to change the e-mail address of your account at ${site.companyName}.`}{' '}
          The address changes once both the former and the new one have confirmed it.
        </Paragraph>
        <Facts
          rows={[
            ['New address', props.newEmail],
            ['Requested', formatMoment(props.at, site.timeZone)],
            ['From', isNew ? null : `${describeBrowser(props.userAgent)}, ${props.address}`],
          ]}
        />
        <ActionButton href={link.url}>Confirm the change</ActionButton>
        <Small>
          Or open this address: <PlainLink href={link.url} />
        </Small>
        <Small>
          The link works until {formatMoment(link.expiresAt, site.timeZone)}. {ifNotYou}
        </Small>
      </MailLayout>
    ),
  }
}

/** To a new address that belongs to another account (SAFE-26). */
export function emailChangeTakenMail(props: MailKinds['email-change-taken'], site: MailSite): MailContent {
  const title = 'This address already has an account'
  return {
    subject: title,
    body: (
      <MailLayout site={site} preview="Nothing was changed." title={title}>
        <Paragraph>
          Somebody, hopefully you, wants to use {props.email} for another account at {site.companyName}. That
          is not possible: the address belongs to an account already. Nothing was changed.
        </Paragraph>
        <Paragraph>
          If it was you, log in with this address, or choose another one for the other account.
        </Paragraph>
        <ActionButton href={site.origin}>Open the site</ActionButton>
        <Small>If it was not you, there is nothing to do: nobody learned that there is an account.</Small>
      </MailLayout>
    ),
  }
}

/** To both addresses after the change; the mail to the old address has a link to undo it (SAFE-28). */
export function emailChangedMail(
  props: MailKinds['email-changed'],
  undo: MailLink | null,
  site: MailSite,
): MailContent {
  const title = 'Your e-mail address was changed'
  return {
    subject: title,
    body: (
      <MailLayout site={site} preview={`New address: ${props.newEmail}`} title={title}>
        <Paragraph>
          From now on you log in to your account at {site.companyName} with the new address. Your password
          stays the same. Wherever you were signed in, you may have to log in again.
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
              If this was not you, undo it. The account comes back to this address, all its sessions end, and
              we send you a link to set a new password.
            </Paragraph>
            <ActionButton href={undo.url}>Undo the change</ActionButton>
            <Small>
              Or open this address: <PlainLink href={undo.url} />
            </Small>
            <Small>The link works until {formatMoment(undo.expiresAt, site.timeZone)}.</Small>
          </>
        ) : (
          <ActionButton href={site.origin}>Open the site</ActionButton>
        )}
      </MailLayout>
    ),
  }
}
