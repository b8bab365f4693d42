import { randomUUID } from 'node:crypto'
import type { Access } from '../server/kernel/trpc.ts'
import { procedureList } from '../server/procedure-list.ts'
import { adminPassword, tenantPassword } from './build-account.ts'
import { buildApplication, dates } from './build-application.ts'
import { buildFeeRule, buildTaxRule } from './build-charge-rule.ts'
import { buildCsv, buildEntry } from './build-entry.ts'
import { typedSignature } from './build-lease.ts'
import { buildOffer, offerPerson } from './build-offer.ts'
import { buildCheckout, buildManualPayment } from './build-payment.ts'
import { buildRate } from './build-rate.ts'
import { mailBody } from './build-setup.ts'
import { buildLeaseWording, buildMailWording } from './build-wording.ts'
import type { Caller, MatrixSite } from './matrix-site.ts'

/** The status codes for guest, tenant, another tenant and admin. */
type Statuses = readonly [number, number, number, number]
type Input = (matrix: MatrixSite, caller: Caller) => Record<string, unknown>

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
const noneForAdmin: Statuses = [401, 403, 403, 404]
const conflictForAdmin: Statuses = [401, 403, 403, 409]
const nowhere: Statuses = [404, 404, 404, 404]
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
const passwordChange: Input = (_, caller) => ({
  currentPassword: passwordOf(caller),
  newPassword,
  confirmPassword: newPassword,
})

const newMessage = () => ({ body: 'Hello', requestId: randomUUID() })

