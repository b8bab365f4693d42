import type { ReactNode } from 'react'

/** One line of an estimate: label and amount. */
export function EstimateLine({ label, value }: { label: ReactNode; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 text-[0.9375rem]">
      <dt className="min-w-0 text-muted">{label}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  )
}

/** The total of an estimate. */
export function EstimateTotal({ label, value }: { label: string; value: string }) {
  return (
    <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-3">
      <dt className="font-semibold text-navy">{label}</dt>
      <dd className="text-2xl font-semibold text-navy tabular-nums">{value}</dd>
    </div>
  )
}

/** Where a stay is shorter than its season asks for, and guests are not held to that (LOOK-57). */
export const ShorterStay = () => (
  <p className="mt-4 text-[0.9375rem] font-semibold text-yellow">
    Ask for a shorter stay: we will tell you whether it is possible.
  </p>
)
