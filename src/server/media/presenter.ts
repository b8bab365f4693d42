import { z } from 'zod'
import { type SectionName, sectionNames } from '../../domain/content.ts'
import { recordIds, wireMoment } from '../../domain/wire.ts'

/** A picture as the owner's list shows it. */
export const ownPictureView = z
  .strictObject({
    ...recordIds,
    /** Of the file. */
    name: z.string(),
    /** Pixels, upright. */
    width: z.int(),
    height: z.int(),
    state: z.enum(['processing', 'ready', 'failed']),
    fault: z.string().nullable(),
    /** Whether it came with the site. */
    shipped: z.boolean(),
    /** Sections of the draft and of what is published. */
    usedIn: z.array(z.enum(sectionNames as [SectionName, ...SectionName[]])),
    /** Address of the copy of 400 pixels. */
    thumbnail: z.string().nullable(),
    placeholder: z.string().nullable(),
    createdAt: wireMoment.nullable(),
  })
  .meta({ id: 'Picture' })
export type OwnPictureView = z.infer<typeof ownPictureView>
