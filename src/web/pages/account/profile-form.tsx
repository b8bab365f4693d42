import { useEffect, useState } from 'react'
import { profileForm } from '../../../domain/account.ts'
import { api, failureOf, refusalOr } from '../../api/api.ts'
import { showFieldErrors, useZodForm } from '../../forms/zod-form.ts'
import { isSessionGone, useSession, useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { sessionToast } from '../../ui/toasts.tsx'

/** Name and phone of whoever is signed in; asked anew from the server when it opens. */
export function ProfileForm() {
  const user = useUser()
  const { setUser } = useSession()
  const utils = api.useUtils()
  const [error, setError] = useState<string>()
  const update = api.accounts.updateProfile.useMutation()
  const form = useZodForm(profileForm, {
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone,
  })
  const { register, handleSubmit, formState, reset } = form
  const { errors, isSubmitting } = formState

  useEffect(() => {
    let left = false
    utils.accounts.profile.fetch(undefined, { staleTime: 0 }).then(
      answer => {
        if (left) return
        const { firstName, lastName, phone } = answer.user
        setUser(answer.user)
        reset({ firstName, lastName, phone }, { keepDirtyValues: true })
      },
      cause => {
        if (!left && !isSessionGone(cause)) sessionToast.error('Failed to refresh user data.')
      },
    )
    return () => {
      left = true
    }
  }, [utils, setUser, reset])

  const submit = handleSubmit(async profile => {
    setError(undefined)
    try {
      const answer = await update.mutateAsync(profile)
      setUser(answer.user)
      sessionToast.success('Profile updated successfully')
    } catch (cause) {
      const failure = failureOf(cause)
      if (failure.kind === 'refused') showFieldErrors(form, failure.fields)
      setError(refusalOr(cause, 'Profile update failed. Please try again.'))
    }
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{error}</FormError>
      <TextField
        label="First name"
        autoComplete="given-name"
        required
        error={errors.firstName?.message}
        {...register('firstName')}
      />
      <TextField
        label="Last name"
        autoComplete="family-name"
        required
        error={errors.lastName?.message}
        {...register('lastName')}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        error={errors.phone?.message}
        {...register('phone')}
      />
      <TextField
        label="Email"
        type="email"
        value={user.email}
        readOnly
        hint="The e-mail of your account cannot be changed here."
      />
      <Button type="submit" busy={isSubmitting} busyLabel="Saving...">
        Save Profile
      </Button>
    </form>
  )
}
