import type { Outputs } from '../../api/api.ts'

export type OwnerDeposit = Outputs['deposits']['list']['deposits'][number]
export type TenantDeposit = Outputs['deposits']['agree']['deposit']
