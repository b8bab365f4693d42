import { useState } from 'react'
import { z } from 'zod'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { consentDisclosure, consentSentence, noticeSha256 } from '../../../../domain/leases/lease-signing.ts'
import { signingReason } from '../../../../domain/leases/signing-input.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { useOwnSignature } from '../../../features/signing/own-signature.ts'
import { DocumentToSign } from '../../../features/signing/signature-fields.tsx'
import { SignerList } from '../../../features/signing/signer-list.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { useDialogSubmit, useReadAgain } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Application } from './application-data.ts'

type Signer = NonNullable<Outputs['signing']['get']['signing']>['signers'][number]
type Task = { kind: 'resend' | 'leave-out' | 'countersign'; signer: Signer }
type SigningPanelProps = { application: Application; count: { signed: number; of: number } }

/** Who has signed by an own link, and what the owner can do for each. */
export function SigningPanel({ application, count }: SigningPanelProps) {
  const query = api.signing.get.useQuery({ applicationId: application.id })
  const [task, setTask] = useState<Task>()
  const timeZone = useTimeZone()
  const close = () => setTask(undefined)
  return (
    <section aria-label="Signers" className="grid gap-4 border-t border-line pt-4">
      <h3 className="font-semibold text-navy">
        Signed by {count.signed} of {count.of}
      </h3>
      <QueryView query={query} loading="Loading..." error="Failed to load the signers">
        {({ signing }) => (
          <SignerList signers={signing?.signers ?? []}>
            {signer => (
              <>
                <p className="text-[0.9375rem] text-muted wrap-anywhere">
                  {signer.signedAt ? `Signed ${formatMoment(signer.signedAt, timeZone)}` : signer.email}
                </p>
                {signer.declineReason && signer.state === 'declined' && (
                  <p className="text-[0.9375rem] wrap-anywhere">{signer.declineReason}</p>
                )}
                <SignerActions
                  signer={signer}
                  // The next step sends it again.
                  isNext={signer.name === application.nextStep?.waitsFor}
                  onTask={setTask}
                />
              </>
            )}
          </SignerList>
        )}
      </QueryView>
      {task?.kind === 'resend' && <ResendDialog signer={task.signer} onClose={close} />}
      {task?.kind === 'leave-out' && <LeaveOutDialog signer={task.signer} onClose={close} />}
      {task?.kind === 'countersign' && (
        <CountersignDialog application={application} signer={task.signer} onClose={close} />
      )}
    </section>
  )
}

type SignerActionsProps = { signer: Signer; isNext: boolean; onTask: (task: Task) => void }

function SignerActions({ isNext, onTask, signer }: SignerActionsProps) {
  if (signer.state === 'signed' || signer.state === 'removed') return null
  const mayBeLeftOut = signer.role !== 'tenant' && signer.role !== 'co_tenant'
  const button = (kind: 'resend' | 'leave-out' | 'countersign', label: string) => (
    <Button
      size="sm"
      variant={kind === 'countersign' ? 'secondary' : 'ghost'}
      aria-label={`${label}: ${signer.name}`}
      onClick={() => onTask({ kind, signer })}
    >
      {label}
    </Button>
  )
  return (
    <div className="-ml-2.5 flex flex-wrap gap-1">
      {signer.role === 'owner' && button('countersign', 'Countersign')}
      {!isNext && button('resend', 'Send Again')}
      {mayBeLeftOut && button('leave-out', 'Leave Out')}
    </div>
  )
}

/** Sends the first person who is missing a new link. */
export function SendAgainDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const { data } = api.signing.get.useQuery({ applicationId: application.id })
  const isMissing = ({ role, state }: Signer) => role !== 'owner' && state !== 'signed' && state !== 'removed'
  const signer = data?.signing?.signers.find(isMissing)
  return signer && <ResendDialog signer={signer} onClose={onClose} />
}

type SignerDialogProps = { signer: Signer; onClose: () => void }

function ResendDialog({ onClose, signer }: SignerDialogProps) {
  const resend = api.signing.resend.useMutation()
  const form = useZodForm(z.object({ email: z.string() }), { email: signer.email ?? '' })
  const submission = useDialogSubmit(form, 'Failed to send the invitation', onClose, async ({ email }) => {
    const isTenant = signer.role === 'tenant'
    await resend.mutateAsync({ signerId: signer.id, ...(!isTenant && { email }) })
    return { title: 'Invitation sent again', detail: 'Earlier links no longer work.' }
  })
  return (
    <FormDialog
      {...submission}
      title={`Send ${signer.name} a new link`}
      description="Earlier links no longer work."
      submitLabel="Send Again"
      busyLabel="Sending..."
    >
      {signer.role === 'tenant' ? (
        <p>It goes to the email of the account.</p>
      ) : (
        <TextField label="Email" type="email" inputMode="email" required {...fieldPropsOf(form)('email')} />
      )}
    </FormDialog>
  )
}

function LeaveOutDialog({ onClose, signer }: SignerDialogProps) {
  const leaveOut = api.signing.leaveOut.useMutation()
  return (
    <ConfirmAction
      title={`Leave ${signer.name} out?`}
      body="The link no longer works, and the lease is signed without this person."
      confirmLabel="Leave Out"
      failedText="Failed to leave this person out"
      action={async () => {
        await leaveOut.mutateAsync({ signerId: signer.id })
        return 'Left out'
      }}
      onClose={onClose}
    />
  )
}

/** Takes back all invitations to sign, and with them the signatures so far. */
export function TakeBackDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const takeBack = api.signing.takeBack.useMutation()
  const form = useZodForm(signingReason, { reason: '' })
  const submission = useDialogSubmit(
    form,
    'Failed to take the invitations back',
    onClose,
    async ({ reason }) => {
      await takeBack.mutateAsync({ applicationId: application.id, reason })
      return 'Invitations taken back'
    },
  )
  return (
    <FormDialog
      {...submission}
      title="Take the invitations back?"
      description="All links stop working, and signatures that were given no longer count. Who has signed is told."
      submitLabel="Take Back"
      busyLabel="Taking back..."
      danger
    >
      <TextAreaField label="Reason" required rows={3} maxLength={2000} {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}

function CountersignDialog({
  application,
  onClose,
  signer,
}: SignerDialogProps & { application: Application }) {
  const readAgain = useReadAgain()
  const site = useSite()
  const countersign = api.signing.countersign.useMutation()
  const text = api.leases.preview.useQuery({ id: application.id }, { gcTime: 0, refetchOnWindowFocus: false })
  const toSign = text.data && {
    text: text.data.leaseText,
    textSha256: text.data.leaseTextSha256,
    notice: site ? consentDisclosure(site) : [],
    // Hashed when it is sent.
    noticeSha256: '',
    consentSentence,
  }
  const signature = useOwnSignature(signer.name, toSign, async given => {
    if (!site) return
    await countersign.mutateAsync({
      ...given,
      signerId: signer.id,
      noticeSha256: await noticeSha256(site),
    })
    toast.success('Signed successfully')
    await readAgain()
    onClose()
  })
  return (
    <FormDialog
      title="Countersign"
      submit={signature.submit}
      submitLabel="Sign"
      busyLabel="Signing..."
      busy={signature.busy}
      disabled={!toSign || !site}
      onClose={onClose}
    >
      <QueryView query={text} loading="Loading..." error="Failed to load the lease">
        {() => toSign && <DocumentToSign title="Please read the lease" toSign={toSign} signing={signature} />}
      </QueryView>
    </FormDialog>
  )
}
