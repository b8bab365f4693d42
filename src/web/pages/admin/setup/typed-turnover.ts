import { z } from 'zod'
import { calendarSection } from '../../../../domain/setup.ts'

/** The number as it is typed; nothing is none. */
export const typedTurnover = z
  .object({ turnoverNights: z.string() })
  .transform(
    ({ turnoverNights }): z.input<typeof calendarSection.body> => ({
      turnoverNights: Number(turnoverNights),
    }),
  )
  .pipe(calendarSection.body)
