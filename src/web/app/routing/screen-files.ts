import { paths, siteTabs } from '../../routing/paths.ts'
import { screenPattern } from './titles.ts'

/** The file of each screen that the browser renders, under src/web/pages. */
const files: Record<string, string> = {
  '/login': 'account/login-page',
  '/register': 'account/register-page',
  '/forgot-password': 'account/forgot-password-page',
  '/reset-password': 'account/reset-password-page',
  '/invitation': 'account/invitation-page',
  '/email-change': 'account/account-link-page',
  '/email-undo': 'account/account-link-page',
  '/not-me': 'account/account-link-page',
  '/dashboard': 'tenant/dashboard-page',
  '/application': 'tenant/application-form-page',
  '/application/:id': 'tenant/application-page',
  '/lease': 'tenant/lease-page',
  '/payment': 'tenant/payment-page',
  '/payment/success': 'tenant/payment-success-page',
  '/payment/cancel': 'tenant/payment-cancel-page',
  '/payment/history': 'tenant/payment-history-page',
  '/admin/login': 'account/admin-login-page',
  '/admin/dashboard': 'admin/dashboard-page',
  '/admin/revenue': 'admin/revenue-page',
  '/admin/revenue/due': 'admin/due-page',
  '/admin/rates': 'admin/rates-page',
  '/admin/availability': 'admin/availability-page',
  '/admin/site': 'admin/site-page',
  ...Object.fromEntries(siteTabs.map(tab => [paths.adminSiteTab(tab), 'admin/site-page'])),
  '/admin/setup': 'admin/setup-page',
  '/admin/calendars': 'admin/calendars-page',
  '/admin/booking/new': 'admin/new-booking-page',
  '/admin/booking/import': 'admin/import-page',
  '/admin/application/:id': 'admin/application-page',
  '/admin/payment/history/:userId': 'admin/payment-history-page',
}

/**
 * The source files of the screen at a path, as named in Vite's manifest: its page, and the styles that `styledPage`
 * loads with it. The screen's document preloads them.
 */
export function screenSources(path: string): string[] {
  const pattern = screenPattern(path)
  if (pattern === undefined) return ['src/web/app/routing/not-found.tsx']
  const file = files[pattern]
  if (file === undefined) return []
  const page = `src/web/pages/${file}.tsx`
  return file.startsWith('account/') ? [page] : [page, 'src/web/app/routing/all-styles.css']
}
