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
  const utils = api.useUtils()
  return (
    <SettingsCard
      title="Offers"
      subtitle="How long offers and promises stand; those that are out stay as they are"
      query={api.settings.offers.get.useQuery()}
      schema={offersSection.body}
      valuesOf={body => body}
      itemsOf={({ answerDays, offerHours, secureDays }) => [
        { label: 'An offer stands', value: plural(offerHours, 'hour') },
        { label: 'To sign and pay', value: secureDays === 0 ? 'No end' : plural(secureDays, 'day') },
        { label: 'To answer a promise', value: plural(answerDays, 'day') },
      ]}
      save={api.settings.offers.save.useMutation()}
      onSaved={now => utils.settings.offers.get.setData(undefined, now)}
      texts={{
        loadFailed: 'Failed to load the offers',
        saved: 'Offers saved',
        failed: 'Failed to save the offers',
      }}
    >
      {() => <OfferFields />}
    </SettingsCard>
  )
}

function OfferFields() {
  const field = fieldPropsOf(useFormContext<Values>())
  const number = { type: 'number', inputMode: 'numeric', className: '*:[input]:max-w-36' } as const
  const asNumber = { valueAsNumber: true } as const
  return (
    <>
      <TextField
        {...number}
        label="Hours of an offer"
        hint="Example: with 72, the nights are held for three days."
        {...field('offerHours', asNumber)}
      />
      <TextField
        {...number}
        label="Days to sign and pay the deposit"
        hint="After accepting; then the booking lapses if nothing is signed or paid. 0: it never lapses."
        {...field('secureDays', asNumber)}
      />
      <TextField
        {...number}
        label="Days to answer a promise"
        hint="Once somebody else asks for the dates."
        {...field('answerDays', asNumber)}
      />
    </>
  )
}
