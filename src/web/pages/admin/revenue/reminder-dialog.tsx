import { keepPreviousData } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/api.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { SentenceAndMail } from '../application/dialog-fields.tsx'

type ReminderDialogProps = {
  applicationId: string
  name: string
  /** Records a payment instead, where that is possible. */
  onPaid?: () => void
  /** Opens a free email where that is possible. */
  onWrite?: () => void
  onClose: () => void
}

/** Reminds a guest of what is due, with the email in sight (LOOK-67). */
export function ReminderDialog({ applicationId, name, onPaid, onWrite, onClose }: ReminderDialogProps) {
  const readAgain = useReadAgain()
  const [message, setMessage] = useState('')
  const query = api.plans.previewReminder.useQuery(
    { applicationId, message: useDebounced(message) },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const remind = api.plans.remind.useMutation()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const sent = await remind.mutateAsync({ applicationId, ...(message && { message }) })
      toast.success(sent.message, `To ${query.data?.to}`)
      onClose()
    } catch (error) {
      toastFailure(error, 'Failed to send the reminder')
    }
    void readAgain()
  }
  return (
    <FormDialog
      title={`Remind ${name}`}
      submit={submit}
      submitLabel={query.data?.refusal ? undefined : 'Send'}
      busyLabel="Sending..."
      disabled={!query.data}
      busy={remind.isPending}
      onClose={onClose}
    >
      <QueryView query={query} loading="Reading what is due..." error="Failed to load the reminder">
        {({ refusal }) =>
          refusal ? (
            <Notice
              tone="warning"
              title={refusal}
              action={
                onWrite && (
                  <Button size="sm" variant="secondary" onClick={onWrite}>
                    Write to the guest instead
                  </Button>
                )
              }
            />
          ) : (
            <div className="grid gap-3">
              <SentenceAndMail open mail={query} message={message} onChange={setMessage} />
            </div>
          )
        }
      </QueryView>
      {onPaid && (
        <Button size="sm" variant="ghost" className="-mt-2 -ml-3 justify-self-start" onClick={onPaid}>
          Record a payment instead
        </Button>
      )}
    </FormDialog>
  )
}
