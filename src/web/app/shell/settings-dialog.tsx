import { lazy, Suspense } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const Settings = lazy(() => import('../../pages/account/settings.tsx').then(m => ({ default: m.Settings })))

export function SettingsDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Settings" size="sm">
      <Suspense fallback={<Spinner label="Loading..." />}>
        <Settings onDone={() => onOpenChange(false)} />
      </Suspense>
    </Dialog>
  )
}
