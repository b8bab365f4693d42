import { CircleCheck, CircleX, Clock, ExternalLink, type LucideIcon, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { tenantStep } from '../../../../domain/bookings/tenant-step.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { isOpenPayment, labelOfTypes } from '../../../../domain/money/ledger.ts'
import { shortTransactionId } from '../../../../domain/money/payment.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { NextStepPanel } from '../../../features/applications/next-step-panel.tsx'
import { useOutstandingBalance } from '../../../features/payments/balance-summary.tsx'
import { paymentLabel } from '../../../features/payments/charge-view.ts'
import { paidWith } from '../../../features/payments/payment-cells.tsx'
import { paymentTime } from '../../../features/payments/payment-view.ts'
import { DownloadReceipt } from '../../../features/payments/receipt-button.tsx'
import { useDay, useTimeZone } from '../../../features/stays/today.ts'
import { readTabStorage, writeTabStorage } from '../../../forms/tab-storage.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { NextStepLink } from '../application/application-next-step.tsx'

type PaymentResult = Outputs['payments']['bySession']
type Payment = PaymentResult['payment']

const pollIntervalMs = 5_000
/** For bank payments, which take days. */
const slowPollIntervalMs = 30_000
const slowAfterMs = 60_000

/** Shows the outcome of a payment, including a failure (PAYOK-06). */
export function PaymentSuccessPage() {
  const [search] = useSearchParams()
  const sessionId = search.get('session_id') ?? ''
  const query = api.payments.bySession.useQuery(
    { sessionId },
    {
      enabled: sessionId !== '',
      refetchInterval: ({ state }) => pollIntervalOf(state.data?.payment.status),
    },
  )
  useReceiptToast(sessionId, query.data?.payment)
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-6 sm:px-6 sm:py-10">
      {sessionId === '' ? (
        <NoDetails />
      ) : (
        <QueryView
          query={query}
          loading={<Skeleton className="h-[34rem] w-full rounded-card" />}
          error={<NoDetails onRetry={() => void query.refetch()} />}
        >
          {answer => <Outcome {...answer} />}
        </QueryView>
      )}
    </div>
  )
}

function pollIntervalOf(status: Payment['status'] | undefined): number | false {
  if (!status || !isOpenPayment(status)) return false
  return status === 'processing' ? slowPollIntervalMs : pollIntervalMs
}

function NoDetails({ onRetry }: { onRetry?: () => void }) {
  return (
    <Card className="pb-8 text-center">
      <h1 className="sr-only">Payment</h1>
      <ErrorState message="Error loading payment details" {...(onRetry && { onRetry })} className="pb-5" />
      <BackToDashboard />
    </Card>
  )
}

function Outcome({ payment, payments, receiptUrl }: PaymentResult) {
  const isSlow = useIsSlow(payment.status === 'pending')
  const { title, text, canPayAgain, Icon, iconClass } = isSlow ? slow : outcomes[payment.status]
  const isPaid = payment.status === 'succeeded'
  const applicationId = payment.applicationId?.id
  const isNextShown = isPaid || payment.status === 'processing'
  const next = useNextStep(isNextShown ? applicationId : undefined)
  const canOnlyWait = next.step?.kind === 'wait' || next.step?.kind === 'booked'
  const isLater = next.step?.isLater === true
  return (
    <Card>
      <CardBody className="grid gap-6 sm:p-8">
        <header className="grid justify-items-center gap-2 text-center">
          <Icon aria-hidden className={`size-14 ${iconClass}`} strokeWidth={1.5} />
          <h1 className="text-[1.75rem] leading-tight font-semibold text-navy">{title}</h1>
          <p className="text-muted" role="status">
            {text}
          </p>
        </header>
        {next.isLoading && <Skeleton className="h-44 w-full rounded-card" />}
        {applicationId && next.step && (
          <div className="print:hidden">
            <NextStepPanel
              {...next.step}
              about={canOnlyWait ? 'Nothing to do now' : 'What happens next'}
              isQuiet={canOnlyWait || isLater}
              action={<NextStepLink id={applicationId} {...next.step} />}
            />
          </div>
        )}
        <PaymentDetails
          payment={payment}
          payments={payments}
          receiptUrl={payment.status === 'returned' ? null : receiptUrl}
        />
        <div className="flex flex-wrap justify-center gap-3 max-sm:*:grow print:hidden">
          {canPayAgain && (
            <Button asChild>
              <Link href={paths.payment(applicationId)}>Try Again</Link>
            </Button>
          )}
          {isPaid && (
            <>
              <DownloadReceipt payment={payment} />
              <Button variant="secondary" onClick={() => window.print()}>
                <Printer aria-hidden />
                Print
              </Button>
            </>
          )}
          <BackToDashboard variant={canOnlyWait || isLater ? 'primary' : 'secondary'} />
        </div>
      </CardBody>
    </Card>
  )
}

/** What is still to pay or to do for the application, or how the booking stands. */
function useNextStep(id: string | undefined) {
  const day = useDay()
  const enabled = id !== undefined
  const { data } = api.applications.get.useQuery({ id: id ?? '' }, { enabled })
  const { isLoading, outstanding } = useOutstandingBalance(id ?? '', { enabled })
  return { isLoading, step: isLoading || !data ? undefined : tenantStep(data.application, day, outstanding) }
}

