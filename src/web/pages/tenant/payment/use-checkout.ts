import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { cardFeeCents } from '../../../../domain/common/money.ts'
import type { ProviderMethod } from '../../../../domain/money/ledger.ts'
import { type PayableType, sessionIdPlaceholder } from '../../../../domain/money/payment.ts'
import {
  amountHint,
  chosenPayments,
  maxPaymentCents,
  offersOf,
  overpaymentWarning,
  type PayChoice,
  type PaymentChoices,
  paymentError,
  paymentsOfBoth,
} from '../../../../domain/money/payment-choices.ts'
import { api, type Inputs, type Outputs } from '../../../api/api.ts'
import { failureOf, failureText } from '../../../api/failures.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { writeTabStorage } from '../../../forms/tab-storage.ts'
import { paths } from '../../../routing/paths.ts'
import { isSessionExpired } from '../../../session/session.tsx'
import { lastPaidApplicationKey, type PayTarget, usePayTarget } from './pay-target.ts'

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
  const [first, rent] = selection.payments
  const feeOf = (cents: number) => cardFeeCents(cents, options.feeBasisPoints)
  const sumOf = (cents: (amountCents: number) => number) =>
    selection.payments.reduce((sum, { amountCents }) => sum + cents(amountCents), 0)
  const amountCents = sumOf(cents => cents)
  const feeCents = sumOf(feeOf)
  const providerMaxCents = maxPaymentCents(options.feeBasisPoints)
  const maxCents = Math.min(providerMaxCents, plan.data?.pay?.otherMaxCents ?? providerMaxCents)

  const send = async (method: ProviderMethod) => {
    const isCard = method === 'card'
    const line = (amount: number) => ({ amount, creditCardFee: isCard ? feeOf(amount) : 0 })
    await call.send(method, {
      ...line(first.amountCents),
      ...(rent && { rent: line(rent.amountCents) }),
      totalAmount: amountCents + (isCard ? feeCents : 0),
      paymentType: first.paymentType,
      applicationId: application?.id,
      description,
    })
  }
  const question = selection.warning && [application?.id, amountCents, selection.warning].join(' ')
  const overpayment = useOverpayment(question, send)

  const proceed = async (method: ProviderMethod) => {
    const [problem] = selection.payments.flatMap(
      payment => paymentError(payment, plan.data, providerMaxCents) ?? [],
    )
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
    type: selection.type,
    setType: call.withoutErrors(selection.setType),
    offers: selection.offers,
    choice: selection.choice,
    setChoice: call.withoutErrors(selection.setChoice),
    amount: selection.amount,
    setAmount: call.withoutErrors(selection.setAmount),
    amountField,
    description,
    setDescription,
    payments: selection.payments,
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

/**
 * What to pay: installments if there is a plan, else the open deposit and rent, the deposit, the rent or any amount of
 * rent.
 */
function usePaymentSelection({ both, isDepositFirst, open, isDepositClosed, isRentClosed, plan }: PayTarget) {
  const [chosenType, setType] = useState<PayableType | 'both'>()
  const [chosen, setChoice] = useState<PayChoice>()
  const [typed, setAmount] = useState<string>()
  const { instalments = [], pay } = plan.data ?? {}
  const payable = pay && { pay, instalments }
  // Defaults to the full open rent.
  const amount = typed ?? (open.rentCents && !payable ? toDollarText(open.rentCents) : '')
  const enteredCents = parseDollars(amount) ?? 0
  const offers = payable && offersOf(payable)
  const ofDeposit = pay?.next?.paymentType === 'deposit' ? 'next' : 'deposit'
  const offered = (choice: PayChoice | undefined) => offers?.find(({ value }) => value === choice)
  const choice =
    (offered(chosen) ?? offered(isDepositFirst ? ofDeposit : undefined) ?? offers?.[0])?.value ?? 'next'
  const type = chosenType ?? (both && !isDepositFirst ? 'both' : 'deposit')
  const paymentType = isDepositClosed ? 'rent' : isRentClosed || type === 'both' ? 'deposit' : type
  const isBoth = both !== null && type === 'both'
  const ofType: PaymentChoices = isBoth
    ? paymentsOfBoth(both)
    : [{ paymentType, amountCents: paymentType === 'deposit' ? open.depositCents : enteredCents }]
  const payments = payable ? chosenPayments(payable, choice, enteredCents) : ofType
  return {
    payments,
    type: isBoth ? ('both' as const) : paymentType,
    warning: payable ? undefined : overpaymentWarning(payments[0], open),
    setType,
    /** Undefined if there is no plan. */
    offers,
    choice,
    setChoice,
    amount,
    setAmount,
    isTyped: payable ? choice === 'other' : payments[0].paymentType === 'rent',
    reset: () => {
      setAmount(undefined)
      setType(undefined)
      setChoice(undefined)
    },
  }
}

type Checkout = Omit<
  Inputs['payments']['createCheckoutSession'],
  'providerMethod' | 'successUrl' | 'cancelUrl'
>

/**
 * Starts a checkout, one at a time, and redirects to the provider. Errors are shown at their fields or above the
 * buttons.
 */
function useCheckoutCall() {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [formError, setFormError] = useState<string>()
  const [pendingMethod, setPendingMethod] = usePendingMethod()
  const queries = api.useUtils()
  const call = api.payments.createCheckoutSession.useMutation()
  const isSending = useRef(false)

  const send = async (method: ProviderMethod, checkout: Checkout) => {
    if (isSending.current || pendingMethod) return
    setErrors({})
    setFormError(undefined)
    setPendingMethod(method)
    isSending.current = true
    const isBank = method === 'us_bank_account'
    try {
      const { url } = await call.mutateAsync({
        ...checkout,
        ...(isBank && { providerMethod: method }),
        successUrl: `${location.origin}${paths.paymentSuccess}?session_id=${sessionIdPlaceholder}`,
        cancelUrl: `${location.origin}${paths.paymentCancel}${isBank ? '?method=bank' : ''}`,
      })
      writeTabStorage(lastPaidApplicationKey, checkout.applicationId ?? null)
      location.assign(url)
    } catch (error) {
      setPendingMethod(undefined)
      const text = failureText(error, {
        failed: 'Failed to create checkout session',
        noResponse: 'Payment failed',
      })
      const failure = failureOf(error)
      const fields = failure.kind === 'refused' ? failure.fields : {}
      setErrors(fields)
      // Said once: at its field, else above the buttons.
      if (!isSessionExpired(error) && !Object.values(fields).includes(text)) setFormError(text)
      if (failure.kind !== 'refused') return
      // The open amounts or the payment methods may have changed in the meantime.
      void queries.plans.show.invalidate()
      void queries.payments.options.invalidate()
    } finally {
      isSending.current = false
    }
  }

  return {
    send,
    /** The payment method while a checkout is being created or opened; otherwise undefined. */
    pendingMethod,
    errors,
    setErrors,
    /** Wraps a setter so that it also clears the errors, which are outdated after a change. */
    withoutErrors:
      <Value>(set: (value: Value) => void) =>
      (value: Value) => {
        set(value)
        setErrors({})
      },
    formError,
    setFormError,
  }
}

/**
 * The payment method of the checkout in progress; reset if the browser restores this page from its back/forward cache.
 */
function usePendingMethod() {
  const [method, setMethod] = useState<ProviderMethod>()
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setMethod(undefined)
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  return [method, setMethod] as const
}
