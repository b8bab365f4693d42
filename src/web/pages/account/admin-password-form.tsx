import { adminChangePasswordForm, adminPasswordRules } from '../../../domain/account.ts'
import { api } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordRules } from '../../ui/password-rules.tsx'
import { PasswordField } from '../../ui/text-field.tsx'
import { usePasswordChange } from './password-change.ts'

/** The administrator's change of password: the rules are ticked off live, and submit waits until all are met. */
export function AdminPasswordForm({ onDone }: { onDone: () => void }) {
  const change = api.accounts.adminChangePassword.useMutation()
  const { error, changed, run } = usePasswordChange(onDone)
  const form = useZodForm(
    adminChangePasswordForm,
    { currentPassword: '', newPassword: '', confirmPassword: '' },
    // Submit stays disabled until all is well, so a field says what is wrong once it was left.
    'onTouched',
  )
  const { register, handleSubmit, formState, watch, trigger } = form
  const { errors, isSubmitting, touchedFields } = formState
  const typed = watch()
  const ready = adminChangePasswordForm.safeParse(typed).success

  // A rule between two fields is looked at again when the other one changes.
  const recheck = (other: 'newPassword' | 'confirmPassword') => ({
    onChange: () => void (touchedFields[other] && trigger(other)),
  })

  return (
    <form
      noValidate
      onSubmit={handleSubmit(passwords => run(() => change.mutateAsync(passwords)))}
      className="grid gap-5"
    >
      <FormError>{error}</FormError>
      {changed && (
        <Notice tone="success" role="status">
          Password changed successfully!
        </Notice>
      )}
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        error={errors.currentPassword?.message}
        {...register('currentPassword', recheck('newPassword'))}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        error={errors.newPassword?.message}
        {...register('newPassword', recheck('confirmPassword'))}
      />
      <PasswordRules
        rules={adminPasswordRules.map(({ label, met }) => ({ label, met: met(typed.newPassword) }))}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        required
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button type="submit" busy={isSubmitting} busyLabel="Saving..." disabled={!ready || changed}>
        Change Password
      </Button>
    </form>
  )
}
