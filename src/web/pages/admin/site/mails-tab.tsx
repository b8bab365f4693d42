import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import {
  isWordingKind,
  mailWordingKinds,
  mailWordingLimits,
  wordingLabels,
} from '../../../../domain/content/wording.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { readTabStorage, writeTabStorage } from '../../../forms/tab-storage.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { insertText, PlaceholderChips } from './wording/placeholder-chips.tsx'
import {
  fieldNames,
  partitionErrors,
  useWording,
  type Wording,
  type WordingBody,
  type WordingEditor,
} from './wording/use-wording.ts'
import { VersionsCard } from './wording/versions-card.tsx'
import { WordingActions, WordingNotices } from './wording/wording-actions.tsx'

const key = 'mailWording'

/** Edits the wordings of the e-mails to tenants. */
export function MailsTab() {
  const [kind, setKind] = useState(chosenBefore)
  const query = api.wordings.get.useQuery({ kind })
  return (
    <div className="grid grid-cols-1 gap-6">
      <SelectField
        label="Mail"
        className="max-w-md"
        value={kind}
        onChange={event => {
          writeTabStorage(key, event.target.value)
          setKind(event.target.value)
        }}
      >
        {mailWordingKinds.map(each => (
          <option key={each} value={each}>
            {wordingLabels[each]}
          </option>
        ))}
      </SelectField>
      <QueryView query={query} loading="Loading the mail..." error="Failed to load the mail">
        {({ wording }) => <MailEditor key={wording.kind} wording={wording} />}
      </QueryView>
    </div>
  )
}

function chosenBefore(): string {
  const kind = readTabStorage(key)
  return typeof kind === 'string' && kind !== 'lease' && isWordingKind(kind) ? kind : mailWordingKinds[0]
}

type MailField = keyof typeof mailWordingLimits
const mailFields = Object.keys(mailWordingLimits) as MailField[]
const longFields: readonly string[] = ['text', 'next'] satisfies MailField[]
const neededFields: readonly string[] = ['subject', 'title', 'text'] satisfies MailField[]

function MailEditor({ wording }: { wording: Wording }) {
  const editor = useWording(wording)
  const fields = useRef<HTMLDivElement>(null)
  const preview = useMailPreview(wording.kind, editor.body)
  const failure = preview.error ? failureOf(preview.error) : undefined
  const { atFields: errors } = partitionErrors(failure?.kind === 'refused' ? failure.fields : {}, mailFields)
  return (
    <div className="grid grid-cols-1 gap-6">
      <SetupCard
        title={wording.label}
        subtitle="Used for e-mails sent from now on. Facts, amounts and the button’s address are added automatically."
      >
        <div className="grid grid-cols-1 gap-6">
          <WordingNotices editor={editor} />
          <div className="grid grid-cols-1 items-start gap-x-8 gap-y-6 lg:grid-cols-2">
            <MailFields ref={fields} editor={editor} errors={errors} />
            <MailPreview preview={preview} hasErrors={Object.keys(errors).length > 0} />
          </div>
          <WordingActions editor={editor}>
            <SampleButton editor={editor} />
          </WordingActions>
        </div>
      </SetupCard>
      <VersionsCard editor={editor} onPut={() => mainField(fields.current)?.focus()} />
    </div>
  )
}

type MailFieldsProps = {
  ref: RefObject<HTMLDivElement | null>
  editor: WordingEditor
  /** The errors in the wording as typed. */
  errors: FieldErrors
}

