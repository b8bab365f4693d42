import { type ComponentProps, useState } from 'react'
import { z } from 'zod'
import { addendumReason } from '../../../../domain/leases/addendum.ts'
import { api } from '../../../api/api.ts'
import { sendForm } from '../../../api/files.ts'
import { AddendaList, type AddendumView } from '../../../features/leases/addendum-facts.tsx'
import { PaperUpload } from '../../../features/leases/lease-block.tsx'
import type { SendFile } from '../../../features/leases/lease-files.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { useUser } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'

type AddendaCardProps = Pick<ComponentProps<typeof AddendaList>, 'query'> & {
  /** Whether the next step already has the button to sign. */
  isAsked: boolean
  onSign: (addendumId: string) => void
  onChanged: () => unknown
}

/** The addenda to a signed lease; an open one is read, signed or declined here. */
export function AddendaCard({ isAsked, onChanged, onSign, query }: AddendaCardProps) {
  const [declined, setDeclined] = useState<AddendumView>()
  const isTenant = useUser().role === 'tenant'
  return (
    <Card aria-label="Addenda">
      <CardHeader title="Addenda" />
      <CardBody className="grid gap-6">
        <AddendaList query={query}>
          {addendum =>
            addendum.state === 'open' &&
            isTenant && (
              <>
                <div className="flex flex-wrap gap-3 max-sm:*:grow">
                  {!isAsked && !addendum.tenantSigned && (
                    <Button variant="secondary" onClick={() => onSign(addendum.id)}>
                      Read and Sign
                    </Button>
                  )}
                  <Button variant="secondary" onClick={() => setDeclined(addendum)}>
                    Decline
                  </Button>
                </div>
                <PaperUpload document="addendum" send={uploadSigned(addendum.id)} onUploaded={onChanged} />
              </>
            )
          }
        </AddendaList>
      </CardBody>
      {declined && <DeclineDialog addendum={declined} onClose={() => setDeclined(undefined)} />}
    </Card>
  )
}

const uploadSigned =
  (addendumId: string): SendFile =>
  (file, onPercent) => {
    const form = new FormData()
    form.append('signedAddendum', file)
    return sendForm(`/api/change/addendum/${encodeURIComponent(addendumId)}/upload-signed`, form, onPercent)
  }

const declineForm = z.object({ reason: addendumReason })

function DeclineDialog({ addendum, onClose }: { addendum: AddendumView; onClose: () => void }) {
  const decline = api.addenda.decline.useMutation()
  const form = useZodForm(declineForm, { reason: '' })
  const submission = useDialogSubmit(form, 'Failed to decline', onClose, async ({ reason }) => {
    await decline.mutateAsync({ addendumId: addendum.id, reason })
    return 'Addendum declined'
  })
  return (
    <FormDialog
      {...submission}
      title={`Decline Addendum No. ${addendum.number}?`}
      description="Your lease stays as it is. The owner reads your reason."
      submitLabel="Decline"
      busyLabel="Declining..."
    >
      <TextAreaField label="Reason" required rows={3} {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}
