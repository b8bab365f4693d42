import { cancellationRouter } from './applications/cancellation/router.ts'
import { manualBookingsRouter } from './applications/manual/router.ts'
import { offersRouter } from './applications/offers/router.ts'
import { applicationsRouter } from './applications/router.ts'
import { staysRouter } from './arrival/router.ts'
import { emailChangeRouter } from './auth/accounts/email-change/router.ts'
import { sessionsRouter } from './auth/accounts/own-sessions-router.ts'
import { accountsRouter } from './auth/accounts/router.ts'
import { factorsRouter } from './auth/factors/router.ts'
import { availabilityRouter } from './bookings/availability-router.ts'
import { calendarsRouter } from './bookings/calendars/router.ts'
import { evidenceRouter } from './bookings/evidence-router.ts'
import { ratesRouter } from './bookings/rates-router.ts'
import { bookingsRouter } from './bookings/router.ts'
import { conversationsRouter } from './conversations/router.ts'
import { createCallerFactory, router } from './kernel/trpc.ts'
import { addendaRouter } from './leases/addenda/router.ts'
import { leasesRouter } from './leases/router.ts'
import { signingRouter } from './leases/signing/router.ts'
import { contactRouter } from './mail/router.ts'
import { booksRouter } from './money/books/router.ts'
import { chargeRulesRouter } from './money/charge-rules-router.ts'
import { chargesRouter } from './money/charges-router.ts'
import { depositsRouter } from './money/deposits/router.ts'
import { paymentsRouter } from './money/payments/router.ts'
import { plansRouter } from './money/plans-router.ts'
import { backupsRouter } from './operations/backup/elsewhere/router.ts'
import { installRouter } from './operations/install/router.ts'
import { noticesRouter } from './operations/notices/router.ts'
import { openingRouter } from './operations/opening/router.ts'
import { reviewsRouter } from './reviews/router.ts'
import { setupRouter } from './setup/router.ts'
import { editorRouter } from './site/editor/router.ts'
import { picturesRouter } from './site/pictures/router.ts'
import { siteRouter } from './site/router.ts'
import { settingsRouter } from './site/settings-router.ts'
import { wordingsRouter } from './site/wordings/router.ts'

export const rootRouter = router({
  site: siteRouter,
  editor: editorRouter,
  wordings: wordingsRouter,
  pictures: picturesRouter,
  accounts: accountsRouter,
  factors: factorsRouter,
  sessions: sessionsRouter,
  emailChange: emailChangeRouter,
  applications: applicationsRouter,
  cancellations: cancellationRouter,
  leases: leasesRouter,
  addenda: addendaRouter,
  signing: signingRouter,
  availability: availabilityRouter,
  payments: paymentsRouter,
  charges: chargesRouter,
  deposits: depositsRouter,
  plans: plansRouter,
  books: booksRouter,
  rates: ratesRouter,
  chargeRules: chargeRulesRouter,
  calendars: calendarsRouter,
  contact: contactRouter,
  conversations: conversationsRouter,
  reviews: reviewsRouter,
  manualBookings: manualBookingsRouter,
  offers: offersRouter,
  notices: noticesRouter,
  install: installRouter,
  opening: openingRouter,
  settings: settingsRouter,
  setup: setupRouter,
  backups: backupsRouter,
  bookings: bookingsRouter,
  evidence: evidenceRouter,
  stays: staysRouter,
})

export type AppRouter = typeof rootRouter
export const createCaller = createCallerFactory(rootRouter)
