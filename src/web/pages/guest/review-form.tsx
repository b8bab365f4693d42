import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { hidingReasons, type ReviewForm, reviewFormWith } from '../../../domain/arrival/guest-review.ts'
import { formatMomentDate, formatShortDate } from '../../../domain/common/dates.ts'
import type { Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { useTimeZone } from '../../features/stays/today.ts'
import { ConfirmAction } from '../../forms/confirm-action.tsx'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { RadioGroupField } from '../../ui/choice-fields.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'

type Own = Outputs['reviews']['get']
type Written = NonNullable<Own['review']>

const trim = (text: string) => text.trim()
const reviewForm = reviewFormWith(trim, trim)

const states = {
  waiting: { label: 'Waiting', tone: 'yellow' },
  published: { label: 'Published', tone: 'green' },
  hidden: { label: 'Not shown', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
} as const

type ReviewProps = {
  own: Own
  firstName: string
  save: (form: ReviewForm & { version?: number }) => Promise<unknown>
  /** Missing where only the login allows it. */
  withdraw?: () => Promise<unknown>
}

/** The guest's review of a stay: the form, or what they wrote. */
export function Review({ own, save, withdraw, ...props }: ReviewProps) {
  const { canWrite, review, until } = own
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const timeZone = useTimeZone()
  if (!review && !canWrite)
    return <EmptyState title="There is nothing to review yet." hint="Guests write after their stay." />
  if (!review || isEditing)
    return <Form {...props} review={review} until={until} save={save} onSaved={() => setEditing(false)} />
  const { label, tone } = states[review.state]
  const reason = hidingReasons[review.hiddenReason as keyof typeof hidingReasons]
  return (
    <Card aria-label="Your review">
      <CardHeader title={review.title || 'Your review'} action={<Badge tone={tone}>{label}</Badge>} />
      <CardBody className="grid gap-4">
        <p className="font-semibold text-navy">{review.rating} of 5 stars</p>
        <p className="wrap-anywhere whitespace-pre-line">{review.text}</p>
        <p className="text-muted">{review.shownName}</p>
        {review.state === 'waiting' && (
          <p className="text-muted">
            The owner reads it first. It is on the page from{' '}
            {formatMomentDate(review.editableUntil, timeZone)} at the latest, and until it is there you can
            change it.
          </p>
        )}
        {review.state === 'hidden' && reason && <p className="text-muted">The owner’s reason: {reason}.</p>}
        {review.reply && (
          <p className="border-l-2 border-linen pl-3 wrap-anywhere whitespace-pre-line">
            {review.reply.text}
          </p>
        )}
        <div className="flex flex-wrap gap-3 empty:hidden">
          {review.state === 'waiting' && <Button onClick={() => setEditing(true)}>Change</Button>}
          {withdraw && review.state !== 'withdrawn' && (
            <Button variant="secondary" onClick={() => setAsking(true)}>
              Withdraw
            </Button>
          )}
        </div>
      </CardBody>
      {withdraw && isAsking && (
        <ConfirmAction
          title="Withdraw your review?"
          body="It is taken off for good, and you cannot write another one for this stay."
          confirmLabel="Withdraw"
          busyLabel="Withdrawing..."
          action={() => withdraw().then(() => 'Review withdrawn')}
          failedText="Failed to withdraw the review"
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

type FormProps = Pick<ReviewProps, 'firstName' | 'save'> &
  Pick<Own, 'until'> & { review: Written | null; onSaved: () => void }

function Form({ firstName, onSaved, review, save, until }: FormProps) {
  const { name = 'initial', rating = 0, text = '', title = '' } = review ?? {}
  const form = useZodForm(reviewForm, { name, rating, text, title })
  const field = fieldPropsOf(form)
  const send = useMutation({ mutationFn: save })
  const { submit, formError } = useFormSubmit(
    form,
    async output => {
      await send.mutateAsync({ ...output, ...(review && { version: review.version }) })
      toast.success('Review sent')
      onSaved()
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'Your review was not sent')),
  )
  return (
    <Card aria-label="Your review">
      <CardBody>
        <form noValidate onSubmit={submit} className="grid gap-6">
          <FormError>{formError}</FormError>
          <RadioGroupField
            label="Stars"
            required
            cards
            name="rating"
            options={[1, 2, 3, 4, 5].map(stars => ({ value: String(stars), label: `${stars} of 5` }))}
            value={String(form.watch('rating'))}
            error={field('rating').error}
            onChange={({ target }) => form.setValue('rating', Number(target.value), { shouldDirty: true })}
          />
          <TextField label="Title" maxLength={80} {...field('title')} />
          <TextAreaField label="Your review" required rows={6} {...field('text')} />
          <RadioGroupField
            label="Your name on the page"
            options={[
              { value: 'initial', label: `${firstName}, with an initial` },
              { value: 'first', label: firstName },
              { value: 'none', label: 'A guest' },
            ]}
            {...field('name')}
          />
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" busy={send.isPending} busyLabel="Sending...">
              Send review
            </Button>
            {until && <span className="text-muted">You can write until {formatShortDate(until)}.</span>}
          </div>
        </form>
      </CardBody>
    </Card>
  )
}
