import { z } from 'zod'
import type { UserView } from '../../domain/account.ts'
import { applicationStatuses } from '../../domain/application-status.ts'
import type { AdminAvailabilityEntry, AvailabilityEntry } from '../../domain/availability.ts'
import { leaseTexts } from '../../domain/lease.ts'
import { paymentStatuses, paymentTypes } from '../../domain/ledger.ts'
import type { Rate } from '../../domain/rate.ts'
import type { AdminApplicationView, ApplicationView } from '../applications/records.ts'
import type { LeaseStatus } from '../leases/service.ts'
import type { PaymentView } from '../payments/records.ts'
import type { RevenueSummary } from '../payments/revenue.ts'

// What the documented paths answer, for the OpenAPI document. The types hold each shape to its presenter, and a test
// holds the live answers to the document.

const text = z.string()
const id = z.string()
const ids = { _id: id, id }
const cents = z.int().meta({ description: 'US cents' })
const dollars = z.number().meta({ description: 'US dollars, at most two decimals' })
const date = z.iso.date()
const moment = z.iso.datetime()

export const message = z.strictObject({ message: text })
export const errorAnswer = z
  .strictObject({
    error: text.meta({ description: 'A sentence that a person can act on' }),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Sentences by the dotted path of their field' }),
    requestId: text.meta({ description: 'To be named when asking about this failure' }),
  })
  .meta({ id: 'Error' })

const user = z
  .strictObject({
    ...ids,
    firstName: text,
    lastName: text,
    email: text,
    phone: text,
    role: z.enum(['tenant', 'admin']),
    createdAt: moment,
  })
  .meta({ id: 'User' }) satisfies z.ZodType<UserView>

const signedLeaseFile = z
  .strictObject({
    originalName: text,
    uploadedBy: z.enum(['admin', 'user']),
    uploadedAt: moment,
    size: z.int().meta({ description: 'Bytes' }),
  })
  .meta({ id: 'SignedLeaseFile' })

const applicationShape = {
  ...ids,
  applicationNumber: text,
  status: z.enum(applicationStatuses),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  secondApplicantFirstName: text,
  secondApplicantLastName: text,
  address: z.strictObject({ street: text, city: text, state: text, zipCode: text }),
  requestedStartDate: date,
  requestedEndDate: date,
  additionalGuests: z.array(z.strictObject({ firstName: text, lastName: text, isAdult: z.boolean() })),
  guestCount: z.int(),
  notes: text,
  createdAt: moment,
  updatedAt: moment,
  submittedAt: moment.nullable(),
  leaseGenerated: z.boolean(),
  leaseStartDate: date.nullable(),
  leaseEndDate: date.nullable(),
  rentalAmount: dollars.nullable(),
  depositAmount: dollars.nullable(),
  totalAmount: dollars,
  leaseSigned: z.boolean(),
  leaseSignedAt: moment.nullable(),
  signedBy: z.enum(['signature', 'user_upload', 'admin_upload']).nullable(),
  signedLeaseFile: signedLeaseFile.nullable(),
  paymentReceived: z.boolean(),
  message: z.null(),
}
const tenantApplication = z.strictObject({ ...applicationShape, userId: id }).meta({
  id: 'Application',
}) satisfies z.ZodType<ApplicationView>
const adminApplication = z
  .strictObject({ ...applicationShape, userId: z.strictObject({ ...ids, email: text }) })
  .meta({ id: 'AdminApplication' }) satisfies z.ZodType<AdminApplicationView>

