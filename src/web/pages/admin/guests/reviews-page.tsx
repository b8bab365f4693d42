import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type HidingReason, hidingReasons } from '../../../../domain/arrival/guest-review.ts'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { SwitchedOff } from './switched-off.tsx'

type Review = Outputs['reviews']['adminAll']['reviews'][number]
type Open = { review: Review; kind: 'hide' | 'reply'; value: string }

const stateLabels = {
  waiting: 'Waiting for you',
  published: 'Published',
  hidden: 'Hidden',
  withdrawn: 'Withdrawn',
}
const done = { publish: 'Review published', hide: 'Review hidden', reply: 'Reply published' }

/** The guests' reviews, and the owner's decisions about them. */
export function ReviewsPage() {
  const { client } = api.useUtils()
  const query = api.reviews.adminAll.useQuery()
  const isOn = useSite()?.forGuests?.includes('reviews')
  const [open, setOpen] = useState<Open>()
  const calls = client.reviews
  const decide = useMutation({
    mutationFn: ({ kind, review, value }: { review: Review; kind: keyof typeof done; value: string }) => {
      const { applicationId, version } = review
      if (kind === 'publish') return calls.publish.mutate({ applicationId, version })
      if (kind === 'hide') return calls.hide.mutate({ applicationId, reason: value as HidingReason, version })
      return calls.reply.mutate({ applicationId, text: value.trim() || null })
    },
    onSuccess: (_, { kind, value }) => {
      toast.success(kind === 'reply' && !value.trim() ? 'Reply removed' : done[kind])
      setOpen(undefined)
    },
    onError: error => toastFailure(error, 'Failed to save'),
    onSettled: useReadAgain(),
  })
  return (
    <Page
      title="Reviews"
      width="narrow"
      subtitle={query.data ? ratingText(query.data.rating) : ' '}
      back={<BackLink href={paths.adminGuests}>Back to Guests</BackLink>}
    >
      <QueryView query={query} loading="Loading reviews..." error="Failed to load reviews">
        {data => (
          <div className="grid gap-5">
            {data.reviews.length === 0 && (
              <Card>
                {isOn ? (
                  <EmptyState title="No reviews yet" hint="Guests write after their stay." />
                ) : (
                  <SwitchedOff what="Reviews" />
                )}
              </Card>
            )}
            {data.reviews.map(review => (
              <ReviewCard
                key={review.applicationId}
                review={review}
                isBusy={decide.isPending}
                onPublish={() => decide.mutate({ review, kind: 'publish', value: '' })}
                onOpen={(kind, value) => setOpen({ review, kind, value })}
              />
            ))}
          </div>
        )}
      </QueryView>
      {open && (
        <FormDialog
          title={open.kind === 'hide' ? 'Hide this review?' : 'Reply'}
          description={
            open.kind === 'hide'
              ? 'The guest is told the reason. Its stars still count in the average.'
              : 'It stands below the review. Without words it is taken away.'
          }
          submit={event => {
            event.preventDefault()
            decide.mutate(open)
          }}
          busy={decide.isPending}
          submitLabel={open.kind === 'hide' ? 'Hide' : 'Save'}
          disabled={open.kind === 'hide' && !open.value}
          onClose={() => setOpen(undefined)}
        >
          {open.kind === 'hide' ? (
            <RadioGroupField
              label="Reason"
              name="reason"
              required
              options={Object.entries(hidingReasons).map(([value, label]) => ({ value, label }))}
              value={open.value}
              onChange={({ target }) => setOpen({ ...open, value: target.value })}
            />
          ) : (
            <TextAreaField
              label="Your reply"
              maxLength={1000}
              value={open.value}
              onChange={({ target }) => setOpen({ ...open, value: target.value })}
            />
          )}
        </FormDialog>
      )}
    </Page>
  )
}

function ratingText({ average, count, notShown }: Outputs['reviews']['adminAll']['rating']): string {
  if (average === null) return 'No review is on your page yet'
  return `${average.toFixed(1)} of 5, average of ${count}${notShown > 0 ? `, ${notShown} not shown` : ''}`
}

type ReviewCardProps = {
  review: Review
  isBusy: boolean
  onPublish: () => void
  onOpen: (kind: Open['kind'], value: string) => void
}

function ReviewCard({ isBusy, onOpen, onPublish, review }: ReviewCardProps) {
  const { applicationId, publishesAt, reply, state } = review
  const timeZone = useTimeZone()
  const stay = formatShortStay({ start: review.startDate, end: review.endDate })
  return (
    <Card aria-label={`Review by ${review.tenantName}`}>
      <CardHeader
        title={
          <Link href={paths.adminApplication(applicationId)} className="link">
            {review.tenantName}
          </Link>
        }
        subtitle={`${stay} · ${review.applicationNumber}`}
        action={<Badge tone={state === 'waiting' ? 'yellow' : 'neutral'}>{stateLabels[state]}</Badge>}
      />
      <CardBody className="grid gap-3">
        <p className="font-semibold text-navy">
          {review.rating} of 5 stars{review.title && ` · ${review.title}`}
        </p>
        <p className="wrap-anywhere whitespace-pre-line">{review.text}</p>
        <p className="text-muted">
          {review.shownName}
          {publishesAt &&
            ` · Without a decision it is published on ${formatMomentDate(publishesAt, timeZone)}`}
        </p>
        {reply && (
          <p className="border-l-2 border-linen pl-3 wrap-anywhere whitespace-pre-line">{reply.text}</p>
        )}
        <div className="flex flex-wrap gap-3 empty:hidden">
          {(state === 'waiting' || state === 'hidden') && (
            <Button size="sm" busy={isBusy} onClick={onPublish}>
              Publish
            </Button>
          )}
          {(state === 'waiting' || state === 'published') && (
            <Button size="sm" variant="secondary" onClick={() => onOpen('hide', '')}>
              Hide
            </Button>
          )}
          {state === 'published' && (
            <Button size="sm" variant="secondary" onClick={() => onOpen('reply', reply?.text ?? '')}>
              {reply ? 'Change reply' : 'Reply'}
            </Button>
          )}
        </div>
      </CardBody>
    </Card>
  )
}
