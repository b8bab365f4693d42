import { Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { coSignerName } from '../../../../domain/bookings/people.ts'
import { signerName } from '../../../../domain/leases/signing.ts'
import { api } from '../../../api/api.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { Application } from './application-data.ts'

type Row = {
  role: 'co_tenant' | 'occupant' | 'guarantor'
  firstName: string
  lastName: string
  title: string
}

const form = z.object({
  signers: z.array(z.object({ firstName: z.string(), lastName: z.string(), email: z.string() })),
  owner: z.boolean(),
})

/** Everybody who signs gets an own link by mail. */
export function InviteSignersDialog({
  application,
  onClose,
}: {
  application: Application
  onClose: () => void
}) {
  const invite = api.signing.adminInvite.useMutation()
  const settings = api.settings.signing.get.useQuery()
  const [rows, setRows] = useState(() => peopleOf(application))
  const values = {
    signers: rows.map(({ firstName, lastName }) => ({ firstName, lastName, email: '' })),
    owner: false,
  }
  const typed = useZodForm(form, values)
  const field = fieldPropsOf(typed)
  const submission = useDialogSubmit(
    typed,
    'Failed to send the invitations',
    onClose,
    async ({ owner, signers }) => {
      // An adult guest without an email does not sign.
      const asked = signers.flatMap((signer, i) => {
        const role = rows[i]?.role ?? 'guarantor'
        return role === 'occupant' && signer.email.trim() === '' ? [] : { role, ...signer }
      })
      await invite.mutateAsync({
        applicationId: application.id,
        signers: [...asked, ...(owner ? [{ role: 'owner' as const }] : [])],
      })
      return 'Invitations sent'
    },
  )
  const addGuarantor = () => {
    typed.setValue(`signers.${rows.length}`, { firstName: '', lastName: '', email: '' })
    setRows([...rows, { role: 'guarantor', firstName: '', lastName: '', title: 'Guarantor' }])
  }
  return (
    <FormDialog
      {...submission}
      title="Invite Signers"
      description={`${application.firstName} ${application.lastName} and everybody below get their own link by email. The lease is signed once all have signed.`}
      submitLabel="Send invitations"
      busyLabel="Sending..."
    >
      {rows.map(({ firstName, role, title }, i) => (
        <fieldset key={`${role} ${firstName} ${i.toString()}`} className="grid gap-4">
          <legend className="mb-2 font-semibold text-navy">{title}</legend>
          {role === 'guarantor' && (
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField label="First name" required {...field(`signers.${i}.firstName`)} />
              <TextField label="Last name" required {...field(`signers.${i}.lastName`)} />
            </div>
          )}
          <TextField
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="off"
            required={role !== 'occupant'}
            hint={role === 'occupant' ? 'Leave it empty if this guest does not sign.' : undefined}
            {...field(`signers.${i}.email`)}
          />
        </fieldset>
      ))}
      {rows.length < 6 && (
        <Button
          type="button"
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={addGuarantor}
        >
          <Plus aria-hidden />
          Add a guarantor
        </Button>
      )}
      {settings.data?.body.countersign === false && (
        <CheckboxField label="I sign the lease, too" {...field('owner')} />
      )}
    </FormDialog>
  )
}

function peopleOf(application: Application): Row[] {
  const coSigner = coSignerName(application)
  const adults = application.additionalGuests.filter(({ isAdult }) => isAdult)
  const coTenant = {
    role: 'co_tenant' as const,
    firstName: '',
    lastName: '',
    title: `${coSigner}, co-applicant`,
  }
  return [
    ...(coSigner ? [coTenant] : []),
    ...adults.map(({ firstName, lastName }) => ({
      role: 'occupant' as const,
      firstName,
      lastName,
      title: `${signerName({ firstName, lastName })}, adult guest`,
    })),
  ]
}
