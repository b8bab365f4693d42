import { useEffect, useState } from 'react'
import { failureText } from '../../api/api.ts'

/** The dialog closes this long after a success. */
const closeAfterMs = 2_000

/** What both password forms share: the call's state, its error text, and the closing after success. */
export function usePasswordChange(onDone: () => void) {
  const [error, setError] = useState<string>()
  const [changed, setChanged] = useState(false)

  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(onDone, closeAfterMs)
    return () => clearTimeout(timer)
  }, [changed, onDone])

  const run = async (call: () => Promise<unknown>) => {
    setError(undefined)
    try {
      await call()
      setChanged(true)
    } catch (cause) {
      setError(
        failureText(cause, {
          failed: 'Failed to change password',
          threw: 'Password change failed. Please try again.',
        }),
      )
    }
  }
  return { error, changed, run }
}
