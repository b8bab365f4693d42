import { X } from 'lucide-react'
import { Dialog as RadixDialog } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { noBreakWords } from './no-break-words.tsx'
import { useReturnFocus } from './return-focus.ts'

const sizes = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl' }

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: keyof typeof sizes
  /** Stays visible at the bottom while the content scrolls. */
  footer?: ReactNode
  /** Whether Escape, the close icon and a press outside close it. */
  dismissible?: boolean
  /** The element that gets the focus on close; by default the element that had it when the dialog opened. */
  opener?: Element | null
  children?: ReactNode
}

/** A modal dialog that traps the focus, returns it on close, and scrolls its content. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'md',
  footer,
  dismissible = true,
  opener,
  children,
}: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  const focus = useReturnFocus(opener)
  return (
    <RadixDialog.Root open={open} onOpenChange={next => (next || dismissible) && onOpenChange(next)}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          ref={content}
          className={classNames(contentClass, sizes[size])}
          // Without this Radix warns about a missing description.
          {...(!description && { 'aria-describedby': undefined })}
          onOpenAutoFocus={event => {
            focus.remember()
            // Focuses the first field, not the close icon; without a field, the dialog itself, so that screen readers
            // read it out.
            event.preventDefault()
            const field = content.current?.querySelector<HTMLElement>(
              'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)',
            )
            ;(field ?? content.current)?.focus({ preventScroll: true })
          }}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          // A tap that removes a toast is not a press outside.
          onInteractOutside={event =>
            (event.target as Element | null)?.closest('[aria-live]') && event.preventDefault()
          }
        >
          <header className="sticky top-0 z-10 flex items-start justify-between gap-4 rounded-t-card border-b border-line bg-white py-3 pr-3 pl-5 sm:pl-6">
            <RadixDialog.Title className="py-1.5 wrap-anywhere text-xl leading-snug font-semibold text-navy">
              {noBreakWords(title)}
            </RadixDialog.Title>
            {dismissible && (
              <RadixDialog.Close asChild>
                <IconButton label="Close">
                  <X aria-hidden />
                </IconButton>
              </RadixDialog.Close>
            )}
          </header>
          <div className="grow p-5 sm:p-6">
            {description && (
              <RadixDialog.Description asChild>
                <div className="mb-4 text-muted">{description}</div>
              </RadixDialog.Description>
            )}
            {children}
          </div>
          {footer && <footer className={footerClass}>{footer}</footer>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

// As tall as the content, so that a dialog on top of another one dims that, too.
export const overlayClass = 'fixed inset-0 z-50 bg-navy-dark/55 data-[state=open]:animate-fade'

export const contentClass =
  'fixed inset-0 z-50 m-auto flex h-fit max-h-[calc(100dvh-1.5rem)] w-[calc(100%-1.5rem)] flex-col overflow-y-auto ' +
  // Header and footer are sticky, so a focused element must not end up under them.
  'scroll-pt-20 scroll-pb-24 overscroll-contain rounded-card bg-white shadow-overlay focus:outline-none data-[state=open]:animate-rise'

export const footerClass =
  'sticky bottom-0 z-10 flex flex-wrap justify-end gap-3 rounded-b-card border-t border-line bg-white px-5 py-3.5 ' +
  'max-sm:*:grow sm:px-6'
