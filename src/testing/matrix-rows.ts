import { randomUUID } from 'node:crypto'
import type { Access } from '../server/kernel/trpc.ts'
import { procedureList } from '../server/procedure-list.ts'
import { adminPassword, tenantPassword } from './build-account.ts'
import { buildApplication, dates } from './build-application.ts'
import { buildFeeRule, buildTaxRule } from './build-charge-rule.ts'
import { buildCsv, buildEntry } from './build-entry.ts'
import { typedSignature } from './build-lease.ts'
import { buildCheckout, buildManualPayment } from './build-payment.ts'
import { buildRate } from './build-rate.ts'
import { buildLeaseWording, buildMailWording } from './build-wording.ts'
import type { Caller, MatrixSite } from './matrix-site.ts'

/** The status codes for guest, tenant, another tenant and admin. */
type Statuses = readonly [number, number, number, number]
type Scenario = {
  call: string
  /** Only if the status codes differ from those of the procedure's access level. */
  statuses?: Statuses
  input?: (matrix: MatrixSite, caller: Caller) => Record<string, unknown>
}

/** The status codes that follow from the access level alone. */
const statusesByAccess: Record<Access, Statuses> = {
  public: [200, 200, 200, 200],
  session: [401, 200, 200, 200],
  admin: [401, 403, 403, 200],
}
const admins = statusesByAccess.admin
/** The tenant's own record: another tenant gets 404; the admin may read it too. */
const ownRecord: Statuses = [401, 200, 404, 200]
/** Only the tenant can do this, not even the admin. */
const tenantOnly: Statuses = [401, 200, 404, 403]
/** The other tenant already has two-step verification. */
const withoutFactor: Statuses = [401, 200, 409, 200]
/** The other tenant's mailbox is not proven. */
const withProvenMailbox: Statuses = [401, 200, 403, 200]

const { secondApplicantFirstName, secondApplicantLastName, firstName, lastName, phone, address } =
  buildApplication()
const edit = { secondApplicantFirstName, secondApplicantLastName, firstName, lastName, phone, address }
const stay = { startDate: '2026-06-01', endDate: '2026-12-31' }
const blocked = { isAvailable: false, reason: 'Painting' }
const newPassword = 'Brand.new.tides.7'
const passwordOf = (caller: Caller) => (caller === 'admin' ? adminPassword : tenantPassword)

