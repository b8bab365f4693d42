import { keepPreviousData } from '@tanstack/react-query'
import type { DateRange } from '../../../domain/common/dates.ts'
import { api } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'

/** The server's quote for a stay, fetched only if fees, taxes or booking rules are set up. */
export function useStayQuote({ end, start }: DateRange, guests: number) {
  const site = useSite()
  const hasCharges = site?.hasCharges === true
  const isAsked = hasCharges || site?.hasBookingRules === true
  const query = api.chargeRules.quote.useQuery(
    { startDate: start, endDate: end, guests },
    { enabled: isAsked, placeholderData: keepPreviousData },
  )
  const quote = query.data?.quote
  const isListed = quote ? quote.lines.length > 0 || quote.optional.length > 0 : false
  return {
    hasCharges,
    asksGuests: site?.asksGuests === true,
    /** The quote, if there are charges other than the rent. */
    listed: isListed ? quote : undefined,
    problems: quote?.problems ?? [],
    isLoading: hasCharges && query.isPending,
    hasFailed: hasCharges && query.isError && !query.data,
    retry: () => void query.refetch(),
  }
}
