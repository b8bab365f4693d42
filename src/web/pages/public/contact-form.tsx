import { useState } from 'react'

import { contactMessages as texts } from '../../../domain/contact-messages.ts'
import { api, failureOf } from '../../api/api.ts'
import { showFieldErrors, useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { prefilledValues } from '../../ui/hydration-boundary.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import type { SiteFacts } from './site-facts.ts'
import { TemplateText } from './template-text.tsx'

const blank = { name: '', email: '', phone: '', subject: '', message: '', website: '' }

export function ContactForm({ site }: { site: SiteFacts | undefined }) {
  const send = api.contact.send.useMutation()
  const [initial] = useState(() => prefilledValues(blank))
  const form = useZodForm(() => import('../../../domain/contact.ts').then(m => m.contactForm), initial)
  const { register, handleSubmit, formState, reset } = form
  const { errors, isSubmitting } = formState
  const [formError, setFormError] = useState<string>()
  const [isSent, setIsSent] = useState(false)
  const isMissing = Object.values(errors).some(field => field?.message === texts.incomplete)

  const submit = handleSubmit(
    async message => {
      setFormError(undefined)
      setIsSent(false)
      try {
        await send.mutateAsync(message)
        reset(blank)
        setIsSent(true)
      } catch (failed) {
        const failure = failureOf(failed)
        if (failure.kind === 'refused' && showFieldErrors(form, failure.fields)) return
        setFormError(sentenceFor(failure.status))
      }
    },
    () => {
      setFormError(undefined)
      setIsSent(false)
    },
    () => setFormError(texts.threw),
  )
  /** The sentence about missing fields is shown once, above; the field itself says 'Required'. */
  const field = (name: keyof typeof blank) => {
    const message = errors[name]?.message
    return { ...register(name), error: message === texts.incomplete ? 'Required' : message }
  }

  return (
    <form noValidate onSubmit={submit} className="mt-8 grid gap-5 sm:grid-cols-2 noscript:hidden">
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
      {/* A honeypot: only bots fill it in. */}
      <div hidden>
        <label>
          Website
          <input tabIndex={-1} autoComplete="off" {...register('website')} />
        </label>
      </div>
      <Button
        type="submit"
        size="lg"
        busy={isSubmitting}
        busyLabel="Sending..."
        className="justify-self-start max-sm:w-full sm:col-span-2"
      >
        Send Message
      </Button>
    </form>
  )
}

/** The sentence for a failed call, by the status of the answer, if any. */
function sentenceFor(status: number | undefined): string {
  if (status === undefined) return texts.threw
  if (status === 400) return texts.unavailable('{ownerEmail}')
  return status === 503 ? texts.notReady : texts.failed
}
