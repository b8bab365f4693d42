import { useEffect, useEffectEvent } from 'react'

type Query = {
  refetch: (options: { cancelRefetch: boolean }) => unknown
  error: unknown
  errorUpdateCount: number
}

const paymentReturnFlag = 'paymentSuccessReturn'
const paymentReturnDelayMs = 500

/** Refetches on focus, when the tab becomes visible, and after a payment. A failure is only logged: the list stays. */
export function useListRefresh(query: Query): void {
  const refresh = useEffectEvent(() => void query.refetch({ cancelRefetch: false }))

  useEffect(() => {
    const onFocus = () => refresh()
    const onVisibility = () => document.visibilityState === 'visible' && refresh()
    window.addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      window.removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])

  useEffect(() => {
    if (sessionStorage.getItem(paymentReturnFlag) === null) return
    const timer = setTimeout(() => {
      sessionStorage.removeItem(paymentReturnFlag)
      refresh()
    }, paymentReturnDelayMs)
    return () => clearTimeout(timer)
  }, [])

  const { error, errorUpdateCount } = query
  useEffect(() => {
    if (errorUpdateCount > 0 && error) console.warn('The applications could not be refreshed:', error)
  }, [error, errorUpdateCount])
}
