import { useUser } from '../../session/session.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AdminPasswordForm } from './admin-password-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'

/** The content of the Settings dialog; `onDone` closes it. */
export function Settings({ onDone }: { onDone: () => void }) {
  const { role } = useUser()
  const password = role === 'admin' ? <AdminPasswordForm onDone={onDone} /> : <PasswordForm onDone={onDone} />
  return (
    <Tabs
      label="Settings"
      tabs={[
        { value: 'password', label: 'Change Password', content: password },
        { value: 'profile', label: 'Profile', content: <ProfileForm /> },
      ]}
    />
  )
}
