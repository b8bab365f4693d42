import { correctContactEmail } from './applications/enter-application.ts'
import { entryRouter } from './applications/manual/router.ts'
import { applicationsRouter } from './applications/router.ts'
import { createEmailRouter } from './auth/accounts/email-router.ts'
import { accountsRouter } from './auth/accounts/router.ts'
import { sessionsRouter } from './auth/accounts/session-router.ts'
import { factorsRouter } from './auth/factors/router.ts'
import { availabilityRouter } from './bookings/availability-router.ts'
import { calendarsRouter } from './bookings/calendars/router.ts'
import { ratesRouter } from './bookings/rates-router.ts'
import { bookingsRouter } from './bookings/router.ts'
import { createCallerFactory, router } from './kernel/trpc.ts'
import { changePlan } from './leases/change-plan.ts'
import { leasesRouter } from './leases/router.ts'
import { contactRouter } from './messages/router.ts'
import { billingRouter, chargesRouter } from './money/charges-router.ts'
import { paymentsRouter } from './money/payments/router.ts'
import { createPlansRouter } from './money/plans-router.ts'
import { noticesRouter } from './operations/notices/router.ts'
import { editorRouter } from './site/editor/router.ts'
import { mediaRouter } from './site/pictures/router.ts'
import { siteRouter } from './site/router.ts'
import { setupRouter } from './site/settings-router.ts'
import { wordingsRouter } from './site/wordings/router.ts'

export const rootRouter = router({
  site: siteRouter,
  editor: editorRouter,
  wordings: wordingsRouter,
  media: mediaRouter,
  accounts: accountsRouter,
  factors: factorsRouter,
  sessions: sessionsRouter,
  email: createEmailRouter(correctContactEmail),
  applications: applicationsRouter,
  leases: leasesRouter,
  availability: availabilityRouter,
  payments: paymentsRouter,
  billing: billingRouter,
  plans: createPlansRouter(changePlan),
  rates: ratesRouter,
  charges: chargesRouter,
  calendars: calendarsRouter,
  contact: contactRouter,
  entry: entryRouter,
  notices: noticesRouter,
  setup: setupRouter,
  bookings: bookingsRouter,
})

export type AppRouter = typeof rootRouter
export const createCaller = createCallerFactory(rootRouter)
