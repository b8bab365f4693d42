import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { maxTurnoverNights } from '../../../../domain/common/guest-limit.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { calendarSection } from '../../../../domain/content/settings-section.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from './settings-card.tsx'

/** The number of nights between two stays. */
export function TurnoverCard() {
  return (
    <SettingsCard
      title="Gap for cleaning"
      subtitle="Nights that stay free between two stays, here and on the other platforms"
      settings={api.settings.calendar}
      schema={turnoverForm}
      valuesOf={valuesOf}
      itemsOf={({ turnoverNights }) => [
        {
          label: 'Free for cleaning between two stays',
          value: turnoverNights === 0 ? 'No night' : plural(turnoverNights, 'night'),
        },
      ]}
      what="turnover nights"
      saved="Turnover nights saved"
    >
      {() => <TurnoverField />}
    </SettingsCard>
  )
}

/** The number as typed; an empty text is 0. */
const turnoverForm = z
  .object({ turnoverNights: z.string() })
  .transform(
    ({ turnoverNights }): z.input<typeof calendarSection.body> => ({
      turnoverNights: Number(turnoverNights),
    }),
  )
  .pipe(calendarSection.body)

const valuesOf = ({ turnoverNights }: z.output<typeof turnoverForm>) => ({
  turnoverNights: String(turnoverNights),
})

function TurnoverField() {
  return (
    <TextField
      label="Turnover nights"
      type="number"
      inputMode="numeric"
      step={1}
      min={0}
      max={maxTurnoverNights}
      className="*:[input]:max-w-36"
      hint="How many nights stay free before and after each stay, for cleaning. Example: with 1, after a departure on June 11 the next guest can arrive on June 12. 0: guests can arrive on the day others leave."
      {...fieldPropsOf(useFormContext<z.input<typeof turnoverForm>>())('turnoverNights')}
    />
  )
}
