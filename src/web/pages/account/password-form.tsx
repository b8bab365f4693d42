import { changePasswordForm } from '../../../domain/account.ts'
import { api } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/text-field.tsx'
import { usePasswordChange } from './password-change.ts'

/** The tenant's change of password. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const change = api.accounts.changePassword.useMutation()
  const { error, changed, run } = usePasswordChange(onDone)
  const { register, handleSubmit, formState } = useZodForm(changePasswordForm, {
    currentPassword: '',
    newPassword: '',
    confirmPassword: '',
  })
  const { errors, isSubmitting } = formState
  return (
    <form
      noValidate
      onSubmit={handleSubmit(form => run(() => change.mutateAsync(form)))}
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
        {...register('currentPassword')}
      />
      <PasswordField
        label="New password"
        hint="At least 8 characters"
        autoComplete="new-password"
        required
        error={errors.newPassword?.message}
        {...register('newPassword')}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        required
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button type="submit" busy={isSubmitting} busyLabel="Saving..." disabled={changed}>
        Change Password
      </Button>
    </form>
  )
}
