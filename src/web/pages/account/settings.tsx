import { Tabs } from '../../ui/tabs.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'

/** The content of the Settings dialog; `onDone` closes it. */
export function Settings({ onDone }: { onDone: () => void }) {
  return (
    <Tabs
      label="Settings"
      tabs={[
        { value: 'password', label: 'Change Password', content: <PasswordForm onDone={onDone} /> },
        { value: 'profile', label: 'Profile', content: <ProfileForm /> },
      ]}
    />
  )
}
