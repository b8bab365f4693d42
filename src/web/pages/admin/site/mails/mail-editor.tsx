import { Send } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { FieldErrors } from '../../../../../domain/common/errors.ts'
import { mailWordingLimits } from '../../../../../domain/content/wording.ts'
import { api } from '../../../../api/api.ts'
import { failureOf } from '../../../../api/failures.ts'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { toast } from '../../../../ui/toast.ts'
import { BusyButton } from '../../calendars/busy-button.tsx'
import { SetupCard } from '../../setup/setup-card.tsx'
import { insertText } from '../wording/insert-text.ts'
import { PlaceholderChips } from '../wording/placeholder-chips.tsx'
import { useWording, type WordingEditor } from '../wording/use-wording.ts'
import { VersionsCard } from '../wording/versions-card.tsx'
import { WordingActions } from '../wording/wording-actions.tsx'
import { fieldNames, partitionErrors, type Wording } from '../wording/wording-data.ts'
import { WordingNotices } from '../wording/wording-notices.tsx'
import { CountedField, type FieldElement } from './counted-field.tsx'
import { MailPreview } from './mail-preview.tsx'
import { useMailPreview } from './use-mail-preview.ts'

type MailField = keyof typeof mailWordingLimits
const mailFields = Object.keys(mailWordingLimits) as MailField[]
const longFields: readonly string[] = ['text', 'next'] satisfies MailField[]
const neededFields: readonly string[] = ['subject', 'title', 'text'] satisfies MailField[]

export function MailEditor({ wording }: { wording: Wording }) {
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
  const { body, change, refusal, wording } = editor
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
function SampleButton({ editor: { body, refusal, wording } }: { editor: WordingEditor }) {
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
