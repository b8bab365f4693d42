import { useState } from 'react'
import { mailboxCodeForm } from '../../../domain/accounts/account-safety-form.ts'
import { api } from '../../api/api.ts'
import { failureOf, failureText } from '../../api/failures.ts'
import { useAccountForm } from '../../forms/account-form.tsx'
import { useReadAgain } from '../../forms/change.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'

const notSent = 'The code could not be sent. Please try again.'
const notConfirmed = 'Your address could not be confirmed. Please try again.'

type ConfirmMailboxDialogProps = {
  /** What the confirmation is good for: a sentence. */
  reason: string
  onConfirmed: () => void
  onClose: () => void
}

/** Mails a code and asks for it, which proves the account's mailbox. */
export function ConfirmMailboxDialog({ reason, onConfirmed, onClose }: ConfirmMailboxDialogProps) {
  const { email } = useUser()
  const readAgain = useReadAgain()
  const finish = async () => {
    await readAgain()
    onConfirmed()
  }
  const { failure, isSending, isSent, send, startOver } = useSendCode(finish)
  const { busy, field, formError, submit } = useCodeForm(finish, startOver)
  const address = <strong className="inline-block max-w-full wrap-anywhere">{email}</strong>
  return (
    <FormDialog
      title="Confirm your email address"
      size="sm"
      {...(isSent
        ? { submit, busy, submitLabel: 'Confirm', busyLabel: 'Checking...', disabled: isSending }
        : { submit: send, busy: isSending, submitLabel: 'Send code', busyLabel: 'Sending...' })}
      formError={isSent ? (formError ?? failure) : failure}
      onClose={onClose}
    >
      {isSent ? (
        <>
          <p>We have sent a code to {address}. It works for 15 minutes.</p>
          <TextField
            label="6-digit code"
            required
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            {...field('code')}
          />
          <Button
            variant="ghost"
            className="justify-self-start"
            disabled={busy}
            busy={isSending}
            busyLabel="Sending..."
            onClick={send}
          >
            Send a new code
          </Button>
        </>
      ) : (
        <p>
          We will send a 6-digit code to {address}. {reason}
        </p>
      )}
    </FormDialog>
  )
}

function useSendCode(onProven: () => Promise<void>) {
  const sendCode = api.emailChange.sendCode.useMutation()
  const [isSent, setSent] = useState(false)
  const [failure, setFailure] = useState<string>()
  const tell = async () => {
    setFailure(undefined)
    try {
      await sendCode.mutateAsync()
      if (isSent) toast.success('We have sent you a new code')
      setSent(true)
    } catch (error) {
      // Another tab has confirmed the address.
      if (failureOf(error).status === 409) return onProven()
      setFailure(failureText(error, { failed: notSent, noResponse: notSent }))
    }
  }
  return {
    failure,
    isSent,
    isSending: sendCode.isPending,
    send: (event: { preventDefault: () => void }) => {
      event.preventDefault()
      void tell()
    },
    startOver: (reason: string) => {
      setSent(false)
      setFailure(reason)
    },
  }
}

function useCodeForm(onProven: () => Promise<void>, onOver: (reason: string) => void) {
  const confirm = api.emailChange.confirmCode.useMutation()
  const form = useZodForm(mailboxCodeForm, { code: '' })
  const texts = { failed: notConfirmed, noResponse: notConfirmed }
  return useAccountForm(form, texts, async input => {
    try {
      toast.success((await confirm.mutateAsync(input)).message)
    } catch (error) {
      const { status } = failureOf(error)
      if (status === 410) {
        form.reset()
        return onOver(failureText(error, texts))
      }
      if (status !== 409) {
        form.setFocus('code', { shouldSelect: true })
        throw error
      }
    }
    await onProven()
  })
}
