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

/** What the payment form holds, what it adds up to in cents, and the way to the provider's page. */
export function useCheckout(options: Options, fixedId: string | undefined) {
  const [chosenId, setChosenId] = useState<string>()
  const [chosenType, setChosenType] = useState<PayableType>()
  const [amount, setAmount] = useState('')
  const [description, setDescription] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusal, setRefusal] = useState<string>()
  const [leaving, setLeaving] = useLeaving()
  const amountField = useRef<HTMLInputElement>(null)
  const call = api.payments.createCheckoutSession.useMutation()
  const underWay = useRef(false)

  const application = pick(options, fixedId ?? chosenId)
  const { depositCents, depositDueCents, depositPaid } = application ?? options
  const type = depositPaid ? 'rent' : (chosenType ?? 'deposit')
  const enteredCents = parseDollars(amount) ?? 0
  const amountCents = type === 'deposit' ? depositDueCents : enteredCents
  const feeCents = cardFeeCents(amountCents, options.feeBasisPoints)
  const totalCents = amountCents + feeCents

  const proceed = async () => {
    if (underWay.current || leaving) return
    setRefusal(undefined)
    if (amountCents < minCheckoutCents || totalCents > maxCheckoutTotalCents) {
      setErrors({ amount: validAmountMessage })
      amountField.current?.focus()
      return
    }
    setErrors({})
    underWay.current = true
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
      setLeaving(true)
      location.assign(url)
    } catch (error) {
      const text = failureText(error, {
        failed: 'Failed to create checkout session',
        threw: 'Payment failed',
      })
      if (!isSessionExpired(error)) toast.error(text)
      setRefusal(text)
      const failure = failureOf(error)
      if (failure.kind === 'refused') setErrors(failure.fields)
    } finally {
      underWay.current = false
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
    amountCents,
    feeCents,
    error: (field: string) => errors[field],
    refusal,
    busy: call.isPending || leaving,
    proceed,
  }
}

/** The one that was asked for, else the newest that is not complete, else the newest (PAY-16). */
function pick({ applications }: Options, id: string | undefined) {
  if (id !== undefined) return applications.find(application => application.id === id)
  return applications.find(({ status }) => status !== 'completed') ?? applications[0]
}

/** The browser is on its way to another page. Coming back to this one as it was left ends that. */
function useLeaving() {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setLeaving(false)
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  return [leaving, setLeaving] as const
}