const paymentShape = {
  ...ids,
  amount: cents,
  feeAmount: cents,
  refundedAmount: cents,
  refundedFeeAmount: cents,
  creditedAmount: cents,
  paymentType: z.enum(paymentTypes),
  method: z.enum(['card', 'manual', 'transfer']),
  status: z.enum(paymentStatuses),
  description: text,
  checkNumber: text,
  createdAt: moment,
  paidAt: moment.nullable(),
  transferId: id.nullable(),
  stripePaymentIntentId: id.nullable(),
  receiptUrl: text.nullable(),
  cardBrand: text.nullable(),
  cardLast4: text.nullable(),
  applicationId: z
    .strictObject({ ...ids, applicationNumber: text, firstName: text, lastName: text })
    .nullable(),
  userId: z.strictObject({ ...ids, firstName: text, lastName: text, email: text }),
}
const payment = z.strictObject(paymentShape).meta({ id: 'Payment' }) satisfies z.ZodType<PaymentView>
const adminPayment = z.strictObject({ ...paymentShape, notes: text }).meta({ id: 'AdminPayment' })

const rate = z
  .strictObject({
    ...ids,
    period: text,
    startDate: date,
    endDate: date,
    monthly: dollars,
    weekly: dollars.nullable(),
    nightly: dollars.nullable(),
    weekendNight: dollars.nullable(),
    minStay: z.int().meta({ description: 'Nights' }),
    isActive: z.boolean(),
  })
  .meta({ id: 'Rate' }) satisfies z.ZodType<Rate>

const day = z
  .strictObject({ date, isAvailable: z.boolean(), reason: text })
  .meta({ id: 'AvailabilityEntry' }) satisfies z.ZodType<AvailabilityEntry>
const adminDay = z
  .strictObject({
    ...day.shape,
    applicationId: id.nullable(),
    applicationNumber: text.nullable(),
  })
  .meta({ id: 'AdminAvailabilityEntry' }) satisfies z.ZodType<AdminAvailabilityEntry>

const leaseStatus = z.strictObject({
  hasApplication: z.boolean(),
  applicationId: id.nullable(),
  applicationNumber: text.nullable(),
  status: z.enum(applicationStatuses).nullable(),
  firstName: text.nullable(),
  lastName: text.nullable(),
  leaseGenerated: z.boolean(),
  leaseStartDate: date.nullable(),
  leaseEndDate: date.nullable(),
  rentalAmount: dollars.nullable(),
  depositAmount: dollars.nullable(),
  leaseSigned: z.boolean(),
  leaseSignedAt: moment.nullable(),
  signedLeaseFile: signedLeaseFile.nullable(),
  canRemoveSignedLease: z.boolean(),
  message: z.literal(leaseTexts.noActiveApplications).nullable(),
}) satisfies z.ZodType<{ [K in keyof LeaseStatus]: LeaseStatus[K] }>

const revenue = z.strictObject({
  summary: z.strictObject({
    totalRevenue: cents,
    netRevenue: cents,
    totalFees: cents,
    paymentCount: z.int(),
    averagePayment: cents,
  }),
  revenueByType: z.partialRecord(z.enum(paymentTypes), z.strictObject({ amount: cents, count: z.int() })),
  monthlyRevenue: z.record(z.string(), cents).meta({ description: 'By YYYY-MM' }),
  payments: z.array(adminPayment),
}) satisfies z.ZodType<RevenueSummary>

const deposits = z.array(
  z.strictObject({
    applicationId: id,
    applicationNumber: text,
    firstName: text,
    lastName: text,
    status: z.enum(applicationStatuses),
    totalBalance: cents,
    availableToTransfer: cents,
  }),
)

const oneUser = z.strictObject({ user })
const session = z.strictObject({ token: text, user })
const leaseText = { leaseTextSha256: text }

