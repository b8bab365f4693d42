import { maxTurnoverNights } from '../../../../domain/common/turnover.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { SectionForm, useSectionForm } from './section-form.tsx'
import type { SettingsFormProps } from './settings-card.tsx'
import { turnoverFormSchema } from './turnover-form-schema.ts'

type Saved = Outputs['setup']['calendar']['get']

const toTurnoverFormValues = ({ turnoverNights }: Saved['body']) => ({
  turnoverNights: String(turnoverNights),
})

export function TurnoverForm(props: SettingsFormProps<Saved>) {
  const utils = api.useUtils()
  const save = api.setup.calendar.save.useMutation()
  const form = useZodForm(turnoverFormSchema, toTurnoverFormValues(props.saved.body))
  const field = fieldPropsOf(form)
  const section = useSectionForm({
    ...props,
    form,
    valuesOf: toTurnoverFormValues,
    savedText: 'Turnover nights saved',
    failedText: 'Failed to save turnover nights',
    save: async change => {
      const now = await save.mutateAsync(change)
      utils.setup.calendar.get.setData(undefined, now)
      void utils.availability.invalidate()
      void utils.bookings.invalidate()
      return now
    },
  })
  return (
    <SectionForm {...section}>
      <TextField
        label="Turnover nights"
        type="number"
        inputMode="numeric"
        step={1}
        min={0}
        max={maxTurnoverNights}
        className="*:[input]:max-w-36"
        hint="How many nights stay free before and after each stay, for cleaning. Example: with 1, after a departure on June 11 the next guest can arrive on June 12. 0: guests can arrive on the day others leave."
        {...field('turnoverNights')}
      />
    </SectionForm>
  )
}
