import { formatMoment } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { disputeInquiry, openDisputeStatuses } from '../../../domain/money/ledger.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { maxPerKind, type NoticeCheck, openApplication } from '../../kernel/notice.ts'
import { listOverdrafts } from './ledger-invariants.ts'
import { listLostTwice, listOpenDisputes, type OpenDispute } from './reconcile/disputes.ts'
import { listQuarantined } from './reconcile/provider-events.ts'
import { listUnexpectedPayments, type UnexpectedPayment } from './unexpected-payments.ts'

/** Shown until the bank has decided. */
export const openDisputes: NoticeCheck = ({ db, config }) =>
  listOpenDisputes(db, [...openDisputeStatuses, disputeInquiry])
    .slice(0, maxPerKind)
    .map(dispute => ({
      id: `dispute-${dispute.id}`,
      ...(dispute.status === disputeInquiry && { tone: 'warning' as const }),
      title: `A card payment of ${formatCents(dispute.totalCents)} is ${dispute.status === disputeInquiry ? 'being asked about' : 'disputed'}${dispute.applicationNumber ? ` (${dispute.applicationNumber})` : ''}`,
      detail: disputeDetail(dispute, config.site.timeZone),
      at: dispute.openedAt,
      action: openApplication(dispute.applicationId),
      ownMail: true,
    }))

function disputeDetail({ id, status, tenantName, dueBy }: OpenDispute, timeZone: string): string {
  if (status === 'under_review')
    return `${tenantName}’s bank is reviewing your response. Look up ${id} at the card provider.`
  if (status === disputeInquiry)
    return `${tenantName}’s bank asks about it, and has taken nothing yet. Answer at the card provider${dueBy ? ` by ${formatMoment(dueBy, timeZone)}` : ''}, or refund it, so that it does not become a dispute. Look up ${id} there.`
  const deadline = dueBy ? `by ${formatMoment(dueBy, timeZone)}` : 'in time'
  return `${tenantName}’s bank has withdrawn the payment. Respond at the card provider ${deadline}, or the money is lost. Look up ${id} there.`
}

/** How long the notice stays: the site cannot know whether the guest has returned the money. */
const lostTwiceMs = 90 * dayMs

export const lostTwice: NoticeCheck = ({ db, clock }) =>
  listLostTwice(db, new Date(clock.now().getTime() - lostTwiceMs).toISOString()).map(
    ({ applicationId, lastAt, paymentId, tenantName, twiceCents }) => ({
      id: `lost-twice-${paymentId}`,
      title: `${tenantName} got ${formatCents(twiceCents)} back twice`,
      detail: `You refunded it, and then the bank took it as well. The balance and the revenue do not include this loss. Ask ${tenantName} for the money, or contest the dispute at the card provider.`,
      at: lastAt,
      action: openApplication(applicationId),
    }),
  )

/** Dismissed by the owner, or by a refund. */
export const unexpectedPayments: NoticeCheck = deps =>
  cachedUntilWrite(deps, 'unexpected payments', () => listUnexpectedPayments(deps, maxPerKind)).map(
    payment => {
      const { paymentId, applicationId, formerApplicationId, isBank, leftCents, method, returnKind } = payment
      const isLate = payment.isLapsed && payment.reason === 'declined'
      return {
        id: `${isLate ? 'claim-late' : 'payment'}-${paymentId}`,
        title: isLate
          ? `Paid after the offer ended: ${formatCents(leftCents)}`
          : unexpectedTitles[payment.reason],
        detail: unexpectedDetail(payment),
        at: payment.paidAt,
        ...((payment.reason === 'held' || payment.reason === 'kept') && { tone: 'warning' as const }),
        action: {
          kind: 'unexpected_payment',
          paymentId,
          applicationId,
          leftCents,
          ...(isBank && { isBank }),
          ...(method !== 'card' &&
            formerApplicationId && { byHand: { applicationId: formerApplicationId, kind: returnKind } }),
        },
      }
    },
  )

const unexpectedTitles: Record<UnexpectedPayment['reason'], string> = {
  held: 'A declined or withdrawn application still holds a payment',
  left: 'A cancelled stay still holds a payment',
  kept: 'A deleted application still holds a payment',
  declined: 'A payment arrived for a declined application',
  cancelled: 'A payment arrived for a cancelled stay',
  deleted: 'A payment arrived for a deleted application',
  closed: 'A payment arrived through a closed checkout',
}

function unexpectedDetail(payment: UnexpectedPayment): string {
  const { applicationId, applicationNumber, isBank, leftCents, method, reason, tenantName } = payment
  const source = isBank ? 'the bank account' : 'the card'
  const paid = `${tenantName} paid ${formatCents(leftCents)}`
  const what = applicationNumber ? `${paid} for ${applicationNumber}` : paid
  const refund = applicationId
    ? `Open the application and refund the payment to ${source}`
    : `Refund it to ${source} here`
  const byHand = applicationId
    ? 'Open the application and record its return'
    : 'Return it by hand, and record that here'
  const giveBack = method === 'card' ? refund : byHand
  if (reason === 'closed')
    return `${what} through a checkout that was closed before. It counts as paid. ${refund} if it was paid twice, or dismiss this.`
  const became =
    reason === 'held'
      ? 'declined or withdrawn afterwards'
      : reason === 'left'
        ? 'cancelled afterwards'
        : reason === 'kept'
          ? 'deleted afterwards'
          : reason === 'declined' || reason === 'cancelled'
            ? reason
            : 'deleted. The payment stands without an application'
  const all =
    payment.isLapsed && reason === 'declined' ? 'Approve the application to book all the same. ' : ''
  return `${what}, which was ${became}. ${all}${giveBack}, or dismiss this if the money stays.`
}

const setAsideTitles = new Map([
  ['payment.left', 'A payment is still open in the former Stripe account'],
  ['payment.refund_left', 'A refund is open in the former Stripe account'],
  ['payment.former', 'Payments are in the former Stripe account'],
  ['payment.unknown', 'The card provider does not know a bank payment that is on its way'],
  ['payment.refund_failed', 'A refund did not go through'],
  ['payment.removed_won', 'The money of a deleted payment is back'],
])

/** Dismissed by the owner. */
export const quarantinedEvents: NoticeCheck = deps =>
  listQuarantined(deps)
    .slice(0, maxPerKind)
    .map(event => ({
      id: `event-${event.id}`,
      title:
        setAsideTitles.get(event.type) ?? `A payment event did not fit and was set aside (${event.type})`,
      detail: `${event.reason} Look up ${event.id.replace(/^\w+:/, '')} at the card provider.`,
      at: event.receivedAt,
      action: { kind: 'dismiss_event', eventId: event.id },
    }))

/** More money was refunded than the tenant had paid; only the card provider can do that, and it cannot be prevented. */
export const overdrafts: NoticeCheck = ({ db }) =>
  listOverdrafts(db).map(({ account, invariant, sentence, title }) => ({
    id: `overdraft-${invariant}-${account?.applicationId ?? account?.userId}`,
    title,
    detail: sentence,
    action: openApplication(account?.isDeleted ? null : account?.applicationId),
  }))
