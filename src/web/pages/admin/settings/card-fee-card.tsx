import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { defaultCardFeeBasisPoints } from '../../../../domain/common/money.ts'
import { cardFeeSection } from '../../../../domain/money/card-fee.ts'
import { api } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from './settings-card.tsx'

/** The fee on top of card payments. */
export function CardFeeCard() {
  const current = useSite()?.cardFeeBasisPoints ?? defaultCardFeeBasisPoints
  const feeOf = (saved: number | null) => saved ?? current
  return (
    <SettingsCard
      title="Card fee"
      subtitle="Guests who pay by card pay it on top. Some states and card companies limit or forbid it."
      settings={api.settings.cardFee}
      schema={cardFeeForm}
      valuesOf={({ basisPoints }) => ({ basisPoints: String(feeOf(basisPoints) / 100) })}
      itemsOf={({ basisPoints }) => [{ label: 'Card fee', value: inWords(feeOf(basisPoints)) }]}
      what="the card fee"
      saved="Card fee saved"
    >
      {() => <FeeField />}
    </SettingsCard>
  )
}

function FeeField() {
  const form = useFormContext<z.input<typeof cardFeeForm>>()
  return (
    <TextField
      label="Percent of the payment"
      inputMode="decimal"
      required
      hint="0 for none"
      className="max-w-52"
      {...fieldPropsOf(form)('basisPoints')}
    />
  )
}

const inWords = (basisPoints: number) => (basisPoints === 0 ? 'None' : `${basisPoints / 100}%`)

/** The fee as typed, in percent. */
const cardFeeForm = z
  .object({ basisPoints: z.string() })
  .transform(
    ({ basisPoints }): z.input<typeof cardFeeSection.body> => ({
      basisPoints: basisPoints.trim() === '' ? Number.NaN : Math.round(Number(basisPoints) * 100),
    }),
  )
  .pipe(cardFeeSection.body)
