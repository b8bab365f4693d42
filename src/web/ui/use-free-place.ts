import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { type Box, findFreePlace, type Place } from './free-place.ts'

const home: Place = { x: 0, y: 0 }
const controls =
  'a[href], button, input, select, textarea, summary, label:has(input), [role="menuitem"], [tabindex="0"]'
/** Scrolling, a dialog that opens or a list that arrives can bring a control under what stands there. */
const lookAgainMs = 150

/**
 * Keeps the children of a fixed region where they cover no control: at home while there is room, else at the nearest
 * free place. It moves only when it has to. Answers how far it is moved.
 */
export function useFreePlace(region: RefObject<HTMLElement | null>, count: number): Place {
  const [place, setPlace] = useState(home)
  const look = useEffectEvent(() => {
    const element = region.current
    if (!element || count === 0) return setPlace(home)
    const stack = [...element.children].map(child => homeBox(element, child as HTMLElement))
    const obstacles = controlsInSight(element)
    const moved = stack.map(box => shifted(box, place))
    const isFree = obstacles.every(obstacle => moved.every(box => !overlap(box, obstacle)))
    const window: Box = {
      left: innerWidth - (element.offsetLeft + element.offsetWidth),
      top: element.offsetTop,
      right: innerWidth,
      bottom: innerHeight,
    }
    const isInside = moved.every(({ left, bottom }) => left >= window.left && bottom <= window.bottom)
    if (isFree && isInside) return
    const next = findFreePlace(stack, obstacles, window)
    if (next.x !== place.x || next.y !== place.y) setPlace(next)
  })
  useLayoutEffect(() => look())
  useEffect(() => {
    if (count === 0) return
    const timer = setInterval(() => look(), lookAgainMs)
    return () => clearInterval(timer)
  }, [count])
  return place
}

/** Where a child of the region stands when the region is not moved; no animation counts. */
function homeBox(region: HTMLElement, child: HTMLElement): Box {
  const left = region.offsetLeft + child.offsetLeft
  const top = region.offsetTop + child.offsetTop
  return { left, top, right: left + child.offsetWidth, bottom: top + child.offsetHeight }
}

function controlsInSight(region: HTMLElement): Box[] {
  return [...document.querySelectorAll<HTMLElement>(controls)]
    .filter(control => !region.contains(control) && !control.closest('[aria-hidden="true"], [inert]'))
    .map(control => control.getBoundingClientRect())
    .filter(({ width, height, top, bottom }) => width > 2 && height > 2 && bottom > 0 && top < innerHeight)
}

const shifted = ({ left, top, right, bottom }: Box, { x, y }: Place): Box => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
})

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
