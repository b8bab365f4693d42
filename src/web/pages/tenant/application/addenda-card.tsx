import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { addendumReason } from '../../../../domain/leases/addendum.ts'
import { api } from '../../../api/api.ts'
import { fetchFile, openFile } from '../../../api/files.ts'
import {
  AddendumBadge,
  AddendumFacts,
  type AddendumView,
  addendumTitle,
} from '../../../features/addenda/addendum-facts.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { useUser } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'

type AddendaCardProps = {
  addenda: AddendumView[]
  onSign: (addendumId: string) => void
  onChanged: () => unknown
}

/** The addenda to a signed lease; an open one is read, signed or declined here. */
export function AddendaCard({ addenda, onChanged, onSign }: AddendaCardProps) {
  const [declined, setDeclined] = useState<AddendumView>()
  const isTenant = useUser().role === 'tenant'
  const done = async () => {
    await onChanged()
    setDeclined(undefined)
  }
  return (
    <Card aria-label="Addenda">
      <CardHeader title="Addenda" />
      <CardBody className="grid gap-6">
        {addenda.toReversed().map(addendum => (
          <section key={addendum.id} aria-label={`Addendum No. ${addendum.number}`} className="grid gap-3">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h3 className="font-semibold text-navy">{addendumTitle(addendum)}</h3>
              {addendum.state !== 'open' && <AddendumBadge state={addendum.state} />}
            </div>
            {addendum.state === 'open' && <AddendumFacts {...addendum} />}
            <div className="flex flex-wrap gap-3 max-sm:*:grow">
              {addendum.state === 'open' && isTenant && (
                <>
                  <Button onClick={() => onSign(addendum.id)}>Read and Sign</Button>
                  <Button variant="secondary" onClick={() => setDeclined(addendum)}>
                    Decline
                  </Button>
                </>
              )}
              <OpenPdf addendum={addendum} />
            </div>
          </section>
        ))}
      </CardBody>
      {declined && <DeclineDialog addendum={declined} onClose={() => setDeclined(undefined)} onDone={done} />}
    </Card>
  )
}

function OpenPdf({ addendum: { id, number } }: { addendum: AddendumView }) {
  const open = useMutation({
    mutationFn: () => openFile(() => fetchFile(`/api/change/addendum/${encodeURIComponent(id)}/pdf`)),
    onError: error => void toastFailure(error, 'Failed to load the addendum'),
  })
  return (
    <Button
      size="sm"
      variant="secondary"
      aria-label={`Open the PDF of Addendum No. ${number}`}
      busy={open.isPending}
      busyLabel="Opening..."
      onClick={() => open.mutate()}
    >
      PDF
    </Button>
  )
}

const declineForm = z.object({ reason: addendumReason })

function DeclineDialog({
  addendum,
  onClose,
  onDone,
}: {
  addendum: AddendumView
  onClose: () => void
  onDone: () => unknown
}) {
  const decline = api.addenda.decline.useMutation()
  const form = useZodForm(declineForm, { reason: '' })
  const submission = useSubmit(form, 'Failed to decline', async ({ reason }) => {
    await decline.mutateAsync({ addendumId: addendum.id, reason })
    toast.success('Addendum declined')
    await onDone()
  })
  return (
    <FormDialog
      {...submission}
      title={`Decline Addendum No. ${addendum.number}?`}
      description="Your lease stays as it is. The owner reads your reason."
      submitLabel="Decline"
      busyLabel="Declining..."
      onClose={onClose}
    >
      <TextAreaField label="Reason" required rows={3} {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}
