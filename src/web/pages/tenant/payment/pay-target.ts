import { laterDay } from '../../../../domain/bookings/tenant-step.ts'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import type { PayableType } from '../../../../domain/money/payment.ts'
import { depositAndRent } from '../../../../domain/money/payment-plan-state.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { paymentLabel } from '../../../features/payments/charge-view.ts'
import { useToday } from '../../../features/stays/today.ts'

type Options = Outputs['payments']['options']
type Pickable = Pick<Options['applications'][number], 'id' | 'status'> & { balance: { balanceCents: number } }
export type PayTarget = ReturnType<typeof usePayTarget>

/** What the payment is for: an application with its plan and deposit, or the account. */
export function usePayTarget(options: Options, fixedId: string | undefined, chosenId?: string) {
  const application = pickApplication(options, fixedId ?? chosenId)
  const plan = usePlan(application?.id)
  const { charges = [] } = useAccount(application?.id).data ?? {}
  const { payments = [] } = api.payments.history.useQuery({ applicationId: fixedId }).data ?? {}
  const record = api.applications.get.useQuery(
    { id: application?.id ?? '' },
    { enabled: application !== undefined },
  ).data?.application
  const { depositCents, depositDueCents, depositPaid } = application ?? options
  /** Bank account payments that are processing. */
  const processing = payments.filter(
    payment =>
      payment.status === 'processing' &&
      payment.providerMethod === 'us_bank_account' &&
      payment.applicationId?.id === application?.id,
  )
  const isDepositProcessing = processing.some(({ paymentType }) => paymentType === 'deposit')
  const { open } = application ?? options
  return {
    application,
    plan,
    processing,
    hasBank: application ? plan.data?.methods.bank === true : options.bankPayments,
    /** The amounts that can be paid if there is no plan. */
    open,
    record,
    /** Whether the deposit of an accepted offer has its own deadline, before the rest is due. */
    isDepositFirst: record !== undefined && 'waiting' in record && record.waiting?.kind === 'deposit',
    /** The open deposit and rent, if they can be paid in one checkout. */
    both: depositAndRent(open),
    depositCents,
    depositDueCents,
    isDepositClosed: open.depositCents === 0,
    /** Why the deposit cannot be paid. */
    depositState: application?.depositReturned
      ? 'Returned'
      : isDepositProcessing && !depositPaid
        ? 'On its way'
        : 'Paid already',
    labelOf: (type: PayableType) => paymentLabel(type, charges),
    isRentClosed: open.rentCents === 0,
  }
}

/** Whether nothing is left to pay for an application: everything is paid or processing. */
export function isSettled({ open, plan }: Pick<PayTarget, 'open' | 'plan'>): boolean {
  if (plan.data?.pay) return plan.data.pay.next === null
  return open.depositCents === 0 && open.rentCents === 0
}

/** The payment plan of an application; the query waits for the application's id. */
export function usePlan(applicationId: string | undefined) {
  return api.plans.show.useQuery(
    { applicationId: applicationId ?? '' },
    { enabled: applicationId !== undefined },
  )
}

/** When the rest of a booking without a plan is due, if that is not soon. */
export function useRestDue(application: Options['applications'][number] | undefined): string | undefined {
  const plan = usePlan(application?.id)
  const today = useToday()
  if (!application?.startDate || plan.data?.pay !== null) return undefined
  const { depositDueCents, open, startDate } = application
  const day = laterDay(startDate, today)
  const restCents = open.rentCents
  if (!day || !restCents) return undefined
  const before = `before ${formatShortDate(day)}`
  return depositDueCents > 0 ? `${formatCents(restCents)} of it ${before}` : `due ${before}`
}

/** What an application owes and has paid; the query waits for the application's id. */
export function useAccount(applicationId: string | undefined) {
  return api.charges.list.useQuery(
    { applicationId: applicationId ?? '' },
    { enabled: applicationId !== undefined },
  )
}

/**
 * The application with this id, or by default the newest with a balance, else the newest incomplete one, else the
 * newest (PAY-16).
 */
export function pickApplication<Application extends Pickable>(
  { applications }: { applications: readonly Application[] },
  id: string | undefined,
): Application | undefined {
  if (id !== undefined) return applications.find(application => application.id === id)
  return (
    applications.find(({ balance }) => balance.balanceCents > 0) ??
    applications.find(({ status }) => status !== 'completed') ??
    applications[0]
  )
}

/** The applications on a screen that may be limited to a single application. */
export function shownApplications(
  { applications }: Options,
  id: string | undefined,
): Options['applications'] {
  return applications.filter(application => id === undefined || application.id === id)
}

/** Whether anything can be paid. Before there is a lease, any amount can be paid in advance. */
export function hasAnythingToPay(options: Options, id: string | undefined): boolean {
  const shown = shownApplications(options, id)
  return shown.length === 0 || shown.some(({ open }) => open.rentCents !== 0 || open.depositCents > 0)
}

/** Key in session storage: the application of the last payment, so that a canceled payment returns to it (LOOK-40). */
export const lastPaidApplicationKey = 'payingFor'
