import { z } from 'zod'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { toast } from '../../../ui/toast.ts'
import { type CalendarExport, useInvalidateCalendars } from './calendar-data.ts'

const typedRotation = z
  .object({ old: z.enum(['keep', 'end'], 'Please choose whether to keep the old address') })
  .transform(({ old }) => ({ keepOld: old === 'keep' }))

const choices = [
  {
    value: 'keep',
    label: 'Keep it for 7 more days',
    hint: 'This gives you time to pass on the new one. Until then, both work.',
  },
  { value: 'end', label: 'End it at once', hint: 'If the wrong person has it.' },
]

/** Creates a new secret URL for an exported calendar. The old URL ends immediately or in 7 days. */
export function RotateDialog({ given, onClose }: { given: CalendarExport; onClose: () => void }) {
  const rotate = api.calendars.rotateExport.useMutation()
  const invalidate = useInvalidateCalendars()
  const form = useZodForm(typedRotation, { old: 'keep' })
  const field = fieldPropsOf(form)
  const submission = useSubmit(form, 'Failed to make a new address', async ({ keepOld }) => {
    await rotate.mutateAsync({ id: given.id, keepOld })
    toast.success(
      'New address made',
      keepOld ? 'The old one works for 7 more days.' : 'The old one has ended.',
    )
    await invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title={`New address for ${given.name}`}
      description={
        given.oldUrlUntil
          ? 'The address before this one, which still works, ends now.'
          : 'Afterwards, copy the new address to wherever the old one is used.'
      }
      submitLabel="Make a new address"
      onClose={onClose}
    >
      <RadioGroupField label="The old address" cards options={choices} {...field('old')} />
    </FormDialog>
  )
}
