import { z } from 'zod'
import { checked, publicProcedure, router } from '../kernel/trpc.ts'
import { getHealth, getSite, siteView } from './service.ts'

export const siteRouter = router({
  get: publicProcedure
    .output(checked(z.strictObject({ site: siteView })))
    .query(({ ctx }) => ({ site: getSite(ctx.deps) })),
  health: publicProcedure
    .meta({ summary: 'Whether the site works', rest: ['GET /api/health'] })
    .output(checked(z.strictObject({ status: z.literal('ok'), version: z.string() })))
    .query(({ ctx }) => getHealth(ctx.deps)),
})
