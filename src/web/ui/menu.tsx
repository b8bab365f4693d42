import { EllipsisVertical } from 'lucide-react'
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react'

import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

type MenuProps = {
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  children: ReactNode
}

/**
 * A menu that opens from the button `trigger`. It is a native popover: the browser closes it on Escape and on a click
 * outside, and returns the focus.
 */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const close = () => list.current?.hidePopover()
  const beforeToggle = ({ newState }: ToggleEvent) => {
    setIsOpen(newState === 'open')
    if (newState === 'open' && button.current && list.current) place(list.current, button.current, align)
  }
  const toggled = ({ newState }: ToggleEvent) => {
    if (newState === 'closed') return removeEventListener('scroll', close)
    itemsOf(list.current)[0]?.focus({ preventScroll: true })
    // Otherwise the menu would stay in place while its button scrolls away.
    addEventListener('scroll', close, { once: true, passive: true })
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: `${id}-button`,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'ArrowDown' || event.defaultPrevented) return
          event.preventDefault()
          button.current?.click()
        },
      })}
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${id}-button`}
        popover="auto"
        className="fixed m-0 min-w-44 overflow-y-auto rounded-control border border-line bg-white p-1.5 text-left text-base font-normal text-ink shadow-overlay open:animate-fade"
        onBeforeToggle={beforeToggle}
        onToggle={toggled}
        onKeyDown={event => moveInside(event, close)}
      >
        {children}
      </div>
    </>
  )
}

type MoreActionsProps = { label?: string; disabled?: boolean; className?: string; children: ReactNode }

/** The actions that are rarely needed, or end something, behind three dots. */
export const MoreActions = ({ label = 'More actions', children, ...button }: MoreActionsProps) => (
  <Menu
    trigger={
      <IconButton label={label} {...button}>
        <EllipsisVertical aria-hidden />
      </IconButton>
    }
  >
    {children}
  </Menu>
)

type MenuItemProps = Omit<ComponentProps<'button'>, 'onSelect'> & { danger?: boolean; onSelect: () => void }

export function MenuItem({ danger = false, className, onSelect, ...props }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={classNames(
        'flex min-h-10 w-full cursor-pointer items-center gap-2.5 rounded-[0.25rem] px-3 text-left select-none',
        'outline-none hover:bg-shell focus-visible:bg-shell [&_svg]:size-4.5',
        danger ? 'text-red' : 'text-navy',
        className,
      )}
      onClick={event => {
        // Returns the focus first, so that a dialog knows where to return it later.
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
        onSelect()
      }}
      {...props}
    />
  )
}

export function MenuSeparator() {
  return <hr className="my-1.5 border-line" />
}

const gap = 6
const margin = 8

/** Places the menu below its button, or above it if there is more room. */
function place(list: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const { bottom, left, right, top } = button.getBoundingClientRect()
  const { clientHeight, clientWidth } = document.documentElement
  const [above, below] = [top - gap - margin, clientHeight - bottom - gap - margin]
  const isAbove = below < 240 && above > below
  Object.assign(list.style, {
    top: isAbove ? 'auto' : `${bottom + gap}px`,
    bottom: isAbove ? `${clientHeight - top + gap}px` : 'auto',
    left: align === 'start' ? `${Math.max(left, margin)}px` : 'auto',
    right: align === 'end' ? `${Math.max(clientWidth - right, margin)}px` : 'auto',
    maxHeight: `${isAbove ? above : below}px`,
  })
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
}

/** Arrow keys, Home, End and first letters move between the items; Tab closes the menu. */
function moveInside(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const { altKey, ctrlKey, currentTarget, key, metaKey } = event
  if (key === 'Tab') {
    close()
    return
  }
  const items = itemsOf(currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const step = steps[key]
  const next =
    step === undefined
      ? [...items.slice(at + 1), ...items].find(item => startsWith(item, key))
      : items.at(at === -1 && key === 'ArrowUp' ? -1 : step % items.length)
  if (!next || altKey || ctrlKey || metaKey) return
  event.preventDefault()
  next.focus()
}

const startsWith = (item: HTMLElement, key: string) =>
  key.length === 1 && key !== ' ' && item.textContent.trim().toLowerCase().startsWith(key.toLowerCase())
