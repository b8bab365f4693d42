import { correctContactEmail } from './applications/enter-application.ts'
import { manualBookingsRouter } from './applications/manual/router.ts'
import { applicationsRouter } from './applications/router.ts'
import { createEmailChangeRouter } from './auth/accounts/email-router.ts'
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
import { chargeRulesRouter, chargesRouter } from './money/charges-router.ts'
import { paymentsRouter } from './money/payments/router.ts'
import { createPlansRouter } from './money/plans-router.ts'
import { noticesRouter } from './operations/notices/router.ts'
import { editorRouter } from './site/editor/router.ts'
import { mediaRouter } from './site/pictures/router.ts'
import { siteRouter } from './site/router.ts'
import { settingsRouter } from './site/settings-router.ts'
import { wordingsRouter } from './site/wordings/router.ts'

export const rootRouter = router({
  site: siteRouter,
  editor: editorRouter,
  wordings: wordingsRouter,
  media: mediaRouter,
  accounts: accountsRouter,
  factors: factorsRouter,
  sessions: sessionsRouter,
  emailChange: createEmailChangeRouter(correctContactEmail),
  applications: applicationsRouter,
  leases: leasesRouter,
  availability: availabilityRouter,
  payments: paymentsRouter,
  charges: chargesRouter,
  plans: createPlansRouter(changePlan),
  rates: ratesRouter,
  chargeRules: chargeRulesRouter,
  calendars: calendarsRouter,
  contact: contactRouter,
  manualBookings: manualBookingsRouter,
  notices: noticesRouter,
  settings: settingsRouter,
  bookings: bookingsRouter,
})

export type AppRouter = typeof rootRouter
export const createCaller = createCallerFactory(rootRouter)
