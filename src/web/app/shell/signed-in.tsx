import { lazy, Suspense, useEffect, useState } from 'react'
import { withApi } from '../../api/api-provider.tsx'
import { StepUpHost } from '../../features/factors/step-up-host.tsx'
import { onOpenSettings, type SettingsTab } from '../../routing/open-settings.ts'
import { IdleTimer } from '../../session/idle-timer.tsx'

const SettingsDialog = lazy(() => import('./settings-dialog.tsx').then(m => ({ default: m.SettingsDialog })))

/** What stays beside every screen of a signed-in person, and that visitors do not load. */
function SignedIn() {
  return (
    <>
      <IdleTimer />
      <StepUpHost />
      <SettingsHost />
    </>
  )
}

/** The Settings dialog, whose code is loaded when it is first opened. */
function SettingsHost() {
  const [settings, setSettings] = useState<{ tab: SettingsTab; open: boolean }>()
  useEffect(() => onOpenSettings(tab => setSettings({ tab, open: true })), [])
  return (
    settings && (
      <Suspense>
        <SettingsDialog {...settings} onOpenChange={open => setSettings({ ...settings, open })} />
      </Suspense>
    )
  )
}

export const SignedInParts = withApi(SignedIn)
