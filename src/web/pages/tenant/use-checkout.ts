import { useRef, useState } from 'react'
import { cardFeeCents } from '../../../domain/common/money.ts'
import type { ProviderMethod } from '../../../domain/money/ledger.ts'
import type { PayableType } from '../../../domain/money/payment.ts'
import {
  amountHint,
  chosenPayment,
  maxPaymentCents,
  offersOf,
  overpaymentWarning,
  type PayChoice,
  type PaymentChoice,
  paymentProblem,
} from '../../../domain/money/payment-offers.ts'
import type { Outputs } from '../../api/api.ts'
import { parseDollars, toDollarText } from '../../features/payments/dollar-amount.ts'
import { type PayTarget, usePayTarget } from './pay-target.ts'
import { useCheckoutCall } from './use-checkout-call.ts'

type Options = Outputs['payments']['options']

/** The state of the payment form, its amounts in cents, and the redirect to the provider's page. */
export function useCheckout(options: Options, fixedId: string | undefined) {
  const [chosenId, setChosenId] = useState<string>()
  const [description, setDescription] = useState('')
  const amountField = useRef<HTMLInputElement>(null)
  const call = useCheckoutCall()

  const target = usePayTarget(options, fixedId, chosenId)
  const { application, plan } = target
  const selection = usePaymentSelection(target)
  const { amountCents, paymentType } = selection.payment
  const feeCents = cardFeeCents(amountCents, options.feeBasisPoints)
  const providerMaxCents = maxPaymentCents(options.feeBasisPoints)
  const maxCents = Math.min(providerMaxCents, plan.data?.pay?.otherMaxCents ?? providerMaxCents)

  const send = async (method: ProviderMethod) => {
    const creditCardFee = method === 'card' ? feeCents : 0
    const applicationId = application?.id
    const sums = { amount: amountCents, creditCardFee, totalAmount: amountCents + creditCardFee }
    await call.send(method, { ...sums, paymentType, applicationId, description })
  }
  const question = selection.warning && [application?.id, amountCents, selection.warning].join(' ')
  const overpayment = useOverpayment(question, send)

  const proceed = async (method: ProviderMethod) => {
    const problem = paymentProblem(selection.payment, plan.data, providerMaxCents)
    if (problem) {
      call.setErrors({ amount: problem })
      amountField.current?.focus()
    } else if (!overpayment.ask(method)) await send(method)
  }

  return {
    ...target,
    setApplicationId: call.withoutErrors((id: string) => {
      setChosenId(id)
      selection.reset()
    }),
    type: paymentType,
    setType: call.withoutErrors(selection.setType),
    offers: selection.offers,
    choice: selection.choice,
    setChoice: call.withoutErrors(selection.setChoice),
    amount: selection.amount,
    setAmount: call.withoutErrors(selection.setAmount),
    amountField,
    description,
    setDescription,
    amountCents,
    feeCents,
    /** Why the typed amount is invalid; shown instead of the totals. */
    amountHint: selection.isTyped
      ? amountHint(selection.amount, parseDollars(selection.amount), maxCents)
      : undefined,
    /** The warning if more would be paid than is owed. */
    warning: selection.warning,
    overpayment,
    error: (field: string) => call.errors[field],
    formError: call.formError,
    pendingMethod: call.pendingMethod,
    proceed,
  }
}

/** Asks for confirmation before an overpayment is sent, once per application, amount and balance. */
function useOverpayment(question: string | undefined, send: (method: ProviderMethod) => Promise<void>) {
  const [asked, setAsked] = useState<ProviderMethod>()
  const confirmed = useRef<string>(undefined)
  return {
    isAsked: asked !== undefined,
    /** Asks if necessary; returns whether the tenant has to answer first. */
    ask: (method: ProviderMethod) => {
      if (!question || confirmed.current === question) return false
      setAsked(method)
      return true
    },
    confirm: () => {
      confirmed.current = question
      setAsked(undefined)
      if (asked) void send(asked)
    },
    cancel: () => setAsked(undefined),
  }
}

/** What to pay: installments if there is a plan, else the open deposit, the open rent or any amount of rent. */
function usePaymentSelection({ open, isDepositClosed, isRentClosed, plan }: PayTarget) {
  const [chosenType, setType] = useState<PayableType>()
  const [chosen, setChoice] = useState<PayChoice>()
  const [typed, setAmount] = useState<string>()
  const { instalments = [], pay } = plan.data ?? {}
  const payable = pay && { pay, instalments }
  // Defaults to the full open rent.
  const amount = typed ?? (open.rentCents && !payable ? toDollarText(open.rentCents) : '')
  const enteredCents = parseDollars(amount) ?? 0
  const offers = payable && offersOf(payable)
  const choice = (offers?.find(({ value }) => value === chosen) ?? offers?.[0])?.value ?? 'next'
  const paymentType = isDepositClosed ? 'rent' : isRentClosed ? 'deposit' : (chosenType ?? 'deposit')
  const payment: PaymentChoice = payable
    ? chosenPayment(payable, choice, enteredCents)
    : { paymentType, amountCents: paymentType === 'deposit' ? open.depositCents : enteredCents }
  return {
    payment,
    warning: payable ? undefined : overpaymentWarning(payment, open),
    setType,
    /** Undefined if there is no plan. */
    offers,
    choice,
    setChoice,
    amount,
    setAmount,
    isTyped: payable ? choice === 'other' : payment.paymentType === 'rent',
    reset: () => {
      setAmount(undefined)
      setType(undefined)
      setChoice(undefined)
    },
  }
}
