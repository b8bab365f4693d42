import type { ReactNode } from 'react'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { versionPageSize } from '../../../../domain/content/wording.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Pagination } from '../dashboard/paged-list.tsx'

type Version = { version: number; at: string | null; by: { name: string } | null; note: string }

type VersionListProps<Listed extends Version> = {
  /** A page of the versions, newest first. */
  versions: readonly Listed[]
  total: number
  page: number
  onPage: (page: number) => void
  /** The version that is used now, and what it is called. */
  current: { version: number; label: string }
  /** A line about a version, if there is one. */
  aboutOf: (version: Listed) => string
  canCompare: (version: Listed) => boolean
  onCompare: (version: number) => void
}

/** The versions of the site's content, or of a wording. */
export function VersionList<Listed extends Version>(props: VersionListProps<Listed>) {
  const { versions, total, page, onPage, current, aboutOf, canCompare, onCompare } = props
  const timeZone = useTimeZone()
  return (
    <>
      <ol className="divide-y divide-line">
        {versions.map(version => (
          <li
            key={version.version}
            aria-label={`Version ${version.version}`}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0 wrap-anywhere">
              <p className="flex flex-wrap items-center gap-x-3 font-semibold text-navy">
                Version {version.version}
                {version.version === current.version && <Badge tone="green">{current.label}</Badge>}
              </p>
              {version.note && <p>{version.note}</p>}
              {version.at && (
                <p className="text-[0.9375rem] text-muted">
                  <RelativeTime at={version.at} />, {formatMoment(version.at, timeZone)}
                  {version.by && `, by ${version.by.name}`}
                </p>
              )}
              <p className="text-[0.9375rem] text-muted empty:hidden">{aboutOf(version)}</p>
            </div>
            {canCompare(version) && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Compare: version ${version.version}`}
                onClick={() => onCompare(version.version)}
              >
                Compare
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={Math.ceil(total / versionPageSize)} onPage={onPage} />
    </>
  )
}

type VersionDialogProps = { version: number; onClose: () => void; actions: ReactNode; children: ReactNode }

/** Compares a version with what is used now; `actions` bring it back. */
export function VersionDialog({ version, onClose, actions, children }: VersionDialogProps) {
  return (
    <Dialog
      open
      size="xl"
      title={`Version ${version}`}
      onOpenChange={next => !next && onClose()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          {actions}
        </>
      }
    >
      {children}
    </Dialog>
  )
}
