import { MoneyField } from '../../ui/text-field.tsx'
import type { useCheckout } from './use-checkout.ts'

type AmountFieldProps = { checkout: ReturnType<typeof useCheckout>; label: string }

export function AmountField({ checkout, label }: AmountFieldProps) {
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