/** Procedures that need input, with valid input, and those whose status codes differ from their access level's. */
export const scenarios: readonly Scenario[] = [
  { call: 'site.content', input: () => ({ page: 'terms' }) },

  {
    call: 'accounts.login',
    input: ({ emails }) => ({ email: emails.tenant, password: tenantPassword }),
  },
  {
    call: 'accounts.register',
    input: () => ({ firstName: 'Ada', lastName: 'Shore', email: 'ada@guest.example', password: newPassword }),
  },
  {
    call: 'accounts.updateProfile',
    input: () => ({ firstName: 'Ada', lastName: 'Shore', phone: '850-555-0199' }),
  },
  {
    call: 'accounts.changePassword',
    input: (_, caller) => ({
      currentPassword: passwordOf(caller),
      newPassword,
      confirmPassword: newPassword,
    }),
  },
  {
    call: 'accounts.adminChangePassword',
    input: (_, caller) => ({
      currentPassword: passwordOf(caller),
      newPassword,
      confirmPassword: newPassword,
    }),
  },
  {
    call: 'accounts.forgotPassword',
    input: ({ emails }) => ({ email: emails.tenant }),
  },
  {
    call: 'accounts.resetPassword',
    input: ({ resetToken }) => ({ token: resetToken, newPassword }),
  },
  {
    call: 'accounts.getUser',
    input: ({ tenantId }) => ({ userId: tenantId }),
  },

  // Changing factors requires a proof of identity from the last ten minutes; registering does not count as one.
  { call: 'factors.challenge', input: ({ challenge, recoveryCode }) => ({ challenge, recoveryCode }) },
  {
    call: 'factors.setUpTotp',
    statuses: withProvenMailbox,
    input: (_, caller) => ({ password: passwordOf(caller) }),
  },
  {
    call: 'factors.confirmTotp',
    statuses: withoutFactor,
    input: ({ setupCodes }, caller) => ({ code: setupCodes[caller === 'admin' ? 'admin' : 'tenant'] }),
  },
  { call: 'factors.remove', statuses: [401, 404, 200, 404], input: ({ factorId }) => ({ id: factorId }) },
  { call: 'factors.newRecoveryCodes', statuses: [401, 409, 200, 409] },
  {
    call: 'factors.stepUp',
    input: ({ recoveryCode }, caller) =>
      caller === 'other' ? { recoveryCode } : { password: passwordOf(caller) },
  },
  { call: 'factors.passkeyOptions', statuses: withProvenMailbox },
  // The admin created this passkey, so nobody else can add it.
  { call: 'factors.addPasskey', statuses: [401, 400, 403, 200], input: ({ newPasskey }) => newPasskey },
  { call: 'factors.passkeyLogin', input: ({ passkeyUse }) => ({ credential: passkeyUse }) },

  {
    call: 'sessions.end',
    input: ({ publicIds }, caller) => ({ id: publicIds[caller] }),
  },
  { call: 'sessions.notMe', input: ({ notMeToken }) => ({ token: notMeToken }) },

  // Only the other tenant's mailbox is not proven yet.
  { call: 'email.start', statuses: [401, 200, 403, 200], input: () => ({ newEmail: 'ada@guest.example' }) },
  { call: 'email.sendCode', statuses: [401, 409, 200, 409] },
  {
    call: 'email.confirmCode',
    statuses: [401, 409, 200, 409],
    input: ({ mailboxCode }) => ({ code: mailboxCode }),
  },
  { call: 'email.confirm', input: ({ emailTokens }) => ({ token: emailTokens.confirm }) },
  { call: 'email.undo', input: ({ emailTokens }) => ({ token: emailTokens.undo }) },

  {
    call: 'editor.saveSection',
    input: ({ hero: { body, name, version } }) => ({
      section: name,
      version,
      body: { ...body, headline: 'Stay' },
    }),
  },
  {
    call: 'editor.discardSection',
    input: ({ hero: { name, version } }) => ({ section: name, version }),
  },
  { call: 'editor.discardDraft', input: ({ draftRevision }) => ({ revision: draftRevision }) },
  { call: 'editor.compare', input: () => ({ from: 0, to: 'draft' }) },
  { call: 'editor.publish', input: ({ draftRevision }) => ({ revision: draftRevision, note: 'Spring' }) },
  { call: 'editor.version', input: () => ({ version: 1 }) },
  { call: 'editor.restoreVersion', input: () => ({ version: 0, replace: true }) },
  { call: 'editor.publishVersion', input: () => ({ version: 0, published: 1 }) },

  {
    call: 'applications.create',
    input: () => buildApplication(dates('2027-05-01', '2027-06-01')),
  },
  {
    call: 'applications.submit',
    statuses: tenantOnly,
    input: ({ draftId }) => ({ id: draftId }),
  },
  {
    call: 'applications.createAndSubmit',
    statuses: [401, 200, 200, 403],
    input: () => ({ ...buildApplication(dates('2027-05-01', '2027-06-01')), requestId: randomUUID() }),
  },
  {
    call: 'applications.get',
    statuses: ownRecord,
    input: ({ signedId }) => ({ id: signedId }),
  },
  {
    call: 'applications.update',
    statuses: tenantOnly,
    input: ({ pendingId }) => ({ id: pendingId, ...edit }),
  },
  { call: 'applications.withdraw', statuses: tenantOnly, input: ({ pendingId }) => ({ id: pendingId }) },
  {
    call: 'applications.adminList',
    input: () => ({ search: 'rivers', sort: 'firstName', order: 'asc', page: 1, limit: 2 }),
  },
  {
    call: 'applications.adminGet',
    input: ({ signedId }) => ({ id: signedId }),
  },
  {
    call: 'applications.adminStatusPreview',
    input: ({ pendingId }) => ({ id: pendingId }),
  },
  {
    call: 'applications.adminSetStatus',
    input: ({ pendingId }) => ({ id: pendingId, status: 'approved' }),
  },
  {
    call: 'applications.adminSetStatuses',
    input: ({ pendingId }) => ({ ids: [pendingId], status: 'rejected' }),
  },
  {
    call: 'applications.adminEdit',
    input: ({ pendingId }) => ({ id: pendingId, notes: 'Has a dog', rentalAmount: 2600.5 }),
  },
  {
    call: 'applications.adminDelete',
    input: ({ pendingId }) => ({ id: pendingId }),
  },
  {
    call: 'applications.adminDeleteMany',
    input: ({ pendingId }) => ({ ids: [pendingId] }),
  },

  {
    call: 'leases.preview',
    statuses: ownRecord,
    input: ({ unsignedId }) => ({ id: unsignedId }),
  },
  {
    call: 'leases.generate',
    statuses: ownRecord,
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
    statuses: tenantOnly,
    input: ({ unsignedId, leaseTextSha256 }) => typedSignature(unsignedId, leaseTextSha256),
  },
  {
    call: 'leases.removeSigned',
    statuses: ownRecord,
    input: ({ signedId }) => ({ applicationId: signedId }),
  },
  {
    call: 'leases.adminRemove',
    input: ({ signedId }) => ({ id: signedId }),
  },
  { call: 'leases.terms', input: ({ unsignedId }) => ({ id: unsignedId }) },
  { call: 'leases.trail', input: ({ signedId }) => ({ id: signedId }) },
  { call: 'leases.previewCharges', input: ({ unsignedId }) => ({ applicationId: unsignedId }) },
  {
    call: 'plans.change',
    input: ({ unsignedId }) => ({ applicationId: unsignedId, version: 0, kind: 'split' }),
  },

  { call: 'billing.charges', statuses: ownRecord, input: ({ signedId }) => ({ applicationId: signedId }) },
  {
    call: 'billing.addCharge',
    input: ({ signedId }) => ({
      applicationId: signedId,
      kind: 'damage',
      label: 'Broken lamp',
      amountCents: 45_00,
    }),
  },
  {
    call: 'billing.voidCharge',
    input: ({ chargeId }) => ({ chargeId, reason: 'It was broken before' }),
  },

  { call: 'plans.show', statuses: ownRecord, input: ({ plannedId }) => ({ applicationId: plannedId }) },
  {
    call: 'plans.postpone',
    input: ({ instalmentId }) => ({ id: instalmentId, dueDate: '2026-05-01', reason: 'A new job' }),
  },
  { call: 'plans.waive', input: ({ instalmentId }) => ({ id: instalmentId, reason: 'A gift' }) },
  { call: 'plans.chargeLateFee', input: ({ instalmentId }) => ({ id: instalmentId }) },
  { call: 'plans.dismissLateFee', input: ({ instalmentId }) => ({ id: instalmentId }) },

  {
    call: 'payments.history',
    // Returns only the caller's own payments; the admin has a separate path.
    statuses: [401, 200, 404, 404],
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
  },
  {
    call: 'payments.createCheckoutSession',
    statuses: tenantOnly,
    // Without these URLs the server uses its own, which depend on its port.
    input: ({ signedId }) => ({
      ...buildCheckout({ applicationId: signedId }),
      successUrl: undefined,
      cancelUrl: undefined,
    }),
  },
  {
    call: 'payments.bySession',
    statuses: ownRecord,
    input: ({ sessionId }) => ({ sessionId }),
  },
  {
    call: 'payments.adminHistory',
    input: ({ tenantId, unsignedId }) => ({ userId: tenantId, applicationId: unsignedId }),
  },
  {
    call: 'payments.revenueSummary',
    input: () => ({ period: 'month', year: 2026, month: 3 }),
  },
  {
    call: 'payments.addManual',
    input: ({ signedId }) => buildManualPayment(signedId),
  },
  {
    call: 'payments.remove',
    input: ({ manualId }) => ({ paymentId: manualId }),
  },
  {
    call: 'payments.availableDeposits',
    input: ({ tenantId }) => ({ userId: tenantId }),
  },
  {
    call: 'payments.transfer',
    input: ({ unsignedId, signedId }) => ({
      fromApplicationId: unsignedId,
      toApplicationId: signedId,
      depositAmount: 100_00,
      transferNotes: 'Asked on the phone',
    }),
  },
  {
    call: 'payments.refund',
    input: ({ paidId }) => ({ paymentId: paidId, totalCents: 1_00, requestId: randomUUID() }),
  },
  {
    call: 'payments.recordReturn',
    input: ({ unsignedId }) => ({
      applicationId: unsignedId,
      kind: 'refund',
      amount: 10_00,
      date: '2026-03-03',
      checkNumber: '7',
      reason: 'Goodwill',
    }),
  },
  { call: 'payments.resendReceipt', input: ({ paidId }) => ({ paymentId: paidId }) },
  { call: 'payments.dismissQuarantined', input: ({ quarantinedId }) => ({ eventId: quarantinedId }) },
  { call: 'payments.dismissUnexpected', input: ({ paidId }) => ({ paymentId: paidId }) },

  { call: 'rates.create', input: () => buildRate() },
  {
    call: 'rates.update',
    input: ({ rateId }) => ({ id: rateId, ...buildRate({ monthly: 3700 }) }),
  },
  {
    call: 'rates.remove',
    input: ({ rateId }) => ({ id: rateId }),
  },

  { call: 'plans.due', input: () => ({ state: 'upcoming', limit: 2 }) },

  { call: 'charges.quote', input: () => ({ startDate: '2026-06-01', endDate: '2026-06-15', guests: 2 }) },
  { call: 'charges.createFee', input: () => buildFeeRule() },
  {
    call: 'charges.updateFee',
    input: ({ feeId }) => ({ id: feeId, ...buildFeeRule({ amountCents: 17500 }) }),
  },
  { call: 'charges.removeFee', input: ({ feeId }) => ({ id: feeId }) },
  { call: 'charges.createTax', input: () => buildTaxRule({ authority: 'Bay County' }) },
  { call: 'charges.updateTax', input: ({ taxId }) => ({ id: taxId, ...buildTaxRule({ basisPoints: 700 }) }) },
  { call: 'charges.removeTax', input: ({ taxId }) => ({ id: taxId }) },

  { call: 'availability.range', input: () => stay },
  {
    call: 'availability.adminRange',
    input: () => stay,
  },
  {
    call: 'availability.setDate',
    input: () => ({ date: '2026-11-11', ...blocked }),
  },
  {
    call: 'availability.setDates',
    input: () => ({ dates: ['2026-11-11', '2026-11-12'], ...blocked }),
  },

  {
    call: 'setup.bookingRules.save',
    input: () => ({ version: 0, body: { leadDays: 2, arrivalWeekdays: [5, 6] } }),
  },
  { call: 'setup.bank.save', input: () => ({ version: 0, body: { enabled: true } }) },
  { call: 'setup.calendar.save', input: () => ({ version: 0, body: { turnoverNights: 1 } }) },
  {
    call: 'setup.plan.save',
    input: ({ planSettingsVersion: version }) => ({ version, body: { kind: 'monthly' } }),
  },

  { call: 'calendars.addFeed', input: ({ newFeedUrl }) => ({ name: 'Google', url: newFeedUrl }) },
  {
    call: 'calendars.editFeed',
    input: ({ feedId, newFeedUrl }) => ({ id: feedId, name: 'Beach', url: newFeedUrl }),
  },
  { call: 'calendars.removeFeed', input: ({ feedId }) => ({ id: feedId }) },
  { call: 'calendars.readNow', input: ({ feedId }) => ({ id: feedId }) },
  { call: 'calendars.acceptEmpty', input: ({ emptyFeedId }) => ({ id: emptyFeedId }) },
  { call: 'calendars.events', input: ({ feedId }) => ({ feedId, all: true }) },
  { call: 'calendars.releaseEvent', input: ({ eventId }) => ({ id: eventId, released: true }) },
  {
    call: 'calendars.acknowledgeConflict',
    input: ({ conflictId }) => ({ id: conflictId, acknowledged: true }),
  },

  {
    call: 'contact.send',
    input: () => ({ name: 'Ada', email: 'ada@guest.example', message: 'Is there a lift?' }),
  },

  {
    call: 'entry.create',
    input: () => ({
      ...buildEntry({ startDate: '2028-06-01', endDate: '2028-07-01' }),
      requestId: randomUUID(),
    }),
  },
  { call: 'entry.import', input: () => ({ csv: buildCsv(), dryRun: false, requestId: randomUUID() }) },
  {
    call: 'entry.invite',
    input: ({ enteredId }) => ({ applicationId: enteredId, email: 'Corrected@guest.example' }),
  },
  { call: 'entry.invitation', input: ({ invitationToken }) => ({ token: invitationToken }) },
  {
    call: 'entry.acceptInvitation',
    input: ({ invitationToken }) => ({ token: invitationToken, newPassword }),
  },

  { call: 'calendars.createExport', input: () => ({ name: 'For Vrbo', scope: 'platform' }) },
  { call: 'calendars.editExport', input: ({ exportId }) => ({ id: exportId, name: 'For the cleaner' }) },
  { call: 'calendars.rotateExport', input: ({ exportId }) => ({ id: exportId, keepOld: true }) },
  { call: 'calendars.removeExport', input: ({ exportId }) => ({ id: exportId }) },

  { call: 'wordings.get', input: () => ({ kind: 'lease' }) },
  {
    call: 'wordings.save',
    input: () => ({ kind: 'lease-ready', version: 1, body: buildMailWording(), note: 'Shorter' }),
  },
  { call: 'wordings.versions', input: () => ({ kind: 'lease-ready' }) },
  { call: 'wordings.version', input: () => ({ kind: 'lease-ready', version: 1 }) },
  { call: 'wordings.preview', input: () => ({ kind: 'lease-ready', body: buildMailWording() }) },
  { call: 'wordings.sendSample', input: () => ({ kind: 'lease-ready', body: buildMailWording() }) },

  { call: 'media.get', input: ({ pictureId }) => ({ id: pictureId }) },
  { call: 'media.retry', input: ({ failedPictureId }) => ({ id: failedPictureId }) },
  { call: 'media.remove', input: ({ pictureId }) => ({ id: pictureId }) },

  { call: 'notices.retryMail', input: ({ failedMailId }) => ({ id: failedMailId }) },
  { call: 'notices.dismissMail', input: ({ failedMailId }) => ({ id: failedMailId }) },
  { call: 'notices.putOff', input: () => ({ id: 'admin-without-factor' }) },
]

