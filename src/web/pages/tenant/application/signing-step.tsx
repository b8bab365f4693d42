import { z } from 'zod'
import { emailText } from '../../../../domain/accounts/account.ts'
import { countSentence } from '../../../../domain/leases/signing.ts'
import { api } from '../../../api/api.ts'
import { NextStepPanel } from '../../../features/applications/next-step-panel.tsx'
import { SignerList } from '../../../features/signing/signer-list.tsx'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextField } from '../../../ui/text-field.tsx'

type SigningStepProps = { id: string; count: { signed: number; of: number }; onSign: () => void }

/** While invitations are out: the tenant signs for themself alone, and sees who has signed. */
export function SigningStep({ count, id, onSign }: SigningStepProps) {
  const query = api.signing.get.useQuery({ applicationId: id })
  const signers = query.data?.signing?.signers.filter(({ state }) => state !== 'removed')
  const own = signers?.find(({ role }) => role === 'tenant')
  const hasSigned = own?.state === 'signed'
  return (
    <>
      <NextStepPanel
        title={hasSigned ? 'You have signed' : 'Sign your lease'}
        text={
          hasSigned
            ? `${countSentence(count)} We write to you when everybody has.`
            : `Everybody signs by an own link. ${countSentence(count)}`
        }
        isQuiet={hasSigned}
        action={
          own &&
          !hasSigned && (
            <Button variant="accent" onClick={onSign}>
              Sign Lease
            </Button>
          )
        }
      />
      <Card aria-label="Who signs">
        <CardHeader title="Who signs" />
        <CardBody>
          <QueryView query={query} loading="Loading..." error="Failed to load who signs">
            {() => <SignerList signers={signers ?? []} />}
          </QueryView>
        </CardBody>
      </Card>
    </>
  )
}

const form = z.object({ email: emailText })

type InviteDialogProps = { id: string; coSigner: string; onClose: () => void }

/** The co-applicant, who signs on another device. */
export function InviteDialog({ coSigner, id, onClose }: InviteDialogProps) {
  const invite = api.signing.invite.useMutation()
  const typed = useZodForm(form, { email: '' })
  const submission = useDialogSubmit(typed, 'Failed to send the invitation', onClose, async ({ email }) => {
    await invite.mutateAsync({ applicationId: id, signers: [{ role: 'co_tenant', email }] })
    return 'Invitations sent'
  })
  return (
    <FormDialog
      {...submission}
      title={`Invite ${coSigner}`}
      description={`${coSigner} reads and signs the lease by an own link. You sign here, for yourself alone.`}
      submitLabel="Send invitation"
      busyLabel="Sending..."
    >
      <TextField
        label={`Email of ${coSigner}`}
        type="email"
        inputMode="email"
        autoComplete="off"
        required
        {...fieldPropsOf(typed)('email')}
      />
    </FormDialog>
  )
}