/** What each procedure that has a documented path answers, and what it is for. */
export const procedureAnswers: Record<string, { summary: string; answer: z.ZodType }> = {
  'site.health': {
    summary: 'Whether the site works',
    answer: z.strictObject({ status: z.literal('ok'), version: text }),
  },
  'accounts.login': { summary: 'Log in; the token goes into the Authorization header', answer: session },
  'accounts.register': { summary: 'Make a tenant’s account', answer: session },
  'accounts.verify': {
    summary: 'Whether the token is good',
    answer: z.strictObject({ valid: z.literal(true), user }),
  },
  'accounts.logout': { summary: 'End the session; nobody’s is no error', answer: message },
  'accounts.profile': { summary: 'The caller’s account', answer: oneUser },
  'accounts.updateProfile': { summary: 'Change name or phone; what is missing stays', answer: oneUser },
  'accounts.changePassword': { summary: 'Change the password; all other sessions end', answer: message },
  'accounts.adminChangePassword': {
    summary: 'The same by the rules for administrators',
    answer: message,
  },
  'accounts.forgotPassword': { summary: 'Ask for a link to set a new password, by mail', answer: message },
  'accounts.resetPassword': { summary: 'Set a new password by the token of such a link', answer: message },
  'accounts.getUser': { summary: 'Anybody’s account', answer: oneUser },

  'applications.status': {
    summary: 'The caller’s applications, newest first',
    answer: z.strictObject({ hasApplications: z.boolean(), applications: z.array(tenantApplication) }),
  },
  'applications.create': {
    summary: 'Begin an application: a draft',
    answer: z.strictObject({ application: tenantApplication }),
  },
  'applications.submit': {
    summary: 'Submit a draft; a second time changes nothing',
    answer: z.strictObject({ application: tenantApplication }),
  },
  'applications.get': {
    summary: 'One application',
    answer: z.strictObject({ application: z.union([tenantApplication, adminApplication]) }),
  },
  'applications.update': {
    summary: 'Change names, phone and address; a signed lease locks the names',
    answer: z.strictObject({ application: tenantApplication }),
  },
  'applications.adminList': {
    summary: 'Submitted applications, searched, filtered and sorted; with page a page of them',
    answer: z.strictObject({
      applications: z.array(adminApplication),
      total: z.int().optional(),
      hasMore: z.boolean().optional(),
    }),
  },
  'applications.adminGet': {
    summary: 'One submitted application',
    answer: z.strictObject({ application: adminApplication }),
  },
  'applications.adminDelete': {
    summary: 'Delete an application; its payments stay in the ledger, unlinked',
    answer: message,
  },
  'applications.adminSetStatus': {
    summary: 'Approve, decline or complete; never two bookings for one night',
    answer: z.strictObject({ application: adminApplication }),
  },
  'applications.adminEdit': {
    summary: 'Change any fields; what is missing stays',
    answer: z.strictObject({ application: adminApplication }),
  },

  'payments.history': {
    summary: 'The caller’s payments, newest first',
    answer: z.strictObject({ payments: z.array(payment) }),
  },
  'payments.createCheckoutSession': {
    summary: 'Begin a card payment: where to send the browser',
    answer: z.strictObject({ url: text }),
  },
  'payments.bySession': {
    summary: 'The payment of a checkout, and whether it has arrived',
    answer: z.strictObject({
      payment: z.strictObject({
        ...paymentShape,
        receiptEmail: z.enum(['queued', 'sent', 'failed', 'off']),
      }),
      receiptUrl: text.nullable(),
    }),
  },
  'payments.adminHistory': {
    summary: 'A tenant’s payments, newest first',
    answer: z.strictObject({ payments: z.array(adminPayment) }),
  },
  'payments.revenueSummary': { summary: 'The revenue of all time, a year or a month', answer: revenue },
  'payments.addManual': {
    summary: 'Enter a payment that was made by other means',
    answer: z.strictObject({ payment: adminPayment }),
  },
  'payments.remove': {
    summary: 'Take a payment out of every total and list; it stays in the audit log',
    answer: message,
  },
  'payments.availableDeposits': {
    summary: 'What could be moved from a tenant’s applications',
    answer: z.strictObject({ applications: deposits }),
  },
  'payments.transfer': {
    summary: 'Move an amount between two applications of one tenant',
    answer: z.strictObject({ message: text, payments: z.array(adminPayment) }),
  },

  'availability.range': {
    summary: 'Days with a record or a booking; all others are available',
    answer: z.strictObject({ availability: z.array(day) }),
  },
  'availability.adminRange': {
    summary: 'The same with whose booking it is',
    answer: z.strictObject({ availability: z.array(adminDay) }),
  },
  'availability.setDate': {
    summary: 'Block or free one day',
    answer: z.strictObject({ availability: day }),
  },
  'availability.setDates': {
    summary: 'Block or free many days, all or none',
    answer: z.strictObject({ updated: z.int() }),
  },

  'rates.list': {
    summary: 'Active rate periods by start date',
    answer: z.strictObject({ rates: z.array(rate) }),
  },
  'rates.listAll': { summary: 'All rate periods', answer: z.strictObject({ rates: z.array(rate) }) },
  'rates.create': { summary: 'Add a rate period', answer: z.strictObject({ rate }) },
  'rates.update': { summary: 'Replace a rate period', answer: z.strictObject({ rate }) },
  'rates.remove': { summary: 'Delete a rate period', answer: message },

  'leases.status': { summary: 'How the caller’s lease stands', answer: leaseStatus },
  'leases.preview': {
    summary: 'The lease’s text and its hash',
    answer: z.strictObject({ leaseText: text, ...leaseText }),
  },
  'leases.generate': {
    summary: 'The admin writes the lease; a tenant gets the stored one',
    answer: z.strictObject({ leaseAgreement: text, ...leaseText }),
  },
  'leases.sign': {
    summary: 'Sign the lease, with names typed or signatures drawn as PNG in base64',
    answer: z.strictObject({ message: text, application: tenantApplication }),
  },
  'leases.removeSigned': { summary: 'Take back a signed lease', answer: message },
  'leases.adminRemove': { summary: 'Delete lease, signature and signed file', answer: message },
}

