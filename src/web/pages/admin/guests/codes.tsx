import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'

/** Runs a change of stays with its toast, and reads everything again; false if it failed. */
export function useStayChange() {
  const readAgain = useReadAgain()
  return async (change: () => Promise<unknown>, done: string, failed: string): Promise<boolean> => {
    try {
      await change()
      toast.success(done)
      await readAgain()
      return true
    } catch (error) {
      toastFailure(error, failed)
      return false
    }
  }
}

type AskLineProps = {
  title: string
  description: string
  label: string
  hint?: string
  submitLabel: string
  /** The label of an additional date field, which `needsDay` makes required. */
  dayLabel?: string
  needsDay?: boolean
  /** Whether it is done, so that the dialog closes. */
  onSend: (line: string, day: string) => Promise<boolean>
  onClose: () => void
}

/** Asks for one line, such as a code or a reason. */
export function AskLine({
  dayLabel,
  label,
  hint,
  needsDay = false,
  onSend,
  onClose,
  ...dialog
}: AskLineProps) {
  const [line, setLine] = useState('')
  const [day, setDay] = useState('')
  const [busy, setBusy] = useState(false)
  const [isMissing, setMissing] = useState(false)
  return (
    <FormDialog
      {...dialog}
      busy={busy}
      submit={async event => {
        event.preventDefault()
        setMissing(needsDay && !day)
        if (needsDay && !day) return
        setBusy(true)
        if (await onSend(line, day)) onClose()
        else setBusy(false)
      }}
      onClose={onClose}
    >
      <TextField
        label={label}
        hint={hint}
        autoComplete="off"
        value={line}
        onChange={event => setLine(event.target.value)}
      />
      {dayLabel && (
        <TextField
          label={dayLabel}
          hint={`${needsDay ? '' : 'Empty: until the last day. '}At most a week longer.`}
          error={isMissing ? 'Please choose a day' : undefined}
          type="date"
          value={day}
          onChange={event => setDay(event.target.value)}
        />
      )}
    </FormDialog>
  )
}

type ChangeCodeProps = {
  lock: { lockId: string; name: string; codeId: string | null }
  applicationId?: string
}

/** Another code of a lock: typed, or drawn for a stay. */
export function ChangeCode({ lock: { codeId, lockId, name }, applicationId }: ChangeCodeProps) {
  const [isAsking, setAsking] = useState(false)
  const change = api.stays.changeCode.useMutation()
  const run = useStayChange()
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setAsking(true)}>
        {codeId ? 'Change code' : applicationId ? 'Make a code' : 'Enter code'}
      </Button>
      {isAsking && (
        <AskLine
          title={`Another code for ${name}`}
          description="The former code is no longer shown to anybody."
          label="New code"
          hint={
            applicationId ? 'Empty: we make one that is hard to guess.' : '2 to 16 digits, letters, * or #.'
          }
          submitLabel="Change code"
          onSend={code =>
            run(
              () =>
                change.mutateAsync({
                  lockId,
                  ...(applicationId && { applicationId }),
                  ...(code && { code }),
                }),
              'Code changed',
              'Failed to change the code',
            )
          }
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

const shownMs = 60_000

/** Shows the owner a code for a minute, after a proof of identity. */
export function ShowCode({ codeId }: { codeId: string }) {
  const show = api.stays.showOwnCode.useMutation({
    gcTime: 0,
    onSuccess: () => void setTimeout(() => show.reset(), shownMs),
    onError: error => toastFailure(error, 'The code could not be shown'),
  })
  if (show.data) return <output className="font-mono text-2xl tracking-widest">{show.data.code.code}</output>
  return (
    <Button size="sm" variant="secondary" busy={show.isPending} onClick={() => show.mutate({ codeId })}>
      Show code
    </Button>
  )
}
