import { formatMoment } from '../../../domain/common/dates.ts'
import type { MailKinds } from '../outbox.ts'
import { ActionButton, Facts, type MailContent, MailLayout, type MailSite, Paragraph } from './layout.tsx'

type Change = MailKinds['factor-changed']['change']

const titles: Record<Change, string> = {
  'totp-added': 'An authenticator app was added',
  'passkey-added': 'A passkey was added',
  'totp-removed': 'The authenticator app was removed',
  'passkey-removed': 'A passkey was removed',
  'recovery-codes': 'New recovery codes were made',
  reset: 'Two-step verification was turned off',
}
const sentences: Record<Change, string> = {
  'totp-added': 'From now on your account asks for its code when you log in.',
  'passkey-added': 'From now on it opens your account without a password.',
  'totp-removed': 'Its codes no longer work for your account.',
  'passkey-removed': 'It no longer works for your account.',
  'recovery-codes': 'Those that you had before no longer work.',
  reset:
    'Whoever runs the server removed the authenticator app, passkeys and recovery codes of your account. All sessions have ended.',
}

const isAdded = (change: Change) => change === 'totp-added' || change === 'passkey-added'

/** To the account: its second factors were changed. */
export function factorChangedMail(props: MailKinds['factor-changed'], site: MailSite): MailContent {
  const title = titles[props.change]
  return {
    subject: title,
    body: (
      <MailLayout site={site} preview={sentences[props.change]} title={title}>
        <Paragraph>{sentences[props.change]}</Paragraph>
        <Facts
          rows={[
            ['Name', props.label],
            ['Two-step verification', props.isOn ? 'On' : 'Off'],
            ...doneRows(props, site),
          ]}
        />
        <Paragraph>
          If this was not you, set a new password at once and look at Security in your settings.
          {isAdded(props.change) &&
            ' A new password does not remove what was added. If your account asks for a code or passkey that you do not have, whoever runs the server can turn two-step verification off.'}
        </Paragraph>
        <ActionButton href={`${site.origin}/forgot-password`}>Set a new password</ActionButton>
      </MailLayout>
    ),
  }
}

/** To the account: one of its recovery codes was used. */
export function recoveryCodeUsedMail(props: MailKinds['recovery-code-used'], site: MailSite): MailContent {
  const left = props.left === 1 ? '1 recovery code is left.' : `${props.left} recovery codes are left.`
  return {
    subject: 'A recovery code was used',
    body: (
      <MailLayout site={site} preview={left} title="A recovery code was used">
        <Paragraph>
          A recovery code of your account was used. {left} You can make new ones in your settings, under
          Security.
        </Paragraph>
        <Facts rows={doneRows(props, site)} />
        <Paragraph>If this was not you, set a new password at once and make new recovery codes.</Paragraph>
        <ActionButton href={`${site.origin}/forgot-password`}>Set a new password</ActionButton>
      </MailLayout>
    ),
  }
}

/** To an account whose mailbox is not proven yet: the code that proves it. */
export function mailboxCodeMail(
  { code, ...props }: MailKinds['mailbox-code'] & { code: string },
  site: MailSite,
): MailContent {
  return {
    // Not in the subject, which phones show while they are locked.
    subject: `Your code for ${site.companyName}`,
    body: (
      <MailLayout site={site} preview="Confirm your e-mail address." title="Confirm your e-mail address">
        <Paragraph>Enter this code in your settings to confirm that this address is yours:</Paragraph>
        <Facts
          rows={[
            ['Code', code],
            ['Valid until', formatMoment(props.expiresAt, site.timeZone)],
            ...doneRows(props, site),
          ]}
        />
        <Paragraph>
          Nobody will ask you for this code by phone or mail. If you did not ask for it, somebody uses an
          account with your address: do not pass the code on. Setting a new password makes the account yours
          and signs everybody else out.
        </Paragraph>
        <ActionButton href={`${site.origin}/forgot-password`}>Set a new password</ActionButton>
      </MailLayout>
    ),
  }
}

function doneRows(
  { address, at, browser }: Pick<MailKinds['recovery-code-used'], 'address' | 'at' | 'browser'>,
  site: MailSite,
): [string, string | null][] {
  return [
    ['When', formatMoment(at, site.timeZone)],
    ['Browser', browser],
    ['Network address', address],
  ]
}
