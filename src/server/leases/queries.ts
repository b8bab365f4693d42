import { and, desc, eq, inArray, like, notInArray, or, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { events, users } from '../../../db/schema.ts'
import { type Admin, requireAdmin, type SignedIn } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { centsToDollars } from '../../domain/common/money.ts'
import { isActive, leaseEventLabel, leaseMessages, leasePageChoice } from '../../domain/leases/lease.ts'
import {
  type GenerateLeaseInput,
  type LeaseTermsInput,
  leaseTermsForm,
} from '../../domain/leases/lease-generation.ts'
import { type FeeTerm, sumOf, visibleLines } from '../../domain/money/charge.ts'
import { termRent, termRentSum } from '../../domain/money/lease-terms.ts'
import { planSection } from '../../domain/money/payment-plan-form.ts'
import {
  getApplicationRecord,
  getSubmittedApplication,
  isSigned,
  listOwnApplications,
} from '../bookings/records.ts'
import { presentForTenant } from '../bookings/views.ts'
import type { Deps } from '../kernel/deps.ts'
import { checkStoredFile } from '../kernel/files/stored-file.ts'
import { view } from '../kernel/view.ts'
import { chargeBasis, linesOfLease } from '../money/lease-charges.ts'
import { planOf } from '../money/records.ts'
import { readSection } from '../site/settings.ts'
import { chargesForTerms, type GeneratedLease, generateLease } from './generate.ts'
import { resolveTerms } from './lease-terms.ts'
import { recordLeaseView } from './record-view.ts'
import { fileOf, loadDocument, sendable, unsignedPdf } from './records.ts'
import { removalError } from './remove.ts'
import {
  chargePreview,
  type LeaseEventView,
  type LeaseStatus,
  type LeaseTermsView,
  leaseEventView,
  leaseStatusView,
  leaseTermsView,
} from './views.ts'

/** The caller's newest lease, or else the newest active application; amounts in dollars. */
export function leaseStatus(deps: Deps, actor: SignedIn): LeaseStatus {
  const own = listOwnApplications(deps.db, actor)
  const choice = leasePageChoice(
    own.map(record => ({ record, status: record.application.status, leaseGenerated: record.lease !== null })),
  )
  const statuses = own.map(({ application }) => application)
  const isDone = !statuses.some(isActive) && statuses.some(({ status }) => status === 'completed')
  const message = isDone ? leaseMessages.noActiveApplications : null
  if (!choice) return { ...noStatus, message }
  const application = presentForTenant(choice.record)
  return view(leaseStatusView, {
    ...application,
    hasApplication: true,
    applicationId: application.id,
    canRemoveSignedLease: application.signedLeaseFile !== null && !removalError(deps, deps.db, choice.record),
    message,
  })
}

const noStatus = {
  hasApplication: false,
  applicationId: null,
  applicationNumber: null,
  status: null,
  firstName: null,
  lastName: null,
  leaseGenerated: false,
  leaseStartDate: null,
  leaseEndDate: null,
  rentalAmount: null,
  depositAmount: null,
  leaseSigned: false,
  leaseSignedAt: null,
  signedLeaseFile: null,
  canRemoveSignedLease: false,
}

/** The lease text with its hash. @throws AppError not_found, also before generation */
export async function previewLease(deps: Deps, actor: SignedIn, applicationId: string) {
  const { text, textSha256: leaseTextSha256 } = loadDocument(deps.db, actor, applicationId).lease
  await recordLeaseView(deps, actor, 'lease.viewed', applicationId, { leaseTextSha256 })
  return { leaseText: text, leaseTextSha256 }
}

/**
 * Generates the lease for the admin; for a tenant, ignores the terms and returns the stored lease.
 * @throws AppError not_found; conflict, for a tenant while a signed lease is stored; bad_request for the admin's terms
 */
export async function generateOrLoad(
  deps: Deps,
  actor: SignedIn,
  { applicationId, ...terms }: GenerateLeaseInput,
): Promise<GeneratedLease> {
  if (actor.role === 'admin') return generateLease(deps, actor, applicationId, checkedTerms(terms))
  if (isSigned(getApplicationRecord(deps.db, actor, applicationId).lease))
    throw new AppError('conflict', 'There is already a signed lease. Please remove it first.')
  const { leaseText, leaseTextSha256 } = await previewLease(deps, actor, applicationId)
  return { leaseAgreement: leaseText, leaseTextSha256 }
}

/** @throws AppError bad_request */
function checkedTerms(terms: Omit<GenerateLeaseInput, 'applicationId'>): LeaseTermsInput {
  const { data, error } = leaseTermsForm.safeParse(terms)
  if (data) return data
  const problems = error.issues.map(({ path, message }) => [path.join('.'), message])
  throw new AppError('bad_request', error.issues[0]?.message ?? '', { fields: Object.fromEntries(problems) })
}

/**
 * The unsigned lease as a PDF, with its stored terms.
 * @throws AppError not_found, also before generation; too_many; unavailable
 */
export async function leasePdf(deps: Deps, actor: SignedIn, applicationId: string) {
  const document = loadDocument(deps.db, actor, applicationId)
  await deps.limits.consume('leasePdfByUser', actor.userId)
  const pdf = await unsignedPdf(deps, document)
  const leaseTextSha256 = document.lease.textSha256
  await recordLeaseView(deps, actor, 'lease.downloaded', applicationId, { leaseTextSha256 })
  return pdf
}

/**
 * Current or default terms for the form that generates a lease, optionally for other dates. Rent and deposit are in
 * dollars, totals in cents.
 * @throws AppError not_found; bad_request for invalid dates
 */
export function leaseTerms(
  { db }: Deps,
  actor: SignedIn,
  applicationId: string,
  dates: Pick<LeaseTermsInput, 'leaseStartDate' | 'leaseEndDate'> = {},
): LeaseTermsView {
  const record = getSubmittedApplication(db, requireAdmin(actor), applicationId)
  const terms = resolveTerms(db, record, dates)
  const rent = termRent(terms.start, terms.end, terms.rentCents)
  const { applying, basis } = chargeBasis(db, applicationId, terms)
  return {
    leaseStartDate: terms.start,
    leaseEndDate: terms.end,
    rentalAmount: centsToDollars(terms.rentCents),
    depositAmount: centsToDollars(terms.depositCents),
    termRentCents: rent.totalCents,
    termRentSum: termRentSum(rent),
    owedCents: sumOf(linesOfLease(db, record.application, terms, basis)),
    fees: applying.map(fee => view(leaseTermsView.shape.fees.element, fee)),
    feeIds: basis.fees.flatMap(({ feeRuleId }) => feeRuleId ?? []),
    extraLines: basis.fees.flatMap(extraLineOf),
    plan: {
      choice: record.lease?.planChoice ?? 'setup',
      kind: planOf(db, applicationId)?.kind ?? null,
      setup: readSection(db, planSection).body.kind,
    },
  }
}

/** The charges of a lease with these terms, without lines of $0.00. @throws AppError as in `generateLease` */
export function previewCharges(
  { db }: Deps,
  actor: Admin,
  { applicationId, ...input }: GenerateLeaseInput,
): z.infer<typeof chargePreview> {
  const lines = chargesForTerms(db, actor, applicationId, checkedTerms(input))
  return {
    lines: visibleLines(lines).map(line => view(chargePreview.shape.lines.element, line)),
    owedCents: sumOf(lines),
  }
}

const extraLineOf = ({ amountCents, feeRuleId, kind, name, taxable }: FeeTerm) =>
  feeRuleId === null ? [{ kind, label: name, amountCents: amountCents ?? 0, taxable }] : []

/**
 * The signed lease's file; without an id, the caller's newest signed lease.
 * @throws AppError not_found; too_many; FileDamagedError
 */
export async function readSignedLease(deps: Deps, actor: SignedIn, applicationId: string | undefined) {
  const id = applicationId ?? newestSignedId(deps, actor)
  const lease = id === undefined ? null : getApplicationRecord(deps.db, actor, id).lease
  const file = fileOf(deps.db, lease?.fileId ?? null)
  if (!lease || !file) throw new AppError('not_found', leaseMessages.noSignedLease)
  await deps.limits.consume('signedLeaseByUser', actor.userId)
  await checkStoredFile(deps, file)
  await recordLeaseView(deps, actor, 'lease.signed_viewed', lease.applicationId, { fileId: file.id })
  return sendable(deps, file)
}

function newestSignedId({ db }: Deps, actor: SignedIn): string | undefined {
  const signed = listOwnApplications(db, actor).flatMap(({ lease }) => (lease?.signedAt ? [lease] : []))
  const signedAtOf = ({ signedAt }: (typeof signed)[number]) => signedAt ?? ''
  return signed.toSorted((a, b) => signedAtOf(b).localeCompare(signedAtOf(a)))[0]?.applicationId
}

const maxTrailEvents = 200
/** Events that a tenant can cause any number of times. */
const repeatedKinds = [
  'lease.viewed',
  'lease.downloaded',
  'lease.signed_viewed',
  'lease.rewritten',
  'lease.addendum_viewed',
]

/**
 * The audit events of an application's lease and its payment plan, oldest first, for the admin: the newest 200 that a
 * tenant can cause repeatedly, and the newest 200 others.
 */
export function leaseTrail({ db }: Deps, actor: SignedIn, applicationId: string): LeaseEventView[] {
  getSubmittedApplication(db, requireAdmin(actor), applicationId)
  const newest = (kinds: SQL) =>
    db
      .select({ event: events, firstName: users.firstName, lastName: users.lastName })
      .from(events)
      .leftJoin(users, eq(users.id, events.actorId))
      .where(
        and(
          eq(events.subjectId, applicationId),
          or(like(events.kind, 'lease.%'), like(events.kind, 'plan.%')),
          kinds,
        ),
      )
      .orderBy(desc(events.id))
      .limit(maxTrailEvents)
      .all()
  return [...newest(inArray(events.kind, repeatedKinds)), ...newest(notInArray(events.kind, repeatedKinds))]
    .toSorted((a, b) => a.event.id - b.event.id)
    .map(({ event, firstName, lastName }) =>
      view(leaseEventView, {
        ...event,
        id: String(event.id),
        label: leaseEventLabel(event.kind),
        actorName: firstName === null ? null : `${firstName} ${lastName}`.trim(),
      }),
    )
}
