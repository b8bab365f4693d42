import { randomUUID } from 'node:crypto'
import { adminPassword, tenantPassword } from './build-account.ts'
import { buildApplication, dates } from './build-application.ts'
import { typedSignature } from './build-lease.ts'
import { buildCheckout, buildManualPayment } from './build-payment.ts'
import { buildRate } from './build-rate.ts'
import type { Person, World } from './matrix-world.ts'

/** The status for guest, tenant, another tenant and admin. */
type Answers = readonly [number, number, number, number]
export type MatrixRow = {
  call: string
  /** The documented paths that do the same. */
  rest?: readonly string[]
  answers: Answers
  input?: (world: World, person: Person) => Record<string, unknown>
}

const anybody: Answers = [200, 200, 200, 200]
const signedIn: Answers = [401, 200, 200, 200]
const admins: Answers = [401, 403, 403, 200]
/** The tenant's record: a stranger is told that there is none, the admin may as well. */
const owned: Answers = [401, 200, 404, 200]
/** The tenant's own doing: not even the admin's. */
const tenantAlone: Answers = [401, 200, 404, 403]

const { secondApplicantFirstName, secondApplicantLastName, firstName, lastName, phone, address } =
  buildApplication()
const edit = { secondApplicantFirstName, secondApplicantLastName, firstName, lastName, phone, address }
const stay = { startDate: '2026-06-01', endDate: '2026-12-31' }
const blocked = { isAvailable: false, reason: 'Painting' }
const newPassword = 'Brand.new.tides.7'
const passwordOf = (person: Person) => (person === 'admin' ? adminPassword : tenantPassword)

