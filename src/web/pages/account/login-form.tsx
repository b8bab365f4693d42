import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import type { LoginValues } from '../../../domain/account.ts'
import { api, type FailureTexts } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { useNotice } from '../../routing/notice.ts'
import type { BegunSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountCard } from './account-card.tsx'
import { CurrentPasswordField, EmailField, useAccountForm } from './account-form.tsx'
import type { PasskeyLogin } from './passkey-login.tsx'
import type { LoginChallenge, SecondStep } from './second-step.tsx'

type LoginFormProps = {
  title: string
  subtitle: string
  schema: z.ZodType<LoginValues, LoginValues>
  texts: FailureTexts
  /** Keeps the session; returns a sentence when this person may not sign in here. */
  onSession: (session: BegunSession) => Promise<string | undefined>
  warning?: ReactNode
  passwordHelp?: ReactNode
  footer: ReactNode
}

export function LoginForm({ title, subtitle, schema, texts, onSession, ...slots }: LoginFormProps) {
  const notice = useNotice()
  const Passkey = usePasskeyLogin()
  const { client } = api.useUtils()
  const [second, setSecond] = useState<{ Step: typeof SecondStep; challenge: LoginChallenge }>()
  const form = useZodForm(schema, { email: '', password: '' })
  const { submit, formError, setFormError, field, busy } = useAccountForm(form, texts, async credentials => {
    const answer = await client.accounts.login.mutate(credentials)
    if ('token' in answer) {
      setFormError(await onSession(answer))
    } else {
      const { SecondStep: Step } = await import('./second-step.tsx')
      setSecond({ Step, challenge: answer })
    }
  })
  const back = (message?: string) => {
    flushSync(() => {
      setSecond(undefined)
      setFormError(message)
    })
    form.resetField('password')
    form.setFocus('password')
  }

  if (second)
    return (
      <AccountCard title={title} subtitle="Two-step verification">
        <second.Step challenge={second.challenge} texts={texts} onSession={onSession} onBack={back} />
      </AccountCard>
    )
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
        <Button type="submit" size="lg" busy={busy} busyLabel="Signing in...">
          Sign In
        </Button>
      </form>
      {Passkey && (
        <Passkey.Button disabled={busy} texts={texts} onSession={onSession} onFailure={setFormError} />
      )}
      <p className="mt-6 text-center">{slots.footer}</p>
    </AccountCard>
  )
}

/** The button for passkeys, loaded where anybody here has one. A page without it has the password. */
function usePasskeyLogin() {
  const hasPasskeys = useSite()?.hasPasskeys
  const [loaded, setLoaded] = useState<{ Button: typeof PasskeyLogin }>()
  useEffect(() => {
    if (hasPasskeys)
      import('./passkey-login.tsx').then(
        m => setLoaded({ Button: m.PasskeyLogin }),
        () => undefined,
      )
  }, [hasPasskeys])
  return loaded
}
