import { z } from 'zod'
import type { PlanChoice } from '../money/payment-plan-kinds.ts'
import type { ExtraLineInput } from './lease-generation.ts'

export const leaseIdInput = z.object({ id: z.string() })
/** The terms are validated only for the admin (`leaseTermsForm`); a tenant's are ignored. */
export const generateLeaseInput = z.object({
  applicationId: z.string(),
  leaseStartDate: z.custom<string | null>().optional(),
  leaseEndDate: z.custom<string | null>().optional(),
  rentalAmount: z.custom<number | null>().optional(),
  depositAmount: z.custom<number | null>().optional(),
  feeIds: z.custom<string[] | null>().optional(),
  extraLines: z.custom<ExtraLineInput[] | null>().optional(),
  plan: z.custom<PlanChoice | null>().optional(),
  overrideCalendar: z.custom<boolean | null>().optional(),
})
export type GenerateLeaseInput = z.output<typeof generateLeaseInput>
export const leaseApplicationIdInput = z.object({ applicationId: z.string() })
