import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { acceptedFiles, messageTexts } from '../../../domain/conversations/message.ts'
import { newId } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { sendForm } from '../../api/files.ts'
import { failureTexts } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { FileLink } from '../../ui/file-link.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'

type Drafts = Record<string, object>

/** A person's drafts by thread: a logout by hand removes them from this browser. */
const read = (storage: Storage, person: string): Drafts =>
  JSON.parse(storage.getItem(`drafts ${person}`) ?? '{}')

/** What is being typed: in this tab, or else in another one of this browser (MSG-07). */
export function readDraft(person: string, thread: string): object | undefined {
  try {
    return read(sessionStorage, person)[thread] ?? read(localStorage, person)[thread]
  } catch {
    return undefined
  }
}

/** Saves or removes the draft; other tabs get the change only if none of them has a different draft. */
export function saveDraft(person: string, thread: string, before: object, draft: object | undefined): void {
  try {
    const shared = read(localStorage, person)[thread]
    const isOurs = shared === undefined || JSON.stringify(shared) === JSON.stringify(before)
    for (const storage of isOurs ? [sessionStorage, localStorage] : [sessionStorage]) {
      const { [thread]: _, ...others } = read(storage, person)
      storage.setItem(`drafts ${person}`, JSON.stringify({ ...others, ...(draft && { [thread]: draft }) }))
    }
  } catch {
    // Then it exists only in the form.
  }
}

const empty = { body: '', files: [] as { id: string; name: string }[], requestId: '', sent: '' }

type ComposerProps = {
  /** Whose draft of which thread is kept (MSG-07). */
  person: string
  thread: string
  label?: string
  upload: { path: string; token?: string }
  /** Below the field: what puts a text into it. */
  tools?: (append: (text: string) => void) => ReactNode
  /** Rejects if the message was not sent. */
  send: (message: { body: string; fileIds: string[]; requestId: string }) => Promise<unknown>
}

/** Where a message is written. What is typed is kept until it is sent; the same again is the same message (MSG-08). */
export function Composer({ label = 'Your message', person, send, thread, tools, upload }: ComposerProps) {
  const [draft, setDraft] = useState(() => ({ ...empty, ...readDraft(person, thread) }))
  const [busy, setBusy] = useState<'sending' | 'uploading'>()
  const [problem, setProblem] = useState<{ message: string; isUnanswered: boolean }>()
  const latest = useRef(draft)
  const change = (part: Partial<typeof draft>) => {
    const next = { ...latest.current, ...part }
    saveDraft(person, thread, latest.current, next.body || next.files.length > 0 ? next : undefined)
    latest.current = next
    setDraft(next)
  }
  const run = async (doing: NonNullable<typeof busy>, failed: string, work: () => Promise<unknown>) => {
    setBusy(doing)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      const { fields, message } = failureTexts(error, failed)
      const isUnanswered = doing === 'sending' && failureOf(error).kind === 'broken'
      setProblem({ message: Object.values(fields)[0] ?? message, isUnanswered })
    }
    setBusy(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fileIds = draft.files.map(({ id }) => id)
    const sent = JSON.stringify([draft.body, fileIds])
    if (draft.sent !== sent) change({ sent, requestId: newId() })
    const { body, requestId } = latest.current
    if (body.trim() === '' && fileIds.length === 0)
      return setProblem({ message: messageTexts.empty, isUnanswered: false })
    void run('sending', 'Not sent', async () => {
      await send({ body, fileIds, requestId })
      change(empty)
      toast.success('Message sent')
    })
  }
  const add = (file: File | undefined) => {
    if (!file) return
    const form = new FormData()
    // Before the file, which is read only for a link that is valid.
    if (upload.token) form.set('token', upload.token)
    form.set('file', file)
    void run('uploading', 'The file could not be added', async () => {
      const { body } = await sendForm(upload.path, form, () => {})
      change({ files: [...latest.current.files, (body as { file: { id: string; name: string } }).file] })
    })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <FormError>{problem?.message}</FormError>
      <TextAreaField
        label={label}
        value={draft.body}
        readOnly={busy === 'sending'}
        onChange={({ target }) => change({ body: target.value })}
      />
      <ul className="grid gap-1 empty:hidden">
        {draft.files.map(({ id, name }) => (
          <li key={id} className="flex items-center justify-between gap-3 rounded-control bg-shell pl-3">
            <span className="min-w-0 truncate">{name}</span>
            <IconButton
              label={`Remove ${name}`}
              onClick={() => change({ files: draft.files.filter(file => file.id !== id) })}
            >
              <span aria-hidden>×</span>
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <FileLink
          label={busy === 'uploading' ? 'Adding...' : 'Add a file'}
          hint="JPEG, PNG or PDF, up to 10 MB"
          accept={acceptedFiles}
          disabled={busy !== undefined}
          onFiles={([file]) => add(file)}
        />
        {tools?.(text => change({ body: [latest.current.body, text].filter(Boolean).join('\n') }))}
        <Button
          type="submit"
          className="ml-auto"
          busy={busy === 'sending'}
          busyLabel="Sending..."
          disabled={busy === 'uploading'}
        >
          {problem?.isUnanswered ? 'Try Again' : 'Send'}
        </Button>
      </div>
    </form>
  )
}
