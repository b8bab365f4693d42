import type { Utils } from '../../api/api.ts'

/**
 * Who may see a screen; everybody else is redirected. `tenant` redirects an admin to the back office, `adminLogin` only
 * an admin who is signed in already.
 */
export type Guard = 'signedOut' | 'signedIn' | 'tenant' | 'admin' | 'adminLogin'

export type Prefetch = (utils: Utils) => void

type Screen = {
  title: string
  /** Its file below src/web/pages without `-page.tsx`, which exports one component. Not of the public pages. */
  page?: string
  guard?: Guard
  /** Shown on the login screen; if the session expires, it replaces the screen. */
  notice?: string
  /** Fetches the data that the page needs first, while the session is being checked. */
  prefetch?: Prefetch
}

/** Every screen by the pattern of its path. */
export const screens: Record<string, Screen> = {
  '/': { title: 'Home' },
  '/contact': { title: 'Contact Us' },
  '/privacy': { title: 'Privacy Policy' },
  '/terms': { title: 'Terms of Service' },

  '/install': { title: 'Set up your site', page: 'install/install' },

  '/login': { title: 'Login', page: 'account/login', guard: 'signedOut' },
  '/register': { title: 'Create an account', page: 'account/register', guard: 'signedOut' },
  '/forgot-password': { title: 'Forgot password', page: 'account/forgot-password', guard: 'signedOut' },
  '/reset-password': { title: 'Reset password', page: 'account/reset-password', guard: 'signedOut' },
  '/invitation': { title: 'Your invitation', page: 'account/invitation' },
  '/email-change': { title: 'Confirm your email', page: 'account/account-link' },
  '/email-undo': { title: 'Undo email change', page: 'account/account-link' },
  '/not-me': { title: 'Was this you?', page: 'account/account-link' },

  '/dashboard': {
    title: 'Dashboard',
    page: 'tenant/dashboard/dashboard',
    guard: 'tenant',
    prefetch: ({ applications, offers, payments }) => {
      void applications.status.prefetch()
      void offers.mine.prefetch()
      void payments.options.prefetch()
    },
  },
  '/application': {
    title: 'New Application',
    page: 'tenant/application-form/application-form',
    guard: 'signedIn',
  },
  '/application/:id': {
    title: 'Application Details',
    page: 'tenant/application/application',
    guard: 'signedIn',
  },
  '/messages/:id': { title: 'Messages', page: 'guest/messages', guard: 'signedIn' },
  '/review/:id': { title: 'Reviews', page: 'guest/own-review', guard: 'signedIn' },
  '/reply': { title: 'Messages', page: 'guest/reply' },
  '/review': { title: 'Reviews', page: 'guest/review' },
  '/stay': { title: 'Your stay', page: 'guest/stay-link' },
  '/offer': { title: 'An offer for you', page: 'guest/offer' },
  '/sign': { title: 'Sign', page: 'guest/sign' },
  '/stay/:id': { title: 'Your stay', page: 'guest/stay', guard: 'signedIn' },
  '/lease': {
    title: 'Lease Agreement',
    page: 'tenant/lease/lease',
    guard: 'signedIn',
    notice: 'Please log in to access your lease',
  },
  '/payment': {
    title: 'Payment',
    page: 'tenant/payment/payment',
    guard: 'signedIn',
    notice: 'Please log in to access payments',
  },
  '/payment/success': {
    title: 'Payment Successful',
    page: 'tenant/payment/payment-success',
    guard: 'signedIn',
  },
  '/payment/cancel': {
    title: 'Payment canceled',
    page: 'tenant/payment/payment-cancel',
    guard: 'signedIn',
  },
  '/payment/history': {
    title: 'Payment history',
    page: 'tenant/payment/payment-history',
    guard: 'signedIn',
  },

  '/admin/login': { title: 'Admin Portal', page: 'account/admin-login', guard: 'adminLogin' },
  '/admin/dashboard': {
    title: 'Application Management',
    page: 'admin/dashboard/dashboard',
    guard: 'admin',
    prefetch: ({ notices }) => {
      void notices.list.prefetch()
      void notices.ownerDay.prefetch()
    },
  },
  '/admin/revenue': { title: 'Revenue Dashboard', page: 'admin/revenue/revenue', guard: 'admin' },
  '/admin/revenue/due': { title: 'Due payments', page: 'admin/revenue/due', guard: 'admin' },
  '/admin/revenue/deposits': { title: 'Deposits', page: 'admin/revenue/deposits', guard: 'admin' },
  '/admin/revenue/books': { title: 'Books', page: 'admin/revenue/books', guard: 'admin' },
  '/admin/revenue/how-guests-pay': {
    title: 'How guests pay',
    page: 'admin/revenue/how-guests-pay',
    guard: 'admin',
  },
  '/admin/rates': { title: 'Rates Management', page: 'admin/rates/rates', guard: 'admin' },
  '/admin/rates/fees': { title: 'Deposit and fees', page: 'admin/rates/fees', guard: 'admin' },
  '/admin/rates/taxes': { title: 'Taxes', page: 'admin/rates/taxes', guard: 'admin' },
  '/admin/rates/stay-rules': { title: 'Stay rules', page: 'admin/rates/stay-rules', guard: 'admin' },
  '/admin/availability': {
    title: 'Availability Management',
    page: 'admin/availability/availability',
    guard: 'admin',
  },
  '/admin/availability/other-platforms': {
    title: 'Other platforms',
    page: 'admin/calendars/calendars',
    guard: 'admin',
  },
  '/admin/offers': { title: 'Offers', page: 'admin/offers/offers', guard: 'admin' },
  '/admin/site': { title: 'Site', page: 'admin/site/site', guard: 'admin' },
  '/admin/site/versions': {
    title: 'Versions of the site',
    page: 'admin/site/site-versions',
    guard: 'admin',
  },
  '/admin/site/name-and-contact': {
    title: 'Name and contact',
    page: 'admin/site/name-and-contact',
    guard: 'admin',
  },
  '/admin/site/documents': {
    title: 'Documents and emails',
    page: 'admin/site/documents',
    guard: 'admin',
  },
  '/admin/site/guests': { title: 'Guests', page: 'admin/site/guests', guard: 'admin' },
  '/admin/site/server': { title: 'Server', page: 'admin/site/server', guard: 'admin' },
  '/admin/messages': { title: 'Messages', page: 'admin/guests/messages', guard: 'admin' },
  '/admin/messages/:id': { title: 'Messages', page: 'guest/messages', guard: 'admin' },
  '/admin/reviews': { title: 'Reviews', page: 'admin/guests/reviews', guard: 'admin' },
  '/admin/arrival': { title: 'Arrival', page: 'admin/guests/arrival', guard: 'admin' },
  '/admin/arrival/:id': { title: 'Arrival', page: 'admin/guests/stay', guard: 'admin' },
  '/admin/booking/new': { title: 'New booking', page: 'admin/booking/new-booking', guard: 'admin' },
  '/admin/booking/import': { title: 'Import bookings', page: 'admin/booking/import', guard: 'admin' },
  '/admin/application/:id': {
    title: 'Application Details',
    page: 'admin/application/application',
    guard: 'admin',
  },
  '/admin/payment/history/:userId': {
    title: 'Payment history',
    page: 'admin/revenue/payment-history',
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
    const props: Record<string, string> = Object.fromEntries(parameters)
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
  // A site that is being installed has no name yet.
  return [findScreen(path)?.title ?? 'Page not found', propertyName].filter(Boolean).join(' | ')
}

/** Whether a page needs the styles of the tenant's and the owner's screens, which other pages do not load. */
export const needsAllStyles = (page: string) => !page.startsWith('account/')

/** The source files of the screen at a path, as named in Vite's manifest. The screen's document preloads them. */
export function screenSources(path: string): string[] {
  const screen = findScreen(path)
  if (!screen) return ['src/web/routing/not-found.tsx']
  if (!screen.page) return []
  const page = `src/web/pages/${screen.page}-page.tsx`
  return needsAllStyles(screen.page) ? [page, 'src/web/app/routing/all-styles.css'] : [page]
}
