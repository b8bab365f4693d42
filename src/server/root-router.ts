import { accountsRouter } from './accounts/router.ts'
import { contactRouter } from './contact/router.ts'
import { siteRouter } from './site/router.ts'
import { createCallerFactory, router } from './trpc.ts'

export const rootRouter = router({
  site: siteRouter,
  accounts: accountsRouter,
  contact: contactRouter,
})

export type AppRouter = typeof rootRouter
export const createCaller = createCallerFactory(rootRouter)
