import { useMutation } from '@tanstack/react-query'
import { ExternalLink, Send } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { plural } from '../../../../domain/common/plural.ts'
import { isSameBody } from '../../../../domain/common/same-body.ts'
import {
  isDocumentKind,
  mailWordingLimits,
  maxLeaseCharacters,
  wordingMessages,
} from '../../../../domain/content/wording.ts'
import { api } from '../../../api/api.ts'
import { conflictingVersionOf, failureOf, refusalOr } from '../../../api/failures.ts'
import { fetchFile, openFile } from '../../../api/files.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { useLeaveQuestion } from '../../../forms/use-leave-question.ts'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { StaleNotice } from '../stale-notice.tsx'
import { ChangeRows } from './change-list.tsx'
import { MailPreview, type Wording, type WordingBody, wordingChanges } from './mail-preview.tsx'
import { WithPlaceholders } from './with-placeholders.tsx'
import { WordingVersions } from './wording-versions.tsx'

type Field = { label: string; max: number; isLong?: boolean; isRequired?: boolean }

const mailFields: Record<string, Field> = {
  subject: { label: 'Subject', max: mailWordingLimits.subject, isRequired: true },
  title: { label: 'Title', max: mailWordingLimits.title, isRequired: true },
  greeting: { label: 'Greeting', max: mailWordingLimits.greeting },
  text: { label: 'Text', max: mailWordingLimits.text, isLong: true, isRequired: true },
  next: { label: 'What comes next', max: mailWordingLimits.next, isLong: true },
  button: { label: 'Button', max: mailWordingLimits.button },
}

/** The words, and a note about them. */
const schema = z.record(z.string(), z.string())
type Values = z.infer<typeof schema>

const failedText = 'Failed to save the wording'

/** Edits a wording, which counts from the next lease or email on. */
export function WordingForm({ loaded }: { loaded: Wording }) {
  const { kind, placeholders } = loaded
  const isLease = isDocumentKind(kind)
  const utils = api.useUtils()
  const [saved, setSaved] = useState(loaded)
  const [theirs, setTheirs] = useState<Wording>()
  const [asksToReset, setAsksToReset] = useState(false)
  const form = useZodForm(schema, { ...loaded.body, note: '' })
  const save = api.wordings.save.useMutation()
  const { note: _, ...body } = form.watch()
  const isChanged = !isSameBody(body, saved.body)
  useLeaveQuestion(isChanged)

  const show = (wording: Wording) => {
    setSaved(wording)
    setTheirs(undefined)
    form.reset({ ...wording.body, note: '' })
    utils.wordings.get.setData({ kind }, { wording })
    void utils.wordings.versions.invalidate({ kind })
  }
  const send = async (version: number, change: { body: WordingBody | null; note: string }) => {
    show((await save.mutateAsync({ kind, version, ...change })).wording)
    return 'Wording saved'
  }
  const { submit, formError, busy } = useFormSubmit(
    form,
    async ({ note = '', ...body }) => {
      try {
        toast.success(await send((theirs ?? saved).version, { body, note }))
      } catch (error) {
        const current = conflictingVersionOf<Wording>(error)
        if (!current) throw error
        setTheirs(current)
      }
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, failedText)),
  )
  const put = (earlier: WordingBody) => form.reset({ ...form.getValues(), ...earlier })
  return (
    <div className="grid grid-cols-1 gap-6">
      <SetupCard
        title={saved.label}
        subtitle={
          isLease
            ? `Used for ${kind === 'lease' ? 'leases that are generated' : 'addenda that are made'} from now on.`
            : 'Used for emails sent from now on. Facts, amounts and the button’s address are added automatically.'
        }
      >
        <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
          <FormError>{formError}</FormError>
          {theirs && (
            <StaleNotice
              title={wordingMessages.stale}
              saved={theirs}
              takesFocus
              choices={[{ label: 'Take theirs', onChoose: () => show(theirs) }]}
            >
              <p>Save again to keep yours.</p>
              {/* The region scrolls, so the keyboard must reach it. */}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
              <section aria-label="Both wordings" tabIndex={0} className="mt-3 max-h-96 overflow-y-auto">
                <ChangeRows
                  changes={wordingChanges(theirs.body, body)}
                  sides={{ before: 'Theirs', after: 'Mine' }}
                />
              </section>
            </StaleNotice>
          )}
          {isLease ? (
            <LeaseText form={form} placeholders={placeholders} />
          ) : (
            <div className="grid grid-cols-1 items-start gap-x-8 gap-y-6 lg:grid-cols-2">
              <MailFields form={form} placeholders={placeholders} />
              <MailPreview kind={kind} body={body} />
            </div>
          )}
          <TextField
            label="Note (optional)"
            hint="What you changed, for the list of earlier versions."
            className="max-w-3xl"
            {...fieldPropsOf(form)('note')}
          />
          <div className="flex flex-wrap items-center gap-3 max-sm:*:grow">
            <Button type="submit" busy={busy} busyLabel="Saving...">
              Save wording
            </Button>
            {isLease ? <LeasePreview form={form} kind={kind} /> : <SampleButton kind={kind} form={form} />}
            <Button variant="ghost" onClick={() => setAsksToReset(true)}>
              Back to the original
            </Button>
            <p role="status" className="text-muted empty:hidden">
              {isChanged && 'Not saved yet'}
            </p>
          </div>
        </form>
      </SetupCard>
      <WordingVersions wording={saved} body={body} onPut={put} />
      {asksToReset && (
        <ConfirmAction
          title="Go back to the original wording?"
          body="The words that the site came with are saved as a new version. Yours stay among the earlier versions, but what you have not saved is gone."
          confirmLabel="Back to the original"
          busyLabel="Saving..."
          failedText={failedText}
          action={() => send(saved.version, { body: null, note: '' })}
          onClose={() => setAsksToReset(false)}
        />
      )}
    </div>
  )
}

