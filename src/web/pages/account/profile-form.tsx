import { useEffect } from 'react'
import { profileForm } from '../../../domain/accounts/account.ts'

import { api } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { isSessionExpired, useSession, useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { FirstNameField, LastNameField, useAccountForm } from './account-form.tsx'

const failed = 'Profile update failed. Please try again.'

/** The user's name and phone, reloaded from the server when the form opens. */
export function ProfileForm() {
  const user = useUser()
  const { setUser } = useSession()
  const utils = api.useUtils()
  const update = api.accounts.updateProfile.useMutation()
  const form = useZodForm(profileForm, {
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone,
  })
  const { getFieldState, setValue } = form

  useEffect(() => {
    let unmounted = false
    utils.accounts.profile.fetch(undefined, { staleTime: 0 }).then(
      answer => {
        if (unmounted) return
        setUser(answer.user)
        for (const name of ['firstName', 'lastName', 'phone'] as const)
          if (!getFieldState(name).isDirty) setValue(name, answer.user[name])
      },
      error => {
        if (!unmounted && !isSessionExpired(error)) sessionToast.error('Failed to refresh user data.')
      },
    )
    return () => {
      unmounted = true
    }
  }, [utils, setUser, getFieldState, setValue])

  const texts = { failed, noResponse: failed, atFields: true }
  const { submit, formError, field, busy } = useAccountForm(form, texts, async profile => {
    const answer = await update.mutateAsync(profile)
    setUser(answer.user)
    sessionToast.success('Profile updated successfully')
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{formError}</FormError>
      <FirstNameField {...field('firstName')} />
      <LastNameField {...field('lastName')} />
      <TextField label="Phone" type="tel" autoComplete="tel" inputMode="tel" {...field('phone')} />
      <Button type="submit" busy={busy} busyLabel="Saving...">
        Save Profile
      </Button>
    </form>
  )
}
