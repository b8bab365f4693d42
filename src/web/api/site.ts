import { useQuery } from '@tanstack/react-query'
import { maxGuestLimit } from '../../domain/common/guest-limit.ts'
import type { Outputs } from './api.ts'
import { siteQueries } from './site-queries.ts'

export type Site = Outputs['site']['get']['site']

/** Name and settings of this installation; undefined until loaded. They rarely change. */
export function useSite(): Site | undefined {
  return useQuery({ ...siteQueries.site(), staleTime: 5 * 60_000 }).data?.site
}

/** How many people the property sleeps. Until that is loaded only the server enforces it. */
export const useGuestLimit = (): number => useSite()?.guestLimit ?? maxGuestLimit
