import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { LoginValues } from '../../../domain/account.ts'
import type { FailureTexts } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { useNotice } from '../../routing/notice.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountCard } from './account-card.tsx'
import { CurrentPasswordField, EmailField, useAccountForm } from './account-form.tsx'

type LoginFormProps = {
  title: string
  subtitle: string
  schema: z.ZodType<LoginValues, LoginValues>
  texts: FailureTexts
  /** Signs in; returns a sentence when this person may not sign in here. */
  signIn: (credentials: LoginValues) => Promise<string | undefined>
  warning?: ReactNode
  passwordHelp?: ReactNode
  footer: ReactNode
}

export function LoginForm({ title, subtitle, schema, texts, signIn, ...slots }: LoginFormProps) {
  const notice = useNotice()
  const form = useZodForm(schema, { email: '', password: '' })
  const { submit, formError, setFormError, field, busy } = useAccountForm(form, texts, async credentials => {
    setFormError(await signIn(credentials))
  })
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
      <p className="mt-6 text-center">{slots.footer}</p>
    </AccountCard>
  )
}
