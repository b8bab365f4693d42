import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { contentClass, footerClass, overlayClass } from './dialog.tsx'
import { noBreakWords } from './no-break-words.tsx'
import { useReturnFocus } from './return-focus.ts'

type ConfirmDialogProps = {
  open: boolean
  title: ReactNode
  body?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  danger?: boolean
  /** The confirmed action is in progress; the dialog stays open until it is done. */
  busy?: boolean
  busyLabel?: string
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before an irreversible action. The focus starts on Cancel. */
export function ConfirmDialog({
  open,
  title,
  body,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  busy = false,
  busyLabel,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const focus = useReturnFocus()
  return (
    <AlertDialog.Root open={open} onOpenChange={next => !next && !busy && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content
          className={classNames(contentClass, 'max-w-md')}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          {...(!body && { 'aria-describedby': undefined })}
        >
          <div className="grow p-5 sm:p-6">
            <AlertDialog.Title className="wrap-anywhere text-xl leading-snug font-semibold text-navy">
              {noBreakWords(title)}
            </AlertDialog.Title>
            {body && (
              <AlertDialog.Description asChild>
                <div className="mt-2 text-ink">{body}</div>
              </AlertDialog.Description>
            )}
          </div>
          <footer className={footerClass}>
            <AlertDialog.Cancel asChild>
              <Button variant="secondary" disabled={busy}>
                {cancelLabel}
              </Button>
            </AlertDialog.Cancel>
            <Button
              variant={danger ? 'danger' : 'primary'}
              busy={busy}
              busyLabel={busyLabel}
              onClick={onConfirm}
            >
              {confirmLabel}
            </Button>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
