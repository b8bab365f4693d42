import { formatMoment } from '../../../domain/common/dates.ts'
import type { MailKinds } from '../outbox.ts'
import {
  ActionButton,
  type MailContent,
  MailLayout,
  type MailLink,
  type MailSite,
  Paragraph,
  PlainLink,
  Small,
} from './layout.tsx'

/** The link to set a new password. */
export function passwordResetMail(
  props: MailKinds['password-reset'],
  link: MailLink,
  site: MailSite,
): MailContent {
  return {
    subject: `Reset your ${site.companyName} password`,
    body: (
      <MailLayout site={site} preview="Choose a new password for your account." title="Choose a new password">
        <Paragraph>Hello {props.displayName},</Paragraph>
        <Paragraph>
          {props.isPasswordGone
            ? `The former password of ${props.email} no longer works. Press the button to choose a new one.`
            : `Somebody, hopefully you, asked for a new password for ${props.email}. Press the button to choose one.`}
        </Paragraph>
        <ActionButton href={link.url}>Choose a new password</ActionButton>
        <Small>
          Or open this address: <PlainLink href={link.url} />
        </Small>
        <Small>
          {props.isPasswordGone
            ? 'The link works once, within an hour of this mail. Later, ask for another one on the login page.'
            : 'The link works once, within an hour of this mail. If you did not ask for it, ignore this mail: your password stays as it is.'}{' '}
          Sent {formatMoment(site.sentAt, site.timeZone)}.
        </Small>
      </MailLayout>
    ),
  }
}