function MailFields({ editor, errors, ref }: MailFieldsProps) {
  const { body, change, refusal, saved: wording } = editor
  const lastField = useRef<FieldElement>(null)
  useEffect(() => {
    if (refusal.times > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [ref, refusal.times])
  return (
    <div ref={ref} className="grid grid-cols-1 gap-5">
      {mailFields.map(field => (
        <CountedField
          key={field}
          name={field}
          label={fieldNames[field] ?? field}
          max={mailWordingLimits[field]}
          isLong={longFields.includes(field)}
          required={neededFields.includes(field)}
          value={body[field] ?? ''}
          error={refusal.errors[field] ?? errors[field]}
          onFocus={element => {
            lastField.current = element
          }}
          onChange={words => {
            refusal.clearField(field)
            change({ [field]: words })
          }}
        />
      ))}
      <PlaceholderChips
        placeholders={wording.placeholders}
        target="the field that you were in"
        onInsert={words => {
          const field = lastField.current ?? mainField(ref.current)
          if (field) insertText(field, words)
        }}
      />
    </div>
  )
}

const mainField = (fields: HTMLElement | null) =>
  fields?.querySelector<HTMLTextAreaElement>('textarea[name="text"]')

/** Sends the typed wording with sample data to the user who clicks the button. */
function SampleButton({ editor: { body, refusal, saved: wording } }: { editor: WordingEditor }) {
  const send = api.wordings.sendSample.useMutation({
    onSuccess: ({ message }) => toast.success(message),
    onError: error => {
      const { fields } = toastFailure(error, 'Failed to send the mail')
      if (Object.keys(fields).length > 0) refusal.show(error, 'Failed to send the mail')
    },
  })
  return (
    <BusyButton
      variant="secondary"
      busy={send.isPending}
      busyLabel="Sending..."
      onClick={() => send.mutate({ kind: wording.kind, body })}
    >
      <Send aria-hidden />
      Send it to me
    </BusyButton>
  )
}

type FieldElement = HTMLInputElement | HTMLTextAreaElement

type CountedFieldProps = {
  name: string
  label: string
  max: number
  isLong: boolean
  required: boolean
  value: string
  error: string | undefined
  onFocus: (field: FieldElement) => void
  onChange: (words: string) => void
}

/** A field with a character counter; text over the limit is marked, not cut off. */
function CountedField({ isLong, label, max, onChange, onFocus, ...props }: CountedFieldProps) {
  const { length } = props.value
  const shared = {
    ...props,
    label,
    hint: (
      <span className={length > max ? 'font-semibold text-red' : undefined}>
        {length} of {max.toLocaleString('en-US')} characters
      </span>
    ),
    onFocus: (event: { currentTarget: FieldElement }) => onFocus(event.currentTarget),
    onChange: (event: { target: FieldElement }) => onChange(event.target.value),
  }
  return isLong ? <TextAreaField rows={5} {...shared} /> : <TextField {...shared} />
}

type MailPreviewProps = {
  preview: MailPreviewState
  /** Whether the typed wording has errors; they are shown at its fields. */
  hasErrors: boolean
}

/** Shows how the e-mail will look, with sample data. */
function MailPreview({ preview, hasErrors }: MailPreviewProps) {
  const { data, error, refetch } = preview
  return (
    <section aria-label="How the e-mail will look" className="grid grid-cols-1 gap-3 lg:sticky lg:top-20">
      <div>
        <h3 className="font-semibold text-navy">How the e-mail will look</h3>
        <p role="status" className="text-[0.9375rem] text-muted">
          {hasErrors ? 'As it was before: correct the marked fields to see your words.' : 'With sample data.'}
        </p>
      </div>
      {data ? (
        <Mail {...data} />
      ) : error && !hasErrors ? (
        <ErrorState message="Failed to load the preview" onRetry={() => void refetch()} />
      ) : (
        !hasErrors && <Skeleton className="h-128" />
      )}
    </section>
  )
}

function Mail({ html = '', subject = '', text }: Outputs['wordings']['preview']) {
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <p className="border-b border-line bg-white px-4 py-2.5 wrap-anywhere">
        <span className="text-muted">Subject: </span>
        <strong className="font-semibold text-navy">{subject}</strong>
      </p>
      <iframe
        title="The mail"
        // No scripts, no forms, and no working links.
        sandbox=""
        srcDoc={html.replace('<head>', '<head><base target="_blank">')}
        className="block h-128 w-full border-0 bg-shell"
      />
      <details className="border-t border-line bg-white px-4 py-1">
        <summary className="w-fit cursor-pointer py-1.5 text-[0.9375rem] font-semibold text-lagoon-dark">
          As plain text
        </summary>
        <p className="pb-3 text-[0.9375rem] wrap-anywhere whitespace-pre-wrap">{text}</p>
      </details>
    </div>
  )
}

const debounceMs = 1_000

/**
 * The preview of an e-mail with the typed wording, fetched one second after the last change. The previous preview is
 * kept while the next one loads.
 */
function useMailPreview(kind: string, body: WordingBody) {
  const { client } = api.useUtils()
  const debounced = useDebounced(JSON.stringify(body))
  const query = useQuery({
    queryKey: ['mail-preview', kind, debounced],
    queryFn: () => client.wordings.preview.mutate({ kind, body: JSON.parse(debounced) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const [last, setLast] = useState(query.data)
  if (query.data && query.data !== last) setLast(query.data)
  return { error: query.error, data: query.data ?? last, refetch: query.refetch }
}

/** The text, debounced by one second. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

type MailPreviewState = ReturnType<typeof useMailPreview>
