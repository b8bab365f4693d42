import { Check } from 'lucide-react'
import {
  bookingChecklist,
  type ChecklistSource,
  type ChecklistStep,
} from '../../../domain/bookings/checklist.ts'
import { bookedSentence, type StepSource } from '../../../domain/bookings/tenant-step.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { stayOf, stayPhase } from '../../../domain/common/stay.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { isPhone } from '../../ui/is-phone.ts'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useToday } from '../stays/today.ts'

/** The thin progress bar in application lists. */
export function CompactProgress({ application }: { application: ChecklistSource }) {
  return <ProgressBar compact label="Booking progress" percent={bookingChecklist(application).percent} />
}

type BookingProgressProps = {
  application: StepSource
  /** Whether money is still owed; otherwise the next step above says how the booking stands. */
  owesMoney?: boolean
  isOverdue?: boolean | undefined
}

/** Whether the steps are folded: all are done, or the stay has begun and only the owner's last step is left. */
export function isProgressFolded(application: StepSource, today: CalendarDate): boolean {
  const { banner, completed, steps } = bookingChecklist(application)
  const hasBegun = stayPhase(stayOf(application), today) !== 'before'
  return completed === steps.length || (banner === 'Pending Admin Verification' && hasBegun)
}

/** The six steps of a booking: which are done, which is next, and what they need. Done ones are folded on a phone. */
export function BookingProgress({ application, isOverdue, owesMoney = false }: BookingProgressProps) {
  const today = useToday()
  const { steps, completed, percent, banner } = bookingChecklist(application)
  const isDone = banner === 'Booking Complete'
  const doneFirst = steps.findIndex(({ complete }) => !complete)
  const folded = isPhone() ? doneFirst : 0
  const isFolded = isProgressFolded(application, today)
  const label = `${completed} of ${steps.length} steps`
  const rows = steps.map((step, index) => (
    <Step key={step.key} step={step} number={index + 1} showHint={!step.complete && !isDone} />
  ))
  return (
    <Card aria-label="Application Progress">
      <CardHeader
        title="Application Progress"
        subtitle={
          (isDone || isFolded) && (
            <span role="status">
              {banner}
              {owesMoney && `. ${bookedSentence(application, today, true, isOverdue)}`}
            </span>
          )
        }
      />
      {isFolded ? (
        <CardBody className="py-3!">
          <Disclosure summary={`${label} · ${percent}%`}>
            <ol>{rows}</ol>
          </Disclosure>
        </CardBody>
      ) : (
        <CardBody>
          {banner && !isDone && <Notice title={banner} role="status" className="mb-5" />}
          <ProgressBar label={label} percent={percent} />
          {folded > 0 && (
            <div className="mt-3">
              <Disclosure summary={folded === 1 ? '1 step done' : `${folded} steps done`}>
                <ol>{rows.slice(0, folded)}</ol>
              </Disclosure>
            </div>
          )}
          <ol className="mt-5">{rows.slice(folded)}</ol>
        </CardBody>
      )}
    </Card>
  )
}

type StepProps = { step: ChecklistStep; number: number; showHint: boolean }

function Step({ step, number, showHint }: StepProps) {
  const isNext = step.next
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className="relative flex gap-3 pb-4 last:pb-0 not-last:before:absolute not-last:before:top-8 not-last:before:bottom-1 not-last:before:left-[0.8125rem] not-last:before:w-px not-last:before:bg-line"
    >
      <span
        aria-hidden
        className={classNames(
          'flex size-[1.6875rem] shrink-0 items-center justify-center rounded-full border text-sm font-semibold tabular-nums',
          step.complete && 'border-green bg-green text-white',
          isNext && 'border-2 border-lagoon-dark bg-glass-light text-lagoon-dark',
          !step.complete && !isNext && 'border-line-strong bg-white text-muted',
        )}
      >
        {step.complete ? <Check className="size-4" strokeWidth={3} /> : number}
      </span>
      <div className="min-w-0 grow">
        <p
          className={classNames(
            'flex flex-wrap items-center gap-x-2',
            step.complete || isNext ? 'font-semibold text-navy' : 'text-muted',
          )}
        >
          {step.title}
          {step.complete && <span className="sr-only">: done</span>}
          {isNext && <Badge tone="blue">Next</Badge>}
        </p>
        {showHint && (
          <p className={classNames('text-[0.9375rem] leading-snug', isNext ? 'text-ink' : 'text-muted')}>
            {step.hint}
          </p>
        )}
      </div>
    </li>
  )
}
