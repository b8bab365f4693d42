import { Plus, X } from 'lucide-react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { cancellationSection, maxTiers } from '../../../../domain/bookings/cancellation.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { useRows } from '../../../forms/use-rows.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from './settings-card.tsx'

/** What goes back of rent and fees when a tenant cancels. */
export function CancellationCard() {
  return (
    <SettingsCard
      title="Cancellation"
      subtitle="What goes back of rent and fees when a tenant cancels. The deposit goes back in any case. Keep it as your lease says."
      settings={api.settings.cancellation}
      schema={tiersForm}
      valuesOf={valuesOf}
      itemsOf={itemsOf}
      what="the cancellation lines"
      saved="Cancellation saved"
    >
      {() => <TierFields />}
    </SettingsCard>
  )
}

type Body = z.output<typeof cancellationSection.body>

const itemsOf = ({ tiers }: Body) => [
  ...tiers.map(({ daysBefore, refundPercent }) => ({
    label: `${plural(daysBefore, 'day')} before arrival, or more`,
    value: `${refundPercent}% back`,
  })),
  { label: tiers.length > 0 ? 'Later' : 'Any day', value: 'The deposit alone' },
]

/** The numbers as typed. */
const tiersForm = z
  .object({ tiers: z.array(z.object({ daysBefore: z.string(), refundPercent: z.string() })) })
  .transform(
    ({ tiers }): z.input<typeof cancellationSection.body> => ({
      tiers: tiers.map(({ daysBefore, refundPercent }) => ({
        daysBefore: numberOf(daysBefore),
        refundPercent: numberOf(refundPercent),
      })),
    }),
  )
  .pipe(cancellationSection.body)

const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

const valuesOf = ({ tiers }: Body): z.input<typeof tiersForm> => ({
  tiers: tiers.map(({ daysBefore, refundPercent }) => ({
    daysBefore: String(daysBefore),
    refundPercent: String(refundPercent),
  })),
})

const number = { type: 'number', inputMode: 'numeric', step: 1, min: 0, required: true } as const

function TierFields() {
  const form = useFormContext<z.input<typeof tiersForm>>()
  const field = fieldPropsOf(form)
  const rows = useRows({ control: form.control, name: 'tiers' })
  return (
    <div className="grid gap-5">
      {rows.fields.map(({ id }, i) => (
        <div key={id} className="grid grid-cols-[1fr_1fr_auto] items-start gap-3">
          <TextField
            {...number}
            label={`Days before${i === 0 ? '' : ` (${i + 1})`}`}
            max={365}
            {...field(`tiers.${i}.daysBefore`)}
          />
          <TextField
            {...number}
            label={`Percent back${i === 0 ? '' : ` (${i + 1})`}`}
            max={100}
            {...field(`tiers.${i}.refundPercent`)}
          />
          <Button
            variant="ghost"
            size="sm"
            className="mt-7"
            aria-label={`Remove line ${i + 1}`}
            onClick={() => rows.remove(i)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {rows.fields.length < maxTiers && (
        <Button
          ref={rows.addButton}
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={() => rows.append({ daysBefore: '', refundPercent: '' })}
        >
          <Plus aria-hidden />
          Add a line
        </Button>
      )}
      <p className="text-sm text-muted">
        From the most days to the fewest. Later than the last line nothing but the deposit goes back. When you
        cancel yourself, all of it goes back.
      </p>
    </div>
  )
}
