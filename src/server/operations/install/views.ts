import { z } from 'zod'
import { installSteps } from '../../../domain/content/install.ts'

export const installView = z
  .strictObject({
    steps: z.array(z.strictObject({ key: z.enum(installSteps), state: z.enum(['done', 'open', 'later']) })),
    /** Empty until the owner answers. */
    condo: z.strictObject({
      companyName: z.string(),
      propertyName: z.string(),
      propertyAddress: z.string(),
      ownerEmail: z.string(),
      ownerPhone: z.string(),
    }),
    /** As it was saved. */
    timeZone: z.string().nullable(),
    /** The environment's, which wins. */
    fixedTimeZone: z.string().nullable(),
  })
  .meta({ id: 'Install' })
export type InstallView = z.infer<typeof installView>
