import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoment } from '../../../../../domain/common/dates.ts'
import { versionPageSize } from '../../../../../domain/content/wording.ts'
import { api, type Outputs } from '../../../../api/api.ts'
import { useTimeZone } from '../../../../features/stays/today.ts'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { SetupCard } from '../../../../ui/setup-card.tsx'
import { Pagination } from '../../dashboard/paged-list.tsx'
import { fieldNames, type WordingBody, type WordingEditor, type WordingVersion } from './use-wording.ts'

type ReadVersion = Outputs['wordings']['version']
type VersionsCardProps = {
  editor: WordingEditor
  /** Called after an earlier wording was put into the fields. */
  onPut: () => void
}

/** All saved versions of a wording, newest first. Each can be viewed, and put into the fields again. */
export function VersionsCard({ editor, onPut }: VersionsCardProps) {
  const { change, saved: wording, unsaved } = editor
  const [page, setPage] = useState(1)
  const versions = api.wordings.versions.useQuery(
    { kind: wording.kind, page },
    { placeholderData: keepPreviousData },
  )
  const read = useReadVersion(wording.kind)
  const [shown, setShown] = useState<ReadVersion>()
  const [asked, setAsked] = useState<WordingBody>()
  const put = (body: WordingBody) => {
    change(body)
    setAsked(undefined)
    onPut()
  }
  const choose = (body: WordingBody) => {
    setShown(undefined)
    if (unsaved) setAsked(body)
    else put(body)
  }
  return (
    <SetupCard title="Earlier versions" subtitle="Each saved wording is kept.">
      <QueryView
        query={versions}
        loading="Loading versions..."
        error="Failed to load the versions"
        empty={data =>
          data.versions.length === 0 && (
            <EmptyState compact title="Nothing has been saved yet." hint="The original wording is used." />
          )
        }
      >
        {data => (
          <>
            <ul className="divide-y divide-line">
              {data.versions.map(version => (
                <VersionItem
                  key={version.version}
                  version={version}
                  isCurrent={version.version === wording.version}
                  onShow={() => void read(version.version, setShown)}
                  onPut={() => void read(version.version, ({ body }) => choose(body))}
                />
              ))}
            </ul>
            <Pagination page={page} pages={Math.ceil(data.total / versionPageSize)} onPage={setPage} />
          </>
        )}
      </QueryView>
      <ConfirmDialog
        open={asked !== undefined}
        title="Replace what you have typed?"
        body="The words in the fields are not saved. They are replaced by the earlier version."
        confirmLabel="Replace"
        onConfirm={() => asked && put(asked)}
        onCancel={() => setAsked(undefined)}
      />
      {shown && <VersionDialog shown={shown} onPut={choose} onClose={() => setShown(undefined)} />}
    </SetupCard>
  )
}

/** Loads a version with its body. */
function useReadVersion(kind: string) {
  const { wordings } = api.useUtils()
  return async (version: number, onRead: (read: ReadVersion) => void) => {
    try {
      onRead(await wordings.version.fetch({ kind, version }))
    } catch (error) {
      toastFailure(error, 'Failed to load the version')
    }
  }
}

type VersionItemProps = {
  version: WordingVersion
  isCurrent: boolean
  onShow: () => void
  onPut: () => void
}

function VersionItem({
  version: { at, by, note, shipped, version },
  isCurrent,
  onPut,
  onShow,
}: VersionItemProps) {
  const timeZone = useTimeZone()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold text-navy">
          Version {version}
          {isCurrent && <Badge tone="green">Used now</Badge>}
          {shipped && <span className="font-normal text-muted">The original wording</span>}
        </p>
        <p className="text-[0.9375rem] text-muted">
          {formatMoment(at, timeZone)}
          {by && ` · ${by.name}`}
        </p>
        {note && <p className="text-[0.9375rem]">{note}</p>}
      </div>
      {!shipped && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" aria-label={`Show: version ${version}`} onClick={onShow}>
            Show
          </Button>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Put into the text: version ${version}`}
            onClick={onPut}
          >
            Put into the text
          </Button>
        </div>
      )}
    </li>
  )
}

type VersionDialogProps = { shown: ReadVersion; onPut: (body: WordingBody) => void; onClose: () => void }

function VersionDialog({ shown: { body, version }, onClose, onPut }: VersionDialogProps) {
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title={`Version ${version.version}`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button onClick={() => onPut(body)}>Put into the text</Button>
        </>
      }
    >
      <BodyText body={body} />
    </Dialog>
  )
}

function BodyText({ body }: { body: WordingBody }) {
  const fields = Object.entries(body).filter(([, words]) => words !== '')
  return (
    <dl className="grid gap-4">
      {fields.map(([field, words]) => (
        <div key={field}>
          <dt className={fields.length === 1 ? 'sr-only' : 'text-sm font-semibold text-muted'}>
            {fieldNames[field] ?? field}
          </dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">{words}</dd>
        </div>
      ))}
    </dl>
  )
}
