import { type DecidedStatus, isBooked } from '../../../../domain/bookings/application-status.ts'
import type { CancellationSide } from '../../../../domain/bookings/cancellation.ts'
import type { NextStep } from '../../../../domain/bookings/next-step.ts'
import { leftOfTotalCents } from '../../../../domain/money/ledger.ts'
import { api, type Outputs } from '../../../api/api.ts'
import type { Refund } from '../../../features/deposits/cancellation-parts.tsx'
import type { Item, OwnerDeposit } from '../../../features/deposits/deposit-view.ts'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import { toLedgerRow } from '../../../features/payments/payment-view.ts'
import { paths } from '../../../routing/paths.ts'

/** The deposit of an application as the owner sees it; null while deposits are not watched. */
export const useOwnerDeposit = (applicationId: string) =>
  api.deposits.get.useQuery(
    { applicationId },
    { select: ({ deposit }) => (deposit && 'letters' in deposit ? deposit : null) },
  )

export type Application = Outputs['applications']['adminGet']['application']
export type Installment = Outputs['plans']['show']['instalments'][number]
export type Payment = Outputs['payments']['adminHistory']['payments'][number]

/** The dialogs on the application screen, with their parameters. */
export type Modals = {
  status: { status: DecidedStatus }
  'generate-lease': unknown
  'lease-text': unknown
  'new-addendum': unknown
  'invite-signers': unknown
  'send-again': unknown
  'take-back': unknown
  'same-again': unknown
  'write-to-guest': { subject?: string; message?: string }
  remind: unknown
  'delete-lease': unknown
  'void-signature': unknown
  'return-options': unknown
  'manual-payment': unknown
  'add-charge': unknown
  'void-charge': { charge: ChargeView }
  transfer: Returning
  'card-refund': { payment: Payment } & Returning
  'record-return': { suggestedCents?: number; isDeposit?: boolean } & Returning
  'remove-payment': { payment: Payment }
  invite: unknown
  'change-plan': unknown
  postpone: { installment: Installment }
  waive: { installment: Installment }
  'charge-late-fee': { installment: Installment }
  'dismiss-late-fee': { installment: Installment }
  'deposit-case': { deposit: OwnerDeposit }
  'deposit-item': { applicationId: string; item?: Item }
  'deposit-letter': { deposit: OwnerDeposit }
  'deposit-statement': { deposit: OwnerDeposit }
  'deposit-keep': { deposit: OwnerDeposit }
  'deposit-return': { deposit: OwnerDeposit }
  'deposit-remove': { what: 'item' | 'photo' | 'letter'; id: string; name: string }
  'cancel-stay': { side: CancellationSide }
  'keep-booking': unknown
  'refund-by-hand': { refund: Refund }
}
export type Modal = { [Kind in keyof Modals]: { kind: Kind } & Modals[Kind] }[keyof Modals]

/** Whether the booking is not open to the guest yet; then the owner sends an invitation instead of a link. */
export const isInvited = ({ guestAccess, invitation }: Application) =>
  guestAccess !== 'open' && invitation !== null

/** Whether the statement has to go by post, and no letter about the claimed amount was printed yet. */
export const needsLetter = ({ claimedCents, letters, rule }: OwnerDeposit): boolean =>
  rule.delivery === 'post' &&
  !letters.some(letter => !letter.sentStatementId && !letter.voidedAt && letter.claimedCents === claimedCents)

/**
 * The dialog of a next step (LOOK-70, LOOK-82); undefined while money is on its way or not due, and where nothing of a
 * watched deposit is free.
 */
export function stepModal(
  { amountCents, kind, waitsFor }: NextStep,
  application: Application,
  deposit: OwnerDeposit | null | undefined,
  refunds: readonly Refund[] = [],
): Modal | undefined {
  if (kind === 'return_deposit' && deposit)
    return deposit.freeCents > 0 ? { kind: 'deposit-return', deposit } : undefined
  switch (kind) {
    case 'overdue':
    case 'owed':
      if (isInvited(application)) return { kind: 'invite' }
      return canRemind(application) ? { kind: 'remind' } : askToSign(application)
    case 'signature':
      if (waitsFor) return { kind: 'send-again' }
      return isInvited(application) ? { kind: 'invite' } : askToSign(application)
    case 'answer':
      return { kind: 'status', status: 'approved' }
    case 'generate_lease':
      return { kind: 'generate-lease' }
    case 'confirm':
    case 'complete':
      return { kind: 'status', status: 'completed' }
    case 'send_statement':
      return deposit
        ? { kind: needsLetter(deposit) ? 'deposit-letter' : 'deposit-statement', deposit }
        : undefined
    case 'keep_deposit':
    case 'decide_claim':
      return deposit ? { kind: 'deposit-keep', deposit } : undefined
    case 'give_back': {
      if (deposit && deposit.freeCents === amountCents) return { kind: 'deposit-return', deposit }
      if (application.status === 'rejected') return { kind: 'return-options' }
      const refund = refunds.find(({ by, state }) => by === 'hand' && state === 'waiting')
      return refund && { kind: 'refund-by-hand', refund }
    }
    case 'overpaid':
    case 'return_deposit':
      return { kind: 'record-return', suggestedCents: amountCents, isDeposit: kind === 'return_deposit' }
  }
}

