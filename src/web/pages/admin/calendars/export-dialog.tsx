import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { exportForm, exportScopes } from '../../../../domain/calendars/calendar-feed.ts'
import { api } from '../../../api/api.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type CalendarExport, type CalendarFeed, namesWarning, scopeNames } from './calendar-data.ts'

const noFeed = 'none'

/** An export as typed in the form; an empty text means that no choice was made yet. */
const typedExport = z
  .object({ name: exportForm.shape.name, scope: z.enum(exportScopes), feedId: z.string() })
  .refine(({ feedId, scope }) => scope !== 'platform' || feedId !== '', {
    path: ['feedId'],
    error: 'Please choose the calendar from the same platform',
  })
  .transform(
    ({ feedId, name, scope }): z.input<typeof exportForm> => ({
      name,
      scope,
      feedId: scope === 'platform' && feedId !== noFeed ? feedId : null,
    }),
  )
  .pipe(exportForm)

const kinds = [
  {
    value: 'platform',
    label: scopeNames.platform,
    hint: 'Which nights are taken, for Airbnb, Vrbo, Booking.com or the like. No names.',
  },
  {
    value: 'cleaning',
    label: scopeNames.cleaning,
    hint: 'Departures, and when the next guests arrive. No names.',
  },
  {
    value: 'owner',
    label: scopeNames.owner,
    hint: 'Every booking with the guest’s name, for your own phone.',
  },
]

type ExportDialogProps = { given?: CalendarExport; feeds: CalendarFeed[]; onClose: () => void }

/** Adds an exported calendar, or changes its name or feed. */
export function ExportDialog({ given, feeds, onClose }: ExportDialogProps) {
  const create = api.calendars.createExport.useMutation()
  const edit = api.calendars.editExport.useMutation()
  const form = useZodForm(typedExport, {
    name: given?.name ?? '',
    scope: given?.scope ?? 'platform',
    feedId: given || feeds.length === 0 ? (given?.feedId ?? noFeed) : '',
  })
  const field = fieldPropsOf(form)
  const scope = useWatch({ control: form.control, name: 'scope' })
  const submission = useDialogSubmit(
    form,
    given ? 'Failed to save calendar' : 'Failed to add calendar',
    onClose,
    async input => {
      if (given) await edit.mutateAsync({ id: given.id, name: input.name, feedId: input.feedId })
      else await create.mutateAsync(input)
      return given ? 'Calendar saved' : 'Calendar added'
    },
  )
  return (
    <FormDialog
      {...submission}
      title={given ? `Edit ${given.name}` : 'Give out a calendar'}
      submitLabel={given ? 'Save' : 'Add'}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        hint="Everyone who reads the calendar sees it. Example: Beach condo."
        {...field('name')}
      />
      {!given && <RadioGroupField label="Kind" cards options={kinds} {...field('scope')} />}
      {scope === 'owner' && (
        <Notice tone="warning" role="status">
          {namesWarning}
        </Notice>
      )}
      {scope === 'platform' && feeds.length > 0 && (
        <SelectField
          label="Belongs to"
          required
          hint="The calendar that you read from the same platform. Its own nights are left out here, and nights of ours that come back in it are not taken twice."
          {...field('feedId')}
        >
          {!given && <option value="">Please choose</option>}
          {feeds.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={noFeed}>None that we read</option>
        </SelectField>
      )}
    </FormDialog>
  )
}
