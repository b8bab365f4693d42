import { useId } from 'react'
import { formatCents } from '../../../../domain/common/money.ts'
import { payableTypes, rentQuickAmountsCents } from '../../../../domain/money/payment.ts'
import { offerOfBoth } from '../../../../domain/money/payment-choices.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Notice } from '../../../ui/notice.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import type { useCheckout } from './use-checkout.ts'

type CheckoutProps = { checkout: ReturnType<typeof useCheckout> }

const types = ['both', ...payableTypes] as const
/** Deposit and rent in one payment stands above the others. */
const firstIsWide = '[&>.grid>:first-child]:col-span-full'

/** Chooses deposit or rent, and the amount; used if there is no payment plan. */
export function TypeAndAmount({ checkout }: CheckoutProps) {
  const { both, depositCents, depositState, isDepositClosed, isRentClosed, labelOf, open, type } = checkout
  const isDepositPart = !isDepositClosed && open.depositCents < depositCents
  const rentHint = open.rentCents === null ? 'Any amount toward your stay' : formatCents(open.rentCents)
  return (
    <>
      <RadioGroupField
        label="Payment Type"
        name="paymentType"
        cards
        className={classNames('[&>.grid]:grid-cols-2', both && firstIsWide)}
        value={type}
        onChange={event => checkout.setType(types.find(value => value === event.target.value) ?? 'deposit')}
        options={[
          ...(both ? [withLines({ value: 'both', ...offerOfBoth(both) })] : []),
          {
            value: 'deposit',
            label: 'Deposit',
            hint: isDepositClosed ? depositState : formatCents(open.depositCents),
            disabled: isDepositClosed,
          },
          {
            value: 'rent',
            label: labelOf('rent'),
            hint: isRentClosed ? 'Paid already' : rentHint,
            disabled: isRentClosed,
          },
        ]}
        hint={
          type !== 'rent' &&
          isDepositPart &&
          `What is left to pay of the security deposit of ${formatCents(depositCents)}.`
        }
        error={type === 'rent' ? undefined : checkout.error('amount')}
      />
      {type === 'rent' && <RentAmount checkout={checkout} />}
    </>
  )
}

/** The full open amount comes first; quick amounts above it are not offered. */
function RentAmount({ checkout }: CheckoutProps) {
  const labelId = useId()
  const { open, warning } = checkout
  const { depositCents, rentCents } = open
  const chosen = parseDollars(checkout.amount)
  const quick = rentQuickAmountsCents.filter(cents => rentCents === null || cents < rentCents)
  const choose = (cents: number) => ({
    'aria-pressed': cents === chosen,
    onClick: () => checkout.setAmount(toDollarText(cents)),
  })
  return (
    <div className="grid gap-4">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons is not a fieldset of a form */}
      <div role="group" aria-labelledby={labelId} className="grid gap-2">
        <span id={labelId} className="text-[0.9375rem] font-semibold text-navy">
          Quick amounts
        </span>
        <div className="grid grid-cols-3 gap-2 xl:grid-cols-6">
          {rentCents !== null && (
            <Button
              variant="secondary"
              className={classNames(quickClass, 'col-span-full')}
              {...choose(rentCents)}
            >
              {depositCents > 0 ? 'Balance without the deposit' : 'Balance'} {formatCents(rentCents)}
            </Button>
          )}
          {quick.map(cents => (
            <Button key={cents} variant="secondary" className={quickClass} {...choose(cents)}>
              {formatCents(cents)}
            </Button>
          ))}
        </div>
      </div>
      <AmountField checkout={checkout} label="Custom amount" />
      {warning && (
        <Notice tone="warning" role="status">
          {warning}
        </Notice>
      )}
    </div>
  )
}

const quickClass =
  'px-2 tabular-nums aria-pressed:border-navy aria-pressed:bg-glass-light aria-pressed:outline-1 aria-pressed:outline-navy'

type Checkout = ReturnType<typeof useCheckout>
type PlanChoiceProps = { checkout: Checkout; offers: NonNullable<Checkout['offers']> }

/** Selects one of the open payments, all that are due, or a part of the open amount. */
export function PlanChoice({ checkout, offers }: PlanChoiceProps) {
  const { choice, error, plan, setChoice } = checkout
  const isOther = choice === 'other'
  const hasOpenDeposit = plan.data?.instalments.some(row => row.kind === 'deposit' && row.openCents > 0)
  return (
    <>
      <RadioGroupField
        label="What would you like to pay?"
        name="payChoice"
        cards
        className={offers[0]?.value === 'both' ? firstIsWide : undefined}
        value={choice}
        onChange={event =>
          setChoice(offers.find(({ value }) => value === event.target.value)?.value ?? choice)
        }
        options={offers.map(withLines)}
        hint={
          hasOpenDeposit &&
          'The deposit stays a payment of its own, so that it can go back to the same account.'
        }
        error={isOther ? undefined : error('amount')}
      />
      {isOther && <AmountField checkout={checkout} label="Amount" />}
    </>
  )
}

const withLines = ({ hint, ...offer }: { value: string; label: string; hint: string[] }) => ({
  ...offer,
  hint: hint.map(line => (
    <span key={line} className="block">
      {line}
    </span>
  )),
})

type AmountFieldProps = { checkout: ReturnType<typeof useCheckout>; label: string }

function AmountField({ checkout, label }: AmountFieldProps) {
  return (
    <MoneyField
      ref={checkout.amountField}
      label={label}
      min="1"
      step="0.01"
      required
      placeholder="0.00"
      value={checkout.amount}
      onChange={event => checkout.setAmount(event.target.value)}
      error={checkout.error('amount')}
    />
  )
}