/** Every procedure, with the REST paths that call it: who is answered how, with an input that the right one succeeds with. */
export const procedureRows: readonly MatrixRow[] = [
  { call: 'site.get', answers: anybody },
  { call: 'site.health', rest: ['GET /api/health'], answers: anybody },

  {
    call: 'accounts.login',
    rest: ['POST /api/auth/login'],
    answers: anybody,
    input: ({ emails }) => ({ email: emails.tenant, password: tenantPassword }),
  },
  {
    call: 'accounts.register',
    rest: ['POST /api/auth/register'],
    answers: anybody,
    input: () => ({ firstName: 'Ada', lastName: 'Shore', email: 'ada@guest.example', password: newPassword }),
  },
  { call: 'accounts.verify', rest: ['GET /api/auth/verify'], answers: signedIn },
  { call: 'accounts.logout', rest: ['POST /api/auth/logout'], answers: anybody },
  { call: 'accounts.profile', rest: ['GET /api/auth/profile'], answers: signedIn },
  {
    call: 'accounts.updateProfile',
    rest: ['PUT /api/auth/profile'],
    answers: signedIn,
    input: () => ({ firstName: 'Ada', lastName: 'Shore', phone: '850-555-0199' }),
  },
  {
    call: 'accounts.changePassword',
    rest: ['PUT /api/auth/change-password', 'POST /api/auth/change-password'],
    answers: signedIn,
    input: (_, person) => ({
      currentPassword: passwordOf(person),
      newPassword,
      confirmPassword: newPassword,
    }),
  },
  {
    call: 'accounts.adminChangePassword',
    rest: ['POST /api/auth/admin/change-password'],
    answers: admins,
    input: (_, person) => ({
      currentPassword: passwordOf(person),
      newPassword,
      confirmPassword: newPassword,
    }),
  },
  {
    call: 'accounts.forgotPassword',
    rest: ['POST /api/auth/forgot-password'],
    answers: anybody,
    input: ({ emails }) => ({ email: emails.tenant }),
  },
  {
    call: 'accounts.resetPassword',
    rest: ['POST /api/auth/reset-password'],
    answers: anybody,
    input: ({ resetToken }) => ({ token: resetToken, newPassword }),
  },
  {
    call: 'accounts.getUser',
    rest: ['GET /api/user/{userId}'],
    answers: admins,
    input: ({ tenantId }) => ({ userId: tenantId }),
  },

  { call: 'applications.status', rest: ['GET /api/application/status'], answers: signedIn },
  {
    call: 'applications.create',
    rest: ['POST /api/application'],
    answers: signedIn,
    input: () => buildApplication(dates('2027-05-01', '2027-06-01')),
  },
  {
    call: 'applications.submit',
    rest: ['POST /api/application/{id}/submit'],
    answers: tenantAlone,
    input: ({ draftId }) => ({ id: draftId }),
  },
  {
    call: 'applications.createAndSubmit',
    answers: [401, 200, 200, 403],
    input: () => ({ ...buildApplication(dates('2027-05-01', '2027-06-01')), requestId: randomUUID() }),
  },
  {
    call: 'applications.get',
    rest: ['GET /api/application/{id}'],
    answers: owned,
    input: ({ signedId }) => ({ id: signedId }),
  },
  {
    call: 'applications.update',
    rest: ['PUT /api/application/{id}'],
    answers: tenantAlone,
    input: ({ pendingId }) => ({ id: pendingId, ...edit }),
  },
  { call: 'applications.withdraw', answers: tenantAlone, input: ({ pendingId }) => ({ id: pendingId }) },
  {
    call: 'applications.adminList',
    rest: ['GET /api/application/admin/all'],
    answers: admins,
    input: () => ({ search: 'rivers', sort: 'firstName', order: 'asc', page: 1, limit: 2 }),
  },
  { call: 'applications.adminCounts', answers: admins },
  {
    call: 'applications.adminGet',
    rest: ['GET /api/application/admin/{id}'],
    answers: admins,
    input: ({ signedId }) => ({ id: signedId }),
  },
  {
    call: 'applications.adminStatusPreview',
    answers: admins,
    input: ({ pendingId }) => ({ id: pendingId }),
  },
  {
    call: 'applications.adminSetStatus',
    rest: ['PUT /api/application/admin/{id}/status'],
    answers: admins,
    input: ({ pendingId }) => ({ id: pendingId, status: 'approved' }),
  },
  {
    call: 'applications.adminSetStatuses',
    answers: admins,
    input: ({ pendingId }) => ({ ids: [pendingId], status: 'rejected' }),
  },
  {
    call: 'applications.adminEdit',
    rest: ['PUT /api/application/admin/{id}/edit'],
    answers: admins,
    input: ({ pendingId }) => ({ id: pendingId, notes: 'Has a dog', rentalAmount: 2600.5 }),
  },
  {
    call: 'applications.adminDelete',
    rest: ['DELETE /api/application/admin/{id}'],
    answers: admins,
    input: ({ pendingId }) => ({ id: pendingId }),
  },
  {
    call: 'applications.adminDeleteMany',
    answers: admins,
    input: ({ pendingId }) => ({ ids: [pendingId] }),
  },

  { call: 'leases.status', rest: ['GET /api/lease/status'], answers: signedIn },
  {
    call: 'leases.preview',
    rest: ['GET /api/lease/preview/{id}'],
    answers: owned,
    input: ({ unsignedId }) => ({ id: unsignedId }),
  },
  {
    call: 'leases.generate',
    rest: ['POST /api/lease/generate/{applicationId}'],
    answers: owned,
    input: ({ unsignedId }) => ({
      applicationId: unsignedId,
      leaseStartDate: '2026-06-01',
      leaseEndDate: '2026-07-01',
      rentalAmount: 2750,
      depositAmount: 500,
    }),
  },
  {
    call: 'leases.sign',
    rest: ['POST /api/lease/sign/{id}'],
    answers: tenantAlone,
    input: ({ unsignedId, leaseTextSha256 }) => typedSignature(unsignedId, leaseTextSha256),
  },
  {
    call: 'leases.removeSigned',
    rest: ['DELETE /api/lease/remove-signed/{applicationId}'],
    answers: owned,
    input: ({ signedId }) => ({ applicationId: signedId }),
  },
  {
    call: 'leases.adminRemove',
    rest: ['DELETE /api/application/admin/remove-lease/{id}'],
    answers: admins,
    input: ({ signedId }) => ({ id: signedId }),
  },
  { call: 'leases.terms', answers: admins, input: ({ unsignedId }) => ({ id: unsignedId }) },
  { call: 'leases.trail', answers: admins, input: ({ signedId }) => ({ id: signedId }) },

  { call: 'payments.options', answers: signedIn },
  {
    call: 'payments.history',
    rest: ['GET /api/payment/history'],
    // 'Only the caller's': the admin has a path of their own.
    answers: [401, 200, 404, 404],
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
  },
  {
    call: 'payments.createCheckoutSession',
    rest: ['POST /api/payment/create-checkout-session'],
    answers: tenantAlone,
    // Left out, they are this site's own, whatever its address.
    input: ({ signedId }) => ({
      ...buildCheckout({ applicationId: signedId }),
      successUrl: undefined,
      cancelUrl: undefined,
    }),
  },
  {
    call: 'payments.bySession',
    rest: ['GET /api/payment/by-session/{sessionId}'],
    answers: owned,
    input: ({ sessionId }) => ({ sessionId }),
  },
  {
    call: 'payments.adminHistory',
    rest: ['GET /api/payment/admin/history/{userId}'],
    answers: admins,
    input: ({ tenantId, unsignedId }) => ({ userId: tenantId, applicationId: unsignedId }),
  },
  {
    call: 'payments.revenueSummary',
    rest: ['GET /api/payment/admin/revenue-summary'],
    answers: admins,
    input: () => ({ period: 'month', year: 2026, month: 3 }),
  },
  {
    call: 'payments.addManual',
    rest: ['POST /api/payment/admin/manual-payment'],
    answers: admins,
    input: ({ signedId }) => buildManualPayment(signedId),
  },
  {
    call: 'payments.remove',
    rest: ['DELETE /api/payment/admin/remove/{paymentId}'],
    answers: admins,
    input: ({ manualId }) => ({ paymentId: manualId }),
  },
  {
    call: 'payments.availableDeposits',
    rest: ['GET /api/payment/admin/available-deposits'],
    answers: admins,
    input: ({ tenantId }) => ({ userId: tenantId }),
  },
  {
    call: 'payments.transfer',
    rest: ['POST /api/payment/admin/transfer-amount'],
    answers: admins,
    input: ({ unsignedId, signedId }) => ({
      fromApplicationId: unsignedId,
      toApplicationId: signedId,
      depositAmount: 100_00,
      transferNotes: 'Asked on the phone',
    }),
  },
  {
    call: 'payments.refund',
    answers: admins,
    input: ({ paidId }) => ({ paymentId: paidId, totalCents: 1_00, requestId: randomUUID() }),
  },
  {
    call: 'payments.giveBack',
    answers: admins,
    input: ({ unsignedId }) => ({
      applicationId: unsignedId,
      kind: 'refund',
      amount: 10_00,
      date: '2026-03-03',
      checkNumber: '7',
      reason: 'Goodwill',
    }),
  },
  { call: 'payments.resendReceipt', answers: admins, input: ({ paidId }) => ({ paymentId: paidId }) },
  { call: 'payments.setAside', answers: admins },
  { call: 'payments.dismissSetAside', answers: admins, input: ({ setAsideId }) => ({ eventId: setAsideId }) },

  { call: 'rates.list', rest: ['GET /api/rates'], answers: anybody },
  { call: 'rates.listAll', rest: ['GET /api/rates/admin/all'], answers: admins },
  { call: 'rates.create', rest: ['POST /api/rates/admin'], answers: admins, input: () => buildRate() },
  {
    call: 'rates.update',
    rest: ['PUT /api/rates/admin/{id}'],
    answers: admins,
    input: ({ rateId }) => ({ id: rateId, ...buildRate({ monthly: 3700 }) }),
  },
  {
    call: 'rates.remove',
    rest: ['DELETE /api/rates/admin/{id}'],
    answers: admins,
    input: ({ rateId }) => ({ id: rateId }),
  },

  { call: 'availability.range', rest: ['GET /api/availability'], answers: anybody, input: () => stay },
  {
    call: 'availability.adminRange',
    rest: ['GET /api/availability/admin/all'],
    answers: admins,
    input: () => stay,
  },
  {
    call: 'availability.setDate',
    rest: ['PUT /api/availability/admin/{date}'],
    answers: admins,
    input: () => ({ date: '2026-11-11', ...blocked }),
  },
  {
    call: 'availability.setDates',
    rest: ['PUT /api/availability/admin/bulk'],
    answers: admins,
    input: () => ({ dates: ['2026-11-11', '2026-11-12'], ...blocked }),
  },

  { call: 'contact.ready', answers: anybody },
  {
    call: 'contact.send',
    answers: anybody,
    input: () => ({ name: 'Ada', email: 'ada@guest.example', message: 'Is there a lift?' }),
  },

  { call: 'notices.list', answers: admins },
  {
    call: 'notices.retryMail',
    answers: admins,
    input: ({ failedMailId }) => ({ id: failedMailId }),
  },
]

