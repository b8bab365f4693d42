import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import {
  type CalendarProvider,
  calendarProviders,
  defaultModeOf,
  feedModes,
  providerOf,
} from '../../../../domain/calendars/calendar-event.ts'
import { feedForm } from '../../../../domain/calendars/calendar-feed.ts'
import { api } from '../../../api/api.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type FieldPropsOf, fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import {
  type CalendarFeed,
  modeNames,
  platformInstructions,
  providerNames,
  toastReading,
} from './calendar-data.ts'

/** The provider is neither chosen nor guessed yet. */
const noProvider = ''
const tellsKinds = (provider: CalendarProvider | typeof noProvider) =>
  provider !== noProvider && defaultModeOf(provider) === 'reservations'

const addressOptional = feedForm.partial({ url: true })
const typedFeed = z.object({
  name: z.string(),
  url: z.string(),
  provider: z.enum([noProvider, ...calendarProviders]),
  mode: z.enum(feedModes),
})
type TypedFeed = z.input<typeof typedFeed>

/**
 * The form's values of a feed; the mode is omitted if the provider does not have modes. The address of a known feed is
 * not shown, and stays if none is entered.
 */
const feedSchema = (isNew: boolean) =>
  typedFeed
    .transform(
      ({ mode, name, provider, url }): z.input<typeof addressOptional> => ({
        name,
        ...((isNew || url.trim() !== '') && { url }),
        ...(provider !== noProvider && { provider }),
        ...(tellsKinds(provider) && { mode }),
      }),
    )
    .pipe(addressOptional)

const emptyFeed: TypedFeed = { name: '', url: '', provider: noProvider, mode: 'reservations' }
const typedFeedOf = ({ mode, name, provider }: CalendarFeed): TypedFeed => ({ name, url: '', provider, mode })

/** Adds an imported calendar, or changes its name, URL or mode. */
export function FeedDialog({ feed, onClose }: { feed: CalendarFeed | undefined; onClose: () => void }) {
  const save = useSaveFeed(feed)
  const form = useZodForm(feedSchema(!feed), feed ? typedFeedOf(feed) : emptyFeed)
  const field = fieldPropsOf(form)
  const guess = useProviderGuess(form)
  const provider = useWatch({ control: form.control, name: 'provider' })
  const submission = useSubmit(
    form,
    feed ? 'Failed to save calendar' : 'Failed to add calendar',
    async input => {
      await save(input)
      onClose()
    },
  )
  const instructions = platformInstructions[provider === noProvider ? 'other' : provider]
  return (
    <FormDialog
      {...submission}
      title={feed ? `Edit ${feed.name}` : 'Add a calendar'}
      submitLabel={feed ? 'Save' : 'Add and read'}
      busyLabel="Reading..."
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        hint="Shown wherever its nights appear. Example: Airbnb."
        {...field('name')}
      />
      {!feed && (
        <ProviderField {...field('provider', { onChange: ({ target }) => guess.onProvider(target.value) })} />
      )}
      <TextField
        label={feed ? 'New address' : 'Address'}
        required={!feed}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        hint={feed ? currentAddress(feed) : instructions.find}
        {...field('url', { onChange: ({ target }) => !feed && guess.onAddress(target.value) })}
      />
      {tellsKinds(provider) && (
        <RadioGroupField label="What is read" cards options={modeOptions} {...field('mode')} />
      )}
      <p role="status" className="text-[0.9375rem] text-muted empty:hidden">
        {submission.busy && 'Reading the calendar. This can take a few seconds.'}
      </p>
    </FormDialog>
  )
}

const currentAddress = ({ host, provider }: CalendarFeed) =>
  `${host === '' ? '' : `Read from ${host}. Leave this empty to keep its address. `}${platformInstructions[provider].find}`

/** Guesses the provider of a new calendar from its URL, until the owner chooses one. */
function useProviderGuess(form: Pick<ZodForm<TypedFeed>, 'formState' | 'getValues' | 'setValue'>) {
  const [isChosen, setChosen] = useState(false)
  const guess = (address: string) =>
    form.setValue('provider', URL.canParse(address) ? providerOf(address) : noProvider, {
      shouldValidate: form.formState.isSubmitted,
    })
  return {
    onProvider: (provider: string) => {
      setChosen(provider !== noProvider)
      if (provider === noProvider) guess(form.getValues().url)
    },
    onAddress: (address: string) => {
      if (!isChosen) guess(address)
    },
  }
}

function ProviderField(field: ReturnType<FieldPropsOf<TypedFeed>>) {
  return (
    <SelectField label="Where from" {...field}>
      <option value={noProvider}>Recognized by the address</option>
      {calendarProviders.map(name => (
        <option key={name} value={name}>
          {providerNames[name]}
        </option>
      ))}
    </SelectField>
  )
}

const modeOptions = [
  {
    value: 'reservations',
    label: modeNames.reservations,
    hint: 'What guests booked there. Nights that you blocked there stay free here.',
  },
  { value: 'all', label: modeNames.all, hint: 'Nights that you blocked there are taken here too.' },
]

/** Adds a feed or saves its changes, and shows the result of reading it. */
function useSaveFeed(feed: CalendarFeed | undefined) {
  const add = api.calendars.addFeed.useMutation()
  const edit = api.calendars.editFeed.useMutation()
  const readAgain = useReadAgain()
  return async ({ url, ...input }: z.output<typeof addressOptional>) => {
    const { mode, name } = input
    if (feed) {
      const { result } = await edit.mutateAsync({
        id: feed.id,
        ...(name !== feed.name && { name }),
        ...(url !== undefined && { url }),
        ...(mode !== undefined && mode !== feed.mode && { mode }),
      })
      toastReading(feed, result, 'Calendar saved')
    } else {
      const added = await add.mutateAsync({ ...input, url: url ?? '' })
      toastReading(added.feed, added.result, 'Calendar added')
    }
    await readAgain()
  }
}
