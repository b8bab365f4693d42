import { lazy, Suspense } from 'react'
import { withApi } from '../../api/api-provider.tsx'
import type { SettingsTab } from '../../routing/open-settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const Settings = lazy(() =>
  import('../../pages/account/settings.tsx').then(m => ({ default: withApi(m.Settings) })),
)

export function SettingsDialog({
  open,
  tab,
  onOpenChange,
}: {
  open: boolean
  tab: SettingsTab
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Settings">
      <Suspense fallback={<Spinner label="Loading..." />}>
        <Settings tab={tab} onDone={() => onOpenChange(false)} />
      </Suspense>
    </Dialog>
  )
}
