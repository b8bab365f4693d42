import { z } from 'zod'
import { calendarDate } from '../common/inputs.ts'
import { defaultDepositCents, maxAmountCents } from '../common/money.ts'
import { section } from '../content/settings-section.ts'

const message = 'Please enter an amount from $0 to $10,000,000'

/** The security deposit of new leases, and whether deposits that were paid are watched until they are back. */
export const depositSection = section(
  'deposit',
  z.object({
    /** In cents; null is as much as the rent: a month's, or that of a shorter stay. */
    amountCents: z
      .int(message)
      .min(0, message)
      .max(maxAmountCents, message)
      .nullable()
      .default(defaultDepositCents),
    enabled: z.boolean().default(false),
    /** The usual rule. */
    ruleId: z.string().min(1).max(100).default('general'),
    /** Of stays that ended before this day only those with an entered day of leaving have dates. */
    since: calendarDate().nullable().default(null),
  }),
)
