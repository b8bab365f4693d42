import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { applications } from '../../../../db/schema.ts'
import { paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../messages/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { listOpenDisputes } from './reconcile/disputes.ts'
import { type PaymentRow, requireListed, requireUser } from './records.ts'

const kinds = {
  processing: 'bank-payment-on-its-way',
  failed: 'bank-payment-failed',
  returned: 'bank-payment-returned',
} as const

/**
 * Mails the new status of a bank payment once, in the transaction that sets it: to the tenant, and to the owner unless
 * the payment is only on its way. Sends nothing for a removed payment.
 */
export function queueBankMails(
  deps: Pick<Deps, 'clock' | 'config' | 'siteContent'>,
  tx: Tx,
  { id, voidedAt }: Pick<PaymentRow, 'id' | 'voidedAt'>,
  { reason, status }: { status: keyof typeof kinds; reason: string | null },
): void {
  if (voidedAt !== null) return
  const { application, payment, user } = requireListed(tx, id)
  const kind = kinds[status]
  const props = {
    firstName: user.firstName,
    tenantName: `${user.firstName} ${user.lastName}`,
    applicationNumber: application?.number ?? null,
    applicationId: payment.applicationId,
    paymentTypeLabel: paymentTypeLabels[payment.type],
    amountCents: payment.amountCents,
    reason,
  }
  const at = nowIso(deps)
  enqueueMail(tx, at, { kind, props, to: user.email, dedupeKey: `${kind}:${id}` })
  if (status === 'processing') return
  const { ownerEmail } = currentSite(deps)
  enqueueMail(tx, at, {
    kind,
    props: { ...props, forOwner: true },
    to: ownerEmail,
    dedupeKey: `${kind}:${id}:owner`,
  })
}

/** Mails the owner about a payment that arrived through the provider, once, in the same transaction. */
export function notifyOwner(deps: Deps, tx: Tx, at: string, payment: PaymentRow): void {
  const user = requireUser(tx, payment.userId)
  const application = payment.applicationId
    ? tx.select().from(applications).where(eq(applications.id, payment.applicationId)).get()
    : undefined
  enqueueMail(tx, at, {
    kind: 'owner-payment-received',
    props: {
      tenantName: `${user.firstName} ${user.lastName}`,
      applicationNumber: application?.number ?? null,
      applicationId: application?.id ?? null,
      paymentTypeLabel: paymentTypeLabels[payment.type],
      amountCents: payment.amountCents,
      feeCents: payment.feeCents,
      paidAt: payment.paidAt ?? at,
    },
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-payment:${payment.id}`,
  })
}

/** Mails the owner about an open dispute, once, in the transaction that stores it. */
export function notifyOwnerOfDispute(
  deps: Pick<Deps, 'clock' | 'config' | 'siteContent'>,
  tx: Tx,
  disputeId: string,
): void {
  const dispute = listOpenDisputes(tx).find(({ id }) => id === disputeId)
  if (!dispute) return
  const { tenantName, applicationNumber, applicationId, totalCents, dueBy, paidAt, type } = dispute
  enqueueMail(tx, nowIso(deps), {
    kind: 'owner-payment-disputed',
    props: {
      tenantName,
      applicationNumber,
      applicationId,
      paymentTypeLabel: paymentTypeLabels[type],
      disputeId,
      totalCents,
      dueBy,
      paidAt,
    },
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-dispute:${disputeId}`,
  })
}
