import type { ReactNode } from 'react'
import { nightsBetween } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import type { ProviderMethod } from '../../../../domain/money/ledger.ts'
import { useToday } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { FormError } from '../../../ui/form-error.tsx'
import type { useCheckout } from './use-checkout.ts'

type Checkout = ReturnType<typeof useCheckout>
type CheckoutProps = { checkout: Checkout }

/** The total by card and, if available, by bank account, each with a button. */
export function PayButtons({ checkout }: CheckoutProps) {
  const failure = <FormError>{checkout.formError}</FormError>
  if (!checkout.hasBank) {
    return (
      <>
        <Summary label="Summary">
          <CardSums checkout={checkout} />
        </Summary>
        {failure}
        <PayButton checkout={checkout} method="card" size="lg" />
      </>
    )
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <BankWay checkout={checkout} />
        <CardWay checkout={checkout} />
      </div>
      {failure}
    </>
  )
}

function CardWay({ checkout }: CheckoutProps) {
  return (
    <Summary label="By card">
      <Heading>By card</Heading>
      <CardSums checkout={checkout} />
      <PayButton checkout={checkout} method="card" variant="secondary" />
    </Summary>
  )
}

function BankWay({ checkout }: CheckoutProps) {
  const today = useToday()
  const startDate = checkout.application?.startDate
  const nights = startDate ? nightsBetween(today, startDate) : undefined
  const isArrivalNear = nights !== undefined && nights >= 0 && nights <= 7
  return (
    <Summary label="From a bank account">
      <Heading>From a bank account</Heading>
      <p className="text-[0.9375rem] text-muted">
        US bank accounts only. It takes up to 4 business days.
        {isArrivalNear && ' Your arrival details open when it has come in.'}
      </p>
      {/* Without a fee, the button has the total. */}
      <AmountHint checkout={checkout} />
      <PayButton checkout={checkout} method="us_bank_account" />
    </Summary>
  )
}

function Summary({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      aria-live="polite"
      className="flex flex-col gap-3 rounded-control bg-canvas p-4"
    >
      {children}
    </section>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h2 className="font-semibold text-navy">{children}</h2>
)

/** The amount, the fee and the total. Without a valid amount: dashes and the reason. */
function CardSums({ checkout }: CheckoutProps) {
  const { amountCents, amountHint, feeCents, labelOf, payments } = checkout
  const shown = (cents: number) => (amountHint === undefined ? cents : undefined)
  return (
    <>
      <dl className="grid gap-2">
        {payments.length > 1 ? (
          payments.map(({ amountCents, paymentType }) => (
            <Line key={paymentType} label={labelOf(paymentType)} cents={amountCents} />
          ))
        ) : (
          <Line label="Amount" cents={shown(amountCents)} />
        )}
        <Line label="Card fee" cents={shown(feeCents)} />
        <Line label="Total" cents={shown(amountCents + feeCents)} strong />
      </dl>
      <AmountHint checkout={checkout} />
    </>
  )
}

const AmountHint = ({ checkout: { amountHint } }: CheckoutProps) =>
  amountHint && <p className="text-[0.9375rem] text-muted">{amountHint}</p>

type LineProps = { label: string; cents: number | undefined; strong?: boolean }

function Line({ label, cents, strong = false }: LineProps) {
  return (
    <div
      className={classNames(
        'flex justify-between gap-4 tabular-nums',
        strong ? 'text-lg font-semibold text-navy border-t border-line pt-2' : 'text-ink',
      )}
    >
      <dt>{label}</dt>
      <dd>{cents === undefined ? '–' : formatCents(cents)}</dd>
    </div>
  )
}

/** The label, with the total if known. */
function buttonLabel(method: ProviderMethod, { amountCents, amountHint, feeCents }: Checkout): string {
  const sum = amountHint === undefined && amountCents > 0
  if (method === 'card')
    return sum ? `Proceed to Payment · ${formatCents(amountCents + feeCents)}` : 'Proceed to Payment'
  return sum ? `Pay ${formatCents(amountCents)} from a bank account` : 'Pay from a bank account'
}

type PayButtonProps = CheckoutProps & {
  method: ProviderMethod
  size?: 'md' | 'lg'
  variant?: 'secondary'
}

/** Submits the form with a payment method. Paying ahead is no next step. */
function PayButton({ checkout, method, size, variant }: PayButtonProps) {
  const { application, pendingMethod } = checkout
  const isAhead = application?.balance.label === 'Nothing owed yet'
  return (
    <Button
      type="submit"
      value={method}
      disabled={pendingMethod !== undefined}
      busy={pendingMethod === method}
      busyLabel="Taking you to the payment..."
      className="mt-auto whitespace-normal!"
      size={size}
      variant={isAhead ? 'secondary' : variant}
    >
      {buttonLabel(method, checkout)}
    </Button>
  )
}