/** Whether the page has been waiting for more than a minute. */
function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isWaiting])
  return isSlow
}

/** The flag in session storage makes the dashboard refetch its list. */
function BackToDashboard({ variant = 'secondary' }: { variant?: 'primary' | 'secondary' }) {
  const [, navigate] = useLocation()
  const goBack = () => {
    writeTabStorage('paymentSuccessReturn', true)
    navigate(paths.dashboard)
  }
  return (
    <Button variant={variant} onClick={goBack}>
      Back to Dashboard
    </Button>
  )
}

type Outcome = {
  title: string
  text: string
  canPayAgain?: boolean
  Icon: LucideIcon
  iconClass: string
}

const waiting = { Icon: Clock, iconClass: 'text-yellow' }
const failed: Outcome = {
  title: 'Payment failed',
  text: 'The payment did not go through. You were not charged.',
  canPayAgain: true,
  Icon: CircleX,
  iconClass: 'text-red',
}

const confirming: Outcome = {
  title: 'Confirming your payment…',
  text: 'We are confirming your payment. This page updates by itself.',
  ...waiting,
}
/** A tenant who did not finish the payment can continue: the server reuses the same checkout. */
const slow: Outcome = {
  ...confirming,
  text: 'This is taking longer than usual. This page updates by itself. If you did not finish the payment, please try again.',
  canPayAgain: true,
}

const outcomes: Record<Payment['status'], Outcome> = {
  succeeded: {
    title: 'Payment Successful',
    text: 'Thank you. Your payment has arrived.',
    Icon: CircleCheck,
    iconClass: 'text-green',
  },
  processing: {
    title: 'Payment processing',
    text: 'Your payment is on its way: from a bank account it takes up to 4 business days. You do not need to pay it again.',
    ...waiting,
  },
  pending: confirming,
  failed,
  canceled: failed,
  refunded: { title: 'Payment refunded', text: 'This payment was refunded.', ...waiting },
  disputed: { title: 'Payment disputed', text: 'This payment is in dispute.', ...waiting },
  returned: {
    title: 'Payment returned',
    text: 'The bank took this payment back. Please pay again, by card or in another way.',
    canPayAgain: true,
    Icon: CircleX,
    iconClass: 'text-red',
  },
}

/** What was paid, when and how; when printed, a receipt. */
function PaymentDetails({ payment, payments, receiptUrl }: PaymentResult) {
  const timeZone = useTimeZone()
  const site = useSite()
  const { applicationId, userId: user } = payment
  const account = api.charges.list.useQuery(
    { applicationId: applicationId?.id ?? '' },
    { enabled: Boolean(applicationId) },
  )
  const charges = account.data?.charges ?? []
  const feeAmount = payments.reduce((sum, { feeAmount }) => sum + feeAmount, 0)
  const amount = payments.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <div className="rounded-control border border-line bg-canvas/60 p-5">
      <p className="mb-4 hidden print:block">
        {site?.companyName}, {site?.propertyName}, {site?.propertyAddress}
        <br />
        Received from {user.firstName} {user.lastName}, {user.email}
      </p>
      <DefinitionList
        items={[
          {
            label: feeAmount > 0 ? 'Total charged' : 'Amount',
            value: <span className="text-xl">{formatCents(amount + feeAmount)}</span>,
          },
          { label: 'Payment Type', value: labelOfTypes(payments.map(({ paymentType }) => paymentType)) },
          ...(payments.length > 1 ? payments : []).map(({ amount, paymentType }) => ({
            label: paymentLabel(paymentType, charges),
            value: formatCents(amount),
          })),
          ...(feeAmount > 0
            ? [
                { label: 'Amount', value: formatCents(amount) },
                { label: 'Card fee', value: formatCents(feeAmount) },
              ]
            : []),
          { label: 'Date', value: formatMoment(paymentTime(payment), timeZone) },
          { label: 'Paid with', value: paidWith(payment) },
          { label: 'Booking', value: payment.applicationId?.applicationNumber ?? '' },
          { label: 'Transaction reference', value: shortTransactionId(payment.stripePaymentIntentId) },
          ...(payment.failureReason ? [{ label: 'Reason', value: payment.failureReason }] : []),
        ]}
      />
      {receiptUrl && (
        <a
          href={receiptUrl}
          target="_blank"
          rel="noreferrer"
          className="mt-4 inline-flex min-h-9 items-center gap-1.5 link print:hidden"
        >
          View the {payment.providerMethod === 'us_bank_account' ? 'payment' : 'card'} provider’s receipt
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </div>
  )
}

/** Shows a toast about the receipt email, once per checkout session. */
function useReceiptToast(sessionId: string, payment: Payment | undefined): void {
  const receipt = payment?.status === 'succeeded' ? payment.receiptEmail : undefined
  useEffect(() => {
    if (receipt === undefined || receipt === 'off') return
    const key = `receipt:${sessionId}`
    if (readTabStorage(key) === true) return
    writeTabStorage(key, true)
    if (receipt === 'failed') toast.error('Failed to send email receipt. Please contact support.')
    else toast.success('Payment receipt sent to your email!')
  }, [sessionId, receipt])
}
