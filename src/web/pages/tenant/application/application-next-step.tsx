import { CreditCard, KeyRound, PenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { TenantStep } from '../../../../domain/bookings/tenant-step.ts'
import { api } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { NextStepPanel } from '../../../features/applications/next-step-panel.tsx'
import { failureTexts } from '../../../forms/failure-toast.ts'
import { paths } from '../../../routing/paths.ts'
import { isSessionExpired } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { toast } from '../../../ui/toast.ts'

type ApplicationNextStepProps = {
  id: string
  step: TenantStep
  isOver: boolean | undefined
  onSign: () => void
  /** The co-applicant, who can sign by an own link. */
  invite: { name: string; open: () => void } | undefined
}

/** The tenant's next step, or what the tenant waits for. */
export function ApplicationNextStep({ id, invite, step, isOver, onSign }: ApplicationNextStepProps) {
  const { kind, title, text, isOverdue } = step
  if (kind === 'submit') return <SubmitDraft id={id} step={step} />
  if (kind === 'declined') return <NextStepPanel title={text} action={<NewApplication />} />
  return (
    <NextStepPanel
      title={title}
      text={text}
      isOverdue={isOverdue}
      isQuiet={['booked', 'refund', 'wait'].includes(kind)}
      action={
        kind === 'addendum' ? (
          <Button variant="accent" onClick={onSign}>
            <PenLine aria-hidden />
            Read and Sign
          </Button>
        ) : kind === 'sign' ? (
          <>
            <Button variant="accent" onClick={onSign}>
              <PenLine aria-hidden />
              Sign Lease
            </Button>
            {invite && (
              <Button variant="secondary" onClick={invite.open}>
                Invite {invite.name}
              </Button>
            )}
          </>
        ) : kind === 'claim' ? (
          <Button variant="accent" asChild>
            <a href="#deposit">See the claim</a>
          </Button>
        ) : isOver || kind === 'refund' ? (
          <NewApplication />
        ) : (
          <NextStepLink id={id} kind={kind} isOverdue={isOverdue} />
        )
      }
    />
  )
}

function NewApplication() {
  return (
    <Button variant="accent" asChild>
      <Link href={paths.newApplication}>
        <Plus aria-hidden />
        New Application
      </Link>
    </Button>
  )
}

function SubmitDraft({ id, step }: { id: string; step: TenantStep }) {
  const queries = api.useUtils()
  const submission = api.applications.submit.useMutation()
  const [formError, setFormError] = useState<string>()
  const submit = async () => {
    setFormError(undefined)
    try {
      const answer = await submission.mutateAsync({ id })
      queries.applications.get.setData({ id }, answer)
      toast.success('Application submitted successfully!')
    } catch (error) {
      const { detail, title } = failureTexts(error, {
        failed: 'Failed to submit application',
        noResponse: 'Failed to submit application. Please try again.',
      })
      if (!isSessionExpired(error)) setFormError(detail ? `${title}. ${detail}` : title)
    }
  }
  return (
    <>
      <NextStepPanel
        title={step.title}
        text={step.text}
        action={
          <Button
            variant="accent"
            onClick={() => void submit()}
            busy={submission.isPending}
            busyLabel="Submitting..."
          >
            Submit Application
          </Button>
        }
      />
      <FormError>{formError}</FormError>
    </>
  )
}

/** Labels of the button that opens the application's own page. */
const openLabels: Partial<Record<TenantStep['kind'], string>> = {
  submit: 'Open your application',
  addendum: 'Read and Sign',
  claim: 'See the claim',
  refund: 'See details',
}

type PayLinkProps = { id: string; isOverdue?: boolean | undefined; isLater?: boolean | undefined }

/** A link to where a step can be done; renders nothing if the tenant can only wait. */
export function NextStepLink({ kind, ...props }: PayLinkProps & { kind: TenantStep['kind'] }) {
  const { id } = props
  const { isOpen } = useOpenStay(id, kind)
  if (kind === 'pay')
    return (
      <>
        <PayLink {...props} />
        {isOpen && <StayLink id={id} variant="secondary" />}
      </>
    )
  if (kind === 'booked') return isOpen && <StayLink id={id} variant="accent" />
  if (kind === 'sign') {
    return (
      <Button variant="accent" asChild>
        <Link href={paths.signLease(id)}>
          <PenLine aria-hidden />
          Sign Lease
        </Link>
      </Button>
    )
  }
  const label = openLabels[kind]
  return (
    label && (
      <Button variant="accent" asChild>
        <Link href={paths.application(id)}>{label}</Link>
      </Button>
    )
  )
}

/** Whether the stay page is open and the next step can link to it. */
export function useOpenStay(applicationId: string, kind: TenantStep['kind']) {
  const isOn = useSite()?.forGuests?.includes('stay') === true
  const enabled = isOn && (kind === 'booked' || kind === 'pay')
  const { data, isLoading } = api.stays.get.useQuery({ applicationId }, { enabled })
  return { isLoading, isOpen: enabled && data?.stay?.gate.state === 'open' }
}

function StayLink({ id, variant }: { id: string; variant: 'accent' | 'secondary' }) {
  return (
    <Button variant={variant} asChild>
      <Link href={paths.stay(id)}>
        <KeyRound aria-hidden />
        Open your stay
      </Link>
    </Button>
  )
}

function PayLink({ id, isLater, isOverdue }: PayLinkProps) {
  return (
    <Button variant={isOverdue ? 'primary' : isLater ? 'secondary' : 'accent'} asChild>
      <Link href={paths.payment(id)}>
        <CreditCard aria-hidden />
        Pay now
      </Link>
    </Button>
  )
}
