import { publicProcedure, router } from '../trpc.ts'
import { getHealth, getSite } from './service.ts'

export const siteRouter = router({
  get: publicProcedure.query(({ ctx }) => ({ site: getSite(ctx.deps) })),
  health: publicProcedure.query(({ ctx }) => getHealth(ctx.deps)),
})
