import { type ComponentProps, type FormEvent, useId } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormError } from '../ui/form-error.tsx'

type FormDialogProps = Pick<
  ComponentProps<typeof Dialog>,
  'title' | 'description' | 'size' | 'opener' | 'children'
> & {
  submit: (event: FormEvent<HTMLFormElement>) => unknown
  busy: boolean
  /** Shown above the fields. */
  formError?: string | undefined
  /** If undefined, there is no submit button. */
  submitLabel: string | undefined
  busyLabel?: string
  cancelLabel?: string
  danger?: boolean
  /** Whether submitting is not possible yet. */
  disabled?: boolean
  onClose: () => void
}

/** A form in a dialog; the dialog cannot be closed while the form is being submitted. */
export function FormDialog({
  submit,
  busy,
  formError,
  submitLabel,
  busyLabel = 'Saving...',
  cancelLabel = 'Cancel',
  danger = false,
  disabled = false,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const formId = useId()
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={next => !next && !busy && onClose()}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            {cancelLabel}
          </Button>
          {submitLabel && (
            <Button
              type="submit"
              form={formId}
              variant={danger ? 'danger' : 'primary'}
              disabled={disabled}
              busy={busy}
              busyLabel={busyLabel}
            >
              {submitLabel}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        {children}
      </form>
    </Dialog>
  )
}
