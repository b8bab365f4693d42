import { Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { toast } from '../../../ui/toast.ts'
import { type CalendarExport, type Calendars, useInvalidateCalendars } from './calendar-data.ts'
import { ExportDialog } from './export-dialog.tsx'
import { ExportItem } from './export-item.tsx'

type Opened = { as: 'edit' | 'rotate' | 'remove'; export: CalendarExport } | { as: 'new' }

/** The URLs at which others can read this site's calendar. */
export function ExportsCard({ calendars: { exports, feeds } }: { calendars: Calendars }) {
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const addButton = (
    <Button variant="secondary" size="sm" onClick={() => setOpened({ as: 'new' })}>
      <Plus aria-hidden />
      Give out a calendar
    </Button>
  )
  return (
    <SetupCard
      title="Calendars we give out"
      subtitle="Secret addresses where others can read what is booked here. Platforms look every few hours."
      action={exports.length > 0 && addButton}
    >
      {exports.length === 0 ? (
        <EmptyState
          compact
          title="No calendar is given out yet."
          hint="One for each platform keeps your bookings off it. Your cleaner can have one without names, and you one with them."
          action={addButton}
        />
      ) : (
        <ul className="divide-y divide-line">
          {exports.map(given => (
            <ExportItem
              key={given.id}
              given={given}
              feed={feeds.find(({ id }) => id === given.feedId)}
              onOpen={as => setOpened({ as, export: given })}
            />
          ))}
        </ul>
      )}
      {opened?.as === 'new' && <ExportDialog feeds={feeds} onClose={close} />}
      {opened?.as === 'edit' && <ExportDialog given={opened.export} feeds={feeds} onClose={close} />}
      {opened?.as === 'rotate' && <RotateDialog given={opened.export} onClose={close} />}
      {opened?.as === 'remove' && <RemoveExport given={opened.export} onClose={close} />}
    </SetupCard>
  )
}

function RemoveExport({ given, onClose }: { given: CalendarExport; onClose: () => void }) {
  const remove = api.calendars.removeExport.useMutation()
  const invalidate = useInvalidateCalendars()
  return (
    <ConfirmAction
      title={`Remove ${given.name}?`}
      body={
        given.scope === 'platform'
          ? 'Its address stops working at once. The platform no longer learns which nights are booked here.'
          : 'Its address stops working at once. Whoever reads it no longer sees changes.'
      }
      confirmLabel="Remove"
      busyLabel="Removing..."
      action={async () => {
        await remove.mutateAsync({ id: given.id })
        return 'Calendar removed'
      }}
      failedText="Failed to remove calendar"
      onSuccess={invalidate}
      onClose={onClose}
    />
  )
}

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
function RotateDialog({ given, onClose }: { given: CalendarExport; onClose: () => void }) {
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
