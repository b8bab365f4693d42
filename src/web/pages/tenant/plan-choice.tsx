import { RadioGroupField } from '../../ui/choice-fields.tsx'
import { AmountField } from './amount-field.tsx'
import type { useCheckout } from './use-checkout.ts'

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
        value={choice}
        onChange={event =>
          setChoice(offers.find(({ value }) => value === event.target.value)?.value ?? choice)
        }
        options={offers.map(offer => ({ ...offer, hint: <Lines lines={offer.hint} /> }))}
        hint={hasOpenDeposit && 'The deposit is paid by itself, so that it can go back to the same account.'}
        error={isOther ? undefined : error('amount')}
      />
      {isOther && <AmountField checkout={checkout} label="Amount" />}
    </>
  )
}

const Lines = ({ lines }: { lines: string[] }) =>
  lines.map(line => (
    <span key={line} className="block">
      {line}
    </span>
  ))
