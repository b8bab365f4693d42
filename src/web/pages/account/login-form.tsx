import { type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import type { LoginValues } from '../../../domain/accounts/account.ts'
import { api } from '../../api/api.ts'
import type { FailureTexts } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { CurrentPasswordField, EmailField, useAccountForm } from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { useLoginEntry } from '../../session/login-entry.ts'
import type { NewSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountCard } from './account-card.tsx'
import { type LoginChallenge, PasskeyLogin, SecondStep } from './factor-login.tsx'

type LoginFormProps = {
  title: string
  subtitle: string
  schema: z.ZodType<LoginValues, LoginValues>
  texts: FailureTexts
  /** Stores the session; returns an error message if this user may not log in here. */
  onSession: (session: NewSession) => Promise<string | undefined>
  warning?: ReactNode
  passwordHelp?: ReactNode
  footer: ReactNode
}

export function LoginForm({ title, subtitle, schema, texts, onSession, ...slots }: LoginFormProps) {
  const { email = '', notice } = useLoginEntry()
  const hasPasskeys = useSite()?.hasPasskeys
  const { client } = api.useUtils()
  const [challenge, setChallenge] = useState<LoginChallenge>()
  const form = useZodForm(schema, { email, password: '' })
  const { submit, formError, setFormError, field, busy } = useAccountForm(form, texts, async credentials => {
    const answer = await client.accounts.login.mutate(credentials)
    if ('token' in answer) setFormError(await onSession(answer))
    else setChallenge(answer)
  })
  const { setFocus } = form
  useEffect(() => {
    if (email) setFocus('password')
  }, [email, setFocus])

  const way = { texts, onSession, onFailure: setFormError }
  if (challenge) return <SecondStep {...way} {...{ title, challenge, setChallenge, form }} />
  return (
    <AccountCard title={title} subtitle={subtitle}>
      {notice && !formError && (
        <Notice className="mb-5" role="status">
          {notice}
        </Notice>
      )}
      {slots.warning}
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        <EmailField {...field('email')} />
        <CurrentPasswordField label="Password" {...field('password')} />
        {slots.passwordHelp}
        <Button type="submit" size="lg" busy={busy} busyLabel="Logging in...">
          Log in
        </Button>
      </form>
      {hasPasskeys && <PasskeyLogin {...way} disabled={busy} />}
      <p className="mt-6 text-center">{slots.footer}</p>
    </AccountCard>
  )
}
