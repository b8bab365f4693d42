import { lazy, Suspense } from 'react'
import type { SettingsTab } from '../../routing/open-settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

const Settings = lazy(() =>
  import('../../pages/account/settings-tabs.tsx').then(m => ({ default: m.Settings })),
)

export function SettingsDialog({ tab, onClose }: { tab: SettingsTab; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Settings">
      <ErrorBoundary
        fallback={<FormError>The settings could not be loaded. Please reload this page.</FormError>}
      >
        <Suspense fallback={<Spinner label="Loading..." />}>
          <Settings tab={tab} onDone={onClose} />
        </Suspense>
      </ErrorBoundary>
    </Dialog>
  )
}
