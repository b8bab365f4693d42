import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { conflictingVersionOf, failureOf } from '../../api/failures.ts'
import { watchInteraction } from '../../forms/interaction-watch.ts'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The server's refusal to book nights that another calendar has taken. */
type Refusal = { nights: string; key: string | undefined; message: string; takesFocus: boolean }

/**
 * Lets the owner book nights that another calendar has taken. The option is offered after the server has refused the
 * nights, or immediately if they are known to be taken.
 * @param nights identifies the requested nights: for other nights the owner is asked again
 * @param knownKey the key of the nights that are known to be taken
 */
export function useCalendarOverride(nights: string, knownKey?: string) {
  const [lastRefusal, setRefusal] = useState<Refusal>()
  const [chosenKey, setChosenKey] = useState<string>()
  const refusal = lastRefusal?.nights === nights ? lastRefusal : undefined
  const isAsked = knownKey !== undefined || refusal !== undefined
  // Another list of taken nights has another key, so the owner is asked again (FIX-41).
  const key = knownKey ?? refusal?.key
  const isChosen = key !== undefined && chosenKey === key
  const choose = (chosen: boolean) => setChosenKey(chosen ? key : undefined)

  /** Sends a booking request, and keeps the refusal if the owner can override it. */
  const send = async <T,>(request: (override: { overrideCalendar?: string }) => Promise<T>): Promise<T> => {
    const watch = watchInteraction()
    try {
      return await request(isChosen ? { overrideCalendar: key } : {})
    } catch (error) {
      const message = overridableRefusal(error)
      const key = conflictingVersionOf<string>(error)
      if (message !== undefined) setRefusal({ nights, key, message, takesFocus: !watch.hasInteracted() })
      throw error
    } finally {
      watch.stop()
    }
  }
  /** A form's error, unless it is the refusal, which the option shows. */
  const otherError = (formError: string | undefined) =>
    formError === refusal?.message ? undefined : formError
  return { isAsked, isChosen, choose, send, otherError, message: refusal?.message, lastRefusal }
}

/** The message of a refusal that `overrideCalendar` can override; undefined if another application has the nights. */
export function overridableRefusal(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure.kind === 'refused' ? failure.fields.overrideCalendar : undefined
}

type CalendarOverrideProps = Omit<ReturnType<typeof useCalendarOverride>, 'send' | 'otherError'> & {
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

/** What the owner should know before they book nights. */
export const Warnings = ({ of = [] }: { of: readonly string[] | undefined }) =>
  of.map(warning => (
    <Notice key={warning} tone="warning">
      {warning}
    </Notice>
  ))
