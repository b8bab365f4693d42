import { api, type Outputs } from '../../../api/api.ts'

export type Factors = Outputs['factors']['list']
export type Factor = Factors['factors'][number]
export type TotpSetup = Outputs['factors']['setUpTotp']

export const useFactors = () => api.factors.list.useQuery()

/** Reloads the factors, and the owner's notices: one of them asks to set up a factor. */
export function useInvalidateFactors(): () => Promise<void> {
  const utils = api.useUtils()
  return async () => {
    void utils.notices.invalidate()
    await utils.factors.invalidate()
  }
}
