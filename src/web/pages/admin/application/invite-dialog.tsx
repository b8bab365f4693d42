import { invitationForm } from '../../../../domain/bookings/booking-entry.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'

type InviteDialogProps = { application: Application; onClose: () => void }

/** Invites a guest. The e-mail address can be corrected unless somebody has registered it. */
export function InviteDialog({ application, onClose }: InviteDialogProps) {
  const invite = api.entry.invite.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(invitationForm, {
    email: application.userId.email,
  })
  const field = fieldPropsOf(form)
  const submission = useSubmit(form, 'Failed to send the invitation', async ({ email }) => {
    const corrected = email === application.userId.email ? {} : { email }
    const { message } = await invite.mutateAsync({ applicationId: application.id, ...corrected })
    toast.success(message)
    void invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title={application.invitation ? 'Send Invitation Again' : 'Send Invitation'}
      description="The guest gets a link to set a password. Older links no longer work."
      submitLabel="Send Invitation"
      busyLabel="Sending..."
      onClose={onClose}
    >
      <TextField
        readOnly={application.guestAccess === 'unproven'}
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        required
        hint={
          application.guestAccess === 'unproven'
            ? 'Somebody registered this address. To correct it, delete the booking and enter it again.'
            : 'A correction changes the guest’s account and this booking.'
        }
        {...field('email')}
      />
    </FormDialog>
  )
}
