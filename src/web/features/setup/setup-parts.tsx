import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import type { Outputs } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'

export type SetupProps = {
  /** Called when it was just turned on. */
  onDone?: () => void
}

type Secret = Outputs['setup']['mail']['secrets']['password']

/** Stands for a saved secret: 'Saved on Nov 3, 2026, ends with 9f2a'. */
export function useSecretWords(): (secret: Secret) => ReactNode {
  const timeZone = useSite()?.timeZone ?? 'UTC'
  return ({ hint, isLost, savedAt, set }) => {
    if (!set) return 'None'
    if (isLost) return 'Cannot be read: please enter it again'
    const when = savedAt ? `Saved on ${formatMomentDate(savedAt, timeZone)}` : 'Saved'
    return hint ? `${when}, ends with ${hint}` : when
  }
}

/** For what the environment or the demo decides. */
export function DecidedElsewhere({ source, demo }: { source: 'server' | 'demo'; demo: string }) {
  return (
    <p className="flex flex-wrap items-center gap-3">
      <Badge tone="green">{source === 'demo' ? 'Demo' : 'Set on the server'}</Badge>
      {source === 'demo' ? demo : 'It works, and cannot be changed here.'}
    </p>
  )
}

type ButtonsProps = { busy: boolean; busyLabel: string; label: string; onCancel?: (() => void) | undefined }

/** A form's error and buttons; without `onCancel` there is nothing to go back to. */
export function FormEnd({
  error,
  busy,
  busyLabel,
  label,
  onCancel,
}: ButtonsProps & { error?: string | undefined }) {
  return (
    <>
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} busyLabel={busyLabel}>
          {label}
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </>
  )
}
