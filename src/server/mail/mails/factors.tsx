import { formatMoment } from '../../../domain/common/dates.ts'
import { defineMail, type MailSite, stillTrue } from '../define-mail.ts'
import { ActionButton, Facts, Paragraph } from '../layout.tsx'

/** A change of an account's second factors; `label` is the factor's name, `isOn` is whether any factor remains. */
export type FactorChange = {
  change: 'totp-added' | 'passkey-added' | 'totp-removed' | 'passkey-removed' | 'recovery-codes' | 'reset'
  label: string | null
  isOn: boolean
}
/** When and where an account action happened; browser and address are null on the command line. */
type DoneAt = { at: string; browser: string | null; address: string | null }

const titles: Record<FactorChange['change'], string> = {
  'totp-added': 'An authenticator app was added',
  'passkey-added': 'A passkey was added',
  'totp-removed': 'The authenticator app was removed',
  'passkey-removed': 'A passkey was removed',
  'recovery-codes': 'New recovery codes were made',
  reset: 'Two-step verification was turned off',
}
const sentences: Record<FactorChange['change'], string> = {
  'totp-added': 'From now on your account asks for its code when you log in.',
  'passkey-added': 'From now on it opens your account without a password.',
  'totp-removed': 'Its codes no longer work for your account.',
  'passkey-removed': 'It no longer works for your account.',
  'recovery-codes': 'Those that you had before no longer work.',
  reset:
    'Whoever runs the server removed the authenticator app, passkeys and recovery codes of your account. All sessions have ended.',
}

/** To the account: its second factors were changed. */
const factorChanged = defineMail({
  kind: 'factor-changed',
  render: ({ change, isOn, label, ...done }: FactorChange & DoneAt, { site }) => ({
    subject: titles[change],
    preview: sentences[change],
    body: (
      <>
        <Paragraph>{sentences[change]}</Paragraph>
        <Facts
          rows={[['Name', label], ['Two-step verification', isOn ? 'On' : 'Off'], ...doneRows(done, site)]}
        />
        <Paragraph>
          If this was not you, set a new password at once and look at Security in your settings.
          {change.endsWith('-added') &&
            ' A new password does not remove what was added. If your account asks for a code or passkey that you do not have, whoever runs the server can turn two-step verification off.'}
        </Paragraph>
        <NewPassword site={site} />
      </>
    ),
  }),
})

/** To the account: one of its recovery codes was used; `left` is the number of unused codes. */
const recoveryCodeUsed = defineMail({
  kind: 'recovery-code-used',
  render: (props: { left: number } & DoneAt, { site }) => {
    const left = props.left === 1 ? '1 recovery code is left.' : `${props.left} recovery codes are left.`
    return {
      subject: 'A recovery code was used',
      preview: left,
      body: (
        <>
          <Paragraph>
            A recovery code of your account was used. {left} You can make new ones in your settings, under
            Security.
          </Paragraph>
          <Facts rows={doneRows(props, site)} />
          <Paragraph>If this was not you, set a new password at once and make new recovery codes.</Paragraph>
          <NewPassword site={site} />
        </>
      ),
    }
  },
})

/** To the account: somebody has its password, but not its codes. */
const wrongCodes = defineMail({
  kind: 'wrong-codes',
  render: (props: DoneAt, { site }) => ({
    subject: 'Wrong codes were entered for your account',
    preview: 'Your password was right, the codes were not.',
    body: (
      <>
        <Paragraph>
          Somebody logged in with your password and entered five wrong codes. If this was you, there is
          nothing to do.
        </Paragraph>
        <Facts rows={doneRows(props, site)} />
        <Paragraph>If this was not you, somebody knows your password. Set a new one at once.</Paragraph>
        <NewPassword site={site} />
      </>
    ),
  }),
})

/** To an account whose mailbox is not proven yet: the code that proves it. */
const mailboxCode = defineMail({
  kind: 'mailbox-code',
  isSecret: true,
  render: (props: { challengeId: string; expiresAt: string } & DoneAt, { deps, site, sources }) => {
    const code = stillTrue(sources.mailboxCode(deps, props.challengeId))
    return {
      // Not in the subject, which phones show while they are locked.
      subject: `Your code for ${site.companyName}`,
      title: 'Confirm your email address',
      preview: 'Confirm your email address.',
      body: (
        <>
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
            and logs everybody else out.
          </Paragraph>
          <NewPassword site={site} />
        </>
      ),
    }
  },
})

const NewPassword = ({ site }: { site: MailSite }) => (
  <ActionButton href={`${site.origin}/forgot-password`}>Set a new password</ActionButton>
)

const doneRows = ({ address, at, browser }: DoneAt, site: MailSite): [string, string | null][] => [
  ['When', formatMoment(at, site.timeZone)],
  ['Browser', browser],
  ['Network address', address],
]

export const factorMails = [factorChanged, recoveryCodeUsed, wrongCodes, mailboxCode]
