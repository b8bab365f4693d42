import { api, type Outputs } from '../../api/api.ts'

type Options = Outputs['payments']['options']
export type PayTarget = ReturnType<typeof usePayTarget>

/** What is paid for, and how: an application with its plan and its deposit, or the account. */
export function usePayTarget(options: Options, fixedId: string | undefined, chosenId?: string) {
  const application = pickApplication(options, fixedId ?? chosenId)
  const plan = usePlan(application?.id)
  const { payments = [] } = api.payments.history.useQuery({ applicationId: fixedId }).data ?? {}
  const { depositCents, depositDueCents, depositPaid } = application ?? options
  /** Payments that are on their way from a bank account. */
  const coming = payments.filter(
    payment =>
      payment.status === 'processing' &&
      payment.providerMethod === 'us_bank_account' &&
      payment.applicationId?.id === application?.id,
  )
  const isDepositComing = coming.some(({ paymentType }) => paymentType === 'deposit')
  return {
    application,
    plan,
    coming,
    hasBank: application ? plan.data?.methods.bank === true : options.bankPayments,
    depositCents,
    depositDueCents,
    isDepositClosed: depositPaid || isDepositComing,
    /** Why the deposit cannot be paid. */
    depositState: application?.depositReturned ? 'Returned' : depositPaid ? 'Paid already' : 'On its way',
  }
}

/** The payment plan of an application; it waits for the application's id. */
export function usePlan(applicationId: string | undefined) {
  return api.plans.show.useQuery(
    { applicationId: applicationId ?? '' },
    { enabled: applicationId !== undefined },
  )
}

/** The requested one, else the newest that is not complete, else the newest (PAY-16). */
export function pickApplication({ applications }: Options, id: string | undefined) {
  if (id !== undefined) return applications.find(application => application.id === id)
  return applications.find(({ status }) => status !== 'completed') ?? applications[0]
}
