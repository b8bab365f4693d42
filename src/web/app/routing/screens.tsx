import type { ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { paths, type SiteTab, siteTabs } from '../../routing/paths.ts'
import { isAdmin, useSession } from '../../session/session.tsx'
import { AdminOnly, RedirectTo, SignedIn, SignedOutOnly } from './guards.tsx'
import { pageOnDemand } from './page-on-demand.tsx'

/** With the styles of the tenant's and the owner's screens, which other pages do not load. */
const styledPage: typeof pageOnDemand = (load, prefetch) =>
  pageOnDemand(async () => {
    const [Page] = await Promise.all([load(), import('./all-styles.css')])
    return Page
  }, prefetch)

const NotFound = pageOnDemand(() => import('./not-found.tsx').then(m => m.NotFound))

const pages = {
  login: pageOnDemand(() => import('../../pages/account/login-page.tsx').then(m => m.LoginPage)),
  register: pageOnDemand(() => import('../../pages/account/register-page.tsx').then(m => m.RegisterPage)),
  forgotPassword: pageOnDemand(() =>
    import('../../pages/account/forgot-password-page.tsx').then(m => m.ForgotPasswordPage),
  ),
  resetPassword: pageOnDemand(() =>
    import('../../pages/account/reset-password-page.tsx').then(m => m.ResetPasswordPage),
  ),
  invitation: pageOnDemand(() =>
    import('../../pages/account/invitation-page.tsx').then(m => m.InvitationPage),
  ),
  accountLink: pageOnDemand(() =>
    import('../../pages/account/account-link-page.tsx').then(m => m.AccountLinkPage),
  ),
  adminLogin: pageOnDemand(() =>
    import('../../pages/account/admin-login-page.tsx').then(m => m.AdminLoginPage),
  ),
  dashboard: styledPage(
    () => import('../../pages/tenant/dashboard-page.tsx').then(m => m.DashboardPage),
    ({ applications, payments }) => {
      void applications.status.prefetch()
      void payments.options.prefetch()
    },
  ),
  newApplication: styledPage(() =>
    import('../../pages/tenant/application-form-page.tsx').then(m => m.ApplicationFormPage),
  ),
  application: styledPage(() =>
    import('../../pages/tenant/application-page.tsx').then(m => m.ApplicationPage),
  ),
  lease: styledPage(() => import('../../pages/tenant/lease-page.tsx').then(m => m.LeasePage)),
  payment: styledPage(() => import('../../pages/tenant/payment-page.tsx').then(m => m.PaymentPage)),
  paymentSuccess: styledPage(() =>
    import('../../pages/tenant/payment-success-page.tsx').then(m => m.PaymentSuccessPage),
  ),
  paymentCancel: styledPage(() =>
    import('../../pages/tenant/payment-cancel-page.tsx').then(m => m.PaymentCancelPage),
  ),
  paymentHistory: styledPage(() =>
    import('../../pages/tenant/payment-history-page.tsx').then(m => m.PaymentHistoryPage),
  ),
  adminDashboard: styledPage(
    () => import('../../pages/admin/dashboard-page.tsx').then(m => m.AdminDashboardPage),
    ({ notices }) => {
      void notices.list.prefetch()
      void notices.ownerDay.prefetch()
    },
  ),
  adminRevenue: styledPage(() => import('../../pages/admin/revenue-page.tsx').then(m => m.RevenuePage)),
  adminDue: styledPage(() => import('../../pages/admin/due-page.tsx').then(m => m.DuePage)),
  adminRates: styledPage(() => import('../../pages/admin/rates-page.tsx').then(m => m.RatesPage)),
  adminAvailability: styledPage(() =>
    import('../../pages/admin/availability-page.tsx').then(m => m.AvailabilityPage),
  ),
  adminSite: styledPage(() => import('../../pages/admin/site-page.tsx').then(m => m.SitePage)),
  adminSetup: styledPage(() => import('../../pages/admin/setup-page.tsx').then(m => m.SetupPage)),
  adminCalendars: styledPage(() => import('../../pages/admin/calendars-page.tsx').then(m => m.CalendarsPage)),
  adminNewBooking: styledPage(() =>
    import('../../pages/admin/new-booking-page.tsx').then(m => m.NewBookingPage),
  ),
  adminImport: styledPage(() => import('../../pages/admin/import-page.tsx').then(m => m.ImportPage)),
  adminApplication: styledPage(() =>
    import('../../pages/admin/application-page.tsx').then(m => m.AdminApplicationPage),
  ),
  adminPaymentHistory: styledPage(() =>
    import('../../pages/admin/payment-history-page.tsx').then(m => m.AdminPaymentHistoryPage),
  ),
}

const signedOut = (screen: ReactNode) => <SignedOutOnly>{screen}</SignedOutOnly>
const signedIn = (screen: ReactNode) => <SignedIn>{screen}</SignedIn>
const signedInOrNotice = (screen: ReactNode, notice: string) => (
  <SignedIn notice={notice} staysOnExpiry>
    {screen}
  </SignedIn>
)
const adminOnly = (screen: ReactNode) => <AdminOnly>{screen}</AdminOnly>

/** Every screen except the public pages. */
export function Screens() {
  return (
    <Switch>
      <Route path="/login">{signedOut(<pages.login />)}</Route>
      <Route path="/register">{signedOut(<pages.register />)}</Route>
      <Route path="/forgot-password">{signedOut(<pages.forgotPassword />)}</Route>
      <Route path="/reset-password">{signedOut(<pages.resetPassword />)}</Route>

      <Route path="/invitation" component={pages.invitation} />
      <Route path={/^\/(email-change|email-undo|not-me)$/} component={pages.accountLink} />

      <Route path="/dashboard">{signedIn(<TenantDashboard />)}</Route>
      <Route path="/application">{signedIn(<pages.newApplication />)}</Route>
      <Route path="/application/:id">{({ id }) => signedIn(<pages.application id={id} />)}</Route>
      <Route path="/lease">{signedInOrNotice(<pages.lease />, 'Please log in to access your lease')}</Route>
      <Route path="/payment">{signedInOrNotice(<pages.payment />, 'Please log in to access payments')}</Route>
      <Route path="/payment/success">{signedIn(<pages.paymentSuccess />)}</Route>
      <Route path="/payment/cancel">{signedIn(<pages.paymentCancel />)}</Route>
      <Route path="/payment/history">{signedIn(<pages.paymentHistory />)}</Route>

      <Route path="/admin/login">
        <AdminLogin />
      </Route>
      <Route path="/admin/dashboard">{adminOnly(<pages.adminDashboard />)}</Route>
      <Route path="/admin/revenue">{adminOnly(<pages.adminRevenue />)}</Route>
      <Route path="/admin/revenue/due">{adminOnly(<pages.adminDue />)}</Route>
      <Route path="/admin/rates">{adminOnly(<pages.adminRates />)}</Route>
      <Route path="/admin/availability">{adminOnly(<pages.adminAvailability />)}</Route>
      <Route path="/admin/site/:tab?">
        {({ tab }) => (isSitePath(tab) ? adminOnly(<pages.adminSite tab={tab} />) : <NotFound />)}
      </Route>
      <Route path="/admin/setup">{adminOnly(<pages.adminSetup />)}</Route>
      <Route path="/admin/calendars">{adminOnly(<pages.adminCalendars />)}</Route>
      <Route path="/admin/booking/new">{adminOnly(<pages.adminNewBooking />)}</Route>
      <Route path="/admin/booking/import">{adminOnly(<pages.adminImport />)}</Route>
      <Route path="/admin/application/:id">{({ id }) => adminOnly(<pages.adminApplication id={id} />)}</Route>
      <Route path="/admin/payment/history/:userId">
        {({ userId }) => adminOnly(<pages.adminPaymentHistory userId={userId} />)}
      </Route>

      <Route component={NotFound} />
    </Switch>
  )
}

const isSitePath = (tab: string | undefined): tab is SiteTab | undefined =>
  tab === undefined || siteTabs.some(known => known === tab)

/** Only /dashboard redirects an admin to the back office. */
const TenantDashboard = Object.assign(
  () => (isAdmin(useSession()) ? <RedirectTo to={paths.adminDashboard} /> : <pages.dashboard />),
  { prepare: pages.dashboard.prepare },
)

/** Also available to a signed-in tenant; an admin who is signed in needs no second login. */
function AdminLogin() {
  return isAdmin(useSession()) ? <SignedOutOnly>{null}</SignedOutOnly> : <pages.adminLogin />
}
