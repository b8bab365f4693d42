import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { applications } from '../../../../db/schema.ts'
import { disputeInquiry, labelOfTypes, openDisputeStatuses } from '../../../domain/money/ledger.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { isMoneyOpen } from '../records.ts'
import { listOpenDisputes } from './reconcile/disputes.ts'
import { type PaymentRow, requireListed, requireUser, totalOf } from './records.ts'

const kinds = {
  processing: 'bank-payment-on-its-way',
  failed: 'bank-payment-failed',
  returned: 'bank-payment-returned',
} as const

/**
 * Mails the new status of a checkout's bank payments once, in the transaction that sets it: to the tenant, and to the
 * owner unless the money is only on its way. Sends nothing for removed payments.
 */
export function queueBankMails(
  deps: Deps,
  tx: Tx,
  rows: readonly PaymentRow[],
  { reason, status }: { status: keyof typeof kinds; reason: string | null },
): void {
  const shown = rows.filter(({ voidedAt }) => voidedAt === null)
  const [first] = shown
  if (!first) return
  const { application, user } = requireListed(tx, first.id)
  const kind = kinds[status]
  const props = {
    firstName: user.firstName,
    tenantName: `${user.firstName} ${user.lastName}`,
    applicationNumber: application?.number ?? null,
    applicationId: first.applicationId,
    paymentTypeLabel: labelOf(shown),
    amountCents: sumCents(shown),
    reason,
    ...(!isMoneyOpen(tx, first.applicationId) && { owesNothing: true as const }),
  }
  const at = nowIso(deps)
  enqueueMail(tx, at, { kind, props, to: user.email, dedupeKey: `${kind}:${first.id}` })
  if (status === 'processing') return
  const { ownerEmail } = currentSite(deps)
  enqueueMail(tx, at, {
    kind,
    props: { ...props, forOwner: true },
    to: ownerEmail,
    dedupeKey: `${kind}:${first.id}:owner`,
  })
}

const labelOf = (rows: readonly PaymentRow[]) => labelOfTypes(rows.map(({ type }) => type))
const sumCents = (rows: readonly PaymentRow[]) => rows.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Mails the owner about what arrived through a checkout, once, in the same transaction. */
export function notifyOwner(deps: Deps, tx: Tx, at: string, rows: readonly PaymentRow[]): void {
  const [first] = rows
  if (!first) return
  const user = requireUser(tx, first.userId)
  const application = first.applicationId
    ? tx.select().from(applications).where(eq(applications.id, first.applicationId)).get()
    : undefined
  enqueueMail(tx, at, {
    kind: 'owner-payment-received',
    props: {
      tenantName: `${user.firstName} ${user.lastName}`,
      applicationNumber: application?.number ?? null,
      applicationId: application?.id ?? null,
      paymentTypeLabel: labelOf(rows),
      amountCents: sumCents(rows),
      feeCents: totalOf(rows) - sumCents(rows),
      paidAt: first.paidAt ?? at,
    },
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-payment:${first.id}`,
  })
}

/** Mails the owner about an open dispute, or a question before one, once each, in the transaction that stores it. */
export function notifyOwnerOfDispute(deps: Deps, tx: Tx, disputeId: string): void {
  const dispute = listOpenDisputes(tx, [...openDisputeStatuses, disputeInquiry]).find(
    ({ id }) => id === disputeId,
  )
  if (!dispute) return
  const isInquiry = dispute.status === disputeInquiry
  const { tenantName, applicationNumber, applicationId, totalCents, dueBy, paidAt, types } = dispute
  enqueueMail(tx, nowIso(deps), {
    kind: 'owner-payment-disputed',
    props: {
      tenantName,
      applicationNumber,
      applicationId,
      paymentTypeLabel: labelOfTypes(types),
      disputeId,
      totalCents,
      dueBy,
      paidAt,
      ...(isInquiry && { isInquiry }),
    },
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-dispute${isInquiry ? '-question' : ''}:${disputeId}`,
  })
}
