import { z } from 'zod'
import { boundedText } from '../common/inputs.ts'
import { section } from '../content/settings-section.ts'

const remindersMessage = 'Please enter at most five different whole numbers from 1 to 60'
const daysMessage = 'Please enter a whole number from 7 to 90'
const choice = () => z.boolean('Please choose yes or no').default(false)

/** Who signs by an own link, and for how long the links open. */
export const signingSection = section(
  'signing',
  z.object({
    /** A co-applicant signs by an own link alone. */
    separate: choice(),
    /** The owner signs, too. */
    countersign: choice(),
    /** Days after the invitation. */
    reminderDays: z
      .array(z.int(remindersMessage).min(1, remindersMessage).max(60, remindersMessage), remindersMessage)
      .max(5, remindersMessage)
      .refine(days => new Set(days).size === days.length, remindersMessage)
      .default([3, 7]),
    linkDays: z.int(daysMessage).min(7, daysMessage).max(90, daysMessage).default(30),
  }),
)

export const signingReason = z.object({
  reason: boundedText(2000, 'Please give a reason').min(1, 'Please give a reason'),
})
