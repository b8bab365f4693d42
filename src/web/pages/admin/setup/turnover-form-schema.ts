import { z } from 'zod'
import { calendarSection } from '../../../../domain/content/setup.ts'

/** The number as typed; an empty text is 0. */
export const turnoverFormSchema = z
  .object({ turnoverNights: z.string() })
  .transform(
    ({ turnoverNights }): z.input<typeof calendarSection.body> => ({
      turnoverNights: Number(turnoverNights),
    }),
  )
  .pipe(calendarSection.body)