export type RouteRow = {
  /** `METHOD /path/{id}` */
  route: string
  answers: Answers
  /** The form with its file, or the query; the path's ids come from the same names. */
  input?: (world: World) => Record<string, string>
  /** The form's field for the file. */
  file?: string
}

/** Every path that is no procedure: files, the webhook, the document of this very interface. */
export const routeRows: readonly RouteRow[] = [
  {
    route: 'POST /api/lease/upload-signed',
    answers: tenantAlone,
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
    file: 'signedLease',
  },
  {
    route: 'POST /api/application/admin/upload-lease',
    answers: admins,
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
    file: 'leaseFile',
  },
  {
    route: 'GET /api/lease/download',
    answers: owned,
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
  },
  {
    route: 'GET /api/lease/view-signed/{applicationId}',
    answers: owned,
    input: ({ signedId }) => ({ applicationId: signedId }),
  },
  // The caller's own newest one: only the tenant has any.
  { route: 'GET /api/lease/view-signed', answers: [401, 200, 404, 404] },
  { route: 'GET /api/payment/{id}/receipt.pdf', answers: owned, input: ({ paidId }) => ({ id: paidId }) },
  {
    route: 'GET /api/payment/admin/revenue.csv',
    answers: admins,
    input: () => ({ period: 'year', year: '2026' }),
  },
  // Nobody's token counts: the provider's signature does.
  { route: 'POST /api/payment/webhook', answers: [400, 400, 400, 400] },
  { route: 'GET /api/openapi.json', answers: anybody },
  { route: 'GET /api/docs', answers: anybody },
]
