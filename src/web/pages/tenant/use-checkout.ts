import { useRef, useState } from 'react'
import type { ProviderMethod } from '../../../domain/ledger.ts'
import { cardFeeCents } from '../../../domain/money.ts'
import type { PayableType } from '../../../domain/payment.ts'
import type { Outputs } from '../../api/api.ts'
import { parseDollars } from '../../features/payments/dollar-amount.ts'
import { chosenPayment, offersOf, type PayChoice, paymentProblem } from './pay-choice.ts'
import { type PayTarget, usePayTarget } from './pay-target.ts'
import { useCheckoutCall } from './use-checkout-call.ts'

type Options = Outputs['payments']['options']

/** The state of the payment form, its sums in cents, and the redirect to the provider's page. */
export function useCheckout(options: Options, fixedId: string | undefined) {
  const [chosenId, setChosenId] = useState<string>()
  const [amount, setAmount] = useState('')
  const [description, setDescription] = useState('')
  const amountField = useRef<HTMLInputElement>(null)
  const call = useCheckoutCall()

  const target = usePayTarget(options, fixedId, chosenId)
  const { application, plan } = target
  const what = useWhatToPay(target, parseDollars(amount) ?? 0)
  const { amountCents, paymentType } = what.payment
  const feeCents = cardFeeCents(amountCents, options.feeBasisPoints)

  const proceed = async (method: ProviderMethod) => {
    const creditCardFee = method === 'card' ? feeCents : 0
    const totalAmount = amountCents + creditCardFee
    const problem = paymentProblem(what.payment, totalAmount, plan.data)
    if (problem) {
      call.setErrors({ amount: problem })
      amountField.current?.focus()
      return
    }
    const applicationId = application?.id
    const sums = { amount: amountCents, creditCardFee, totalAmount }
    await call.send(method, { ...sums, paymentType, applicationId, description })
  }

  /** What was refused no longer holds once something else is chosen. */
  const anew =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      call.setErrors({})
    }
  return {
    ...target,
    setApplicationId: setChosenId,
    type: paymentType,
    setType: anew(what.setType),
    offers: what.offers,
    choice: what.choice,
    setChoice: anew(what.setChoice),
    amount,
    setAmount: anew(setAmount),
    amountField,
    description,
    setDescription,
    amountCents,
    feeCents,
    error: (field: string) => call.errors[field],
    formError: call.formError,
    methodAtHand: call.methodAtHand,
    proceed,
  }
}

/** By the plan's instalments where there is a plan, else the deposit or any amount of rent. */
function useWhatToPay({ depositDueCents, isDepositClosed, plan }: PayTarget, enteredCents: number) {
  const [chosenType, setType] = useState<PayableType>()
  const [chosen, setChoice] = useState<PayChoice>()
  const paymentType = isDepositClosed ? 'rent' : (chosenType ?? 'deposit')
  const freePayment = {
    paymentType,
    amountCents: paymentType === 'deposit' ? depositDueCents : enteredCents,
  }
  const { instalments = [], pay } = plan.data ?? {}
  const payable = pay && { pay, instalments }
  const offers = payable && offersOf(payable)
  const choice = (offers?.find(({ value }) => value === chosen) ?? offers?.[0])?.value ?? 'next'
  return {
    payment: payable ? chosenPayment(payable, choice, enteredCents) : freePayment,
    setType,
    /** Undefined without a plan. */
    offers,
    choice,
    setChoice,
  }
}