/** Nothing is due before an existing lease is signed. */
export const canRemind = ({ leaseGenerated, leaseSigned }: Application): boolean =>
  leaseSigned || !leaseGenerated

function askToSign({ firstName, id }: Application): Modal {
  const link = `${location.origin}${paths.signLease(id)}`
  return {
    kind: 'write-to-guest',
    subject: 'Your lease is ready to sign',
    message: `Hello ${firstName},\n\nYour lease is ready. You can read and sign it here:\n${link}`,
  }
}

/** The dialog that opens when this dialog closes. */
type Returning = { returnTo?: Modal }
export type OpenModal = (modal: Modal | undefined) => void

/** The payments of an application, newest first. */
export function usePayments({ id, userId }: Application) {
  return api.payments.adminHistory.useQuery({ userId: userId.id, applicationId: id })
}

/** What came of cancelling, and what would go back now. */
export const useCancellation = ({ id }: Pick<Application, 'id'>) =>
  api.cancellations.adminGet.useQuery({ applicationId: id })

/** The addenda to an application’s lease. */
export const useAddenda = ({ id }: Application) => api.addenda.list.useQuery({ applicationId: id })

/** The charges of an application, and a summary of what is owed and paid. */
export function useCharges({ id }: Application) {
  return api.charges.list.useQuery({ applicationId: id })
}

/** Whether a payment was made from a bank account through the provider. */
export const isBankPayment = ({ providerMethod }: Pick<Payment, 'providerMethod'>): boolean =>
  providerMethod === 'us_bank_account'

export const refundLabel = (payment: Pick<Payment, 'providerMethod'>): string =>
  isBankPayment(payment) ? 'Refund to bank account' : 'Refund to card'

/** What can still be refunded through the provider, in cents: amount and fee minus earlier refunds. */
export function refundableCents(payment: Payment): number {
  if (payment.method !== 'card' || payment.status !== 'succeeded') return 0
  return leftOfTotalCents(toLedgerRow(payment))
}

export type PlanView = Outputs['plans']['show']

/** The payment plan of an application as of today; `plan` is null if there is none. */
export function usePlan({ id }: Pick<Application, 'id'>) {
  return api.plans.show.useQuery({ applicationId: id })
}

/** The payment plan settings for new leases; version 0 means that none have been saved. */
export function usePlanSettings() {
  return api.settings.plan.get.useQuery()
}

/** A plan can be added or changed until the lease is signed. */
export const canChangePlan = ({ leaseGenerated, leaseSigned, status }: Application): boolean =>
  isBooked(status) && leaseGenerated && !leaseSigned

/** How much of the money paid on an application can be transferred, and to which applications of the same tenant. */
export function useTransfer(application: Application) {
  return asTransfer(application, useAvailable(application))
}

/** Like `useTransfer`, but without what was loaded before and could not be loaded again. */
export function useCurrentTransfer(application: Application) {
  const query = useAvailable(application)
  const isCurrent = query.isFetchedAfterMount && !query.isError
  return asTransfer(application, isCurrent ? query : { ...query, data: undefined })
}

function useAvailable({ userId }: Application) {
  return api.payments.availableDeposits.useQuery({ userId: userId.id }, { staleTime: 0 })
}

type Available = Pick<ReturnType<typeof useAvailable>, 'data' | 'isError' | 'isPending' | 'refetch'>

function asTransfer(application: Application, query: Available) {
  const applications = query.data?.applications ?? []
  const isThis = ({ applicationId }: { applicationId: string }) => applicationId === application.id
  const available = applications.find(isThis)
  const availableCents = available?.availableToTransfer ?? 0
  const destinations = applications.filter(other => !isThis(other) && other.totalBalance > 0)
  return {
    query,
    availableCents,
    availableOfKind: available?.availableOfKind ?? { deposit: 0, other: 0 },
    destinations,
    isPossible: destinations.length > 0 && availableCents > 0,
  }
}
