import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { draftMessages } from '../../../../domain/content/content-draft.ts'
import { versionPageSize } from '../../../../domain/content/wording.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Pagination } from '../dashboard/paged-list.tsx'
import { CompareDialog } from './change-list.tsx'
import { useAfterPublishing } from './publish-dialog.tsx'
import { sectionLabels, sectionNames } from './sections/section-labels.ts'

type Version = Outputs['editor']['versions']['versions'][number]
type Asked = { version: number; action: 'compare' | 'publish' | 'replace' }
type Restored = { version: number; missingPictures: string[] }

/** The published versions, newest first. */
export function VersionsTab() {
  const [page, setPage] = useState(1)
  const versions = api.editor.versions.useQuery({ page }, { placeholderData: keepPreviousData })
  const draft = api.editor.draft.useQuery()
  const query = combineQueries(versions, draft)
  return (
    <QueryView query={query} loading="Loading versions..." error="Failed to load the versions">
      {({ draft, total, versions }) => (
        <div className="grid gap-4">
          <Versions versions={versions} newest={total - 1} published={draft.published.version} />
          <Pagination page={page} pages={Math.ceil(total / versionPageSize)} onPage={setPage} />
        </div>
      )}
    </QueryView>
  )
}

type VersionsProps = { versions: readonly Version[]; newest: number; published: number }

function Versions({ versions, newest, published }: VersionsProps) {
  const [asked, setAsked] = useState<Asked>()
  const [restored, setRestored] = useState<Restored>()
  const restore = useRestore(setRestored, version => setAsked({ version, action: 'replace' }))
  const close = () => setAsked(undefined)
  // Newer versions are unreadable, so an older one is shown; it can be published again as it is.
  const isRepair = newest !== published
  return (
    <div className="grid grid-cols-1 gap-4">
      {restored && <RestoredNotice restored={restored} isPublished={restored.version === published} />}
      <ol className="grid gap-4">
        {versions.map(version => (
          <li key={version.version}>
            <VersionCard
              version={version}
              isPublished={version.version === published}
              canPublish={isRepair || version.version !== published}
              busy={restore.isPending}
              onAsk={action => setAsked({ version: version.version, action })}
              onRestore={() => restore.run(version.version, false)}
            />
          </li>
        ))}
      </ol>
      {asked?.action === 'compare' && (
        <CompareDialog
          from={asked.version}
          to="published"
          title={`Version ${asked.version} and what is published`}
          sides={{
            before: `Version ${asked.version}`,
            after: 'Published',
            onlyBefore: `Only in version ${asked.version}`,
            onlyAfter: 'Only in what is published',
          }}
          onClose={close}
        />
      )}
      {asked?.action === 'publish' && (
        <PublishAgain version={asked.version} published={published} onClose={close} />
      )}
      {asked?.action === 'replace' && (
        <ConfirmDialog
          open
          danger
          title="Replace the draft?"
          body={draftMessages.unpublished}
          confirmLabel="Replace"
          busyLabel="Replacing..."
          busy={restore.isPending}
          onCancel={close}
          onConfirm={() => void restore.run(asked.version, true).then(close)}
        />
      )}
    </div>
  )
}

type VersionCardProps = {
  version: Version
  isPublished: boolean
  canPublish: boolean
  busy: boolean
  onAsk: (action: Asked['action']) => void
  onRestore: () => void
}

function VersionCard({ version, isPublished, canPublish, busy, onAsk, onRestore }: VersionCardProps) {
  const label = `Version ${version.version}`
  const named = (action: string) => `${action}: ${label}`
  const changed = sectionNames.filter(name => version.changed.includes(name))
  return (
    <Card
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6"
    >
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold text-navy">
          {label}
          {isPublished && <Badge tone="green">Published</Badge>}
        </h2>
        {version.note && <p className="wrap-anywhere">{version.note}</p>}
        <When version={version} />
        {changed.length > 0 && (
          <p className="text-[0.9375rem] text-muted">
            Changed: {changed.map(name => sectionLabels[name]).join(', ')}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-sm:grid max-sm:w-full">
        {!isPublished && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={named('Compare')}
            onClick={() => onAsk('compare')}
          >
            Compare
          </Button>
        )}
        <Button
          variant="secondary"
          size="sm"
          disabled={busy}
          aria-label={named('Put into the draft')}
          onClick={onRestore}
        >
          Put into the draft
        </Button>
        {canPublish && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={named('Publish again')}
            onClick={() => onAsk('publish')}
          >
            Publish again
          </Button>
        )}
      </div>
    </Card>
  )
}

function When({ version: { at, by, source } }: { version: Version }) {
  const timeZone = useTimeZone()
  if (at === null) return null
  return (
    <p className="text-[0.9375rem] text-muted">
      <RelativeTime at={at} />, {formatMoment(at, timeZone)}
      {by && `, by ${by.name}`}
      {source === 'undo' && ', an earlier version again'}
    </p>
  )
}

function RestoredNotice({ restored, isPublished }: { restored: Restored; isPublished: boolean }) {
  const { missingPictures, version } = restored
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The clicked button is far below. Waits until the dialog has returned the focus.
    const timer = setTimeout(() => restored && notice.current?.focus(), 50)
    return () => clearTimeout(timer)
  }, [restored])
  return (
    <Notice
      ref={notice}
      tabIndex={-1}
      tone={missingPictures.length > 0 ? 'warning' : 'success'}
      role="status"
      title={`Version ${version} is in the draft`}
      action={
        <Button asChild size="sm" variant="secondary">
          <Link href={paths.adminSite}>Open Content</Link>
        </Button>
      }
    >
      {missingPictures.length > 0
        ? `Pictures that were removed since are left out: ${missingPictures.join(', ')}.`
        : isPublished
          ? 'It is what visitors see.'
          : 'Visitors see it once you publish it.'}
    </Notice>
  )
}

function useRestore(onRestored: (restored: Restored) => void, onUnpublished: (version: number) => void) {
  const { editor } = api.useUtils()
  const { isPending, mutateAsync } = api.editor.restoreVersion.useMutation()
  const run = async (version: number, replace: boolean) => {
    try {
      const { draft, missingPictures } = await mutateAsync({ version, replace })
      await editor.draft.cancel()
      editor.draft.setData(undefined, { draft })
      onRestored({ version, missingPictures })
    } catch (error) {
      const failure = failureOf(error)
      if (!replace && failure.kind === 'refused' && failure.status === 409) return onUnpublished(version)
      toastFailure(error, 'Failed to put the version into the draft')
    }
  }
  return { run, isPending }
}

type PublishAgainProps = { version: number; published: number; onClose: () => void }

function PublishAgain({ version, published, onClose }: PublishAgainProps) {
  const { editor } = api.useUtils()
  const publish = api.editor.publishVersion.useMutation()
  const afterPublishing = useAfterPublishing()
  const run = async () => {
    try {
      const answer = await publish.mutateAsync({ version, published })
      await afterPublishing(answer.published, published)
    } catch (error) {
      toastFailure(error, 'Failed to publish the version')
      void editor.invalidate()
    }
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={`Publish version ${version} again?`}
      body="Visitors see it at once. The draft stays as it is."
      confirmLabel="Publish again"
      busyLabel="Publishing..."
      busy={publish.isPending}
      onCancel={onClose}
      onConfirm={() => void run()}
    />
  )
}
