import { useEffect, useRef, useState } from 'react'
import { emailChangeForm } from '../../../domain/accounts/account-safety-form.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import { api, type Outputs } from '../../api/api.ts'
import { ConfirmMailboxDialog } from '../../features/security/confirm-mailbox-dialog.tsx'
import { Section, useFactors } from '../../features/security/section.tsx'
import { useTimeZone } from '../../features/stays/today.ts'
import { EmailField, useAccountForm } from '../../forms/account-form.tsx'
import { toastFailure } from '../../forms/failure-toast.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { useSession, useUser } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { toast } from '../../ui/toast.ts'

const failed = 'Failed to change your email address. Please try again.'

type Change = NonNullable<Outputs['emailChange']['current']['change']>

/** The account's email address and the form to change it. Both addresses confirm a change by link (SAFE-25). */
export function EmailChange() {
  const { email } = useUser()
  const query = api.emailChange.current.useQuery()
  const [step, setStep] = useState<'closed' | 'mailbox' | 'form' | 'sent'>('closed')
  const factors = useFactors()
  const address = useRef<HTMLParagraphElement>(null)
  const change = query.data?.change
  useFollowChange(change)
  /** The clicked button is gone, so the address gets the focus. */
  const close = () => {
    setStep('closed')
    address.current?.focus()
  }
  return (
    <Section
      title="Email address"
      action={
        change === null &&
        step !== 'form' && (
          <Button
            variant="secondary"
            disabled={!factors.data}
            onClick={() => setStep(factors.data?.mailboxProven ? 'form' : 'mailbox')}
          >
            Change email
          </Button>
        )
      }
    >
      <p ref={address} tabIndex={-1} className="wrap-anywhere focus:outline-none">
        {email}
      </p>
      {step === 'mailbox' && (
        <ConfirmMailboxDialog
          reason="Once you have entered it, you can change your address."
          onConfirmed={() => setStep('form')}
          onClose={close}
        />
      )}
      <QueryView
        query={query}
        loading="Loading..."
        error={
          <div role="status" className="flex flex-wrap items-center justify-between gap-3">
            <p>Failed to load the status of your email change</p>
            <Button size="sm" variant="secondary" onClick={() => void query.refetch()}>
              Try Again
            </Button>
          </div>
        }
      >
        {({ change: open }) =>
          open ? (
            <OpenChange change={open} isNew={step === 'sent'} onGivenUp={close} />
          ) : (
            step === 'form' && <RequestForm onSent={() => setStep('sent')} onCancel={close} />
          )
        }
      </QueryView>
    </Section>
  )
}

/** Reloads the user when a change is completed or expired, because the email address may be new. */
function useFollowChange(change: Change | null | undefined): void {
  const { setUser } = useSession()
  const utils = api.useUtils()
  const wasOpen = useRef(false)
  useEffect(() => {
    if (change) wasOpen.current = true
    else if (change === null && wasOpen.current) {
      wasOpen.current = false
      utils.accounts.profile.fetch(undefined, { staleTime: 0 }).then(
        ({ user }) => setUser(user),
        () => undefined,
      )
    }
  }, [change, utils, setUser])
}

function RequestForm({ onSent, onCancel }: { onSent: () => void; onCancel: () => void }) {
  const isTenant = useUser().role === 'tenant'
  const utils = api.useUtils()
  const start = api.emailChange.start.useMutation()
  const form = useZodForm(emailChangeForm, { newEmail: '', applicationsToo: false })
  const texts = { failed, noResponse: failed, atFields: true }
  const { submit, formError, busy } = useAccountForm(form, texts, async input => {
    const answer = await start.mutateAsync(input)
    utils.emailChange.current.setData(undefined, answer)
    onSent()
  })
  const { setFocus } = form
  useEffect(() => setFocus('newEmail'), [setFocus])
  const field = fieldPropsOf(form)
  return (
    <form noValidate onSubmit={submit} className="mt-2 grid gap-5">
      <FormError>{formError}</FormError>
      <EmailField
        label="New email address"
        hint="To confirm the change, open the links that we send to your old address and to the new one."
        {...field('newEmail')}
      />
      {isTenant && <CheckboxField label="Use it for my applications too" {...field('applicationsToo')} />}
      <div className="flex flex-wrap-reverse justify-end gap-3 max-sm:*:grow">
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy} busyLabel="Sending...">
          Send the links
        </Button>
      </div>
    </form>
  )
}

type OpenChangeProps = { change: Change; isNew: boolean; onGivenUp: () => void }

/**
 * Shows which addresses have confirmed an open change. If it replaces the form it gets the focus, so that it is read
 * out.
 */
function OpenChange({ change, isNew, onGivenUp }: OpenChangeProps) {
  const timeZone = useTimeZone()
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) notice.current?.focus()
  }, [isNew])
  const utils = api.useUtils()
  const giveUp = api.emailChange.giveUp.useMutation({
    onSuccess: ({ message }) => {
      utils.emailChange.current.setData(undefined, { change: null })
      toast.success(message)
      onGivenUp()
    },
    onError: error => void toastFailure(error, 'Failed to cancel the change'),
  })
  const addresses = [
    { email: change.oldEmail, isConfirmed: change.confirmedOld },
    { email: change.newEmail, isConfirmed: change.confirmedNew },
  ]
  return (
    <Notice ref={notice} tabIndex={-1} className="mt-2" title={safetyMessages.emailChangeSent}>
      <p>Open both links by {formatMoment(change.expiresAt, timeZone)}. Until then, nothing changes.</p>
      <ul className="mt-3 grid gap-2">
        {addresses.map(({ email, isConfirmed }) => (
          <li key={email} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="wrap-anywhere">{email}</span>
            <Badge tone={isConfirmed ? 'green' : 'yellow'}>{isConfirmed ? 'Confirmed' : 'Waiting'}</Badge>
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        variant="secondary"
        className="mt-4"
        busy={giveUp.isPending}
        busyLabel="Canceling..."
        onClick={() => giveUp.mutate()}
      >
        Cancel the change
      </Button>
    </Notice>
  )
}
