import { api, type Outputs } from '../../api/api.ts'

export type OwnerDeposit = Outputs['deposits']['list']['deposits'][number]
export type TenantDeposit = Outputs['deposits']['agree']['deposit']

/** The deposit of an application as the owner sees it; null while deposits are not watched. */
export const useOwnerDeposit = (applicationId: string) =>
  api.deposits.get.useQuery(
    { applicationId },
    { select: ({ deposit }) => (deposit && 'letters' in deposit ? deposit : null) },
  )

const pollIntervalMs = 15_000

/** The same as its tenant sees it. */
export const useTenantDeposit = (applicationId: string, { enabled }: { enabled: boolean }) =>
  api.deposits.get.useQuery(
    { applicationId },
    {
      enabled,
      select: ({ deposit }) => (deposit && !('letters' in deposit) ? deposit : null),
      // Nothing comes while deposits are not watched.
      refetchInterval: ({ state }) => (state.data?.deposit ? pollIntervalMs : false),
    },
  )

/** Whether deposits are watched. */
export const useWatchesDeposits = (options?: { enabled: boolean }): boolean =>
  api.settings.deposit.get.useQuery(undefined, options).data?.body.enabled === true
