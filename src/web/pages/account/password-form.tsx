import { useEffect, useState } from 'react'
import { adminChangePasswordForm, changePasswordForm } from '../../../domain/accounts/account.ts'
import { adminPasswordRules } from '../../../domain/accounts/account-rules.ts'
import { api } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordRules } from '../../ui/password-rules.tsx'
import { CurrentPasswordField, NewPasswordField, useAccountForm } from './account-form.tsx'

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' }
const texts = { failed: 'Failed to change password', noResponse: 'Password change failed. Please try again.' }
const closeDelayMs = 2_000

/** Changes the password. An admin sees live which rules are met, and can submit when all of them are. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const isAdmin = useUser().role === 'admin'
  const change = api.accounts.changePassword.useMutation()
  const adminChange = api.accounts.adminChangePassword.useMutation()
  const [changed, setChanged] = useState(false)
  const schema = isAdmin ? adminChangePasswordForm : changePasswordForm
  // The admin's submit button is disabled until all fields are valid, so a field shows its error on blur.
  const form = useZodForm(schema, blank, isAdmin ? 'onTouched' : 'onSubmit')
  const { submit, formError, field, busy } = useAccountForm(form, texts, async passwords => {
    await (isAdmin ? adminChange : change).mutateAsync(passwords)
    setChanged(true)
  })
  const typed = form.watch()
  const isReady = !isAdmin || schema.safeParse(typed).success

  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(onDone, closeDelayMs)
    return () => clearTimeout(timer)
  }, [changed, onDone])

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{formError}</FormError>
      {changed && (
        <Notice tone="success" role="status">
          Password changed successfully!
        </Notice>
      )}
      <CurrentPasswordField {...field('currentPassword', { deps: 'newPassword' })} />
      <NewPasswordField
        hint={!isAdmin && 'At least 8 characters'}
        {...field('newPassword', { deps: 'confirmPassword' })}
      />
      {isAdmin && (
        <PasswordRules
          rules={adminPasswordRules.map(({ label, met }) => ({ label, met: met(typed.newPassword) }))}
        />
      )}
      <NewPasswordField label="Confirm password" {...field('confirmPassword')} />
      <Button type="submit" busy={busy} busyLabel="Saving..." disabled={!isReady || changed}>
        Change Password
      </Button>
    </form>
  )
}
