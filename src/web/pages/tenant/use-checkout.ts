import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '../../../domain/errors.ts'
import { cardFeeCents } from '../../../domain/money.ts'
import {
  maxCheckoutTotalCents,
  minCheckoutCents,
  type PayableType,
  sessionIdPlaceholder,
  validAmountMessage,
} from '../../../domain/payment.ts'
import { api, failureOf, failureText, type Outputs } from '../../api/api.ts'
import { parseDollars } from '../../features/payments/dollar-amount.ts'
import { paths } from '../../routing/paths.ts'
import { isSessionExpired } from '../../session/session.tsx'
import { toast } from '../../ui/toasts.tsx'

type Options = Outputs['payments']['options']

/** The state of the payment form, its sums in cents, and the redirect to the provider's page. */
export function useCheckout(options: Options, fixedId: string | undefined) {
  const [chosenId, setChosenId] = useState<string>()
  const [chosenType, setChosenType] = useState<PayableType>()
  const [amount, setAmount] = useState('')
  const [description, setDescription] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [formError, setFormError] = useState<string>()
  const [isRedirecting, setRedirecting] = useRedirecting()
  const amountField = useRef<HTMLInputElement>(null)
  const call = api.payments.createCheckoutSession.useMutation()
  const isSending = useRef(false)

  const application = pick(options, fixedId ?? chosenId)
  const { depositCents, depositDueCents, depositPaid } = application ?? options
  const depositState = application?.depositReturned ? 'Returned' : 'Paid already'
  const type = depositPaid ? 'rent' : (chosenType ?? 'deposit')
  const enteredCents = parseDollars(amount) ?? 0
  const amountCents = type === 'deposit' ? depositDueCents : enteredCents
  const feeCents = cardFeeCents(amountCents, options.feeBasisPoints)
  const totalCents = amountCents + feeCents

  const proceed = async () => {
    if (isSending.current || isRedirecting) return
    setFormError(undefined)
    if (amountCents < minCheckoutCents || totalCents > maxCheckoutTotalCents) {
      setErrors({ amount: validAmountMessage })
      amountField.current?.focus()
      return
    }
    setErrors({})
    isSending.current = true
    try {
      const { url } = await call.mutateAsync({
        amount: amountCents,
        creditCardFee: feeCents,
        totalAmount: totalCents,
        paymentType: type,
        applicationId: application?.id,
        description,
        successUrl: `${location.origin}${paths.paymentSuccess}?session_id=${sessionIdPlaceholder}`,
        cancelUrl: `${location.origin}${paths.paymentCancel}`,
      })
      setRedirecting(true)
      location.assign(url)
    } catch (error) {
      const text = failureText(error, {
        failed: 'Failed to create checkout session',
        threw: 'Payment failed',
      })
      if (!isSessionExpired(error)) toast.error(text)
      setFormError(text)
      const failure = failureOf(error)
      if (failure.kind === 'refused') setErrors(failure.fields)
    } finally {
      isSending.current = false
    }
  }

  return {
    application,
    setApplicationId: setChosenId,
    type,
    setType: (next: PayableType) => {
      setChosenType(next)
      setErrors({})
    },
    amount,
    setAmount: (text: string) => {
      setAmount(text)
      setErrors({})
    },
    amountField,
    description,
    setDescription,
    depositCents,
    depositDueCents,
    depositPaid,
    depositState,
    amountCents,
    feeCents,
    error: (field: string) => errors[field],
    formError,
    busy: call.isPending || isRedirecting,
    proceed,
  }
}

/** The requested one, else the newest that is not complete, else the newest (PAY-16). */
function pick({ applications }: Options, id: string | undefined) {
  if (id !== undefined) return applications.find(application => application.id === id)
  return applications.find(({ status }) => status !== 'completed') ?? applications[0]
}

/** True while the browser leaves for the provider's page; ends when it shows this page again from its cache. */
function useRedirecting() {
  const [isRedirecting, setRedirecting] = useState(false)
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setRedirecting(false)
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  return [isRedirecting, setRedirecting] as const
}
