import { Menu as MenuIcon, X } from 'lucide-react'
import { Collapsible } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

type MobileMenuProps = {
  label?: string
  /** Links and buttons; choosing one closes the menu. */
  children: ReactNode
  className?: string
}

/** Navigation behind a button. The panel lies under the nearest positioned ancestor, over the page. */
export function MobileMenu({ label = 'Menu', children, className }: MobileMenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Collapsible.Root
      open={open}
      onOpenChange={setOpen}
      className={className}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !open) return
        setOpen(false)
        button.current?.focus()
      }}
      onBlur={event => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Collapsible.Trigger asChild>
        <IconButton ref={button} label={label}>
          {open ? <X aria-hidden /> : <MenuIcon aria-hidden />}
        </IconButton>
      </Collapsible.Trigger>
      <Collapsible.Content
        className={classNames(
          'absolute inset-x-0 top-full z-30 flex flex-col border-y border-line bg-white p-3 shadow-overlay',
          'data-[state=open]:animate-fade',
        )}
        onClick={event => {
          if (event.target instanceof Element && event.target.closest('a, button')) setOpen(false)
        }}
      >
        {children}
      </Collapsible.Content>
    </Collapsible.Root>
  )
}