/** Procedures that need input, with valid input, and those whose status codes differ from their access level's. */
export const scenarios: Record<string, Input | readonly [Statuses, Input?]> = {
  'site.content': () => ({ page: 'terms' }),
  'accounts.login': ({ emails }) => ({ email: emails.tenant, password: tenantPassword }),
  'accounts.register': () => ({
    firstName: 'Ada',
    lastName: 'Shore',
    email: 'ada@guest.example',
    password: newPassword,
  }),
  'accounts.updateProfile': () => ({ firstName: 'Ada', lastName: 'Shore', phone: '850-555-0199' }),
  'accounts.changePassword': passwordChange,
  'accounts.adminChangePassword': passwordChange,
  'accounts.forgotPassword': ({ emails }) => ({ email: emails.tenant }),
  'accounts.resetPassword': ({ resetToken }) => ({ token: resetToken, newPassword }),
  'accounts.getUser': ({ tenantId }) => ({ userId: tenantId }),
  // Changing factors requires a proof of identity from the last ten minutes; registering does not count as one.
  'factors.challenge': ({ challenge, recoveryCode }) => ({ challenge, recoveryCode }),
  'factors.setUpTotp': [withProvenMailbox, (_, caller) => ({ password: passwordOf(caller) })],
  'factors.confirmTotp': [
    withoutFactor,
    ({ setupCodes }, caller) => ({ code: setupCodes[caller === 'admin' ? 'admin' : 'tenant'] }),
  ],
  'factors.remove': [[401, 404, 200, 404], ({ factorId }) => ({ id: factorId })],
  'factors.newRecoveryCodes': [[401, 409, 200, 409]],
  'factors.stepUp': ({ recoveryCode }, caller) =>
    caller === 'other' ? { recoveryCode } : { password: passwordOf(caller) },
  'factors.passkeyOptions': [withProvenMailbox],
  // The admin created this passkey, so nobody else can add it.
  'factors.addPasskey': [[401, 400, 403, 200], ({ newPasskey }) => newPasskey],
  'factors.passkeyLogin': ({ passkeyUse }) => ({ credential: passkeyUse }),
  'sessions.end': ({ publicIds }, caller) => ({ id: publicIds[caller] }),
  'sessions.notMe': ({ notMeToken }) => ({ token: notMeToken }),
  // Only the other tenant's mailbox is not proven yet.
  'emailChange.start': [[401, 200, 403, 200], () => ({ newEmail: 'ada@guest.example' })],
  'emailChange.sendCode': [[401, 409, 200, 409]],
  'emailChange.confirmCode': [[401, 409, 200, 409], ({ mailboxCode }) => ({ code: mailboxCode })],
  'emailChange.confirm': ({ emailTokens }) => ({ token: emailTokens.confirm }),
  'emailChange.undo': ({ emailTokens }) => ({ token: emailTokens.undo }),
  'editor.saveSection': ({ hero: { body, name, version } }) => ({
    section: name,
    version,
    body: { ...body, headline: 'Stay' },
  }),
  'editor.discardSection': ({ hero: { name, version } }) => ({ section: name, version }),
  'editor.discardDraft': ({ draftRevision }) => ({ revision: draftRevision }),
  'editor.compare': () => ({ from: 0, to: 'draft' }),
  'editor.publish': ({ draftRevision }) => ({ revision: draftRevision, note: 'Spring' }),
  'editor.version': () => ({ version: 1 }),
  'editor.restoreVersion': () => ({ version: 0, replace: true }),
  'editor.publishVersion': () => ({ version: 0, published: 1 }),
  'applications.create': () => buildApplication(dates('2027-05-01', '2027-06-01')),
  'applications.submit': [tenantOnly, ({ draftId }) => ({ id: draftId })],
  'applications.createAndSubmit': [
    [401, 200, 200, 403],
    () => ({ ...buildApplication(dates('2027-05-01', '2027-06-01')), requestId: randomUUID() }),
  ],
  'applications.get': [ownRecord, ({ signedId }) => ({ id: signedId })],
  'applications.update': [tenantOnly, ({ pendingId }) => ({ id: pendingId, ...edit })],
  'applications.withdraw': [tenantOnly, ({ pendingId }) => ({ id: pendingId })],
  'applications.adminList': () => ({ search: 'rivers', sort: 'firstName', order: 'asc', page: 1, limit: 2 }),
  'applications.adminGet': ({ signedId }) => ({ id: signedId }),
  'applications.adminStatusPreview': ({ pendingId }) => ({ id: pendingId }),
  'applications.adminMails': ({ signedId }) => ({ id: signedId }),
  'applications.previewStatusMail': ({ pendingId }) => ({
    id: pendingId,
    status: 'rejected',
    message: 'Sorry',
  }),
  'applications.writeToGuest': ({ signedId }) => ({
    id: signedId,
    subject: 'Parking',
    message: 'Space 12 is yours.',
    requestId: randomUUID(),
  }),
  'applications.adminSetStatus': ({ pendingId }) => ({ id: pendingId, status: 'approved' }),
  'applications.adminSetStatuses': ({ pendingId }) => ({ ids: [pendingId], status: 'rejected' }),
  'applications.adminEdit': ({ pendingId }) => ({ id: pendingId, notes: 'Has a dog', rentalAmount: 2600.5 }),
  'applications.adminDelete': ({ pendingId }) => ({ id: pendingId }),
  'applications.adminDeleteMany': ({ pendingId }) => ({ ids: [pendingId] }),
  'leases.preview': [ownRecord, ({ unsignedId }) => ({ id: unsignedId })],
  'leases.generate': [
    ownRecord,
    ({ unsignedId }) => ({
      applicationId: unsignedId,
      leaseStartDate: '2026-06-01',
      leaseEndDate: '2026-07-01',
      rentalAmount: 2750,
      depositAmount: 500,
    }),
  ],
  'leases.sign': [
    tenantOnly,
    ({ unsignedId, leaseTextSha256 }) => typedSignature(unsignedId, leaseTextSha256),
  ],
  'leases.removeSigned': [ownRecord, ({ signedId }) => ({ applicationId: signedId })],
  'leases.adminRemove': ({ signedId }) => ({ id: signedId }),
  'leases.terms': ({ unsignedId }) => ({ id: unsignedId }),
  'leases.trail': ({ signedId }) => ({ id: signedId }),
  'leases.previewCharges': ({ unsignedId }) => ({ applicationId: unsignedId }),
  'addenda.list': [ownRecord, ({ signedId }) => ({ applicationId: signedId })],
  'addenda.get': [[401, 404, 404, 404], () => ({ addendumId: 'none' })],
  'addenda.sign': [[401, 404, 404, 403], () => ({ addendumId: 'none', typedName: 'Ada', consent: true })],
  'addenda.decline': [[401, 404, 404, 403], () => ({ addendumId: 'none', reason: 'Too long' })],
  'addenda.preview': ({ signedId }) => ({ applicationId: signedId, depositAmount: 777 }),
  'addenda.make': ({ signedId }) => ({ applicationId: signedId, depositAmount: 777 }),
  'addenda.withdraw': [noneForAdmin, () => ({ addendumId: 'none' })],
  'leases.changePlan': ({ unsignedId }) => ({ applicationId: unsignedId, version: 0, kind: 'split' }),
  'signing.get': [ownRecord, ({ invitedId: applicationId }) => ({ applicationId })],
  'signing.invite': [tenantOnly, ({ unsignedId: applicationId }) => ({ applicationId })],
  'signing.adminInvite': ({ unsignedId: applicationId }) => ({ applicationId }),
  'signing.takeBack': ({ invitedId: applicationId }) => ({ applicationId, reason: 'Too early' }),
  'signing.resend': ({ guarantorId: signerId }) => ({ signerId }),
  'signing.leaveOut': ({ guarantorId: signerId }) => ({ signerId }),
  'signing.countersign': ({ ownerSignerId: signerId, ownersSignature }) => ({ signerId, ...ownersSignature }),
  'signing.open': ({ guarantor: { token } }) => ({ token }),
  'signing.sign': ({ guarantor: { given, token } }) => ({ token, ...given }),
  'signing.decline': ({ guarantor: { token } }) => ({ token, reason: 'Too long' }),
  'charges.list': [ownRecord, ({ signedId }) => ({ applicationId: signedId })],
  'charges.add': ({ signedId }) => ({
    applicationId: signedId,
    kind: 'damage',
    label: 'Broken lamp',
    amountCents: 45_00,
  }),
  'charges.void': ({ chargeId }) => ({ chargeId, reason: 'It was broken before' }),
  'plans.show': [ownRecord, ({ plannedId }) => ({ applicationId: plannedId })],
  'plans.postpone': ({ instalmentId }) => ({ id: instalmentId, dueDate: '2026-05-01', reason: 'A new job' }),
  'plans.waive': ({ instalmentId }) => ({ id: instalmentId, reason: 'A gift' }),
  'plans.chargeLateFee': ({ instalmentId }) => ({ id: instalmentId }),
  'plans.dismissLateFee': ({ instalmentId }) => ({ id: instalmentId }),
  // Returns only the caller's own payments; the admin has a separate path.
  'payments.history': [[401, 200, 404, 404], ({ unsignedId }) => ({ applicationId: unsignedId })],
  // Without these URLs the server uses its own, which depend on its port.
  'payments.createCheckoutSession': [
    tenantOnly,
    ({ signedId }) => ({
      ...buildCheckout({ applicationId: signedId }),
      successUrl: undefined,
      cancelUrl: undefined,
    }),
  ],
  'payments.bySession': [ownRecord, ({ sessionId }) => ({ sessionId })],
  'payments.adminHistory': ({ tenantId, unsignedId }) => ({ userId: tenantId, applicationId: unsignedId }),
  'payments.revenueSummary': () => ({ period: 'month', year: 2026, month: 3 }),
  'payments.addManual': ({ signedId }) => buildManualPayment(signedId),
  'payments.remove': ({ manualId }) => ({ paymentId: manualId }),
  'payments.availableDeposits': ({ tenantId }) => ({ userId: tenantId }),
  'payments.transfer': ({ unsignedId, signedId }) => ({
    fromApplicationId: unsignedId,
    toApplicationId: signedId,
    depositAmount: 100_00,
    transferNotes: 'Asked on the phone',
  }),
  'payments.refund': ({ paidId }) => ({ paymentId: paidId, totalCents: 1_00, requestId: randomUUID() }),
  'payments.recordReturn': ({ unsignedId }) => ({
    applicationId: unsignedId,
    kind: 'refund',
    amount: 10_00,
    date: '2026-03-03',
    checkNumber: '7',
    reason: 'Goodwill',
  }),
  'payments.resendReceipt': ({ paidId }) => ({ paymentId: paidId }),
  'payments.dismissQuarantined': ({ quarantinedId }) => ({ eventId: quarantinedId }),
  'books.year': () => ({ year: 2026 }),
  'books.tax': () => ({ year: 2026 }),
  'books.card': () => ({ year: 2026 }),
  'books.lines': () => ({ year: 2026, line: 'rent', month: 3 }),
  'books.noteRemittance': [
    noneForAdmin,
    () => ({ taxRuleId: 'none', amountCents: 1_00, paidOn: '2026-03-01', requestId: randomUUID() }),
  ],
  'books.removeRemittance': [noneForAdmin, () => ({ id: 'none' })],
  // The year is not over.
  'books.close': [[401, 403, 403, 409], () => ({ year: 2026 })],
  'payments.dismissUnexpected': ({ paidId }) => ({ paymentId: paidId }),
  'rates.create': () => buildRate(),
  'rates.update': ({ rateId }) => ({ id: rateId, ...buildRate({ monthly: 3700 }) }),
  'rates.remove': ({ rateId }) => ({ id: rateId }),
  'plans.previewReminder': ({ signedId }) => ({ applicationId: signedId, message: 'Thank you' }),
  'plans.remind': ({ signedId }) => ({ applicationId: signedId }),
  'offers.adminGet': ({ offerId: claimId }) => ({ claimId }),
  'offers.preview': () => ({ startDate: '2028-08-01', endDate: '2028-08-15', guests: 2, rentalAmount: 2000 }),
  'offers.make': () => buildOffer({ startDate: '2028-08-01', endDate: '2028-08-15' }),
  'offers.proposal': ({ unsignedId: applicationId }) => ({ applicationId }),
  'offers.promise': ({ unsignedId: applicationId }) => ({
    applicationId,
    rentalAmount: 2000,
    message: 'As always',
    startDate: '2028-08-01',
    endDate: '2028-08-15',
  }),
  'offers.change': ({ offerId: claimId }) => ({ claimId, version: 1, message: 'Welcome' }),
  'offers.withdraw': ({ offerId: claimId }) => ({ claimId }),
  'offers.ask': ({ promiseId: claimId }) => ({ claimId }),
  'offers.resend': ({ offerId: claimId }) => ({ claimId, email: 'anna.miller@guest.example' }),
  'offers.accept': [
    tenantOnly,
    ({ promiseCents: totalCents, promiseId: claimId }) => ({ claimId, totalCents }),
  ],
  'offers.decline': [tenantOnly, ({ promiseId: claimId }) => ({ claimId })],
  'offers.open': ({ offerToken: token }) => ({ token }),
  'offers.acceptByLink': ({ offerCents: totalCents, offerToken: token }) => ({
    token,
    totalCents,
    typedName: 'Anna Miller',
    person: offerPerson,
  }),
  'offers.declineByLink': ({ offerToken: token }) => ({ token, reason: 'Too far' }),
  'settings.offers.save': () => ({ version: 0, body: { offerHours: 48 } }),
  'plans.due': () => ({ state: 'upcoming', limit: 2 }),
  'chargeRules.quote': () => ({ startDate: '2026-06-01', endDate: '2026-06-15', guests: 2 }),
  'chargeRules.createFee': () => buildFeeRule(),
  'chargeRules.updateFee': ({ feeId }) => ({ id: feeId, ...buildFeeRule({ amountCents: 17500 }) }),
  'chargeRules.removeFee': ({ feeId }) => ({ id: feeId }),
  'chargeRules.createTax': () => buildTaxRule({ authority: 'Bay County' }),
  'chargeRules.updateTax': ({ taxId }) => ({ id: taxId, ...buildTaxRule({ basisPoints: 700 }) }),
  'chargeRules.removeTax': ({ taxId }) => ({ id: taxId }),
  'availability.range': () => stay,
  'availability.adminRange': () => stay,
  'bookings.nights': () => ({ startDate: '2026-11-11', endDate: '2026-11-20' }),
  'availability.setDate': () => ({ date: '2026-11-11', ...blocked }),
  'availability.setDates': () => ({ dates: ['2026-11-11', '2026-11-12'], ...blocked }),
  'settings.bookingRules.save': () => ({ version: 0, body: { leadDays: 2, arrivalWeekdays: [5, 6] } }),
  'settings.messages.save': () => ({ version: 1, body: { enabled: false } }),
  'settings.reviews.save': () => ({ version: 1, body: { enabled: false } }),
  'settings.stay.save': () => ({ version: 0, body: { hoursBefore: 24 } }),
  'stays.get': [ownRecord, ({ signedId: applicationId }) => ({ applicationId })],
  // The matrix runs with arrival information switched off and without locks.
  'stays.showCode': [
    [401, 409, 404, 403],
    ({ signedId: applicationId }) => ({ applicationId, lockId: 'none' }),
  ],
  'stays.showWifi': [[401, 409, 404, 403], ({ signedId: applicationId }) => ({ applicationId })],
  'stays.addLink': [[401, 409, 404, 403], ({ signedId: applicationId }) => ({ applicationId, name: 'Ben' })],
  'stays.removeLink': [
    [401, 409, 404, 409],
    ({ signedId: applicationId }) => ({ applicationId, linkId: 'none' }),
  ],
  'stays.open': [nowhere, () => ({ token: 'none' })],
  'stays.openCode': [nowhere, () => ({ token: 'none', lockId: 'none' })],
  'stays.openWifi': [nowhere, () => ({ token: 'none' })],
  'stays.adminGet': ({ signedId: applicationId }) => ({ applicationId }),
  'stays.hold': ({ signedId: applicationId }) => ({ applicationId, hold: 'closed', reason: 'Test' }),
  'stays.changeCode': [noneForAdmin, ({ signedId: applicationId }) => ({ applicationId, lockId: 'none' })],
  'stays.addLock': () => ({ name: 'Gate', kind: 'per_stay' }),
  'stays.changeLock': [noneForAdmin, () => ({ lockId: 'none', name: 'Gate' })],
  'stays.removeLock': [noneForAdmin, () => ({ lockId: 'none' })],
  'stays.saveSection': () => ({ section: 'parking', version: 0, body: { text: 'Lot 4' } }),
  'stays.versions': () => ({ section: 'parking' }),
  'stays.preview': ({ signedId: applicationId }) => ({ applicationId, moment: 'open' }),
  'stays.showOwnCode': [noneForAdmin, () => ({ codeId: 'none' })],
  'stays.markSet': [noneForAdmin, () => ({ codeId: 'none' })],
  'stays.markRemoved': [noneForAdmin, () => ({ codeId: 'none' })],
  'settings.bank.save': () => ({ version: 0, body: { enabled: true } }),
  'settings.cardFee.save': () => ({ version: 0, body: { basisPoints: 250 } }),
  'settings.deposit.save': ({ depositSettingsVersion }) => ({
    version: depositSettingsVersion,
    body: { amountCents: 750_00 },
  }),
  'settings.cancellation.save': () => ({ version: 0, body: { tiers: [] } }),
  'settings.calendar.save': () => ({ version: 0, body: { turnoverNights: 1 } }),
  'settings.signing.save': () => ({ version: 0, body: { separate: true } }),
  'settings.plan.save': ({ planSettingsVersion: version }) => ({ version, body: { kind: 'monthly' } }),
  'calendars.addFeed': ({ newFeedUrl }) => ({ name: 'Google', url: newFeedUrl }),
  'calendars.editFeed': ({ feedId, newFeedUrl }) => ({ id: feedId, name: 'Beach', url: newFeedUrl }),
  'calendars.removeFeed': ({ feedId }) => ({ id: feedId }),
  'calendars.readNow': ({ feedId }) => ({ id: feedId }),
  'calendars.acceptEmpty': ({ emptyFeedId }) => ({ id: emptyFeedId }),
  'calendars.events': ({ feedId }) => ({ feedId, all: true }),
  'calendars.releaseEvent': ({ eventId }) => ({ id: eventId, released: true }),
  'calendars.acknowledgeConflict': ({ conflictId }) => ({ id: conflictId, acknowledged: true }),
  'contact.send': () => ({ name: 'Ada', email: 'ada@guest.example', message: 'Is there a lift?' }),
  'conversations.thread': [ownRecord, ({ signedId }) => ({ applicationId: signedId })],
  'conversations.send': [tenantOnly, ({ signedId }) => ({ applicationId: signedId, ...newMessage() })],
  'conversations.markRead': [tenantOnly, ({ signedId }) => ({ applicationId: signedId, number: 2 })],
  'conversations.addQuickReply': () => ({ title: 'Parking', body: 'Lot 4' }),
  'conversations.changeQuickReply': [noneForAdmin, () => ({ id: 'none', title: 'Parking', body: 'Lot 4' })],
  'conversations.removeQuickReply': [noneForAdmin, () => ({ id: 'none' })],
  'conversations.fillQuickReply': [
    noneForAdmin,
    ({ signedId: applicationId }) => ({ id: 'none', applicationId }),
  ],
  'conversations.openReply': ({ replyToken }) => ({ token: replyToken }),
  'conversations.reply': ({ replyToken }) => ({ token: replyToken, ...newMessage() }),
  'conversations.adminSend': ({ signedId }) => ({ applicationId: signedId, ...newMessage() }),
  'conversations.note': ({ signedId }) => ({ applicationId: signedId, ...newMessage() }),
  'conversations.answered': ({ signedId }) => ({ applicationId: signedId, number: 2 }),
  'conversations.adminMarkRead': ({ signedId }) => ({ applicationId: signedId, number: 1 }),
  'cancellations.get': [ownRecord, ({ signedId: applicationId }) => ({ applicationId })],
  'cancellations.request': [
    tenantOnly,
    ({ signedId: applicationId }) => ({ applicationId, reason: 'We are ill.' }),
  ],
  'cancellations.takeBack': [[401, 409, 404, 403], ({ signedId: applicationId }) => ({ applicationId })],
  'cancellations.adminGet': ({ signedId: applicationId }) => ({ applicationId }),
  'cancellations.cancel': ({ signedId: applicationId }) => ({
    applicationId,
    side: 'owner',
    reason: 'A pipe burst.',
  }),
  'cancellations.decline': [
    conflictForAdmin,
    ({ signedId: applicationId }) => ({ applicationId, note: 'It is too late.' }),
  ],
  'cancellations.retryRefund': [noneForAdmin, () => ({ refundId: 'none' })],
  'cancellations.refundByHand': [noneForAdmin, () => ({ refundId: 'none' })],
  'deposits.get': [ownRecord, ({ signedId: applicationId }) => ({ applicationId })],
  'deposits.object': [
    [401, 404, 404, 403],
    ({ signedId: applicationId }) => ({ applicationId, statementId: 'none', text: 'It was clean.' }),
  ],
  'deposits.agree': [
    [401, 404, 404, 403],
    ({ signedId: applicationId }) => ({ applicationId, statementId: 'none' }),
  ],
  'deposits.change': [
    conflictForAdmin,
    ({ signedId: applicationId }) => ({ applicationId, ruleId: 'florida' }),
  ],
  'deposits.addItem': [
    conflictForAdmin,
    ({ signedId: applicationId }) => ({ applicationId, category: 'cleaning', label: 'Lamp', amountCents: 1 }),
  ],
  'deposits.changeItem': [conflictForAdmin, ({ itemId }) => ({ itemId, label: 'Lamp' })],
  'deposits.removeItem': ({ itemId }) => ({ itemId }),
  'deposits.sendStatement': [
    conflictForAdmin,
    ({ signedId: applicationId }) => ({ applicationId, requestId: randomUUID(), how: 'email' }),
  ],
  'deposits.printLetter': [
    conflictForAdmin,
    ({ signedId: applicationId }) => ({ applicationId, requestId: randomUUID(), address: '1 Pine Street' }),
  ],
  'deposits.voidLetter': [noneForAdmin, () => ({ letterId: 'none' })],
  'deposits.keep': [conflictForAdmin, ({ signedId: applicationId }) => ({ applicationId })],
  'deposits.plan': [conflictForAdmin, ({ signedId: applicationId }) => ({ applicationId })],
  'deposits.return': [
    conflictForAdmin,
    ({ signedId: applicationId }) => ({ applicationId, requestId: randomUUID(), hand: {} }),
  ],
  'deposits.addRule': () => ({
    name: 'Ours',
    returnDays: 20,
    claimDays: 20,
    objectionDays: 10,
    restDays: 20,
    delivery: 'email',
    noticeText: '',
  }),
  'deposits.archiveRule': [conflictForAdmin, () => ({ id: 'general' })],
  'deposits.removePhoto': ({ unnamedPhotoId }) => ({ photoId: unnamedPhotoId }),
  'evidence.remove': ({ unnamedPhotoId }) => ({ evidenceId: unnamedPhotoId }),
  'reviews.get': [ownRecord, ({ stayedId }) => ({ applicationId: stayedId })],
  'reviews.write': [tenantOnly, ({ review, stayedId }) => ({ applicationId: stayedId, ...review })],
  'reviews.change': [
    tenantOnly,
    ({ review, waitingReviewId }) => ({ applicationId: waitingReviewId, ...review, version: 1 }),
  ],
  'reviews.withdraw': [tenantOnly, ({ waitingReviewId }) => ({ applicationId: waitingReviewId })],
  'reviews.open': ({ reviewToken }) => ({ token: reviewToken }),
  'reviews.writeByLink': ({ review, reviewToken }) => ({ token: reviewToken, ...review }),
  'reviews.publish': ({ waitingReviewId }) => ({ applicationId: waitingReviewId, version: 1 }),
  'reviews.hide': ({ waitingReviewId }) => ({ applicationId: waitingReviewId, reason: 'untrue', version: 1 }),
  'reviews.reply': ({ publishedReviewId }) => ({ applicationId: publishedReviewId, text: 'Thank you' }),
  'manualBookings.create': () => ({
    ...buildEntry({ startDate: '2028-06-01', endDate: '2028-07-01' }),
    requestId: randomUUID(),
  }),
  'manualBookings.import': () => ({ csv: buildCsv(), dryRun: false, requestId: randomUUID() }),
  'manualBookings.invite': ({ enteredId }) => ({
    applicationId: enteredId,
    email: 'Corrected@guest.example',
  }),
  'manualBookings.invitation': ({ invitationToken }) => ({ token: invitationToken }),
  'manualBookings.acceptInvitation': ({ invitationToken }) => ({ token: invitationToken, newPassword }),
  'calendars.createExport': () => ({ name: 'For Vrbo', scope: 'platform' }),
  'calendars.showExport': ({ exportId }) => ({ id: exportId }),
  'calendars.editExport': ({ exportId }) => ({ id: exportId, name: 'For the cleaner' }),
  'calendars.rotateExport': ({ exportId }) => ({ id: exportId, keepOld: true }),
  'calendars.removeExport': ({ exportId }) => ({ id: exportId }),
  'wordings.get': () => ({ kind: 'lease' }),
  'wordings.save': () => ({ kind: 'lease-ready', version: 1, body: buildMailWording(), note: 'Shorter' }),
  'wordings.versions': () => ({ kind: 'lease-ready' }),
  'wordings.version': () => ({ kind: 'lease-ready', version: 1 }),
  'wordings.preview': () => ({ kind: 'lease-ready', body: buildMailWording() }),
  'wordings.sendSample': () => ({ kind: 'lease-ready', body: buildMailWording() }),
  'pictures.get': ({ pictureId }) => ({ id: pictureId }),
  'pictures.retry': ({ failedPictureId }) => ({ id: failedPictureId }),
  'pictures.remove': ({ pictureId }) => ({ id: pictureId }),
  'notices.retryMail': ({ failedMailId }) => ({ id: failedMailId }),
  'notices.dismissMail': ({ failedMailId }) => ({ id: failedMailId }),
  'notices.heldMails': () => ({ send: true }),
  'notices.putOff': () => ({ id: 'admin-without-factor' }),
  // The demo is not installed in the browser.
  'install.open': [nowhere, () => ({ token: 'x'.repeat(43) })],
  'install.account': [
    nowhere,
    () => ({
      token: 'x'.repeat(43),
      firstName: 'Ada',
      lastName: 'Shore',
      email: 'ada@owner.example',
      password: newPassword,
    }),
  ],
  'install.get': [[401, 403, 403, 404]],
  'install.saveCondo': [
    [401, 403, 403, 404],
    () => ({
      companyName: 'Dune Rentals',
      propertyName: 'Dune Condo',
      propertyAddress: '1 Beach Road',
      ownerEmail: 'ada@owner.example',
      ownerPhone: '850-555-0199',
      timeZone: 'America/Chicago',
    }),
  ],
  'install.leave': [[401, 403, 403, 404], () => ({ key: 'mail' })],
  // The matrix runs in the demo, which decides these settings.
  'setup.saveMail': [[401, 403, 403, 409], () => ({ version: 0, body: mailBody })],
  'setup.testMail': [[401, 403, 403, 409], () => ({ to: 'owner@condo.example' })],
  'setup.confirmMail': [[401, 403, 403, 409], () => ({ code: '123456' })],
  'setup.saveStripe': [
    [401, 403, 403, 409],
    () => ({ version: 0, body: { publishableKey: 'pk_test_1' }, secrets: { secretKey: 'sk_test_1' } }),
  ],
  // The demo copies no backups.
  'backups.save': [
    [401, 403, 403, 409],
    () => ({ version: 0, body: { kind: 'folder', address: '/mnt/backups', user: '' } }),
  ],
  'backups.try': [[401, 403, 403, 409]],
  'backups.now': [[401, 403, 403, 409]],
  'backups.sheet': [[401, 403, 403, 409]],
  'backups.confirm': [[401, 403, 403, 409], () => ({ groups: ['0000', '0000'] })],
  // The matrix runs in the demo, which is always open.
  'opening.open': [[401, 403, 403, 409]],
  'opening.close': [[401, 403, 403, 409]],
  'opening.startTrial': [[401, 403, 403, 409], () => ({ email: 'trial@guest.example' })],
  'opening.removeTrial': [[401, 403, 403, 409]],
  'opening.decline': () => ({ key: 'taxes', declined: true }),
}

