import { useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { offersSection } from '../../../../domain/bookings/offer-form.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from './settings-card.tsx'

type Values = z.input<typeof offersSection.body>

/** How long offers and promises stand that are made from now on. */
export function OffersCard() {
  return (
    <SettingsCard
      title="Offers"
      subtitle="How long offers and promises stand; those that are out stay as they are"
      settings={api.settings.offers}
      schema={offersSection.body}
      valuesOf={body => body}
      itemsOf={({ answerDays, offerHours, secureDays }) => [
        { label: 'An offer stands', value: plural(offerHours, 'hour') },
        { label: 'To sign and pay', value: secureDays === 0 ? 'No end' : plural(secureDays, 'day') },
        { label: 'To answer a promise', value: plural(answerDays, 'day') },
      ]}
      what="the offers"
      saved="Offers saved"
    >
      {() => <OfferFields />}
    </SettingsCard>
  )
}

const labels = {
  offerHours: ['Hours of an offer', 'Example: with 72, the nights are held for three days.'],
  secureDays: [
    'Days to sign and pay the deposit',
    'After accepting; then the booking lapses if nothing is signed or paid. 0: it never lapses.',
  ],
  answerDays: ['Days to answer a promise', 'Once somebody else asks for the dates.'],
} as const

function OfferFields() {
  const field = fieldPropsOf(useFormContext<Values>())
  return (Object.keys(labels) as (keyof typeof labels)[]).map(name => (
    <TextField
      key={name}
      label={labels[name][0]}
      hint={labels[name][1]}
      type="number"
      inputMode="numeric"
      className="*:[input]:max-w-36"
      {...field(name, { valueAsNumber: true })}
    />
  ))
}
