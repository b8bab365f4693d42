import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { charges } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { endedMessage } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { ChargeSource } from '../../domain/money/charge.ts'
import type { LaterChargeInput } from '../../domain/money/later-charge.ts'
import { planRefusals } from '../../domain/money/payment-plan.ts'
import { isWaiverCharge } from '../../domain/money/payment-plan-charges.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { getSubmittedApplication, isSigned, type OwnApplication } from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { requireSameRequest } from '../kernel/same-request.ts'
import { view } from '../kernel/view.ts'
import { failpoint } from '../lib/failpoint.ts'
import { cancelUnsentMail, enqueueMail } from '../mail/outbox.ts'
import { hasBookingTerms } from './lease-charges.ts'
import { summaryOf } from './queries.ts'
import { allCharges, balanceFacts, type ChargeRow } from './records.ts'
import { markVoided, settleCharges } from './settle-charges.ts'
import { adminChargeView } from './views.ts'

/**
 * Adds a charge to a signed lease, or to a booking without a lease, and mails the tenant (CHG-22, CHG-26). Repeating a
 * `requestId` returns the charge of the first call.
 * @throws AppError not_found; conflict while the lease is unsigned, for a declined application, for a total below zero, and
 * as in `requireSameRequest`
 */
export function addCharge(deps: Deps, actor: Admin, applicationId: string, input: LaterChargeInput) {
  return deps.write(tx => {
    // The label is mailed to the guest.
    requireStepUp(deps, tx, actor)
    const record = getSubmittedApplication(tx, actor, applicationId)
    const { requestId } = input
    const ofRequest = and(eq(charges.applicationId, applicationId), eq(charges.requestId, requestId ?? ''))
    const known = requestId && tx.select().from(charges).where(ofRequest).get()
    if (known) requireSameRequest(known.voidedAt === null && isSameCharge(known, input))
    const charge = known || insertLaterCharge(deps, tx, actor, record, input)
    const { application } = getSubmittedApplication(tx, actor, applicationId)
    return { charge: view(adminChargeView, charge), summary: summaryOf(tx, application) }
  })
}

/**
 * Like `addCharge`, but inside a write, for a charge with this source.
 * @throws AppError conflict like `addCharge`
 */
export function insertLaterCharge(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  record: OwnApplication,
  input: LaterChargeInput,
  source: ChargeSource = 'owner',
): ChargeRow {
  requireOpen(tx, record)
  const at = nowIso(deps)
  const { account, application } = record
  const charge = storeLaterCharge(deps, tx, at, actor, application.id, input, source)
  failpoint('in-charge-write')
  touchApplication(tx, at, application.id)
  recordEvent(tx, at, actor, 'charge.added', application.id, {
    chargeId: charge.id,
    kind: charge.kind,
    label: charge.label,
    amountCents: charge.amountCents,
    taxable: charge.taxable,
  })
  enqueueMail(tx, at, {
    kind: 'charge-added',
    props: {
      firstName: application.firstName,
      applicationNumber: application.number,
      applicationId: application.id,
      label: charge.label,
      amountCents: charge.amountCents,
      ...balanceFacts(tx, getSubmittedApplication(tx, actor, application.id).application),
    },
    to: account.email,
    dedupeKey: chargeMailKey(charge.id),
  })
  return charge
}

/** @throws AppError conflict for a declined or cancelled application and while the lease is unsigned */
function requireOpen(tx: Tx, { application, lease }: OwnApplication): void {
  const ended = endedMessage(application.status, 'Nothing can be added to it.')
  if (ended) throw new AppError('conflict', ended)
  const isOpen = lease ? isSigned(lease) : hasBookingTerms(tx, application.id)
  if (!isOpen) throw new AppError('conflict', 'The lease is not signed yet. Add this to the lease instead.')
}

const centsOf = ({ amountCents, kind }: Pick<LaterChargeInput, 'amountCents' | 'kind'>): number =>
  kind === 'discount' ? -amountCents : amountCents

const isSameCharge = (stored: ChargeRow, input: LaterChargeInput): boolean =>
  stored.kind === input.kind &&
  stored.label === input.label &&
  stored.amountCents === centsOf(input) &&
  stored.taxable === input.taxable

/** Stores a charge that the owner adds. @throws AppError conflict for a total below zero */
function storeLaterCharge(
  deps: Deps,
  tx: Tx,
  at: string,
  actor: Admin,
  applicationId: string,
  { amountCents, kind, label, requestId, taxable }: LaterChargeInput,
  source: ChargeSource = 'owner',
): ChargeRow {
  const charge = tx
    .insert(charges)
    .values({
      id: randomUUID(),
      applicationId,
      kind,
      name: label,
      label,
      amountCents: centsOf({ amountCents, kind }),
      taxable,
      source,
      requestId: requestId ?? null,
      createdAt: at,
      createdBy: actor.userId,
    })
    .returning()
    .get()
  settleCharges(deps, tx, at, applicationId)
  return charge
}

/**
 * Voids a later charge, so that it is no longer owed; the row stays with the reason. Idempotent (CHG-24).
 * @throws AppError forbidden without a step-up; not_found; conflict for a charge of the lease, a tax or a waiver, and for
 * a total below zero
 */
export function voidCharge(deps: Deps, actor: Admin, chargeId: string, reason: string) {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const find = () => tx.select().from(charges).where(eq(charges.id, chargeId)).get()
    const charge = find()
    if (!charge) throw chargeNotFound()
    const { applicationId, label } = charge
    getSubmittedApplication(tx, actor, applicationId)
    if (charge.voidedAt === null) {
      if (charge.source === 'lease') throw new AppError('conflict', 'This charge is part of the lease.')
      if (charge.source === 'addendum')
        throw new AppError('conflict', 'This charge is part of a signed addendum.')
      if (isWaiverCharge(charge)) throw new AppError('conflict', planRefusals.ofPlan)
      if (charge.kind === 'tax')
        throw new AppError(
          'conflict',
          'This tax follows the charges that it is taken of. Void these instead.',
        )
      const at = nowIso(deps)
      markVoided(tx, at, chargeId, actor.userId, reason)
      settleCharges(deps, tx, at, applicationId)
      cancelUnsentMail(tx, chargeMailKey(chargeId))
      touchApplication(tx, at, applicationId)
      recordEvent(tx, at, actor, 'charge.voided', applicationId, {
        chargeId,
        label,
        amountCents: charge.amountCents,
        reason,
      })
    }
    const { application } = getSubmittedApplication(tx, actor, applicationId)
    return { charge: view(adminChargeView, find() ?? charge), summary: summaryOf(tx, application) }
  })
}

const chargeNotFound = () => new AppError('not_found', 'Charge not found')

/** Dedupe key of the mail about an added charge. Voiding the charge withdraws the mail if it is unsent. */
const chargeMailKey = (chargeId: string): string => `charge-added:${chargeId}`

/** Withdraws the unsent mails about an application's charges. */
export function withdrawChargeMails(tx: Tx, applicationId: string): void {
  for (const { id } of allCharges(tx, applicationId)) cancelUnsentMail(tx, chargeMailKey(id))
}
