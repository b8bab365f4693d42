import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

type DisclosureProps = {
  summary: ReactNode
  /** Of the disclosures with one name, only one is open at a time. */
  name?: string
  /** Open initially. */
  open?: boolean
  children: ReactNode
}

/** Content that few people need, behind a line that expands it. */
export function Disclosure({ summary, name, open, children }: DisclosureProps) {
  return (
    <details className="group" name={name} open={open}>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1.5 rounded-control font-semibold wrap-anywhere text-navy hover:underline [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        {summary}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}
