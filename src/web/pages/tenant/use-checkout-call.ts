import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '../../../domain/common/errors.ts'
import type { ProviderMethod } from '../../../domain/money/ledger.ts'
import { sessionIdPlaceholder } from '../../../domain/money/payment.ts'
import { api, type Inputs } from '../../api/api.ts'
import { failureOf, failureText } from '../../api/failures.ts'
import { writeTabStorage } from '../../forms/tab-storage.ts'
import { paths } from '../../routing/paths.ts'
import { isSessionExpired } from '../../session/session.tsx'
import { toast } from '../../ui/toast.ts'
import { lastPaidApplicationKey } from './last-paid-application.ts'

type Checkout = Omit<
  Inputs['payments']['createCheckoutSession'],
  'providerMethod' | 'successUrl' | 'cancelUrl'
>

/**
 * Starts a checkout, one at a time, and redirects to the provider. Errors are shown in a toast, above the buttons and
 * at their fields.
 */
export function useCheckoutCall() {
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
      if (!isSessionExpired(error)) toast.error(text)
      setFormError(text)
      const failure = failureOf(error)
      if (failure.kind !== 'refused') return
      setErrors(failure.fields)
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
