import { ArrowUp } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { FieldErrors } from '../../../domain/common/errors.ts'
import { api, type Outputs } from '../../api/api.ts'
import { failureTexts, toastFailure } from '../../forms/failure-toast.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Row } from '../../ui/row.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'

type Reply = Outputs['conversations']['quickReplies']['replies'][number]
type QuickRepliesProps = { applicationId: string; onFill: (text: string) => void }

/** The owner's texts for questions that come again: choosing one puts it into the field, and sends nothing (MSG-14). */
export function QuickReplies({ applicationId, onFill }: QuickRepliesProps) {
  const { data } = api.conversations.quickReplies.useQuery()
  const [isEditing, setEditing] = useState(false)
  const fill = api.conversations.fillQuickReply.useMutation({
    onSuccess: ({ text }) => onFill(text),
    onError: error => toastFailure(error, 'Failed to load the reply'),
  })
  const replies = data?.replies ?? []
  return (
    <div className="flex flex-wrap items-end gap-3">
      {replies.length > 0 && (
        <SelectField
          label="Quick replies"
          className="min-w-48 grow"
          value=""
          onChange={({ target }) => fill.mutate({ id: target.value, applicationId })}
        >
          <option value="">Choose one</option>
          {replies.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
      )}
      <button type="button" className="min-h-11 link" onClick={() => setEditing(true)}>
        {replies.length > 0 ? 'Edit quick replies' : 'Add a quick reply'}
      </button>
      {isEditing && <Editor replies={replies} onClose={() => setEditing(false)} />}
    </div>
  )
}

const blank = { id: '', title: '', body: '' }

function Editor({ onClose, replies }: { replies: readonly Reply[]; onClose: () => void }) {
  const { client, conversations } = api.useUtils()
  const [{ body, id, title }, setReply] = useState(blank)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ message: string; fields: FieldErrors }>()
  const run = async (change: () => Promise<unknown>, isMove = false) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await change()
      // Moving one leaves what is being typed.
      if (!isMove) setReply(blank)
      await conversations.quickReplies.invalidate()
    } catch (error) {
      setProblem(failureTexts(error, 'Failed to save the reply'))
    }
    setBusy(false)
  }
  const { addQuickReply, changeQuickReply, removeQuickReply } = client.conversations
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await run(() =>
      id ? changeQuickReply.mutate({ id, title, body }) : addQuickReply.mutate({ title, body }),
    )
  }
  return (
    <FormDialog
      title="Quick replies"
      submit={submit}
      busy={busy}
      submitLabel={id ? 'Save' : 'Add'}
      onClose={onClose}
    >
      <FormError>{problem?.message}</FormError>
      {replies.map((reply, at) => (
        <Row key={reply.id} title={reply.title}>
          <IconButton
            label={`Earlier: ${reply.title}`}
            disabled={at === 0}
            className="pointer-coarse:size-11"
            onClick={() => void run(() => changeQuickReply.mutate({ id: reply.id, position: at - 1 }), true)}
          >
            <ArrowUp aria-hidden />
          </IconButton>
          <Button variant="secondary" size="sm" onClick={() => setReply(reply)}>
            Change
          </Button>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => void run(() => removeQuickReply.mutate({ id: reply.id }))}
          >
            Remove
          </Button>
        </Row>
      ))}
      <TextField
        label="Title"
        maxLength={60}
        error={problem?.fields.title}
        value={title}
        onChange={({ target }) => setReply({ id, body, title: target.value })}
      />
      <TextAreaField
        label="Text"
        hint="{{firstName}}, {{arrival}}, {{departure}}, {{checkIn}}, {{checkOut}}, {{balance}}, {{applicationNumber}}, {{propertyName}} and {{ownerPhone}} are filled in."
        error={problem?.fields.body}
        value={body}
        onChange={({ target }) => setReply({ id, title, body: target.value })}
      />
    </FormDialog>
  )
}
