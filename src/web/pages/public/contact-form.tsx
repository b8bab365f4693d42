import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldErrors } from 'react-hook-form'
import { type ContactReply, contactMessages as texts } from '../../../domain/content/contact-messages.ts'
import { api } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { contactReplyKey } from '../../api/site-queries.ts'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { type SiteFacts, TemplateText } from './template-text.tsx'

/** Visitors load the form library and the schema, and with it Zod, with their first press or key. */
const loadForm = () => import('./contact-form-control.ts').then(module => module.makeContactForm())
type LoadedForm = Awaited<ReturnType<typeof loadForm>>
const touches = ['pointerdown', 'keydown', 'input'] as const

const blank = { name: '', email: '', phone: '', subject: '', message: '', website: '' }

export function ContactForm({ site }: { site: SiteFacts | undefined }) {
  const { form, errors, submit, formError, busy, isSent, typed } = useContactForm()
  const isMissing = Object.values(errors).some(error => error?.message === texts.incomplete)
  /** The full message about missing fields is shown once, above the form; the field itself only shows 'Required'. */
  const field = (name: keyof typeof blank) => {
    const message = errors[name]?.message
    const error = message === texts.incomplete ? 'Required' : message
    return { ...(form?.register(name) ?? { name }), error, defaultValue: typed?.[name] }
  }

  return (
    // Until the script has loaded, the browser sends the form itself.
    <form
      noValidate
      method="post"
      action={paths.contact}
      onSubmit={submit}
      className="mt-8 grid gap-5 sm:grid-cols-2"
    >
      <FormError className="sm:col-span-2">
        {isMissing ? (
          texts.incomplete
        ) : formError && site ? (
          <TemplateText text={formError} site={site} />
        ) : (
          formError
        )}
      </FormError>
      {isSent && (
        <Notice tone="success" role="status" className="sm:col-span-2">
          {texts.sent}
        </Notice>
      )}
      <TextField label="Full Name" autoComplete="name" required {...field('name')} />
      <TextField
        label="Email Address"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        {...field('email')}
      />
      <TextField label="Phone Number" type="tel" inputMode="tel" autoComplete="tel" {...field('phone')} />
      <TextField label="Subject" {...field('subject')} />
      <TextAreaField label="Message" rows={5} required className="sm:col-span-2" {...field('message')} />
      {/* A honeypot: only bots fill in this field. */}
      <div hidden>
        <label>
          Website
          <input tabIndex={-1} autoComplete="off" {...(form?.register('website') ?? { name: 'website' })} />
        </label>
      </div>
      <Button
        type="submit"
        size="lg"
        busy={busy}
        busyLabel="Sending..."
        className="justify-self-start max-sm:w-full sm:col-span-2"
      >
        Send Message
      </Button>
    </form>
  )
}

/** The state of the message and its submission; after a success the form is cleared for another message. */
function useContactForm() {
  const send = api.contact.send.useMutation()
  const reply = useEarlyReply()
  const typed = reply && 'values' in reply ? reply.values : undefined
  const [earlyError, setEarlyError] = useState(reply && 'error' in reply ? reply.error : undefined)
  const { form, errors, load } = useFormOnTouch()
  const [isSent, setIsSent] = useState(reply !== undefined && 'sent' in reply)
  const forgetEarlier = () => {
    setIsSent(false)
    setEarlyError(undefined)
  }
  const { submit, formError, busy } = useFormSubmit(
    load,
    async message => {
      forgetEarlier()
      await send.mutateAsync(message)
      const { reset } = await load()
      reset(blank, { keepFieldsRef: true })
      setIsSent(true)
    },
    (error, isAtField) => (isAtField ? undefined : sentenceFor(failureOf(error).status)),
    { onInvalid: forgetEarlier },
  )
  return { form, errors, submit, formError: formError ?? earlyError, busy, isSent, typed }
}

/** The form and its errors; undefined until its code is loaded. Then it takes over what is in the inputs. */
function useFormOnTouch() {
  const [form, setForm] = useState<LoadedForm>()
  const [errors, setErrors] = useState<FieldErrors<typeof blank>>({})
  const loading = useRef<Promise<LoadedForm>>(undefined)
  const load = useCallback(async () => {
    loading.current ??= loadForm().then(loaded => {
      loaded.subscribe({ formState: { errors: true }, callback: state => setErrors(state.errors ?? {}) })
      flushSync(() => setForm(loaded))
      return loaded
    })
    return loading.current.catch(error => {
      loading.current = undefined
      throw error
    })
  }, [])
  useEffect(() => {
    const touch = new AbortController()
    const onTouch = () => {
      touch.abort()
      load().catch(() => undefined)
    }
    const options = { capture: true, passive: true, signal: touch.signal }
    for (const name of touches) document.addEventListener(name, onTouch, options)
    return () => touch.abort()
  }, [load])
  return { form, errors, load }
}

/** The outcome of a form that the browser sent itself, once. */
function useEarlyReply(): ContactReply | undefined {
  const queries = useQueryClient()
  const [reply] = useState(() => queries.getQueryData<ContactReply>(contactReplyKey))
  useEffect(() => queries.removeQueries({ queryKey: contactReplyKey }), [queries])
  return reply
}

/** The message for a failed call, by the HTTP status if there was a response. */
function sentenceFor(status: number | undefined): string {
  if (status === undefined) return texts.noResponse
  if (status === 400) return texts.unavailable('{ownerEmail}')
  return status === 503 ? texts.notReady : texts.failed
}
