import { SelectField } from '../../../ui/choice-fields.tsx'
import { monthNames, type PeriodChoice, yearChoices } from './period.ts'

type PeriodSelectorProps = {
  choice: PeriodChoice
  currentYear: number
  onChange: (choice: PeriodChoice) => void
}

export function PeriodSelector({ choice, currentYear, onChange }: PeriodSelectorProps) {
  return (
    <fieldset className="mb-6 grid grid-cols-2 gap-3 sm:flex sm:gap-4">
      <legend className="sr-only">Revenue period</legend>
      <SelectField
        label="Period"
        className="max-sm:col-span-2 sm:w-40"
        value={choice.period}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, period: value === 'year' || value === 'month' ? value : 'all' })
        }
      >
        <option value="all">All Time</option>
        <option value="year">Year</option>
        <option value="month">Month</option>
      </SelectField>
      {choice.period !== 'all' && (
        <SelectField
          label="Year"
          className="sm:w-32"
          value={choice.year}
          onChange={event => onChange({ ...choice, year: Number(event.currentTarget.value) })}
        >
          {yearChoices(currentYear).map(year => (
            <option key={year}>{year}</option>
          ))}
        </SelectField>
      )}
      {choice.period === 'month' && (
        <SelectField
          label="Month"
          className="sm:w-44"
          value={choice.month}
          onChange={event => onChange({ ...choice, month: Number(event.currentTarget.value) })}
        >
          {monthNames.map((name, index) => (
            <option key={name} value={index + 1}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </fieldset>
  )
}
