import { z } from 'zod'
import { section } from '../content/settings-section.ts'

const message = 'Please enter a percentage from 0 to 10'

/** The fee on top of a card payment, in basis points; null uses the server's setting. */
export const cardFeeSection = section(
  'cardFee',
  z.object({ basisPoints: z.int(message).min(0, message).max(1000, message).nullable().default(null) }),
)
