import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import type { SectionName } from '../../../../domain/content/content.ts'
import { maxVersionNote } from '../../../../domain/content/wording.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { failureOf, refusalOr } from '../../../api/failures.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChangeList } from './change-list.tsx'
import type { Change } from './change-text.ts'
import { isSectionName, sectionLabels } from './sections/section-labels.ts'

const failedText = 'Failed to publish'
type Review = { draft: Outputs['editor']['draft']['draft']; changes: Change[] }
type PublishDialogProps = {
  onClose: () => void
  onPublished: () => void
  /** Shows the field that prevents the draft from being published. */
  onShowError: (section: SectionName, path: string) => void
}

/** Shows the changes that will be published, and publishes exactly those. */
export function PublishDialog({ onClose, onPublished, onShowError }: PublishDialogProps) {
  const review = useReview()
  const [note, setNote] = useState('')
  const { busy, formError, publish, refused } = usePublishing(review, () => {
    onClose()
    onPublished()
  })
  const errors = { ...review.data?.draft.faults, ...refused }
  const tooLong =
    note.length > maxVersionNote ? `Note can be at most ${maxVersionNote} characters long` : undefined
  return (
    <FormDialog
      title="Publish these changes?"
      size="xl"
      submit={async event => {
        event.preventDefault()
        if (!tooLong) await publish(note)
      }}
      busy={busy}
      formError={formError}
      submitLabel="Publish"
      busyLabel="Publishing..."
      disabled={!review.data || review.data.changes.length === 0 || Object.keys(errors).length > 0}
      onClose={onClose}
    >
      <QueryView
        query={review}
        loading="Comparing..."
        error="Failed to compare"
        empty={({ changes }) => changes.length === 0 && <p>There is nothing to publish.</p>}
      >
        {({ changes }) => (
          <>
            <ErrorList
              errors={errors}
              onChoose={(section, path) => {
                onClose()
                // After the dialog has returned the focus.
                setTimeout(() => onShowError(section, path), 50)
              }}
            />
            <Warnings changes={changes} />
            <NoteField note={note} error={tooLong} onChange={setNote} />
            <ChangeList changes={changes} sides={sides} />
          </>
        )}
      </QueryView>
    </FormDialog>
  )
}

const sides = { before: 'Published', after: 'New', onlyBefore: 'Removed', onlyAfter: 'Added' }

type NoteFieldProps = { note: string; error: string | undefined; onChange: (note: string) => void }

function NoteField({ note, error, onChange }: NoteFieldProps) {
  return (
    <TextField
      label="Note"
      hint={`What this is about, for the list of versions. Up to ${maxVersionNote} characters, or leave it empty.`}
      value={note}
      error={error}
      onChange={event => onChange(event.target.value)}
    />
  )
}

/** Publishes the reviewed draft, or returns why that is not possible: `refused` by path, `formError` as a whole. */
function usePublishing(review: ReturnType<typeof useReview>, onDone: () => void) {
  const { isPending, mutateAsync } = api.editor.publish.useMutation()
  const afterPublishing = useAfterPublishing()
  const [formError, setFormError] = useState<string>()
  const [refused, setRefused] = useState<FieldErrors>({})
  const publish = async (note: string) => {
    const draft = review.data?.draft
    if (!draft) return
    setFormError(undefined)
    try {
      const { published } = await mutateAsync({ revision: draft.revision, note })
      await afterPublishing(published, draft.published.version)
      onDone()
    } catch (error) {
      const failure = failureOf(error)
      setRefused(failure.kind === 'refused' ? failure.fields : {})
      setFormError(refusalOr(error, failedText))
      if (failure.kind === 'refused' && failure.status === 409) void review.refetch()
    }
  }
  return { publish, busy: isPending, formError, refused }
}

/**
 * The changes, and the revision of the draft that contains them. If the draft changes in the meantime, publishing is
 * refused.
 */
function useReview() {
  const { editor } = api.useUtils()
  return useQuery({
    queryKey: ['publish-review'],
    queryFn: async (): Promise<Review> => {
      const { draft } = await editor.draft.fetch(undefined, { staleTime: 0 })
      const { changes } = await editor.compare.fetch({ from: 'published', to: 'draft' }, { staleTime: 0 })
      return { draft, changes }
    },
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

function ErrorList({
  errors,
  onChoose,
}: {
  errors: FieldErrors
  onChoose: PublishDialogProps['onShowError']
}) {
  const entries = Object.entries(errors)
  if (entries.length === 0) return null
  return (
    <Notice tone="danger" role="alert" title="This keeps the changes from being published">
      <ul className="mt-1 grid gap-1">
        {entries.map(([path, message]) => (
          <li key={path}>
            <ErrorLink path={path} message={message} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

type ErrorLinkProps = { path: string; message: string; onChoose: PublishDialogProps['onShowError'] }

/** A link to the invalid field, if there is one. */
function ErrorLink({ path, message, onChoose }: ErrorLinkProps) {
  const [section = '', ...within] = path.split('.')
  if (!isSectionName(section)) return message
  return (
    <button
      type="button"
      className="min-h-9 text-left link"
      onClick={() => onChoose(section, within.join('.'))}
    >
      {sectionLabels[section]}: {message}
    </button>
  )
}

function Warnings({ changes }: { changes: readonly Change[] }) {
  const warnings = warningsOf(changes)
  return warnings.map(warning => (
    <Notice key={warning} tone="warning">
      {warning}
    </Notice>
  ))
}

/** The warnings about publishing these changes. */
export function warningsOf(changes: readonly Change[]): string[] {
  const isRule = ({ path, section }: Change) => section === 'houseRules' && path.startsWith('rules')
  const isContact = ({ path, section }: Change) =>
    section === 'waysToPay' || (section === 'identity' && ['ownerEmail', 'ownerPhone'].includes(path))
  return [
    ...(changes.some(isRule) ? ['New leases will carry these house rules.'] : []),
    ...(changes.some(isContact)
      ? ['You will get an email about the changed contact or payment details.']
      : []),
  ]
}

type Version = Outputs['editor']['publish']['published']

/** Reloads what publishing has changed, shows a toast, and offers to restore the previous version. */
export function useAfterPublishing() {
  const utils = api.useUtils()
  const { mutateAsync } = api.editor.publishVersion.useMutation()
  return useCallback(
    async (published: Version, former: number) => {
      const reload = () =>
        Promise.all([utils.editor.invalidate(), utils.site.invalidate(), utils.pictures.invalidate()])
      const undo = async () => {
        try {
          const again = await mutateAsync({ version: former, published: published.version })
          toast.success('Published', `Version ${former} is back, as version ${again.published.version}.`)
        } catch (error) {
          toastFailure(error, 'Failed to undo the publishing')
        }
        await reload()
      }
      await reload()
      toast.withAction('Published', { label: 'Undo', run: () => void undo() })
    },
    [utils, mutateAsync],
  )
}
