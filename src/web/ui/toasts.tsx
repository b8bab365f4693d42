import { Info } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  type DefaultToastOptions,
  toast as hotToast,
  resolveValue,
  ToastIcon,
  useToaster,
} from 'react-hot-toast'
import { findClearOffset, type Offset, type Rect } from './clear-offset.ts'
import { type ToastCall, type ToastView, toastClass, toastListClass } from './toast-view.ts'

/** The duration of toasts, in milliseconds. */
export const toastOptions = {
  duration: 4000,
  success: { duration: 3000, iconTheme: { primary: '#1d6444', secondary: '#fff' } },
  error: { duration: 5000, iconTheme: { primary: '#a3261f', secondary: '#fff' } },
  loading: { duration: Number.POSITIVE_INFINITY, iconTheme: { primary: '#1e3552', secondary: '#e6dccb' } },
  // Polite even for errors: urgent errors are shown in the form itself.
  ariaProps: { role: 'status', 'aria-live': 'polite' },
} satisfies DefaultToastOptions

/** Only the newest toasts are shown; an older one reappears when there is room and its time has not run out. */
const maxShown = 3

/** The list of visible toasts, rendered inside `ToastRegion`. */
function ToastList() {
  const { handlers, toasts } = useToaster(toastOptions)
  const shown = toasts.filter(({ visible }) => visible).slice(0, maxShown)
  const region = useRef<HTMLDivElement>(null)
  const { x, y } = useClearOffset(region, shown.length)
  useHotkey(region)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pauses the timers while the focus is inside
    <div
      ref={region}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      className={toastListClass}
      style={{ transform: `translate(${x}px, ${y}px)` }}
    >
      {shown.map(shownToast => (
        <div key={shownToast.id} {...shownToast.ariaProps} className={toastClass}>
          <ToastIcon toast={shownToast} />
          <div className="mx-2.5 my-0.5 min-w-0">{resolveValue(shownToast.message, shownToast)}</div>
        </div>
      ))}
    </div>
  )
}

/** Moves the focus to the button of the newest toast: toasts are last in the tab order and disappear after a while. */
const hotkey = 'F8'

function useHotkey(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === hotkey) region.current?.querySelector('button')?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [region])
}

function Message({ title, detail }: Pick<ToastCall, 'title' | 'detail'>) {
  if (!detail || detail === title) return title
  return (
    <div>
      <strong className="block font-semibold">{title}</strong>
      {detail}
    </div>
  )
}

/** A message with an action button. */
function Offer({ id, action, ...message }: ToastCall) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div>
        <Message {...message} />
      </div>
      <button
        type="button"
        aria-keyshortcuts={hotkey}
        className="pointer-events-auto min-h-9 link font-semibold"
        onClick={() => {
          hotToast.dismiss(id)
          // The button disappears, so the focus moves to the main content.
          document.getElementById('main')?.focus({ preventScroll: true })
          action?.run()
        }}
      >
        {action?.label}
      </button>
      <kbd className="text-sm text-muted pointer-coarse:hidden">{hotkey}</kbd>
    </div>
  )
}

function show(call: ToastCall): void {
  const { id, kind, title, detail, durationMs, action } = call
  const options = { id, ...(durationMs !== undefined && { duration: durationMs }) }
  const message = action ? <Offer {...call} /> : detail ? <Message title={title} detail={detail} /> : title
  if (kind === 'info')
    hotToast(message, { ...options, icon: <Info aria-hidden className="size-5 shrink-0 text-blue" /> })
  else hotToast[kind](message, options)
}

export const toastView: ToastView = {
  show,
  dismiss: id => hotToast.dismiss(id),
  clear: () => hotToast.remove(),
  List: ToastList,
}

const noOffset: Offset = { x: 0, y: 0 }
const controls =
  'a[href], button, input, select, textarea, summary, label:has(input), [role="menuitem"], [tabindex="0"]'
/** Scrolling, an opening dialog or a loaded list can move a control under the toasts. */
const recheckIntervalMs = 150

/**
 * The offset of a fixed region at which its children cover no control. It changes only if they would cover a control or
 * leave the window.
 */
function useClearOffset(region: RefObject<HTMLElement | null>, count: number): Offset {
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