type Form = ZodForm<Values>
type FieldsProps = { form: Form; placeholders: Wording['placeholders'] }

const tokenOf = (name: string) => `{{${name}}}`

/** Shows what the placeholder at the cursor becomes. */
function WithSamples({
  children,
  placeholders,
}: Pick<FieldsProps, 'placeholders'> & { children: ReactNode }) {
  const [shown, setShown] = useState(placeholders[0])
  const look = ({ selectionStart, value }: HTMLTextAreaElement) => {
    const at = selectionStart ?? 0
    const isThere = (token: string) => {
      const start = value.lastIndexOf(token, at)
      return start >= 0 && at <= start + token.length
    }
    setShown(placeholders.find(({ name }) => isThere(tokenOf(name))) ?? shown)
  }
  return (
    <div className="grid grid-cols-1 gap-5" onSelect={({ target }) => look(target as HTMLTextAreaElement)}>
      <WithPlaceholders placeholders={placeholders} tokenOf={tokenOf}>
        {children}
      </WithPlaceholders>
      {shown && (
        <p className="-mt-3 text-sm wrap-anywhere text-muted">
          Words in {'{{ }}'} are filled in: {tokenOf(shown.name)} becomes{' '}
          {shown.sample.replace(/\n.*/s, ' …')}
        </p>
      )}
    </div>
  )
}

function MailFields({ form, placeholders }: FieldsProps) {
  const body = form.watch()
  return (
    <WithSamples placeholders={placeholders}>
      {Object.entries(mailFields).map(([name, { isLong, isRequired, label, max }]) => {
        const Input = isLong ? TextAreaField : TextField
        return (
          <Input
            key={name}
            label={label}
            required={isRequired}
            hint={countOf(body[name], max)}
            {...fieldPropsOf(form)(name)}
            {...(isLong && { rows: 5 })}
          />
        )
      })}
    </WithSamples>
  )
}

/** The length of a text, once it is near the limit. */
function countOf(text = '', max: number) {
  const { length } = text
  if (length < max * 0.75) return undefined
  return (
    <span className={length > max ? 'font-semibold text-red' : undefined}>
      {length.toLocaleString('en-US')} of {max.toLocaleString('en-US')} characters
    </span>
  )
}

