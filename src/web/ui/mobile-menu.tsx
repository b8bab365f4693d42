import { Menu as MenuIcon, X } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

type MobileMenuProps = {
  label?: string
  /** Links and buttons; a click on any of them closes the menu. */
  children: ReactNode
  className?: string
}

/**
 * Navigation behind a button; the panel opens below the nearest positioned ancestor. Implemented without a library,
 * because every page loads this.
 */
export function MobileMenu({ label = 'Menu', children, className }: MobileMenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles events that bubble up from its controls
    <div
      className={className}
      onKeyDown={event => {
        if (event.key === 'Escape' && open) close()
      }}
      onBlur={event => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <IconButton
        ref={button}
        label={label}
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
        className="noscript:hidden"
      >
        {open ? <X aria-hidden /> : <MenuIcon aria-hidden />}
      </IconButton>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users reach the links and buttons inside
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above
        <div
          id={panelId}
          className={classNames(
            'absolute inset-x-0 top-full z-30 flex animate-fade flex-col border-y border-line bg-white px-1 py-3 shadow-overlay sm:px-3',
          )}
          onClick={event => {
            if (event.target instanceof Element && event.target.closest('a, button')) close()
          }}
        >
          {children}
        </div>
      )}
    </div>
  )
}
