import type { Tx } from '../../../../../db/open.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { enqueueMail } from '../../../messages/outbox.ts'
import { currentSite } from '../../../site/content/current-site.ts'
import { type PaymentRow, requireListed } from '../../payment-records.ts'

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
