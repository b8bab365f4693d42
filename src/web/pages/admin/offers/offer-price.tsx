import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { formatCents } from '../../../../domain/common/money.ts'
import { api, type Inputs } from '../../../api/api.ts'
import { asDollars } from '../../../features/payments/dollar-amount.ts'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { MoneyField } from '../../../ui/text-field.tsx'
import { ExtraLines, FeeChoice, LeaseTotal } from '../application/lease-charges.tsx'
import { completeLines, type LeaseFormValues } from '../application/lease-form.ts'
import { Warnings } from '../calendar-override.tsx'

/** Not refetched after sending: the new offer itself holds the nights, so the preview would be refused. */
const staleTime = 'static' as const

type Wanted = Inputs['offers']['preview']

/** What an offer and its mail would say for the terms that are complete so far, and the fees that can be chosen for it. */
export function useOfferPrice(
  wanted: Omit<Wanted, 'extraLines' | 'feeIds' | 'mail'> | undefined,
  extraLines: NonNullable<LeaseFormValues['extraLines']>,
  mail: NonNullable<Wanted['mail']>,
) {
  const { client } = api.useUtils()
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const lines = completeLines(extraLines)
  const typed = wanted && { ...wanted, ...(lines.length > 0 && { extraLines: lines }) }
  const terms = useDebounced(typed)
  const preview = (feeIds?: string[]) => ({
    queryKey: ['offer preview', terms, feeIds],
    queryFn: () => client.offers.preview.mutate({ ...(terms as Wanted), ...(feeIds && { feeIds }) }),
    enabled: terms !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime,
  })
  const usual = useQuery(preview())
  // Required fees are in the lines, the others are optional.
  const ofRules = usual.data?.lines.filter(line => line.feeRuleId !== null) ?? []
  const fees = [...ofRules, ...(usual.data?.optional ?? [])].map(({ amountCents, feeRuleId, label }) => ({
    id: feeRuleId ?? '',
    name: label,
    price: formatCents(amountCents),
  }))
  const isUsual = (id: string) => ofRules.some(({ feeRuleId }) => feeRuleId === id)
  const feeIds = fees.map(({ id }) => id).filter(id => chosen[id] ?? isUsual(id))
  const isChanged = fees.some(({ id }) => feeIds.includes(id) !== isUsual(id))
  const own = useQuery(preview(isChanged ? feeIds : undefined))
  const given = { ...(isChanged && { feeIds }), ...(lines.length > 0 && { extraLines: lines }) }
  const mailOf = useDebounced(mail)
  const mailed = useQuery({
    queryKey: ['offer mail', terms, given, mailOf],
    queryFn: async () =>
      (await client.offers.preview.mutate({ ...(terms as Wanted), ...given, mail: mailOf })).mail,
    enabled: own.isSuccess,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime,
  })
  return {
    fees,
    feeIds,
    terms,
    preview: own,
    mail: mailed,
    /** The sums on the screen; undefined until they match what is typed. */
    seen:
      isSame(typed, terms) && !own.isPlaceholderData && own.data
        ? { totalCents: own.data.totalCents, depositCents: own.data.depositCents }
        : undefined,
    lookAgain: () => Promise.all([own.refetch(), mailed.refetch()]),
    /** Left to the server unless the owner has chosen. */
    given,
    selectFee: (id: string, isChosen: boolean) => setChosen({ ...chosen, [id]: isChosen }),
  }
}

type Price = ReturnType<typeof useOfferPrice>

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Rent, deposit, fees and own lines. Needs a FormProvider with these fields. */
export function PriceFields({ price, rentLabel }: { price: Price; rentLabel: string }) {
  const field = fieldPropsOf(useFormContext<LeaseFormValues>())
  const { data } = price.preview
  const usual = (dollars: number | undefined) => dollars?.toFixed(2)
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          label={rentLabel}
          hint="From your rates when left empty"
          placeholder={usual(data?.rentalAmount)}
          {...field('rentalAmount', asDollars)}
        />
        <MoneyField
          label="Deposit"
          hint="The usual deposit when left empty"
          placeholder={usual(data?.depositAmount)}
          {...field('depositAmount', asDollars)}
        />
      </div>
      {price.fees.length > 0 && (
        <FeeChoice fees={price.fees} chosen={price.feeIds} onChange={price.selectFee} />
      )}
      <ExtraLines />
    </>
  )
}

/** The running sum, and what the owner should know of the nights. */
export function PriceTotal({ price: { preview, terms } }: { price: Price }) {
  const { data } = preview
  const deposit = data && { kind: 'deposit' as const, label: 'Deposit', amountCents: data.depositCents }
  return (
    <>
      <Warnings of={data?.warnings} />
      <LeaseTotal
        label="Total"
        terms={
          terms && {
            leaseStartDate: terms.startDate,
            leaseEndDate: terms.endDate,
            rentalAmount: data?.rentalAmount ?? 0,
            depositAmount: data?.depositAmount ?? 0,
          }
        }
        preview={{
          ...preview,
          data: data &&
            deposit && { lines: [...data.lines, deposit], owedCents: data.totalCents + data.depositCents },
        }}
      />
    </>
  )
}

/** Registers a field whose schema may miss. */
export const orMissing = { setValueAs: (text: string | undefined) => text || undefined }
