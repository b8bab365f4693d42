import type { ReactNode } from 'react'

/** Keeps a date such as `Dec 10, 2026` on one line. */
export const noBreakDates = (text: ReactNode): ReactNode =>
  typeof text === 'string' ? text.replace(/([A-Z][a-z]{2}) (\d{1,2}), (\d{4})/g, '$1\u00a0$2,\u00a0$3') : text
