import { lazy, Suspense, useEffect, useId, useRef } from 'react'
import { Link } from 'wouter'
import { type DateRange, formatShortDate, nightsBetween } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { type PricedPeriod, quoteStay, type RentQuote } from '../../../domain/money/rent-quote.ts'
import { useSite } from '../../api/site.ts'
import { estimateNote, RentLines, ShorterStay } from '../../features/stays/estimate-line.tsx'
import { clearSavedStay, saveStay } from '../../features/stays/saved-stay.ts'
import { useStayQuote } from '../../features/stays/use-stay-quote.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'

/** Loaded only if fees or taxes are set up. */
const StayCharges = lazy(async () => {
  const { StayCharges } = await import('../../features/stays/stay-charges.tsx')
  return { default: StayCharges }
})

type StaySummaryProps = {
  stay: DateRange
  /** Undefined if the rates could not be loaded. */
  rates: readonly PricedPeriod[] | undefined
  applyPath: string
  guests: number
  onGuestsChange: (guests: number) => void
  onClear: () => void
}

/** The selected stay with its price, and the link to the application form. */
export function StaySummary({ stay, rates, applyPath, guests, onGuestsChange, onClear }: StaySummaryProps) {
  const quote = rates && quoteStay(rates, stay)
  const { depositCents, hasStayLength = false } = useSite() ?? {}
  const isShort = quote?.meetsMinStay === false && !hasStayLength
  const quoted = useStayQuote(stay, guests)
  const { listed, problems } = quoted
  // With fees and taxes, the itemized list ends with the total, so it is not shown twice.
  const isItemized = listed !== undefined || quoted.isLoading
  const summary = useRef<HTMLElement>(null)
  // On a phone the summary appears below three months, out of view.
  useEffect(() => {
    summary.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    // Saves the dates for after the registration or login. Not for a tenant, whose draft may have other dates.
    if (applyPath === paths.register && problems.length === 0) saveStay(stay)
  }, [applyPath, problems.length, stay])
  return (
    <section
      ref={summary}
      aria-label="Your stay"
      className="mt-12 scroll-mb-4 rounded-card border border-glass bg-glass-light p-5 sm:p-7"
    >
      <div className="grid items-start gap-x-8 gap-y-6 md:grid-cols-2">
        <StayDetails stay={stay} quote={quote} hasStayLength={hasStayLength} />
        {quote && (
          <div className="grid gap-4">
            {!isItemized && <RentLines quote={quote} depositCents={depositCents} />}
            {quoted.hasCharges && (
              <Suspense fallback={<p className="text-muted">Loading fees and taxes...</p>}>
                <StayCharges quoted={quoted} guests={guests} onGuestsChange={onGuestsChange} />
              </Suspense>
            )}
          </div>
        )}
      </div>
      <p className="mt-5 text-[0.9375rem] text-muted">
        {quote
          ? estimateNote
          : rates
            ? 'There is no rate for these dates yet. Write to us, and we will tell you the price.'
            : 'We will tell you the price after you apply.'}
      </p>
      {isShort && <ShorterStay />}
      <NextSteps
        stay={stay}
        // The form asks for dates that have a price.
        next={
          rates && !quote
            ? askForPrice
            : { label: isShort ? 'Ask for a shorter stay' : 'Apply for these dates', href: applyPath }
        }
        problems={problems}
        onClear={onClear}
      />
    </section>
  )
}

const askForPrice = { label: 'Ask for a price', href: paths.contact }

type StayDetailsProps = { stay: DateRange; quote: RentQuote | undefined; hasStayLength: boolean }

const StayDetails = ({ stay, quote, hasStayLength }: StayDetailsProps) => (
  <dl className="grid grid-cols-2 gap-x-8 gap-y-4">
    <Detail term="Arrival">{formatShortDate(stay.start)}</Detail>
    <Detail term="Departure">{formatShortDate(stay.end)}</Detail>
    <Detail term="Length">{plural(nightsBetween(stay.start, stay.end), 'night')}</Detail>
    {quote && (
      <>
        <Detail term="Rate period">{quote.period}</Detail>
        {hasStayLength && <Detail term="Minimum stay">{plural(quote.minStay, 'night')}</Detail>}
      </>
    )}
  </dl>
)

type NextStepsProps = Pick<StaySummaryProps, 'stay' | 'onClear'> & {
  next: { label: string; href: string }
  problems: ReturnType<typeof useStayQuote>['problems']
}

/** The booking rules that the stay breaks, and the buttons. */
function NextSteps({ stay, next, problems, onClear }: NextStepsProps) {
  const problemsId = useId()
  return (
    <>
      <div id={problemsId} role="status" className="mt-2 grid gap-1 font-semibold text-red empty:hidden">
        {problems.map(({ message }) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      <div className="mt-5 flex flex-wrap gap-3">
        {problems.length > 0 ? (
          <Button size="lg" disabled aria-describedby={problemsId} className="max-sm:grow">
            {next.label}
          </Button>
        ) : (
          <Button asChild size="lg" className="max-sm:grow">
            <Link href={next.href} onClick={() => saveStay(stay)}>
              {next.label}
            </Link>
          </Button>
        )}
        <Button
          size="lg"
          variant="secondary"
          onClick={() => {
            clearSavedStay()
            onClear()
          }}
          className="max-sm:grow"
        >
          Clear dates
        </Button>
      </div>
    </>
  )
}

function Detail({ term, children }: { term: string; children: string }) {
  return (
    <div>
      <dt className="text-[0.9375rem] text-muted">{term}</dt>
      <dd className="font-semibold text-navy">{children}</dd>
    </div>
  )
}
