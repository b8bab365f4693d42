import type { Utils } from '../../api/api.ts'
import { paths, siteTabs } from '../../routing/paths.ts'

/**
 * Who may see a screen; everybody else is redirected. `tenant` redirects an admin to the back office, `adminLogin` only
 * an admin who is signed in already.
 */
export type Guard = 'signedOut' | 'signedIn' | 'tenant' | 'admin' | 'adminLogin'

export type Prefetch = (utils: Utils) => void

type Screen = {
  title: string
  /** The file below src/web/pages, which exports one component. The public pages are in public-pages.ts. */
  page?: string
  guard?: Guard
  /** Shown on the login screen; if the session expires, it replaces the screen. */
  notice?: string
  /** Fetches the data that the page needs first, while the session is being checked. */
  prefetch?: Prefetch
  /** Props of the page in addition to the parameters of its path. */
  props?: Record<string, string>
}

const site: Screen = { title: 'Site', page: 'admin/site-page', guard: 'admin' }

/** Every screen by the pattern of its path. */
const screens: Record<string, Screen> = {
  '/': { title: 'Home' },
  '/contact': { title: 'Contact Us' },
  '/privacy': { title: 'Privacy Policy' },
  '/terms': { title: 'Terms of Service' },

  '/login': { title: 'Login', page: 'account/login-page', guard: 'signedOut' },
  '/register': { title: 'Create an Account', page: 'account/register-page', guard: 'signedOut' },
  '/forgot-password': { title: 'Forgot Password', page: 'account/forgot-password-page', guard: 'signedOut' },
  '/reset-password': { title: 'Reset Password', page: 'account/reset-password-page', guard: 'signedOut' },
  '/invitation': { title: 'Your Invitation', page: 'account/invitation-page' },
  '/email-change': { title: 'Confirm Your E-mail', page: 'account/account-link-page' },
  '/email-undo': { title: 'Undo E-mail Change', page: 'account/account-link-page' },
  '/not-me': { title: 'Was This You?', page: 'account/account-link-page' },

  '/dashboard': {
    title: 'Dashboard',
    page: 'tenant/dashboard-page',
    guard: 'tenant',
    prefetch: ({ applications, payments }) => {
      void applications.status.prefetch()
      void payments.options.prefetch()
    },
  },
  '/application': { title: 'New Application', page: 'tenant/application-form-page', guard: 'signedIn' },
  '/application/:id': { title: 'Application Details', page: 'tenant/application-page', guard: 'signedIn' },
  '/lease': {
    title: 'Lease Agreement',
    page: 'tenant/lease-page',
    guard: 'signedIn',
    notice: 'Please log in to access your lease',
  },
  '/payment': {
    title: 'Payment',
    page: 'tenant/payment-page',
    guard: 'signedIn',
    notice: 'Please log in to access payments',
  },
  '/payment/success': { title: 'Payment Successful', page: 'tenant/payment-success-page', guard: 'signedIn' },
  '/payment/cancel': { title: 'Payment Cancelled', page: 'tenant/payment-cancel-page', guard: 'signedIn' },
  '/payment/history': { title: 'Payment History', page: 'tenant/payment-history-page', guard: 'signedIn' },

  '/admin/login': { title: 'Admin Portal', page: 'account/admin-login-page', guard: 'adminLogin' },
  '/admin/dashboard': {
    title: 'Application Management',
    page: 'admin/dashboard-page',
    guard: 'admin',
    prefetch: ({ notices }) => {
      void notices.list.prefetch()
      void notices.ownerDay.prefetch()
    },
  },
  '/admin/revenue': { title: 'Revenue Dashboard', page: 'admin/revenue-page', guard: 'admin' },
  '/admin/revenue/due': { title: 'What is due', page: 'admin/due-page', guard: 'admin' },
  '/admin/rates': { title: 'Rates Management', page: 'admin/rates-page', guard: 'admin' },
  '/admin/availability': {
    title: 'Availability Management',
    page: 'admin/availability-page',
    guard: 'admin',
  },
  '/admin/site': site,
  ...Object.fromEntries(siteTabs.map(tab => [paths.adminSiteTab(tab), { ...site, props: { tab } }])),
  '/admin/setup': { title: 'Setup', page: 'admin/setup-page', guard: 'admin' },
  '/admin/calendars': { title: 'Calendars', page: 'admin/calendars-page', guard: 'admin' },
  '/admin/booking/new': { title: 'Enter a Booking', page: 'admin/new-booking-page', guard: 'admin' },
  '/admin/booking/import': { title: 'Import Bookings', page: 'admin/import-page', guard: 'admin' },
  '/admin/application/:id': { title: 'Application Details', page: 'admin/application-page', guard: 'admin' },
  '/admin/payment/history/:userId': {
    title: 'Payment History',
    page: 'admin/payment-history-page',
    guard: 'admin',
  },
}

/** The screen at a path with its pattern, such as `/application/:id`, and the props of its page. */
export function findScreen(path: string) {
  const segments = path.split('/')
  for (const [pattern, screen] of Object.entries(screens)) {
    const parts = pattern.split('/')
    const isParameter = (index: number) => parts[index]?.startsWith(':') && segments[index] !== ''
    if (parts.length !== segments.length) continue
    if (!parts.every((part, i) => part === segments[i] || isParameter(i))) continue
    const parameters = parts.flatMap((part, i) => (isParameter(i) ? [[part.slice(1), segments[i]]] : []))
    const props: Record<string, string> = { ...Object.fromEntries(parameters), ...screen.props }
    return { ...screen, pattern, props }
  }
  return undefined
}

/** The window's title: the property first on the home page, else the screen first. */
export function documentTitle(
  path: string,
  { homeTitle, propertyName }: { homeTitle: string; propertyName: string },
): string {
  if (path === '/') return `${propertyName}: ${homeTitle}`
  return `${findScreen(path)?.title ?? 'Page not found'} | ${propertyName}`
}

/** Whether a page needs the styles of the tenant's and the owner's screens, which other pages do not load. */
export const needsAllStyles = (page: string) => !page.startsWith('account/')

/** The source files of the screen at a path, as named in Vite's manifest. The screen's document preloads them. */
export function screenSources(path: string): string[] {
  const screen = findScreen(path)
  if (!screen) return ['src/web/app/routing/not-found.tsx']
  if (!screen.page) return []
  const page = `src/web/pages/${screen.page}.tsx`
  return needsAllStyles(screen.page) ? [page, 'src/web/app/routing/all-styles.css'] : [page]
}
