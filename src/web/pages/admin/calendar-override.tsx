import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { failureOf } from '../../api/failures.ts'
import { watchInteraction } from '../../forms/interaction-watch.ts'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The server's refusal to book nights that another calendar has taken. */
type Refusal = { nights: string; message: string; takesFocus: boolean }

/**
 * Lets the owner book nights that another calendar has taken. The option is offered after the server has refused the
 * nights, or immediately if they are known to be taken.
 * @param nights identifies the requested nights: for other nights the owner is asked again
 */
export function useCalendarOverride(nights: string, isKnown = false) {
  const [lastRefusal, setRefusal] = useState<Refusal>()
  const [chosenFor, setChosenFor] = useState<string>()
  const refusal = lastRefusal?.nights === nights ? lastRefusal : undefined
  const isAsked = isKnown || refusal !== undefined
  const isChosen = chosenFor === nights
  const choose = (chosen: boolean) => setChosenFor(chosen ? nights : undefined)

  /** Sends a booking request, and keeps the refusal if the owner can override it. */
  const send = async <T,>(request: (override: { overrideCalendar?: true }) => Promise<T>): Promise<T> => {
    const watch = watchInteraction()
    try {
      return await request(isAsked && isChosen ? { overrideCalendar: true } : {})
    } catch (error) {
      const message = overridableRefusal(error)
      if (message !== undefined) setRefusal({ nights, message, takesFocus: !watch.hasInteracted() })
      throw error
    } finally {
      watch.stop()
    }
  }
  return { isAsked, isChosen, choose, send, message: refusal?.message, lastRefusal }
}

/** The message of a refusal that `overrideCalendar` can override; undefined if another application has the nights. */
export function overridableRefusal(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.fields.overrideCalendar : undefined
}

type CalendarOverrideProps = Omit<ReturnType<typeof useCalendarOverride>, 'send'> & {
  title?: string
  /** Details of the taken nights, if more is known than the refusal contains. */
  children?: ReactNode
}

/** The option to book nights that another calendar has taken; renders nothing if it is not offered. */
export function CalendarOverride({
  title = 'These nights are taken on another calendar',
  children,
  isAsked,
  isChosen,
  choose,
  message,
  lastRefusal,
}: CalendarOverrideProps) {
  const checkbox = useRef<HTMLInputElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (lastRefusal?.takesFocus) checkbox.current?.focus()
  }, [lastRefusal])
  if (!isAsked) return null
  return (
    <Notice tone="warning" role="group" aria-labelledby={titleId} title={<span id={titleId}>{title}</span>}>
      {children || message}
      <CheckboxField
        ref={checkbox}
        className="mt-2.5"
        label="Book these nights all the same"
        checked={isChosen}
        onChange={event => choose(event.target.checked)}
      />
    </Notice>
  )
}
