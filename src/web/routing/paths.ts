/** The tabs of the site editor, except for the default tab with the texts. */
export const siteTabs = ['pictures', 'lease', 'mails', 'versions'] as const
export type SiteTab = (typeof siteTabs)[number]

/** Every path of the app. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms',
  dashboard: '/dashboard',
  newApplication: '/application',
  application: (id: string) => `/application/${id}`,
  /** The application with its sign dialog open. */
  signLease: (id: string) => `/application/${id}#sign`,
  lease: '/lease',
  payment: (applicationId?: string) => withApplication('/payment', applicationId),
  paymentSuccess: '/payment/success',
  paymentCancel: '/payment/cancel',
  paymentHistory: (applicationId?: string) => withApplication('/payment/history', applicationId),
  adminLogin: '/admin/login',
  adminDashboard: '/admin/dashboard',
  adminRevenue: '/admin/revenue',
  adminDue: '/admin/revenue/due',
  adminRates: '/admin/rates',
  adminAvailability: '/admin/availability',
  adminSite: '/admin/site',
  adminSiteTab: (tab: SiteTab) => `/admin/site/${tab}`,
  adminSetup: '/admin/setup',
  adminCalendars: '/admin/calendars',
  adminNewBooking: '/admin/booking/new',
  adminImport: '/admin/booking/import',
  adminApplication: (id: string) => `/admin/application/${id}`,
  adminPaymentHistory: (userId: string, applicationId?: string) =>
    withApplication(`/admin/payment/history/${userId}`, applicationId),
}

function withApplication(path: string, applicationId: string | undefined): string {
  return applicationId ? `${path}?applicationId=${encodeURIComponent(applicationId)}` : path
}
