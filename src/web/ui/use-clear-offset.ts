import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { findClearOffset, type Offset, type Rect } from './clear-offset.ts'

const noOffset: Offset = { x: 0, y: 0 }
const controls =
  'a[href], button, input, select, textarea, summary, label:has(input), [role="menuitem"], [tabindex="0"]'
/** Scrolling, an opening dialog or a loaded list can move a control under the toasts. */
const recheckIntervalMs = 150

/**
 * The offset of a fixed region at which its children cover no control. It changes only if they would cover a control or
 * leave the window.
 */
export function useClearOffset(region: RefObject<HTMLElement | null>, count: number): Offset {
  const [offset, setOffset] = useState(noOffset)
  const update = useEffectEvent(() => {
    const element = region.current
    if (!element || count === 0) return setOffset(noOffset)
    const stack = [...element.children].map(child => rectWithoutOffset(element, child as HTMLElement))
    const obstacles = controlsInSight(element)
    const moved = stack.map(box => shifted(box, offset))
    const isFree = obstacles.every(obstacle => moved.every(box => !overlap(box, obstacle)))
    const window: Rect = {
      left: innerWidth - (element.offsetLeft + element.offsetWidth),
      top: element.offsetTop,
      right: innerWidth,
      bottom: innerHeight,
    }
    const isInside = moved.every(({ left, bottom }) => left >= window.left && bottom <= window.bottom)
    if (isFree && isInside) return
    const next = findClearOffset(stack, obstacles, window)
    if (next.x !== offset.x || next.y !== offset.y) setOffset(next)
  })
  useLayoutEffect(() => update())
  useEffect(() => {
    if (count === 0) return
    const timer = setInterval(() => update(), recheckIntervalMs)
    return () => clearInterval(timer)
  }, [count])
  return offset
}

/** The rectangle of a child, without the region's offset and without animations. */
function rectWithoutOffset(region: HTMLElement, child: HTMLElement): Rect {
  const left = region.offsetLeft + child.offsetLeft
  const top = region.offsetTop + child.offsetTop
  return { left, top, right: left + child.offsetWidth, bottom: top + child.offsetHeight }
}

function controlsInSight(region: HTMLElement): Rect[] {
  return [...document.querySelectorAll<HTMLElement>(controls)]
    .filter(control => !region.contains(control) && !control.closest('[aria-hidden="true"], [inert]'))
    .map(control => control.getBoundingClientRect())
    .filter(({ width, height, top, bottom }) => width > 2 && height > 2 && bottom > 0 && top < innerHeight)
}

const shifted = ({ left, top, right, bottom }: Rect, { x, y }: Offset): Rect => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
})

const overlap = (a: Rect, b: Rect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