/** The status codes, if they differ from those of the access level, and the input. */
function readScenario(call: string): readonly [Statuses?, Input?] {
  const scenario = scenarios[call]
  return typeof scenario === 'function' ? [undefined, scenario] : (scenario ?? [])
}

/**
 * Every procedure with its metadata and scenario; `routes` are its documented paths, `METHOD /path/{id}`. Without a
 * scenario it is called without input, and its access level decides.
 */
export const procedureRows = procedureList.map(procedure => {
  const [statuses, input] = readScenario(procedure.call)
  return {
    ...procedure,
    schema: procedure.input,
    input,
    statuses: statuses ?? statusesByAccess[procedure.access],
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
    route: 'POST /api/change/addendum/{addendumId}/upload-signed',
    statuses: [401, 404, 404, 404],
    input: () => ({ addendumId: 'none' }),
    file: 'signedAddendum',
  },
  {
    route: 'GET /api/change/addendum/{addendumId}/pdf',
    statuses: [401, 404, 404, 404],
    input: () => ({ addendumId: 'none' }),
  },
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
    route: 'POST /api/message/{applicationId}/file',
    statuses: [401, 201, 404, 403],
    input: ({ signedId }) => ({ applicationId: signedId }),
    file: 'file',
  },
  {
    route: 'POST /api/message/admin/{applicationId}/file',
    statuses: [401, 403, 403, 201],
    input: ({ signedId }) => ({ applicationId: signedId }),
    file: 'file',
  },
  {
    route: 'POST /api/message/reply/file',
    statuses: [201, 201, 201, 201],
    input: ({ replyToken }) => ({ token: replyToken }),
    file: 'file',
  },
  {
    route: 'GET /api/message/file/{fileId}',
    statuses: ownRecord,
    input: ({ messageFileId }) => ({ fileId: messageFileId }),
  },
  {
    route: 'POST /api/deposit/admin/item/{itemId}/photo',
    statuses: [401, 403, 403, 201],
    input: ({ itemId }) => ({ itemId }),
    file: 'photo',
  },
  {
    route: 'GET /api/evidence/{evidenceId}',
    statuses: ownRecord,
    input: ({ photoId }) => ({ evidenceId: photoId }),
  },
  {
    route: 'GET /api/deposit/photo/{photoId}',
    statuses: ownRecord,
    input: ({ photoId }) => ({ photoId }),
  },
  {
    route: 'GET /api/deposit/{applicationId}/statement/{statementId}',
    statuses: ownRecord,
    input: ({ signedId, statementId }) => ({ applicationId: signedId, statementId }),
  },
  {
    route: 'GET /api/deposit/admin/letter/{letterId}/pdf',
    statuses: noneForAdmin,
    input: () => ({ letterId: 'none' }),
  },
  {
    route: 'GET /api/stay/{applicationId}/stay.ics',
    statuses: [401, 404, 404, 404],
    input: ({ signedId }) => ({ applicationId: signedId }),
  },
  { route: 'POST /api/stay/open/ics', statuses: nowhere, input: () => ({ token: 'none' }) },
  {
    route: 'POST /api/signer/pdf',
    statuses: [200, 200, 200, 200],
    input: ({ guarantor: { token } }) => ({ token }),
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
  {
    route: 'GET /api/book/admin/csv/{year}',
    statuses: admins,
    input: () => ({ year: '2026', table: 'books' }),
  },
  { route: 'GET /api/book/admin/pdf/{year}', statuses: admins, input: () => ({ year: '2026' }) },
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
