import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { mailChange, mailConfirmation, mailSettings, mailTest } from '../../../domain/content/connections.ts'
import { api, type Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioGroupField } from '../../ui/choice-fields.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { DecidedElsewhere, FormEnd, type SetupProps, useSecretWords } from './setup-parts.tsx'

type Mail = Outputs['setup']['mail']

/** The mail server of the site: its form, its test mail, and the digits that turn it on (INST-18). */
export function MailSetup({ onDone }: SetupProps) {
  const query = api.setup.mail.useQuery()
  return (
    <QueryView query={query} loading="Loading mail settings..." error="Failed to load the mail settings">
      {mail =>
        mail.source === 'here' ? (
          <OwnMail mail={mail} onDone={onDone} />
        ) : (
          <DecidedElsewhere
            source={mail.source}
            demo="Emails are kept in the demo’s mailbox: nothing is sent."
          />
        )
      }
    </QueryView>
  )
}

function OwnMail({ mail, onDone }: SetupProps & { mail: Mail }) {
  const [isEditing, setEditing] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const secretWords = useSecretWords()
  if (isEditing || mail.version === 0)
    return (
      <MailForm
        mail={mail}
        onSaved={() => {
          setEditing(false)
          setSaved(true)
        }}
        onCancel={mail.version > 0 ? () => setEditing(false) : undefined}
      />
    )
  const { from, host, port, security, user } = mail.body
  return (
    <div className="grid gap-6">
      {mail.on && mail.isTested ? (
        <Notice tone="success" title="Mail works" />
      ) : (
        <Notice tone="warning" title={mail.on ? 'The change is not in use yet' : 'Mail is not on yet'}>
          Type the six digits of the test mail.
          {mail.on && ' Until then emails go out as before.'}
        </Notice>
      )}
      <DefinitionList
        items={[
          { label: 'Mail server', value: `${host}, port ${port}` },
          { label: 'Encryption', value: security === 'tls' ? 'TLS' : 'STARTTLS' },
          { label: 'Sender', value: from },
          ...(user
            ? [
                { label: 'User', value: user },
                { label: 'Password', value: secretWords(mail.secrets.password) },
              ]
            : []),
        ]}
      />
      <div>
        <Button size="sm" variant="secondary" onClick={() => setEditing(true)}>
          Change mail server
        </Button>
      </div>
      <MailTest
        key={mail.version}
        isOn={mail.on && mail.isTested}
        isCodeSent={mail.isCodeSent}
        sendsAtOnce={isSaved}
        onDone={onDone}
      />
    </div>
  )
}

const form = mailSettings.extend({ secrets: z.object({ password: z.string() }) })
type Values = z.input<typeof form>

type MailFormProps = { mail: Mail; onSaved: () => void; onCancel: (() => void) | undefined }

/** The encryption that goes with a port. */
const usualSecurity: Partial<Record<number, Values['security']>> = { 465: 'tls', 587: 'starttls' }

