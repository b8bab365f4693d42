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

/** To an administrator: a login from a browser and network that are new for the account. */
export function newLoginMail(props: MailKinds['new-login'], link: MailLink, site: MailSite): MailContent {
  return {
    subject: `New login to your ${site.companyName} account`,
    body: (
      <MailLayout
        site={site}
        preview={`${props.browser}, ${props.address}`}
        title="New login to your account"
      >
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
        <ActionButton href={link.url}>This was not me</ActionButton>
        <Small>
          Or open this address: <PlainLink href={link.url} />
        </Small>
        <Small>The link works for seven days after the login. Do not pass this mail on.</Small>
      </MailLayout>
    ),
  }
}
