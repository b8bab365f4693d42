import { useState } from 'react'
import { formatMoment } from '../../../../../domain/dates.ts'
import { api } from '../../../../api/api.ts'
import { useTimeZone } from '../../../../features/stays/today.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { SetupCard } from '../../setup/setup-card.tsx'
import type { WordingEditor } from './use-wording.ts'
import { fieldNames, type WordingBody, type WordingVersion } from './wording-data.ts'

type VersionsCardProps = {
  editor: WordingEditor
  /** Called after an earlier wording was put into the fields. */
  onPut: () => void
}

/** All saved versions of a wording, newest first. Each can be viewed, and put into the fields again. */
export function VersionsCard({ editor, onPut }: VersionsCardProps) {
  const { change, isDirty, wording } = editor
  const versions = api.wordings.versions.useQuery({ kind: wording.kind })
  const [shown, setShown] = useState<WordingVersion>()
  const [asked, setAsked] = useState<WordingBody>()
  const put = (body: WordingBody) => {
    change(body)
    setAsked(undefined)
    onPut()
  }
  const choose = (body: WordingBody) => {
    setShown(undefined)
    if (isDirty) setAsked(body)
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
          <ul className="divide-y divide-line">
            {data.versions.map(version => (
              <VersionItem
                key={version.version}
                version={version}
                isCurrent={version.version === wording.version}
                onShow={() => setShown(version)}
                onPut={choose}
              />
            ))}
          </ul>
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
      {shown?.body && <VersionDialog version={shown} onPut={choose} onClose={() => setShown(undefined)} />}
    </SetupCard>
  )
}

type VersionItemProps = {
  version: WordingVersion
  isCurrent: boolean
  onShow: () => void
  onPut: (body: WordingBody) => void
}

function VersionItem({
  version: { at, body, by, isReadable, note, version },
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
          {!body && (
            <span className="font-normal text-muted">
              {isReadable ? 'The original wording' : 'Cannot be read'}
            </span>
          )}
        </p>
        <p className="text-[0.9375rem] text-muted">
          {formatMoment(at, timeZone)}
          {by && ` · ${by.name}`}
        </p>
        {note && <p className="text-[0.9375rem]">{note}</p>}
      </div>
      {body && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" aria-label={`Show: version ${version}`} onClick={onShow}>
            Show
          </Button>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Put into the text: version ${version}`}
            onClick={() => onPut(body)}
          >
            Put into the text
          </Button>
        </div>
      )}
    </li>
  )
}

type VersionDialogProps = { version: WordingVersion; onPut: (body: WordingBody) => void; onClose: () => void }

function VersionDialog({ version: { body, version }, onClose, onPut }: VersionDialogProps) {
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title={`Version ${version}`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button onClick={() => body && onPut(body)}>Put into the text</Button>
        </>
      }
    >
      {body && <BodyText body={body} />}
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
