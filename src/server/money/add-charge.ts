import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { ChargeSource } from '../../domain/money/charge.ts'
import type { LaterChargeInput } from '../../domain/money/later-charge.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { isSigned, loadSubmitted, type OwnApplication } from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { failpoint } from '../lib/failpoint.ts'
import { enqueueMail } from '../messages/outbox.ts'
import { currentSite } from '../site/content/current-site.ts'
import { chargeMailKey } from './charge-mail.ts'
import { addLaterCharge, findByRequest } from './later-charge.ts'
import { hasBookingTerms } from './lease-charges.ts'
import { summaryOf } from './queries.ts'
import type { ChargeRow } from './records.ts'
import { toAdminChargeView } from './views.ts'

/**
 * Adds a charge to a signed lease, or to a booking without a lease, and mails the tenant (CHG-22, CHG-26). Repeating a
 * `requestId` returns the charge of the first call.
 * @throws AppError not_found; conflict while the lease is unsigned, for a declined application, and for a total below
 * zero
 */
export function addCharge(deps: Deps, actor: Admin, applicationId: string, input: LaterChargeInput) {
  return deps.write(tx => {
    // The label is mailed to the guest.
    requireStepUp(deps, tx, actor)
    const record = loadSubmitted(tx, actor, applicationId)
    const known = input.requestId && findByRequest(tx, applicationId, input.requestId)
    const charge = known || insertLaterCharge(deps, tx, actor, record, input)
    const { application } = loadSubmitted(tx, actor, applicationId)
    return { charge: toAdminChargeView(charge), summary: summaryOf(tx, application) }
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
  const charge = addLaterCharge(deps, tx, at, actor, application.id, input, source)
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
      balanceCents: summaryOf(tx, loadSubmitted(tx, actor, application.id).application).balanceCents,
    },
    to: account.email,
    replyTo: currentSite(deps).ownerEmail,
    dedupeKey: chargeMailKey(charge.id),
  })
  return charge
}

/** @throws AppError conflict for a declined application and while the lease is unsigned */
function requireOpen(tx: Tx, { application, lease }: OwnApplication): void {
  if (application.status === 'rejected')
    throw new AppError('conflict', 'This application was declined. Nothing can be added to it.')
  const isOpen = lease ? isSigned(lease) : hasBookingTerms(tx, application.id)
  if (!isOpen) throw new AppError('conflict', 'The lease is not signed yet. Add this to the lease instead.')
}
