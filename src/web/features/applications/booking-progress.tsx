import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  bookingChecklist,
  type Checklist,
  type ChecklistSource,
  type ChecklistStep,
} from '../../../domain/checklist.ts'
import { stayOf, stayPhase } from '../../../domain/stay.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useToday } from '../stays/today.ts'

/** The thin progress bar of a list. */
export function CompactProgress({ application }: { application: ChecklistSource }) {
  return <ProgressBar compact label="Booking progress" percent={bookingChecklist(application).percent} />
}

type BookingProgressProps = {
  application: ChecklistSource & StayDates
  /** A link to do the next step, if there is one. */
  nextAction?: (step: ChecklistStep['key']) => ReactNode
}

type StayDates = Parameters<typeof stayOf>[0]

/** The six steps of a booking: done, next, and what they need. */
export function BookingProgress({ application, nextAction }: BookingProgressProps) {
  const { steps, completed, percent, banner } = bookingChecklist(application)
  const declined = application.status === 'rejected'
  return (
    <Card aria-label="Application Progress">
      <CardHeader title="Application Progress" />
      <CardBody>
        {banner && <Banner banner={banner} application={application} />}
        <ProgressBar label={`${completed} of ${steps.length} steps`} percent={percent} />
        <ol className="mt-5">
          {steps.map((step, index) => (
            <Step
              key={step.key}
              step={step}
              number={index + 1}
              showHint={!step.complete && !declined}
              action={step.next && nextAction?.(step.key)}
            />
          ))}
        </ol>
      </CardBody>
    </Card>
  )
}

const pendingText = 'We have your signed lease and your payment. We check both and complete your booking.'
const completeTexts = {
  before: 'Everything is settled. We look forward to your stay.',
  during: 'Everything is settled. Enjoy your stay.',
  after: 'Your stay is over. Thank you for being our guest.',
}

type BannerProps = { banner: NonNullable<Checklist['banner']>; application: StayDates }

function Banner({ banner, application }: BannerProps) {
  const today = useToday()
  const isComplete = banner === 'Booking Complete'
  return (
    <Notice tone={isComplete ? 'success' : 'info'} title={banner} role="status" className="mb-5">
      {isComplete ? completeTexts[stayPhase(stayOf(application), today)] : pendingText}
    </Notice>
  )
}

type StepProps = { step: ChecklistStep; number: number; showHint: boolean; action: ReactNode }

function Step({ step, number, showHint, action }: StepProps) {
  return (
    <li
      aria-current={step.next ? 'step' : undefined}
      className="relative flex gap-3 pb-4 last:pb-0 not-last:before:absolute not-last:before:top-8 not-last:before:bottom-1 not-last:before:left-[0.8125rem] not-last:before:w-px not-last:before:bg-line"
    >
      <span
        aria-hidden
        className={classNames(
          'flex size-[1.6875rem] shrink-0 items-center justify-center rounded-full border text-sm font-semibold tabular-nums',
          step.complete && 'border-green bg-green text-white',
          step.next && 'border-2 border-lagoon-dark bg-glass-light text-lagoon-dark',
          !step.complete && !step.next && 'border-line-strong bg-white text-muted',
        )}
      >
        {step.complete ? <Check className="size-4" strokeWidth={3} /> : number}
      </span>
      <div className="min-w-0 grow">
        <p
          className={classNames(
            'flex flex-wrap items-center gap-x-2',
            step.complete || step.next ? 'font-semibold text-navy' : 'text-muted',
          )}
        >
          {step.title}
          {step.complete && <span className="sr-only">: done</span>}
          {step.next && <Badge tone="blue">Next</Badge>}
        </p>
        {showHint && <p className="text-[0.9375rem] leading-snug text-muted">{step.hint}</p>}
        {action && <p className="mt-1 text-[0.9375rem]">{action}</p>}
      </div>
    </li>
  )
}
