import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/api.ts'
import type { Application } from './application-data.ts'
import { type CompleteTerms, completeLines, completeTerms, type LeaseFormValues } from './lease-form.ts'

const debounceMs = 300

/** The fees that apply to the typed dates, which of them are selected, and a preview of the lease's charges. */
export function useLeaseCharges({ id }: Application, values: LeaseFormValues, isReady: boolean) {
  const utils = api.useUtils()
  // Fees that the owner has selected or cleared; the server suggests the rest based on the dates.
  const [feeSelections, setFeeSelections] = useState<Record<string, boolean>>({})
  const typed = completeTerms(values)
  const terms = useDebounced(typed)
  const extraLines = useDebounced(completeLines(values.extraLines ?? []))

  const dates = terms && datesOf(terms)
  const suggested = api.leases.terms.useQuery(
    { id, ...dates },
    { enabled: isReady && dates !== undefined, placeholderData: keepPreviousData },
  )
  const feeIds = suggested.data && chosenIds(suggested.data, feeSelections)
  const preview = api.leases.previewCharges.useQuery(
    { applicationId: id, ...terms, extraLines, ...(feeIds && { feeIds }) },
    {
      // The placeholder's fees are for other dates and may not apply.
      enabled: isReady && terms !== undefined && !suggested.isPending && !suggested.isPlaceholderData,
      placeholderData: keepPreviousData,
    },
  )

  /** The selected fees that apply to these dates; undefined if there were none to select, and the server decides. */
  const feeIdsFor = async (dates: Dates): Promise<string[] | undefined> => {
    if (!suggested.data?.fees.length && Object.keys(feeSelections).length === 0) return undefined
    return chosenIds(await utils.leases.terms.fetch({ id, ...dates }), feeSelections)
  }
  return {
    fees: suggested.data?.fees ?? [],
    feeIds: feeIds ?? [],
    feesQuery: suggested,
    selectFee: (feeId: string, isChosen: boolean) =>
      setFeeSelections({ ...feeSelections, [feeId]: isChosen }),
    feeIdsFor,
    total: { terms: typed && (terms ?? typed), preview },
  }
}

type Dates = Pick<LeaseFormValues, 'leaseStartDate' | 'leaseEndDate'>

const datesOf = ({ leaseEndDate, leaseStartDate }: CompleteTerms) => ({ leaseStartDate, leaseEndDate })

type Suggested = { fees: readonly { id: string }[]; feeIds: readonly string[] }

function chosenIds({ feeIds, fees }: Suggested, feeSelections: Record<string, boolean>): string[] {
  return fees.map(({ id }) => id).filter(id => feeSelections[id] ?? feeIds.includes(id))
}

/** Debounces a value, which is compared as JSON. */
function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)
  const text = JSON.stringify(value)
  const isFirst = debounced === undefined
  const isCurrent = JSON.stringify(debounced) === text
  useEffect(() => {
    if (isCurrent) return
    const update = () => setDebounced(text === undefined ? undefined : JSON.parse(text))
    const timer = setTimeout(update, isFirst ? 0 : debounceMs)
    return () => clearTimeout(timer)
  }, [text, isFirst, isCurrent])
  return debounced
}
