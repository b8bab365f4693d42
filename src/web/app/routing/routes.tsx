import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { paths } from '../../routing/paths.ts'
import { useSession } from '../../session/session.tsx'
import { SessionGone } from '../../session/session-expired.tsx'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { AdminOnly, RedirectTo, SignedIn, SignedOutOnly } from './guards.tsx'
import { NotFound } from './not-found.tsx'
import { publicPages } from './public-pages.ts'

const pages = {
  home: lazy(() => publicPages['/']().then(page => ({ default: page }))),
  contact: lazy(() => publicPages['/contact']().then(page => ({ default: page }))),
  privacy: lazy(() => publicPages['/privacy']().then(page => ({ default: page }))),
  terms: lazy(() => publicPages['/terms']().then(page => ({ default: page }))),
  login: lazy(() => import('../../pages/account/login-page.tsx').then(m => ({ default: m.LoginPage }))),
  register: lazy(() =>
    import('../../pages/account/register-page.tsx').then(m => ({ default: m.RegisterPage })),
  ),
  forgotPassword: lazy(() =>
    import('../../pages/account/forgot-password-page.tsx').then(m => ({ default: m.ForgotPasswordPage })),
  ),
  resetPassword: lazy(() =>
    import('../../pages/account/reset-password-page.tsx').then(m => ({ default: m.ResetPasswordPage })),
  ),
  adminLogin: lazy(() =>
    import('../../pages/account/admin-login-page.tsx').then(m => ({ default: m.AdminLoginPage })),
  ),
  dashboard: lazy(() =>
    import('../../pages/tenant/dashboard-page.tsx').then(m => ({ default: m.DashboardPage })),
  ),
  newApplication: lazy(() =>
    import('../../pages/tenant/application-form-page.tsx').then(m => ({ default: m.ApplicationFormPage })),
  ),
  application: lazy(() =>
    import('../../pages/tenant/application-page.tsx').then(m => ({ default: m.ApplicationPage })),
  ),
  lease: lazy(() => import('../../pages/tenant/lease-page.tsx').then(m => ({ default: m.LeasePage }))),
  payment: lazy(() => import('../../pages/tenant/payment-page.tsx').then(m => ({ default: m.PaymentPage }))),
  paymentSuccess: lazy(() =>
    import('../../pages/tenant/payment-success-page.tsx').then(m => ({ default: m.PaymentSuccessPage })),
  ),
  paymentCancel: lazy(() =>
    import('../../pages/tenant/payment-cancel-page.tsx').then(m => ({ default: m.PaymentCancelPage })),
  ),
  paymentHistory: lazy(() =>
    import('../../pages/tenant/payment-history-page.tsx').then(m => ({ default: m.PaymentHistoryPage })),
  ),
  adminDashboard: lazy(() =>
    import('../../pages/admin/dashboard-page.tsx').then(m => ({ default: m.AdminDashboardPage })),
  ),
  adminRevenue: lazy(() =>
    import('../../pages/admin/revenue-page.tsx').then(m => ({ default: m.RevenuePage })),
  ),
  adminRates: lazy(() => import('../../pages/admin/rates-page.tsx').then(m => ({ default: m.RatesPage }))),
  adminAvailability: lazy(() =>
    import('../../pages/admin/availability-page.tsx').then(m => ({ default: m.AvailabilityPage })),
  ),
  adminApplication: lazy(() =>
    import('../../pages/admin/application-page.tsx').then(m => ({ default: m.AdminApplicationPage })),
  ),
  adminPaymentHistory: lazy(() =>
    import('../../pages/admin/payment-history-page.tsx').then(m => ({ default: m.AdminPaymentHistoryPage })),
  ),
}
const leaseNotice = 'Please log in to access your lease'
const paymentNotice = 'Please log in to access payments'

export function Routes() {
  return (
    <Suspense fallback={<Spinner label="Loading..." />}>
      <HydrationBoundary>
        <Switch>
          <Route path="/" component={pages.home} />
          <Route path="/contact" component={pages.contact} />
          <Route path="/privacy" component={pages.privacy} />
          <Route path="/terms" component={pages.terms} />

          <Route path="/login">
            <SignedOutOnly>
              <pages.login />
            </SignedOutOnly>
          </Route>
          <Route path="/register">
            <SignedOutOnly>
              <pages.register />
            </SignedOutOnly>
          </Route>
          <Route path="/forgot-password">
            <SignedOutOnly>
              <pages.forgotPassword />
            </SignedOutOnly>
          </Route>
          <Route path="/reset-password">
            <SignedOutOnly>
              <pages.resetPassword />
            </SignedOutOnly>
          </Route>

          <Route path="/dashboard">
            <SignedIn>
              <TenantDashboard />
            </SignedIn>
          </Route>
          <Route path="/application">
            <SignedIn>
              <pages.newApplication />
            </SignedIn>
          </Route>
          <Route path="/application/:id">
            {({ id }) => (
              <SignedIn>
                <pages.application id={id} />
              </SignedIn>
            )}
          </Route>
          <Route path="/lease">
            <SignedIn notice={leaseNotice} whenGone={<SessionGone message={leaseNotice} />}>
              <pages.lease />
            </SignedIn>
          </Route>
          <Route path="/payment">
            <SignedIn notice={paymentNotice} whenGone={<SessionGone message={paymentNotice} />}>
              <pages.payment />
            </SignedIn>
          </Route>
          <Route path="/payment/success">
            <SignedIn>
              <pages.paymentSuccess />
            </SignedIn>
          </Route>
          <Route path="/payment/cancel">
            <SignedIn>
              <pages.paymentCancel />
            </SignedIn>
          </Route>
          <Route path="/payment/history">
            <SignedIn>
              <pages.paymentHistory />
            </SignedIn>
          </Route>

          <Route path="/admin/login">
            <AdminLogin />
          </Route>
          <Route path="/admin/dashboard">
            <AdminOnly>
              <pages.adminDashboard />
            </AdminOnly>
          </Route>
          <Route path="/admin/revenue">
            <AdminOnly>
              <pages.adminRevenue />
            </AdminOnly>
          </Route>
          <Route path="/admin/rates">
            <AdminOnly>
              <pages.adminRates />
            </AdminOnly>
          </Route>
          <Route path="/admin/availability">
            <AdminOnly>
              <pages.adminAvailability />
            </AdminOnly>
          </Route>
          <Route path="/admin/application/:id">
            {({ id }) => (
              <AdminOnly>
                <pages.adminApplication id={id} />
              </AdminOnly>
            )}
          </Route>
          <Route path="/admin/payment/history/:userId">
            {({ userId }) => (
              <AdminOnly>
                <pages.adminPaymentHistory userId={userId} />
              </AdminOnly>
            )}
          </Route>

          <Route component={NotFound} />
        </Switch>
      </HydrationBoundary>
    </Suspense>
  )
}

/** Only /dashboard sends an admin on to the back office. */
function TenantDashboard() {
  const session = useSession()
  const isAdmin = session.status === 'authenticated' && session.user.role === 'admin'
  return isAdmin ? <RedirectTo to={paths.adminDashboard} /> : <pages.dashboard />
}

/** Open to a tenant as well; an admin who is signed in needs no second login. */
function AdminLogin() {
  const session = useSession()
  const isAdmin = session.status === 'authenticated' && session.user.role === 'admin'
  return isAdmin ? <RedirectTo to={paths.adminDashboard} /> : <pages.adminLogin />
}
