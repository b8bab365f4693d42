import { createEmailRouter } from './accounts/email-router.ts'
import { accountsRouter } from './accounts/router.ts'
import { sessionsRouter } from './accounts/session-router.ts'
import { correctContactEmail } from './applications/enter-application.ts'
import { applicationsRouter } from './applications/router.ts'
import { availabilityRouter } from './availability/router.ts'
import { billingRouter } from './billing/router.ts'
import { bookingsRouter } from './bookings/router.ts'
import { calendarsRouter } from './calendars/router.ts'
import { chargesRouter } from './charges/router.ts'
import { contactRouter } from './contact/router.ts'
import { editorRouter } from './editor/router.ts'
import { entryRouter } from './entry/router.ts'
import { factorsRouter } from './factors/router.ts'
import { createCallerFactory, router } from './kernel/trpc.ts'
import { leasesRouter } from './leases/router.ts'
import { mediaRouter } from './media/router.ts'
import { noticesRouter } from './notices/router.ts'
import { paymentsRouter } from './payments/router.ts'
import { plansRouter } from './plans/router.ts'
import { ratesRouter } from './rates/router.ts'
import { setupRouter } from './setup/router.ts'
import { siteRouter } from './site/router.ts'
import { wordingsRouter } from './wordings/router.ts'

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
  plans: plansRouter,
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