function MailForm({ mail, onSaved, onCancel }: MailFormProps) {
  const utils = api.useUtils()
  const save = api.setup.saveMail.useMutation()
  const { email } = useUser()
  // Most providers log the owner in with the address that the mails come from.
  const body = mail.version === 0 ? { ...mail.body, user: email, from: email } : mail.body
  const zodForm = useZodForm<Values, z.output<typeof form>>(form, { ...body, secrets: { password: '' } })
  const field = fieldPropsOf(zodForm)
  const follow = (name: 'port' | 'security', value: Values['port'] | Values['security']) =>
    zodForm.setValue(name, value, { shouldValidate: zodForm.formState.isSubmitted })
  const followPort = () => {
    const security = usualSecurity[zodForm.getValues('port')]
    if (security) follow('security', security)
  }
  const followSecurity = () => {
    const { port, security } = zodForm.getValues()
    if (usualSecurity[port]) follow('port', security === 'tls' ? 465 : 587)
  }
  const { busy, formError, submit } = useFormSubmit(
    zodForm,
    async ({ secrets: { password }, ...body }) => {
      const change = mailChange.parse({ version: mail.version, body, secrets: password ? { password } : {} })
      utils.setup.mail.setData(undefined, await save.mutateAsync(change))
      onSaved()
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'Failed to save the mail settings')),
  )
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <p className="text-muted">Your mail provider’s help pages call these the settings for SMTP.</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Mail server" required placeholder="smtp.example.com" {...field('host')} />
        <TextField
          label="Port"
          required
          inputMode="numeric"
          hint="Usually 465 or 587"
          {...field('port', { valueAsNumber: true, onChange: followPort })}
        />
      </div>
      <RadioGroupField
        label="Encryption"
        options={[
          { value: 'tls', label: 'TLS' },
          { value: 'starttls', label: 'STARTTLS' },
        ]}
        {...field('security', { onChange: followSecurity })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="User"
          autoComplete="off"
          hint="Empty for a server without a login"
          {...field('user')}
        />
        <PasswordField
          label="Password of the mail server"
          autoComplete="new-password"
          hint={mail.secrets.password.set ? 'Empty keeps the saved one' : undefined}
          {...field('secrets.password')}
        />
        <TextField
          label="Sender"
          required
          type="email"
          hint="Emails come from this address"
          {...field('from')}
        />
        <TextField
          label="DKIM selector"
          hint="Optional: only if your mail provider gave you one"
          {...field('dkimSelector')}
        />
      </div>
      <FormEnd
        error={formError}
        busy={busy}
        busyLabel="Saving..."
        label="Save and send a test mail"
        onCancel={onCancel}
      />
    </form>
  )
}

type Tested = { to: string; words: string; advice: string[] }

type MailTestProps = SetupProps & { isOn: boolean; isCodeSent: boolean; sendsAtOnce: boolean }

function MailTest({ isOn, isCodeSent, sendsAtOnce, onDone }: MailTestProps) {
  const [tested, setTested] = useState<Tested>()
  const send = api.setup.testMail.useMutation()
  const testForm = useZodForm(mailTest, { to: useUser().email })
  const { busy, formError, submit } = useFormSubmit(
    testForm,
    async ({ to }) => {
      setTested(undefined)
      setTested({ to, ...(await send.mutateAsync({ to })) })
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'Failed to send the test mail')),
  )
  const testing = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (sendsAtOnce) testing.current?.requestSubmit()
  }, [sendsAtOnce])
  return (
    <div className="grid gap-5 border-t border-line pt-5">
      <form ref={testing} noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          className="max-w-md"
          label="Send a test mail to"
          type="email"
          {...fieldPropsOf(testForm)('to')}
        />
        <FormEnd
          error={formError}
          busy={busy}
          busyLabel="Sending..."
          label={sendsAtOnce ? 'Send it again' : 'Send test mail'}
        />
      </form>
      {tested && (
        <div role="status">
          <Notice title={tested.words}>
            {tested.advice.length > 0 && (
              <>
                {tested.advice.join(' ')} Some providers treat such mails as spam. Your mail provider’s help
                pages say which records your domain needs.
              </>
            )}
          </Notice>
        </div>
      )}
      {!isOn && (tested || isCodeSent) && <MailCode onDone={onDone} />}
    </div>
  )
}

function MailCode({ onDone }: SetupProps) {
  const utils = api.useUtils()
  const confirm = api.setup.confirmMail.useMutation()
  const codeForm = useZodForm(mailConfirmation, { code: '' })
  const { busy, formError, submit } = useFormSubmit(
    codeForm,
    async values => {
      await confirm.mutateAsync(values)
      toast.success('Mail works')
      await utils.invalidate()
      onDone?.()
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'Failed to turn mail on')),
  )
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        className="max-w-md"
        label="Six digits of the mail"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        maxLength={6}
        {...fieldPropsOf(codeForm)('code')}
      />
      <FormEnd error={formError} busy={busy} busyLabel="Checking..." label="Turn mail on" />
    </form>
  )
}
