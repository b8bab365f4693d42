import type { NextStepKind } from '../../domain/bookings/next-step.ts'

/** Every path of the app. */
export const paths = {
  home: '/',
  install: '/install',
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
  messages: (id: string) => `/messages/${id}`,
  review: (id: string) => `/review/${id}`,
  stay: (id: string) => `/stay/${id}`,
  lease: '/lease',
  payment: (applicationId?: string) => withApplication('/payment', applicationId),
  paymentSuccess: '/payment/success',
  paymentCancel: '/payment/cancel',
  paymentHistory: (applicationId?: string) => withApplication('/payment/history', applicationId),
  adminLogin: '/admin/login',
  adminDashboard: '/admin/dashboard',
  adminRevenue: '/admin/revenue',
  adminDue: '/admin/revenue/due',
  adminHowGuestsPay: '/admin/revenue/how-guests-pay',
  adminRates: '/admin/rates',
  adminFees: '/admin/rates/fees',
  adminTaxes: '/admin/rates/taxes',
  adminStayRules: '/admin/rates/stay-rules',
  adminAvailability: '/admin/availability',
  adminCalendars: '/admin/availability/other-platforms',
  adminSite: '/admin/site',
  adminSiteVersions: '/admin/site/versions',
  adminNameAndContact: '/admin/site/name-and-contact',
  adminDocuments: '/admin/site/documents',
  adminGuests: '/admin/site/guests',
  adminServer: '/admin/site/server',
  /** The card that shows the site's address. */
  thisInstallation: '/admin/site/server#this-installation',
  adminMessages: '/admin/messages',
  adminReviews: '/admin/reviews',
  adminArrival: '/admin/arrival',
  /** With somebody, the dialog of a new offer is open: 'new', or the tenant of a booking. */
  adminOffers: (recipient?: string) => `/admin/offers${recipient ? `?for=${recipient}` : ''}`,
  adminNewBooking: '/admin/booking/new',
  adminImport: '/admin/booking/import',
  /** The step whose dialog is open; 'book' and 'give_back' apply to a declined application with payments. */
  adminApplication: (id: string, step?: NextStepKind | 'write' | 'book') =>
    `/admin/application/${id}${step ? `#${step.replaceAll('_', '-')}` : ''}`,
  adminPaymentHistory: (userId: string, applicationId?: string) =>
    withApplication(`/admin/payment/history/${userId}`, applicationId),
}

function withApplication(path: string, applicationId: string | undefined): string {
  return applicationId ? `${path}?applicationId=${encodeURIComponent(applicationId)}` : path
}
