import { type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import type { LoginValues } from '../../../domain/account.ts'
import { api } from '../../api/api.ts'
import type { FailureTexts } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { useLoginEntry } from '../../session/login-entry.ts'
import type { NewSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountCard } from './account-card.tsx'
import { CurrentPasswordField, EmailField, useAccountForm } from './account-form.tsx'
import type { LoginChallenge } from './factor-login.tsx'

type LoginFormProps = {
  title: string
  subtitle: string
  loadSchema: () => Promise<z.ZodType<LoginValues, LoginValues>>
  texts: FailureTexts
  /** Stores the session; returns an error message if this user may not log in here. */
  onSession: (session: NewSession) => Promise<string | undefined>
  warning?: ReactNode
  passwordHelp?: ReactNode
  footer: ReactNode
}

/** Loads the code for passkeys and the second step, for users who have them. */
const loadFactors = () => import('./factor-login.tsx')

export function LoginForm({ title, subtitle, loadSchema, texts, onSession, ...slots }: LoginFormProps) {
  const { email = '', notice } = useLoginEntry()
  const hasPasskeys = useSite()?.hasPasskeys
  const { client } = api.useUtils()
  const [factors, setFactors] = useState<Awaited<ReturnType<typeof loadFactors>>>()
  const [challenge, setChallenge] = useState<LoginChallenge>()
  const form = useZodForm(loadSchema, { email, password: '' })
  const { submit, formError, setFormError, field, busy } = useAccountForm(form, texts, async credentials => {
    const answer = await client.accounts.login.mutate(credentials)
    if ('token' in answer) {
      setFormError(await onSession(answer))
    } else {
      setFactors(await loadFactors())
      setChallenge(answer)
    }
  })
  const { setFocus } = form
  useEffect(() => {
    if (email) setFocus('password')
  }, [email, setFocus])
  useEffect(() => {
    // If loading fails, the password login still works.
    if (hasPasskeys) loadFactors().then(setFactors, () => undefined)
  }, [hasPasskeys])

  const way = { texts, onSession, onFailure: setFormError }
  if (challenge && factors)
    return <factors.SecondStep {...way} {...{ title, challenge, setChallenge, form }} />
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
          Log In
        </Button>
      </form>
      {hasPasskeys && factors && <factors.PasskeyLogin {...way} disabled={busy} />}
      <p className="mt-6 text-center">{slots.footer}</p>
    </AccountCard>
  )
}
