import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { failureOf } from '../../api/failures.ts'
import { watchInteraction } from '../../forms/interaction-watch.ts'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The server's refusal of nights that another calendar has taken. */
type Refusal = { nights: string; message: string; takesFocus: boolean }

/**
 * Whether nights that another calendar has taken are booked all the same. The owner is asked once the server has
 * refused them, or from the beginning where it is known that they are taken.
 * @param nights names the wanted nights: for others the owner is asked again
 */
export function useCalendarOverride(nights: string, isKnown = false) {
  const [lastRefusal, setRefusal] = useState<Refusal>()
  const [chosenFor, setChosenFor] = useState<string>()
  const refusal = lastRefusal?.nights === nights ? lastRefusal : undefined
  const isAsked = isKnown || refusal !== undefined
  const isChosen = chosenFor === nights
  const choose = (chosen: boolean) => setChosenFor(chosen ? nights : undefined)

  /** Books by a request, and keeps its refusal if the owner may override it. */
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

/** The sentence of a refusal that `overrideCalendar` passes; another application's is none. */
export function overridableRefusal(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.fields.overrideCalendar : undefined
}

type CalendarOverrideProps = Omit<ReturnType<typeof useCalendarOverride>, 'send'> & {
  title?: string
  /** Which nights are taken, where more is known than the refusal says. */
  children?: ReactNode
}

/** Asks whether nights that are taken on another calendar are booked all the same; nothing while there is no question. */
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
