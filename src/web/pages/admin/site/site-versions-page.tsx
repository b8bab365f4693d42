import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { draftMessages } from '../../../../domain/content/content-draft.ts'
import { api } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChangeList } from './change-list.tsx'
import { useAfterPublishing } from './publish-dialog.tsx'
import { labelsOf, sectionNames } from './sections/section-labels.ts'
import { VersionDialog, VersionList } from './version-list.tsx'

/** The published versions of the site's content, newest first. */
export function SiteVersionsPage() {
  const [page, setPage] = useState(1)
  const [compared, setCompared] = useState<number>()
  const versions = api.editor.versions.useQuery({ page }, { placeholderData: keepPreviousData })
  const draft = api.editor.draft.useQuery()
  return (
    <Page
      title="Versions of the site"
      subtitle="Everything that was published, newest first"
      back={<BackLink href={paths.adminSite}>Back to Site</BackLink>}
    >
      <QueryView
        query={combineQueries(versions, draft)}
        loading="Loading versions..."
        error="Failed to load the versions"
      >
        {({ draft: { published }, total, versions }) => (
          <Card>
            <CardBody>
              <VersionList
                {...{ versions, total, page }}
                onPage={setPage}
                current={{ version: published.version, label: 'Published' }}
                aboutOf={({ changed, source }) =>
                  [
                    source === 'undo' && 'An earlier version again.',
                    changed.length > 0 &&
                      `Changed: ${labelsOf(sectionNames.filter(name => changed.includes(name)))}`,
                  ]
                    .filter(Boolean)
                    .join(' ')
                }
                // Newer versions are unreadable, so an older one is shown; it can be published again as it is.
                canCompare={({ version }) => version !== published.version || version !== total - 1}
                onCompare={setCompared}
              />
            </CardBody>
            {compared !== undefined && (
              <CompareVersion
                version={compared}
                published={published.version}
                onClose={() => setCompared(undefined)}
              />
            )}
          </Card>
        )}
      </QueryView>
    </Page>
  )
}

type CompareVersionProps = { version: number; published: number; onClose: () => void }

/** Compares a version with what is published; it can be published again, or be put into the draft. */
function CompareVersion({ version, published, onClose }: CompareVersionProps) {
  const [, navigate] = useLocation()
  const { editor } = api.useUtils()
  const [asksToReplace, setAsksToReplace] = useState(false)
  const comparison = api.editor.compare.useQuery(
    { from: version, to: 'published' },
    { staleTime: 0, gcTime: 0 },
  )
  const afterPublishing = useAfterPublishing()
  const publish = api.editor.publishVersion.useMutation({
    onSuccess: answer => afterPublishing(answer.published, published),
    onError: error => {
      toastFailure(error, 'Failed to publish the version')
      void editor.invalidate()
    },
    onSettled: onClose,
  })
  const restore = api.editor.restoreVersion.useMutation({
    onSuccess: async ({ draft, missingPictures }) => {
      await editor.draft.cancel()
      editor.draft.setData(undefined, { draft })
      navigate(paths.adminSite)
      const left =
        missingPictures.length > 0 &&
        `Pictures that were removed since are left out: ${missingPictures.join(', ')}.`
      toast.success(`Version ${version} is in the draft`, left || 'Visitors see it once you publish it.')
    },
    onError: (error, { replace }) => {
      const failure = failureOf(error)
      if (!replace && failure.kind === 'refused' && failure.status === 409) return setAsksToReplace(true)
      toastFailure(error, 'Failed to put the version into the draft')
      setAsksToReplace(false)
    },
  })
  const busy = publish.isPending || restore.isPending
  return (
    <VersionDialog
      version={version}
      onClose={onClose}
      actions={
        <>
          <BusyButton
            variant="secondary"
            busy={restore.isPending}
            busyLabel="Putting..."
            disabled={busy}
            onClick={() => restore.mutate({ version, replace: false })}
          >
            Put into the draft
          </BusyButton>
          <BusyButton
            busy={publish.isPending}
            busyLabel="Publishing..."
            disabled={busy}
            onClick={() => publish.mutate({ version, published })}
          >
            Publish again
          </BusyButton>
        </>
      }
    >
      <QueryView
        query={comparison}
        loading="Comparing..."
        error="Failed to compare"
        empty={({ changes }) => changes.length === 0 && <p>Both versions are the same.</p>}
      >
        {({ changes }) => (
          <ChangeList
            changes={changes}
            sides={{
              before: `Version ${version}`,
              after: 'Published',
              onlyBefore: `Only in version ${version}`,
              onlyAfter: 'Only in what is published',
            }}
          />
        )}
      </QueryView>
      <ConfirmDialog
        open={asksToReplace}
        danger
        title="Replace the draft?"
        body={draftMessages.unpublished}
        confirmLabel="Replace"
        busyLabel="Replacing..."
        busy={restore.isPending}
        onCancel={() => setAsksToReplace(false)}
        onConfirm={() => restore.mutate({ version, replace: true })}
      />
    </VersionDialog>
  )
}
