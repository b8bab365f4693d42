import type { SettingsTab } from '../../routing/open-settings.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { DevicesTab } from './devices-tab.tsx'
import { EmailChange } from './email-change.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SecurityTab } from './security/security-tab.tsx'

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
