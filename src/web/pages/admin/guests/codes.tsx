import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../../api/api.ts'
import { useDialogSubmit, useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
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

type ChangeCodeProps = {
  lock: { lockId: string; name: string; codeId: string | null }
  applicationId?: string
}

/** Another code of a lock: typed, or drawn for a stay. */
export function ChangeCode(props: ChangeCodeProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setAsking(true)}>
        {props.lock.codeId ? 'Change code' : props.applicationId ? 'Make a code' : 'Enter code'}
      </Button>
      {isAsking && <CodeDialog {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

const codeForm = z.object({ code: z.string() })

function CodeDialog({ applicationId, lock, onClose }: ChangeCodeProps & { onClose: () => void }) {
  const change = api.stays.changeCode.useMutation()
  const form = useZodForm(codeForm, { code: '' })
  const isFirst = !lock.codeId
  const failed = isFirst ? 'Failed to save the code' : 'Failed to change the code'
  const submission = useDialogSubmit(form, failed, onClose, async ({ code }) => {
    const of = { lockId: lock.lockId, ...(applicationId && { applicationId }) }
    await change.mutateAsync({ ...of, ...(code && { code }) })
    return isFirst ? 'Code saved' : 'Code changed'
  })
  return (
    <FormDialog
      {...submission}
      title={`${isFirst ? 'A' : 'Another'} code for ${lock.name}`}
      description={!isFirst && 'The former code is no longer shown to anybody.'}
      submitLabel={isFirst ? (applicationId ? 'Make the code' : 'Save the code') : 'Change code'}
    >
      <TextField
        label={isFirst ? 'Code' : 'New code'}
        hint={`2 to 16 digits, letters, * or #.${applicationId ? ' Empty: we make one that is hard to guess.' : ''}`}
        autoComplete="off"
        {...fieldPropsOf(form)('code')}
      />
    </FormDialog>
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