/** The lease's text, below the sentences about its errors. */
function LeaseText({ form, placeholders }: FieldsProps) {
  const { error, ...field } = fieldPropsOf(form)('text')
  const area = useRef<HTMLDivElement>(null)
  return (
    <div ref={area} className="grid grid-cols-1 gap-5">
      <LeaseErrors text={error} textarea={() => area.current?.querySelector('textarea')} />
      <WithSamples placeholders={placeholders}>
        <TextAreaField
          label="Text of the lease"
          required
          rows={26}
          spellCheck
          hint={countOf(form.watch('text'), maxLeaseCharacters)}
          className="[&_textarea]:max-h-[75dvh] [&_textarea]:text-[0.9375rem] [&_textarea]:leading-relaxed"
          {...field}
        />
      </WithSamples>
    </div>
  )
}

/** Shows why a preview or sample was refused, at the fields. */
function showErrors(form: Form, error: unknown): void {
  const failure = failureOf(error)
  if (failure.kind === 'refused')
    for (const [name, message] of Object.entries(failure.fields))
      form.setError(name, { type: 'server', message })
}

/** Opens a PDF of the typed text with sample data in a new tab. */
function LeasePreview({ form, kind }: { form: Form; kind: string }) {
  const preview = useMutation({
    mutationFn: () =>
      openFile(() =>
        fetchFile('/api/site/admin/lease-preview', { body: { text: form.getValues('text') }, kind }),
      ),
    onSuccess: () => form.clearErrors(),
    onError: error => {
      toastFailure(error, {
        failed: 'Failed to make the preview',
        noResponse: 'The preview could not be opened. Allow new tabs for this site, and try again.',
      })
      showErrors(form, error)
    },
  })
  return (
    <BusyButton
      variant="secondary"
      busy={preview.isPending}
      busyLabel="Preparing..."
      onClick={() => preview.mutate()}
    >
      <ExternalLink aria-hidden />
      Preview as PDF
    </BusyButton>
  )
}

/** Sends the typed wording with sample data to the user who clicks the button. */
function SampleButton({ kind, form }: { kind: string; form: Form }) {
  const send = api.wordings.sendSample.useMutation({
    onSuccess: ({ message }) => toast.success(message),
    onError: error => {
      toastFailure(error, 'Failed to send the email')
      showErrors(form, error)
    },
  })
  return (
    <BusyButton
      variant="secondary"
      busy={send.isPending}
      busyLabel="Sending..."
      onClick={() => {
        const { note: _, ...body } = form.getValues()
        send.mutate({ kind, body })
      }}
    >
      <Send aria-hidden />
      Send it to me
    </BusyButton>
  )
}

type LeaseErrorsProps = {
  text: string | undefined
  textarea: () => HTMLTextAreaElement | null | undefined
}

/** All errors in a lease's wording, a line each; an error with a line number leads to that line. */
function LeaseErrors({ text, textarea }: LeaseErrorsProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) box.current?.focus()
  }, [text])
  if (!text) return null
  const sentences = text.split('\n')
  return (
    <Notice
      ref={box}
      tabIndex={-1}
      tone="danger"
      role="alert"
      title={`${plural(sentences.length, 'error')} to fix before this can be saved:`}
    >
      <ul className="mt-1 grid gap-1">
        {sentences.map(sentence => {
          const line = lineOfError(sentence)
          return (
            <li key={sentence} className="flex flex-wrap items-center gap-x-3">
              {sentence}
              {line && (
                <Button variant="secondary" size="sm" onClick={() => showLine(textarea(), line)}>
                  Go to line {line}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

function showLine(field: HTMLTextAreaElement | null | undefined, line: number): void {
  const range = field && rangeOfLine(field.value, line)
  if (!range) return
  // First without a selection, because browsers scroll to the cursor of a field that gets the focus.
  field.setSelectionRange(range.start, range.start)
  field.blur()
  field.focus()
  field.setSelectionRange(range.start, range.end)
}

/** The start and end positions of a line; undefined if the line does not exist. */
export function rangeOfLine(text: string, line: number): { start: number; end: number } | undefined {
  const lines = text.split('\n')
  const words = lines[line - 1]
  if (words === undefined) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return { start, end: start + words.length }
}

/** The line number in an error message: 12 in 'Line 12 of the lease template has …'. */
export function lineOfError(error: string): number | undefined {
  const [, line] = /^Line (\d+)\b/.exec(error) ?? []
  return line === undefined ? undefined : Number(line)
}