/**
 * Every procedure with its metadata and scenario; `routes` are its documented paths, `METHOD /path/{id}`. Without a
 * scenario it is called without input, and its access level decides.
 */
export const procedureRows = procedureList.map(procedure => {
  const scenario = scenarios.find(({ call }) => call === procedure.call)
  const withoutInput = procedure.type === 'mutation' ? {} : undefined
  if (!scenario?.input && procedure.inputs.some(schema => !schema.safeParse(withoutInput).success))
    throw new Error(`${procedure.call} needs valid input in src/testing/matrix-rows.ts`)
  return {
    ...procedure,
    schema: procedure.input,
    input: scenario?.input,
    statuses: scenario?.statuses ?? statusesByAccess[procedure.access],
    routes: procedure.rest,
  }
})

export type RouteRow = {
  /** `METHOD /path/{id}` */
  route: string
  statuses: Statuses
  /** The form, query or body. The ids in the path are taken from the fields of the same name. */
  input?: (matrix: MatrixSite) => Record<string, unknown>
  /** The form field for the file. */
  file?: string
}

/** Every path that is not a procedure: files, the webhook, the API documentation. */
export const routeRows: readonly RouteRow[] = [
  {
    route: 'POST /api/lease/upload-signed',
    statuses: tenantOnly,
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
    file: 'signedLease',
  },
  {
    route: 'POST /api/application/admin/upload-lease',
    statuses: admins,
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
    file: 'leaseFile',
  },
  {
    route: 'GET /api/lease/download',
    statuses: ownRecord,
    input: ({ unsignedId }) => ({ applicationId: unsignedId }),
  },
  {
    route: 'GET /api/lease/view-signed/{applicationId}',
    statuses: ownRecord,
    input: ({ signedId }) => ({ applicationId: signedId }),
  },
  // Returns the caller's newest signed lease; only the tenant has one.
  { route: 'GET /api/lease/view-signed', statuses: [401, 200, 404, 404] },
  {
    route: 'GET /api/payment/{id}/receipt.pdf',
    statuses: ownRecord,
    input: ({ paidId }) => ({ id: paidId }),
  },
  {
    route: 'GET /api/payment/admin/revenue.csv',
    statuses: admins,
    input: () => ({ period: 'year', year: '2026' }),
  },
  { route: 'GET /api/booking/admin/import/template.csv', statuses: admins },
  {
    route: 'POST /api/site/admin/lease-preview',
    statuses: admins,
    input: () => ({ body: buildLeaseWording() }),
  },
  {
    route: 'GET /calendar/{token}.ics',
    statuses: statusesByAccess.public,
    input: ({ exportToken }) => ({ token: exportToken }),
  },
  { route: 'POST /api/picture/admin', statuses: [401, 403, 403, 201], file: 'picture' },
  {
    route: 'GET /media/{name}',
    statuses: statusesByAccess.public,
    input: ({ copyName }) => ({ name: copyName }),
  },
  // A session token does not help; the webhook requires the provider's signature.
  { route: 'POST /api/payment/webhook', statuses: [400, 400, 400, 400] },
  { route: 'GET /api/openapi.json', statuses: statusesByAccess.public },
  { route: 'GET /api/docs', statuses: statusesByAccess.public },
]
