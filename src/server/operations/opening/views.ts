import { z } from 'zod'
import { lineStates, openingLines } from '../../../domain/content/opening.ts'
import { openings } from '../../kernel/opening.ts'

export const openingView = z
  .strictObject({
    opening: z.enum(openings),
    open: z.boolean(),
    /** Whether the owner is still answering the steps of /install. */
    installing: z.boolean(),
    lines: z.array(
      z.strictObject({ key: z.enum(openingLines), state: z.enum(lineStates), required: z.boolean() }),
    ),
    /** What the draft still has of the shipped examples, in the owner's words, unless the owner keeps them. */
    examples: z.array(z.string()),
    /** The required lines that are not done. */
    missing: z.array(z.enum(openingLines)),
    /** The email of the trial guest, while there is one. */
    trial: z.string().nullable(),
  })
  .meta({ id: 'Opening' })
export type OpeningView = z.infer<typeof openingView>
