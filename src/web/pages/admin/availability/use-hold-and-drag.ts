import { useEffect, useEffectEvent, useRef } from 'react'
import type { CalendarDate } from '../../../../domain/common/dates.ts'

/** Shorter than the browser's own long press. */
const holdMs = 400
/** A finger never keeps quite still. */
const slackPx = 12

type Hold = { from: CalendarDate; to: CalendarDate; isHeld: boolean; timer: ReturnType<typeof setTimeout> }

/**
 * Selects days with a finger that holds a day of the calendar and then moves on; without holding, it scrolls the page.
 * `onHold` is called for each day that is reached, and with `isDone` when the finger is lifted.
 */
export function useHoldAndDrag(onHold: (from: CalendarDate, to: CalendarDate, isDone: boolean) => void) {
  const ref = useRef<HTMLDivElement>(null)
  const report = useEffectEvent(onHold)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    let hold: Hold | undefined
    let start = { x: 0, y: 0 }
    const stop = () => {
      clearTimeout(hold?.timer)
      hold = undefined
    }
    const onStart = ({ target, touches: [touch, another] }: TouchEvent) => {
      stop()
      const day = target instanceof Element ? dayOf(target.closest('[data-day] > button')) : undefined
      if (!touch || another || !day) return
      start = { x: touch.clientX, y: touch.clientY }
      const timer = setTimeout(() => {
        hold = { from: day, to: day, isHeld: true, timer }
        report(day, day, false)
      }, holdMs)
      hold = { from: day, to: day, isHeld: false, timer }
    }
    const onMove = (event: TouchEvent) => {
      const [touch] = event.touches
      if (!hold || !touch) return
      const { clientX: x, clientY: y } = touch
      if (!hold.isHeld) {
        if (Math.hypot(x - start.x, y - start.y) > slackPx) stop()
        return
      }
      event.preventDefault()
      const day = dayOf(document.elementFromPoint(x, y))
      if (!day || day === hold.to) return
      hold.to = day
      report(hold.from, day, false)
    }
    const onEnd = (event: TouchEvent) => {
      if (hold?.isHeld) {
        // Else the browser clicks the day.
        event.preventDefault()
        report(hold.from, hold.to, true)
      }
      stop()
    }
    const onMenu = (event: Event) => hold?.isHeld && event.preventDefault()
    const listening = new AbortController()
    const { signal } = listening
    element.addEventListener('touchstart', onStart, { signal, passive: true })
    element.addEventListener('touchmove', onMove, { signal, passive: false })
    element.addEventListener('touchend', onEnd, { signal })
    element.addEventListener('touchcancel', stop, { signal })
    element.addEventListener('contextmenu', onMenu, { signal })
    return () => {
      stop()
      listening.abort()
    }
  }, [])
  return ref
}

const dayOf = (element: Element | null): CalendarDate | undefined =>
  element?.closest('[data-day]')?.getAttribute('data-day') ?? undefined
