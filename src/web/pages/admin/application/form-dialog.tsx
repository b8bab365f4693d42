import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'

type FormDialogProps = {
  title: string
  description?: ReactNode
  submitLabel: string
  busy: boolean
  refusal: string | undefined
  onSubmit: ComponentProps<'form'>['onSubmit']
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog; while it is sent it stays open. */
export function FormDialog({
  title,
  description,
  submitLabel,
  busy,
  refusal,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const formId = useId()
  return (
    <Dialog
      open
      onOpenChange={next => !next && !busy && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={busy} busyLabel="Saving...">
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="grid gap-5">
        <FormError>{refusal}</FormError>
        {children}
      </form>
    </Dialog>
  )
}