/** The paths that are no procedures: what they take besides ids in the path, and what they answer. */
export const fileRoutes = [
  {
    method: 'POST',
    path: '/api/lease/upload-signed',
    access: 'session',
    summary: 'Upload the scan of a lease signed on paper: PDF, JPEG or PNG of at most 10485760 bytes',
    file: 'signedLease',
    answer: z.strictObject({
      uploadedLease: z.strictObject({ ...signedLeaseFile.shape, applicationId: id }),
    }),
  },
  {
    method: 'POST',
    path: '/api/application/admin/upload-lease',
    access: 'admin',
    summary: 'The same by the admin',
    file: 'leaseFile',
    answer: z.strictObject({ application: adminApplication }),
  },
  {
    method: 'GET',
    path: '/api/lease/download',
    access: 'session',
    summary: 'The unsigned lease as a PDF; the stored terms count, whatever the query says',
    query: ['applicationId', 'leaseStartDate?', 'leaseEndDate?', 'rentalAmount?', 'depositAmount?'],
  },
  {
    method: 'GET',
    path: '/api/lease/view-signed/{applicationId}',
    access: 'session',
    summary: 'The signed lease as it was stored',
  },
  {
    method: 'GET',
    path: '/api/lease/view-signed',
    access: 'session',
    summary: 'The caller’s newest signed lease',
  },
  {
    method: 'GET',
    path: '/api/payment/{id}/receipt.pdf',
    access: 'session',
    summary: 'The receipt of a payment as a PDF',
  },
  {
    method: 'GET',
    path: '/api/payment/admin/revenue.csv',
    access: 'admin',
    summary: 'The payments that make up the revenue of a period as CSV, newest first',
    query: ['period?', 'year?', 'month?'],
    fileType: 'text/csv',
  },
  {
    method: 'POST',
    path: '/api/payment/webhook',
    access: 'signature',
    summary: 'The payment provider’s events; its signature over the bytes decides',
    answer: z.strictObject({ received: z.literal(true) }),
  },
] as const satisfies readonly FileRoute[]

export type FileRoute = {
  method: 'GET' | 'POST'
  path: string
  access: 'session' | 'admin' | 'signature'
  summary: string
  /** The form's field for the file. */
  file?: string
  query?: readonly string[]
  /** Of the file that is the answer, where it may not be a PDF or a picture. */
  fileType?: string
  /** Without one the answer is a file. */
  answer?: z.ZodType
}
