import { type ReactNode, useId } from 'react'
import { api, type Outputs } from '../../api/api.ts'
import { noBreakWords } from '../../ui/no-break-words.tsx'
import { RelativeTime } from '../stays/relative-time.tsx'

/** When a factor was last used. */
export function LastUse({ factor: { lastUsedAt } }: { factor: Factor }) {
  return (
    <p className="text-[0.9375rem] text-muted">
      {lastUsedAt ? (
        <>
          Last used <RelativeTime at={lastUsedAt} />
        </>
      ) : (
        'Never used'
      )}
    </p>
  )
}

type SectionProps = { title: string; state?: ReactNode; action?: ReactNode; children: ReactNode }

/** A section of the tab: its title, its state, its action, and an explanation. */
export function Section({ title, state, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-2 border-line not-first:border-t not-first:pt-6">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 id={id} className="text-lg font-semibold text-navy">
            {noBreakWords(title)}
          </h3>
          {state}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}

export type Factors = Outputs['factors']['list']
export type Factor = Factors['factors'][number]
export type TotpSetup = Outputs['factors']['setUpTotp']

export const useFactors = () => api.factors.list.useQuery()
