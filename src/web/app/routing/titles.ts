import { paths, siteTabs } from '../../routing/paths.ts'

/** Every screen's path and title. */
const titles: Record<string, string> = {
  '/': 'Home',
  '/contact': 'Contact Us',
  '/privacy': 'Privacy Policy',
  '/terms': 'Terms of Service',
  '/login': 'Login',
  '/register': 'Create an Account',
  '/forgot-password': 'Forgot Password',
  '/reset-password': 'Reset Password',
  '/invitation': 'Your Invitation',
  '/email-change': 'Confirm Your E-mail',
  '/email-undo': 'Undo E-mail Change',
  '/not-me': 'Was This You?',
  '/dashboard': 'Dashboard',
  '/application': 'New Application',
  '/application/:id': 'Application Details',
  '/lease': 'Lease Agreement',
  '/payment': 'Payment',
  '/payment/success': 'Payment Successful',
  '/payment/cancel': 'Payment Cancelled',
  '/payment/history': 'Payment History',
  '/admin/login': 'Admin Portal',
  '/admin/dashboard': 'Application Management',
  '/admin/revenue': 'Revenue Dashboard',
  '/admin/revenue/due': 'What is due',
  '/admin/rates': 'Rates Management',
  '/admin/availability': 'Availability Management',
  '/admin/site': 'Site',
  ...Object.fromEntries(siteTabs.map(tab => [paths.adminSiteTab(tab), 'Site'])),
  '/admin/setup': 'Setup',
  '/admin/calendars': 'Calendars',
  '/admin/booking/new': 'Enter a Booking',
  '/admin/booking/import': 'Import Bookings',
  '/admin/application/:id': 'Application Details',
  '/admin/payment/history/:userId': 'Payment History',
}

/** The route pattern of a path, such as `/application/:id`; undefined if there is no such screen. */
export function screenPattern(path: string): string | undefined {
  const segments = path.split('/')
  return Object.keys(titles).find(candidate => {
    const parts = candidate.split('/')
    return (
      parts.length === segments.length &&
      parts.every((part, i) => part === segments[i] || (part.startsWith(':') && segments[i] !== ''))
    )
  })
}

/** The title of the screen at a path; undefined if there is no such screen. */
export function screenTitle(path: string): string | undefined {
  const pattern = screenPattern(path)
  return pattern === undefined ? undefined : titles[pattern]
}

/** The window's title: the property first on the home page, else the screen first. */
export function documentTitle(
  path: string,
  { homeTitle, propertyName }: { homeTitle: string; propertyName: string },
): string {
  if (path === '/') return `${propertyName}: ${homeTitle}`
  return `${screenTitle(path) ?? 'Page not found'} | ${propertyName}`
}
