import { z } from 'zod'
import { defaultDepositCents, maxAmountCents } from '../common/money.ts'
import { section } from '../content/settings-section.ts'

const message = 'Please enter an amount from $0 to $10,000,000'

/** The security deposit of new leases in cents; null is as much as the rent: a month's, or that of a shorter stay. */
export const depositSection = section(
  'deposit',
  z.object({
    amountCents: z
      .int(message)
      .min(0, message)
      .max(maxAmountCents, message)
      .nullable()
      .default(defaultDepositCents),
  }),
)
