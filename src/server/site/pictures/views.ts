import { z } from 'zod'
import { recordIds, wireMoment } from '../../../domain/common/wire.ts'
import { type SectionName, sectionNames } from '../../../domain/content/content.ts'

/** A picture in the owner's list. */
export const adminPictureView = z
  .strictObject({
    ...recordIds,
    /** The file name. */
    name: z.string(),
    /** Pixels, after rotation to upright. */
    width: z.int(),
    height: z.int(),
    state: z.enum(['processing', 'ready', 'failed']),
    fault: z.string().nullable(),
    /** Whether the picture came with the site. */
    shipped: z.boolean(),
    /** Sections of the draft and the published content. */
    usedIn: z.array(z.enum(sectionNames as [SectionName, ...SectionName[]])),
    /** URL of the copy that is 400 pixels wide. */
    thumbnail: z.string().nullable(),
    placeholder: z.string().nullable(),
    createdAt: wireMoment.nullable(),
  })
  .meta({ id: 'Picture' })
export type AdminPictureView = z.infer<typeof adminPictureView>
