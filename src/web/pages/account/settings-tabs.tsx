import { useEffect, useState } from 'react'
import { adminChangePasswordForm, changePasswordForm, profileForm } from '../../../domain/accounts/account.ts'
import { adminPasswordRules } from '../../../domain/accounts/account-rules.ts'
import { api } from '../../api/api.ts'
import { SecurityTab } from '../../features/security/security-tab.tsx'
import {
  CurrentPasswordField,
  FirstNameField,
  LastNameField,
  NewPasswordField,
  useAccountForm,
} from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import type { SettingsTab } from '../../routing/open-settings.ts'
import { isSessionExpired, useSession, useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordRules } from '../../ui/password-rules.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { DevicesTab } from './devices-tab.tsx'
import { EmailChange } from './email-change.tsx'

const failed = 'Profile update failed. Please try again.'

/** The user's name and phone, reloaded from the server when the form opens. */
function ProfileForm() {
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
        Save profile
      </Button>
    </form>
  )
}

/** The content of the Settings dialog, which opens at `tab`; `onDone` closes it. */
export function Settings({ tab, onDone }: { tab: SettingsTab; onDone: () => void }) {
  return (
    <Tabs
      label="Settings"
      defaultValue={tab}
      tabs={[
        {
          value: 'profile',
          label: 'Profile',
          content: (
            <div className="grid gap-6">
              <ProfileForm />
              <EmailChange />
            </div>
          ),
        },
        { value: 'password', label: passwordLabel, content: <PasswordForm onDone={onDone} /> },
        {
          value: 'security',
          label: 'Security',
          content: <SecurityTab />,
        },
        {
          value: 'devices',
          label: 'Devices',
          content: <DevicesTab />,
        },
      ]}
    />
  )
}

/** Shortened so that all tabs fit on a phone; screen readers read the full name. */
const passwordLabel = (
  <>
    <span className="sr-only">Change </span>Password
  </>
)

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' }
const texts = { failed: 'Failed to change password', noResponse: 'Password change failed. Please try again.' }
const closeDelayMs = 2_000

/** Changes the password. An admin sees live which rules are met, and can submit when all of them are. */
function PasswordForm({ onDone }: { onDone: () => void }) {
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
