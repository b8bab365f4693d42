import { accountsRouter } from './accounts/router.ts'
import { siteRouter } from './site/router.ts'
import { createCallerFactory, router } from './trpc.ts'

export const rootRouter = router({
  site: siteRouter,
  accounts: accountsRouter,
})

export type AppRouter = typeof rootRouter
export const createCaller = createCallerFactory(rootRouter)
