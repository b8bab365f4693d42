import { BadgeCheck, Star } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../domain/common/dates.ts'
import { averageRating } from '../../../domain/content/content-reviews.ts'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Section } from './section.tsx'

/** The number of characters of a review that its card shows initially. */
const maxReviewCharacters = 120

/** The part of a text that a card shows initially, and the rest, if any. Surrogate pairs are not split. */
export function shortenReview(text: string): { text: string; rest: string } {
  if (text.length <= maxReviewCharacters) return { text, rest: '' }
  const isHalf = /[\ud800-\udbff]/.test(text[maxReviewCharacters - 1] ?? '')
  const end = maxReviewCharacters - (isHalf ? 1 : 0)
  return { text: text.slice(0, end), rest: text.slice(end) }
}

type Review = HomeView['reviews']['reviews'][number]

const samplesNote =
  'These are sample reviews. They show where the words of real guests will stand, and were not written by guests.'

/** The number of reviews that are shown before 'Show All'. */
const firstReviews = 3

export function ReviewsSection({ reviews: { rating, reviews, title } }: Pick<HomeView, 'reviews'>) {
  const [all, setAll] = useState(false)
  const average = averageRating(reviews)
  const [first, rest] = [reviews.slice(0, firstReviews), reviews.slice(firstReviews)]
  return (
    <Section
      id="reviews"
      eyebrow="Reviews"
      title={title}
      intro={average?.areSamples ? samplesNote : undefined}
    >
      {rating ? (
        <Average {...rating} average={rating.average.toFixed(1)} areSamples={false} />
      ) : average ? (
        <Average {...average} />
      ) : (
        <EmptyState title="No reviews yet." />
      )}
      {reviews.length > 0 && <ReviewList reviews={all ? reviews : first} />}
      {rest.length > 0 && (
        <>
          <noscript>
            <ReviewList reviews={rest} whole className="mt-5" />
          </noscript>
          <Button
            variant="secondary"
            aria-expanded={all}
            onClick={() => setAll(!all)}
            className="mt-8 noscript:hidden"
          >
            {all ? 'Show fewer' : 'Show All'}
          </Button>
        </>
      )}
    </Section>
  )
}

type AverageProps = NonNullable<ReturnType<typeof averageRating>> & { notShown?: number }

function Average({ areSamples, average, count, notShown = 0 }: AverageProps) {
  return (
    <p className="mb-8 flex items-center gap-x-4">
      <span className="font-display text-5xl text-navy tabular-nums">{average}</span>
      <span>
        <Stars rating={Number(average)} label={`${average} out of 5 stars on average`} />
        <span className="block text-muted">
          out of 5, average of {count} {areSamples && 'sample '}
          {count === 1 ? 'review' : 'reviews'}
          {notShown > 0 && `, ${notShown} of them not shown`}
        </span>
      </span>
    </p>
  )
}

type ReviewListProps = { reviews: readonly Review[]; whole?: boolean; className?: string }

function ReviewList({ reviews, whole, className }: ReviewListProps) {
  return (
    <ul className={classNames('grid items-start gap-5 md:grid-cols-2 lg:grid-cols-3', className)}>
      {reviews.map(review => (
        <li key={review.id} className="h-full">
          <ReviewCard review={review} initiallyWhole={whole} />
        </li>
      ))}
    </ul>
  )
}

function Reply({ text }: { text: string }) {
  return (
    <p className="mt-4 border-l-2 border-linen pl-3 text-[0.9375rem] whitespace-pre-line">
      <strong className="block font-semibold">Reply from {useSite()?.companyName}</strong>
      {text}
    </p>
  )
}

function ReviewCard({
  review,
  initiallyWhole = false,
}: {
  review: Review
  initiallyWhole?: boolean | undefined
}) {
  const [whole, setWhole] = useState(initiallyWhole)
  const short = shortenReview(review.content)
  return (
    <article className="flex h-full flex-col rounded-card border border-line bg-white p-6 wrap-anywhere shadow-card">
      <div className="flex items-center justify-between gap-3">
        <Stars rating={review.rating} />
        {review.sample && (
          <span className="rounded-full bg-shell px-2.5 py-0.5 text-sm font-semibold text-muted">Sample</span>
        )}
      </div>
      {review.title && <h3 className="mt-3 font-display text-xl leading-snug text-navy">{review.title}</h3>}
      <p className="mt-2 leading-relaxed whitespace-pre-line">
        {whole ? review.content : short.text}
        {!whole && short.rest && (
          <>
            <span className="noscript:hidden">…</span>
            <noscript>{short.rest}</noscript>
          </>
        )}
      </p>
      {short.rest && (
        <p className="mt-2 noscript:hidden">
          <button
            type="button"
            aria-expanded={whole}
            aria-label={`${whole ? 'Read less of' : 'Read more of'} “${review.title || review.name}”`}
            onClick={() => setWhole(!whole)}
            className="link min-h-6"
          >
            {whole ? 'Read less' : 'Read more'}
          </button>
        </p>
      )}
      {review.reply && <Reply text={review.reply.text} />}
      <footer className="mt-auto pt-5 text-[0.9375rem] text-muted">
        <p className="flex flex-wrap items-center gap-x-3 font-semibold text-navy">
          {review.name}
          {review.verified && !review.sample && (
            <span className="inline-flex items-center gap-1 text-green">
              <BadgeCheck aria-hidden className="size-4.5" />
              Verified
            </span>
          )}
        </p>
        <p>
          {review.stayed && <>Stayed {review.stayed} · </>}
          {review.date && <time dateTime={review.date}>{formatShortDate(review.date)}</time>}
        </p>
      </footer>
    </article>
  )
}

function Stars({ rating, label = `${rating} out of 5 stars` }: { rating: number; label?: string }) {
  return (
    <span role="img" aria-label={label} className="flex gap-0.5">
      {[0, 1, 2, 3, 4].map(below => (
        <PartStar key={below} part={Math.min(1, Math.max(0, rating - below))} />
      ))}
    </span>
  )
}

/** A partly filled star: 0 is empty, 1 is full. */
function PartStar({ part }: { part: number }) {
  const star = (className: string) => (
    <Star aria-hidden strokeWidth={1.5} className={classNames('size-5', className)} />
  )
  if (part === 1) return star('fill-brass text-brass')
  const empty = star('text-line-strong/60')
  if (part === 0) return empty
  return (
    <span className="relative">
      {empty}
      <span className="absolute inset-y-0 left-0 overflow-hidden" style={{ width: `${part * 100}%` }}>
        {star('fill-brass text-brass')}
      </span>
    </span>
  )
}
